"""The legend of a game's pictures: symbols and their meanings, derived from the scenario's declarations."""

from __future__ import annotations

from catan_env.board.terrain import RESOURCES
from catan_env.engine.compose import Composition
from catan_env.render import markup, palette
from catan_env.render.drawing import LEGENDS, PIECES, SYMBOLS, TURN_MARKS
from catan_env.render.layout import PictureLayout
from catan_env.render.markup import FONTS, rect
from catan_env.render.view import words

BOX = "-50 -50 100 100"


def legend(layout: PictureLayout) -> list[tuple[str, str]]:
    """Return the entries of the legend as (SVG document, words) pairs."""
    composition, paint = layout.composition, palette.paint_of(0, layout.num_players)
    entries = [entry for drawing in LEGENDS if drawing.fits(composition) for entry in drawing.function()]
    for name in layout.pieces:
        label = words(name)
        left = label if label.endswith("left") else f"{label}: pieces left"
        entries.append((markup.moved(-40, 36, PIECES[name](paint), 6), left))
    for kind, name in enumerate(_card_kinds(composition)):
        if name in SYMBOLS:
            entries.append((_card(kind, name), words(name)))
    frame = f'<rect x="-46" y="-34" width="92" height="68" rx="8" fill="none" stroke="{palette.HOT}" stroke-width="8"/>'
    entries.append((frame, "frame around a panel: this seat is to act"))
    for name, label in TURN_MARKS.items():
        if name in composition.fields:
            pill = rect(-46, -16, 92, 32, palette.PAPER, 16, palette.FAINT)
            entries.append((pill, f"{label}: takes the next turn, or begins; no award"))
    if layout.topology is not None:
        entries.append(
            (rect(-46, -16, 92, 32, palette.GOLD, 16, "#8a6a00"), "golden label: an award that this seat holds")
        )
    return [(_document(drawing), label) for drawing, label in entries]


def card_symbols(composition: Composition) -> dict[str, str]:
    """Return an SVG document for each kind of card that has a symbol, keyed by its name with spaces."""
    cards = {words(name): _card(kind, name) for kind, name in enumerate(_card_kinds(composition) or RESOURCES)}
    return {name: _document(drawing) for name, drawing in cards.items() if drawing}


def _card_kinds(composition: Composition) -> tuple[str, ...]:
    hands = composition.fields.get("hands")
    return hands.labels if hands else ()


def _card(kind: int, name: str) -> str:
    """Draw the symbol of a kind of card on a background of its color; "" if it has no symbol."""
    fill, ink = palette.card_paint(kind)
    if name in SYMBOLS:
        symbol = markup.moved(0, 0, SYMBOLS[name](ink), 0.85)
    elif kind < len(RESOURCES):
        symbol = markup.moved(0, 5, markup.glyph(kind).replace(palette.GLYPHS[kind], ink, 1), 1.1)
    else:
        return ""
    return rect(-48, -48, 96, 96, fill, 10) + symbol


def _document(drawing: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{BOX}" width="26" height="26" font-family="{FONTS}" '
        f'aria-hidden="true">{drawing}</svg>'
    )
