"""The drawing registry: functions that draw the fields of the game record.

Fields without a drawing are also shown, based on their declarations: counts appear in the panels or on the table, and
values over places as icons on the board. Systems can register better drawings, and fields to omit.

==================  ===================================== ========================================================
`@draws(...)`       `f(game) -> Parts`                    parts of the board, in a layer
`@writes(...)`      `f(sketch) -> None`                   characters on the text board, in a layer
`@heads(...)`       `f(game) -> Part`                     a part at the upper edge of the board
`@lays_out(...)`    `f(items, seat, x, y, zoom) -> Parts` a row with a fixed height in every panel
`@sets(...)`        `f(item, rules, fresh) -> badges`     a field's badges among a seat's or the table's holdings
`@stacks(...)`      `f(item, x, y) -> (Parts, width)`     a stack on the left of the table strip
`piece(...)`        `icon(paint) -> svg`                  the icon in front of a piece count
`card_symbol(...)`  `icon(ink) -> svg`                    the icon for a kind of card
`turn_mark(...)`    text                                  the label for the seat in a field about turn order
`explains(...)`     `f() -> [(svg, words)]`               entries in the legend
`calls_neutral()`   `f(number) -> str`                    a neutral color's name
`leaves_out(...)`                                         nothing; pictures leave out the field for this reason
==================  ===================================== ========================================================

Modules named `drawing...` in the folder of a system are imported automatically. Code outside the package can register
drawings from any module. A drawing is used in scenarios that have at least one of its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from catan_env.engine.compose import Composition

LAND, COAST, EDGE_PIECES, BUILDINGS, ICONS, FIGURES = range(6)
"""Layers of the board, from the ground up. `ICONS` is the layer for signs: those of fields without a drawing, and your
own. `layout.shore` has room for one sign at each coast path."""


class Drawing(NamedTuple):
    """A drawing function, and the fields that it draws."""

    fields: tuple[str, ...]
    function: Callable
    height: float = 0
    layer: int = 0

    def fits(self, composition: Composition) -> bool:
        """Return whether the scenario has at least one of these fields."""
        return any(name in composition.fields for name in self.fields)


BOARD: list[Drawing] = []
TEXT: list[Drawing] = []
HEADS: list[Drawing] = []
ROWS: list[Drawing] = []
BADGES: dict[str, Drawing] = {}
STACKS: dict[str, Drawing] = {}
PIECES: dict[str, Callable] = {}
NEUTRALS: dict[str, Drawing] = {}
SYMBOLS: dict[str, Callable] = {}
TURN_MARKS: dict[str, str] = {}
LEGENDS: list[Drawing] = []
LEFT_OUT: dict[str, str] = {}
"""Fields and features to omit, with the reasons."""


def draws(*fields: str, layer: int) -> Callable[[Callable], Callable]:
    """Register `f(game) -> Parts`, which draws these fields on the board. The lowest layer is the ground."""
    return _registers(BOARD, fields, layer=layer)


def writes(*fields: str, layer: int) -> Callable[[Callable], Callable]:
    """Register `f(sketch)`, which writes these fields on the text board."""
    return _registers(TEXT, fields, layer=layer)


def heads(*fields: str) -> Callable[[Callable], Callable]:
    """Register `f(game) -> Part`, which draws these fields at the upper edge of the board."""
    return _registers(HEADS, fields)


def lays_out(*fields: str, height: float) -> Callable[[Callable], Callable]:
    """Register `f(items, seat, x, y, zoom) -> Parts`, which draws these fields in a row of every panel.

    `items` maps names to those items of the seat that the viewer may see. `height` is the unzoomed height of the row.
    """
    return _registers(ROWS, fields, height=height)


def sets(*fields: str) -> Callable[[Callable], Callable]:
    """Register `f(item, rules, fresh) -> Iterable[Badge]`, which draws each of these fields as badges.

    `fresh` is the value of the field with the same name prefixed by `new_`, or None if there is none.
    """
    return _by_name(BADGES, fields)


def stacks(*fields: str) -> Callable[[Callable], Callable]:
    """Register `f(item, x, y) -> (Parts, width)`, which draws each of these fields as a stack on the table."""
    return _by_name(STACKS, fields)


def piece(name: str, icon: Callable) -> None:
    """Register `icon(paint)` for the count in a per-player field, or for one kind in such a field.

    The icon is SVG within a line of text: about 14 wide and 10 high, centered near (7, -5). `paint` holds the seat's
    colors: `fill`, `edge` and `ink`. Viewers who may not see the count of a kind see a question mark instead.

    Fields with rows or badges, and `new_...` fields, have no icons.
    """
    _once(PIECES, name)
    PIECES[name] = icon


def card_symbol(name: str, icon: Callable) -> None:
    """Register `icon(ink)` for a kind of card: SVG in a 100 x 100 square centered on the origin, in the color `ink`."""
    _once(SYMBOLS, name)
    SYMBOLS[name] = icon


def turn_mark(name: str, label: str) -> None:
    """Declare that a field whose value is a seat marks turn order, not an award. `label` is shown for that seat."""
    _once(TURN_MARKS, name)
    TURN_MARKS[name] = label


def explains(*fields: str) -> Callable[[Callable], Callable]:
    """Register `f() -> [(svg, words)]`: symbols in a 100 x 100 square centered on the origin, with their meanings."""
    return _registers(LEGENDS, fields)


def calls_neutral(*features: str) -> Callable[[Callable], Callable]:
    """Register `f(number) -> str`, which names neutral color `number`, counted from 0.

    The function is used in scenarios that have any of the features.
    """
    return _by_name(NEUTRALS, features)


def leaves_out(*names: str, because: str) -> None:
    """Omit fields and features from all pictures; `because` states the reason."""
    for name in names:
        _once(LEFT_OUT, name)
        LEFT_OUT[name] = because


def apart() -> set[str]:
    """Return the names of fields and features that are drawn on the board or at its edge, or are omitted."""
    return {name for drawing in (*BOARD, *HEADS) for name in drawing.fields} | set(LEFT_OUT)


def on_board() -> set[str]:
    """Return the names of fields that have a drawing on the board."""
    return {name for drawing in BOARD for name in drawing.fields}


def in_layers(drawings: list[Drawing], composition: Composition) -> list[Drawing]:
    """Return the drawings that apply to the scenario, from the bottom layer up."""
    return sorted((drawing for drawing in drawings if drawing.fits(composition)), key=lambda drawing: drawing.layer)


def _registers(
    where: list[Drawing], fields: tuple[str, ...], height: float = 0, layer: int = 0
) -> Callable[[Callable], Callable]:
    def register(function: Callable) -> Callable:
        where.append(Drawing(fields, function, height, layer))
        return function

    return register


def _by_name(where: dict[str, Drawing], fields: tuple[str, ...]) -> Callable[[Callable], Callable]:
    def register(function: Callable) -> Callable:
        for name in fields:
            _once(where, name)
            where[name] = Drawing(fields, function)
        return function

    return register


def _once(where: dict, name: str) -> None:
    if name in where:
        raise ValueError(f"{name!r} already has a drawing. Remove one.")
