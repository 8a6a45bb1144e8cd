"""SVG output: numbers, fitted text, and shared shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from string import ascii_lowercase

from catan_env.render import palette

FONTS = "DejaVu Sans, Verdana, Arial, sans-serif"

# Advance widths of DejaVu Sans from space to tilde, in hundredths of the font size. The other fonts are narrower.
_WIDTHS = (
    (32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34)
    + (84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68)
    + (99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63)
    + (41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84)
)
_BOLD = 1.13


@lru_cache(maxsize=1 << 14)  # the coordinates of a layout recur in every picture
def number(value: float) -> str:
    """Format a coordinate with at most one decimal."""
    value = round(value, 1)
    return f"{value:.1f}" if value % 1 else str(int(value))


def plural(count: int, thing: str) -> str:
    """Format a count with its noun, such as "1 card" or "2 cards"."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def points(xy: Iterable[Sequence[float]]) -> str:
    """Format the corners of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in xy)


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a string rendered in DejaVu Sans."""
    hundredths = sum(_WIDTHS[ord(character) - 32] if 32 <= ord(character) < 127 else 70 for character in text)
    return hundredths * size / 100 * (_BOLD if bold else 1)


def fit(text: str, width: float, size: float, bold: bool = False) -> str:
    """Shorten a string with an ellipsis if it is too wide."""
    if width_of(text, size, bold) <= width:
        return text
    while text and width_of(text + "...", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "..."


def wrap(text: str, width: float, size: float, lines: int, bold: bool = False) -> list[str]:
    """Break a string at spaces into at most `lines` lines, shortening the last line if it is too wide."""
    wrapped_lines: list[str] = []
    text_left = text
    while text_left and len(wrapped_lines) < lines - 1 and width_of(text_left, size, bold) > width:
        line = text_left
        while " " in line and width_of(line, size, bold) > width:
            line = line[: line.rindex(" ")]
        wrapped_lines.append(line)
        text_left = text_left[len(line) :].lstrip()
    return [*wrapped_lines, fit(text_left, width, size, bold)] if text_left else wrapped_lines


def text(
    x: float, y: float, content: str, size: float = 0, color: str = "", bold: bool = False, anchor: str = ""
) -> str:
    """Draw a line of text whose baseline is at y.

    `anchor` is "middle", "end" or "" for the start. A size of 0 and a color of "" are inherited from the parent
    element.
    """
    if not content:
        return ""
    attributes = [f'x="{number(x)}"'] if x else []
    attributes += [f'y="{number(y)}"'] if y else []
    attributes += [f'font-size="{number(size)}"'] if size else []
    attributes += [f'fill="{color}"'] if color else []
    attributes += ['font-weight="bold"'] if bold else []
    attributes += [f'text-anchor="{anchor}"'] if anchor else []
    return f"<text {' '.join(attributes)}>{escape(content, quote=False)}</text>"


def rect(x: float, y: float, width: float, height: float, fill: str, radius: float = 0, edge: str = "") -> str:
    """Draw a rectangle."""
    corners = f' rx="{number(radius)}"' if radius else ""
    stroke = f' stroke="{edge}"' if edge else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"{corners} '
        f'fill="{fill}"{stroke}/>'
    )


def moved(x: float, y: float, content: str, scale: float = 1, name: str = "") -> str:
    """Translate and scale a drawing, and give it a class name."""
    stays = x == y == 0 and scale == 1
    if not content or (stays and not name):
        return content
    attributes = f' class="{name}"' if name else ""
    if not stays:
        scale_text = f" scale({scale:.3g})" if scale != 1 else ""
        attributes += f' transform="translate({number(x)}{y and " " + number(y) or ""}){scale_text}"'
    return f"<g{attributes}>{content}</g>"


# -- drawings around the origin, in hundredths of a hex size -------------------------------------------------

_EAR = (
    '<path d="M-1.5 22v-30h3v30z"/><ellipse cy="-19" rx="3.5" ry="7"/>'
    '<path d="M0-2q-10-2-10-13q10 3 10 13q0-10 10-13q0 11-10 13zM0 10q-10-2-10-13q10 3 10 13q0-10 10-13q0 11-10 13z"/>'
)
_GLYPHS = (
    # forest: three trees
    '<path d="M-40 20l17-42 17 42zM-13 22l17-50 17 50zM12 20l13-36 13 36z"/>',
    # hills: bricks
    '<path d="M-32-2h19v10h-19zM-9.5-2h19v10h-19zM13-2h19v10h-19zM-21 11h19v10h-19zM2 11h19v10h-19z'
    'M-21-15h19v10h-19zM2-15h19v10h-19z"/>',
    # pasture: a sheep
    '<path d="M-18 6v15h5v-12zM5 6v15h5v-12z"/><ellipse cx="-4" rx="23" ry="15" fill="#fff" stroke-width="2.5" '
    'stroke="#6f8f3a"/><ellipse cx="21" cy="-6" rx="8" ry="7"/>',
    # fields: three ears of grain
    f'{_EAR}<g transform="translate(-20 4) rotate(-14)">{_EAR}</g><g transform="translate(20 4) rotate(14)">{_EAR}</g>',
    # mountains: two peaks with snow
    '<path d="M-36 20l26-48 18 32 9-14 21 30z"/><path d="M-10-28l-9 17 7 5 4-6 5 4 4-4z" fill="#fff"/>',
    # desert: dunes and the sun
    '<path d="M-34 14q16-20 34-2q16-17 34 2v5h-68z"/><circle cx="16" cy="-14" r="6"/>',
    # sea: two waves
    '<path d="M-30-4q10-10 20 0t20 0t20 0v4q-10 10-20 0t-20 0t-20 0zM-20 12q10-10 20 0t20 0v4q-10 10-20 0t-20 0z"/>',
    # gold: three nuggets
    '<circle cx="-15" cy="9" r="11"/><circle cx="14" cy="9" r="11"/><circle cy="-11" r="11"/>',
    # fog: a question mark
    '<path d="M-14-12a14 14 0 1 1 20 13q-3 2-3 7h-7q0-8 6-11a7 7 0 1 0-9-9zM-4 13h8v8h-8z"/>',
)


def glyph(terrain: int) -> str:
    """Draw the icon of a terrain, about two thirds of a hex size wide."""
    return f'<g fill="{palette.GLYPHS[terrain]}">{_GLYPHS[terrain]}</g>'


HOUSE = "M-19 17v-22l19-18 19 18v22z"
TOWN = "M-28 20v-24h20v-16l16-18 18 18v40z"
PAWN = "M-15 28h30q0-16-8-24q10-5 8-16a15 15 0 0 0-30 0q-2 11 8 16q-8 8-8 24z"


def building(shape: str, paint: palette.Paint, label: str = "", x: int = 0, y: int = 12) -> str:
    """Draw a settlement (`HOUSE`) or city (`TOWN`) with a label, such as the seat number."""
    mark = (
        f'<text x="{x}" y="{y}" font-size="25" font-weight="bold" text-anchor="middle" fill="{paint.ink}">'
        f"{label}</text>"
    )
    return (
        f'<path d="{shape}" fill="none" stroke="#fff" stroke-width="13" stroke-linejoin="round"/>'
        f'<path d="{shape}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="4.5" stroke-linejoin="round"/>'
        f"{mark if label else ''}"
    )


def short_name(index: int) -> str:
    """Return the name of a numbered element, such as `c` for 2 and `c4` for 106. Large pictures contain many."""
    return f"{ascii_lowercase[index % 26]}{index // 26 or ''}"
