"""Badges: short labels with icons, arranged in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from catan_env.board.terrain import RESOURCES
from catan_env.render import markup, palette
from catan_env.render.layout import LINE
from catan_env.render.markup import rect, text, width_of
from catan_env.render.view import Item, words

SMALL = 11
BACK = "#6b4e8e"
"""Color of badges that resemble card backs, such as development cards."""


ELLIPSIS = ">...</text>"
"""The mark at the end of a line whose badges do not all fit."""
SHRUNK = (1.0, 0.9, 0.8, 0.7)
"""Badge scales to try, in order, until the badges fit."""


class Badge(NamedTuple):
    """A drawing within a line, with its origin on the baseline, and the gap after it."""

    width: float
    drawing: str
    gap: float = 9


def fitted(badges: Sequence[Badge], width: float, height: float, start: float = 0) -> list[str]:
    """Draw badges in lines that fit the given width and height, shrinking the badges if there are many.

    The first line begins at `start`, and the last baseline is at most `height` below the first. The origin of line k is
    k * `LINE` below that of the first line. The number of lines depends only on the height, so some may be empty.
    """
    for scale in SHRUNK:
        lines = flow(badges, width / scale, _line_count(height, scale), start / scale)
        if not lines[-1].endswith(f"{ELLIPSIS}</g>"):
            break
    drawn = [markup.moved(0, k * LINE * (scale - 1), line, scale) for k, line in enumerate(lines)]
    return drawn + [""] * (_line_count(height, SHRUNK[-1]) - len(drawn))


def _line_count(height: float, scale: float) -> int:
    return int(height / (LINE * scale)) + 1


def flow(badges: Sequence[Badge], width: float, lines: int, start: float = 0) -> list[str]:
    """Arrange badges in `lines` lines of the given width, with the first line beginning at `start`.

    If the badges do not fit, the last line ends with an ellipsis.
    """
    x, drawn_lines = start, [""]
    for badge in badges:
        if x and x + badge.width > width:
            if len(drawn_lines) == lines:
                drawn_lines[-1] += text(min(x, width - 10), 0, "...")
                break
            x = 0.0
            drawn_lines.append("")
        drawn_lines[-1] += markup.moved(round(x), 0, badge.drawing)
        x += badge.width + badge.gap
    return [small(line) for line in drawn_lines + [""] * (lines - len(drawn_lines))]


def small(content: str) -> str:
    return f'<g font-size="{SMALL}">{content}</g>' if content else ""


@cache
def tag(label: str) -> Badge:
    width = width_of(label, SMALL, bold=True) + 12
    body = rect(0, -9.5, round(width), 12, palette.GOLD, 6, "#8a6a00")
    return Badge(width, body + text(6, 0, label, bold=True))


@cache
def quiet_tag(label: str) -> Badge:
    """Return a badge for something that is not an award, such as turn order."""
    width = width_of(label, SMALL) + 12
    body = rect(0, -9.5, round(width), 12, "none", 6, palette.FAINT)
    return Badge(width, body + text(6, 0, label, color=palette.FAINT))


@cache
def phrase(label: str, value: str) -> Badge:
    width = width_of(label + " ", SMALL)
    drawing = text(0, 0, label, color=palette.FAINT) + text(width, 0, value, bold=True)
    return Badge(width + width_of(value, SMALL, bold=True), drawing)


def kinds(item: Item, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Yield a badge for each kind of card or token held, which also shows the number of new ones.

    Kinds of cards have their own colors; other kinds look like card backs.
    """
    label_before = item.label
    held_kinds = [k for k, count in enumerate(item.value) if count]
    for k in held_kinds:
        new_text = f" ({fresh[k]} new)" if fresh and fresh[k] else ""
        paint = palette.card_paint(k) if are_cards(item.labels) else (BACK, "#fff")
        gap = 9 if k == held_kinds[-1] else 3
        yield back(f"{item.value[k]} {words(item.labels[k])}{new_text}", label_before, gap, *paint)
        label_before = ""


@cache
def back(label: str, before: str, gap: int, fill: str = BACK, ink: str = "#fff") -> Badge:
    start = width_of(before + " ", SMALL) if before else 0
    width = width_of(label, SMALL) + 7
    body = text(0, 0, before, color=palette.FAINT) if before else ""
    body += rect(start, -9.5, round(width), 12, fill, 3) + text(start + 3.5, 0, label, color=ink)
    return Badge(start + width, body, gap)


def are_cards(labels: tuple[str, ...]) -> bool:
    """Return whether labels are kinds of cards: the resources, possibly followed by kinds that modules add."""
    return labels[: len(RESOURCES)] == RESOURCES
