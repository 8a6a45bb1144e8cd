"""Who draws what: each drawing is registered beside it, for the fields of the game record that it shows.

A field needs no drawing of its own: counts appear in the panels or on the table, values on places as signs on the
board, all from the declarations. Registered are better drawings than these, and what is left out on purpose.

==================  ===================================== ========================================================
`@draws(...)`       `f(game) -> Parts`                    something on the board, in a layer
`@writes(...)`      `f(sketch) -> None`                   the same in the board made of characters
`@heads(...)`       `f(game) -> Part`                     something beside the board's upper edge
`@lays_out(...)`    `f(items, seat, x, y, zoom) -> Parts` a row of its own in every panel, so many units high
`@sets(...)`        `f(item, rules, new) -> badges`       what the line of holdings says of an item
`@stacks(...)`      `f(item, x, y) -> (Parts, width)`     a stack on the table, before everything else there
`piece(...)`        `icon(paint) -> svg`                  the icon before a count of pieces
`calls_neutral()`   `f(number) -> str`                    what a neutral color is called
`leaves_out(...)`                                         nothing, for a reason
==================  ===================================== ========================================================

Modules named `drawing...` in the folder of a system are found automatically; modules outside the package register
wherever they stand. A drawing is asked only where the scenario has one of its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from catan_env.engine.compose import Composition

LAND, COAST, EDGE_PIECES, BUILDINGS, ICONS, FIGURES = range(6)
"""Layers of the board, from the ground up. Signs are drawn for fields that nobody draws."""


class Drawing(NamedTuple):
    """A function and what it draws."""

    fields: tuple[str, ...]
    function: Callable
    height: float = 0
    layer: int = 0

    def fits(self, composition: Composition) -> bool:
        """Whether the scenario has something to draw for it."""
        return any(name in composition.fields for name in self.fields)


BOARD: list[Drawing] = []
TEXT: list[Drawing] = []
HEADS: list[Drawing] = []
ROWS: list[Drawing] = []
BADGES: dict[str, Drawing] = {}
STACKS: dict[str, Drawing] = {}
PIECES: dict[str, Callable] = {}
NEUTRALS: dict[str, Drawing] = {}
LEFT_OUT: dict[str, str] = {}
"""Why fields and features are not drawn."""


def draws(*fields: str, layer: int) -> Callable[[Callable], Callable]:
    """`f(game) -> Parts`: draws these fields on the board; the first layer is the ground."""
    return _registers(BOARD, fields, layer=layer)


def writes(*fields: str, layer: int) -> Callable[[Callable], Callable]:
    """`f(sketch)`: writes these fields into the board made of characters."""
    return _registers(TEXT, fields, layer=layer)


def heads(*fields: str) -> Callable[[Callable], Callable]:
    """`f(game) -> Part`: shows these fields beside the board's upper edge."""
    return _registers(HEADS, fields)


def lays_out(*fields: str, height: float) -> Callable[[Callable], Callable]:
    """`f(items, seat, x, y, zoom) -> Parts`: lays these fields out in a row of every panel.

    `items` are what the viewer may see of all that the seat holds, by name; `height` is that of the row, unzoomed.
    """
    return _registers(ROWS, fields, height=height)


def sets(*fields: str) -> Callable[[Callable], Callable]:
    """`f(item, rules, fresh) -> Iterable[Badge]`: what the line of holdings says of these fields.

    `fresh` is the value of the field of the same name with `new_` before it, None where there is none.
    """
    return _by_name(BADGES, fields)


def stacks(*fields: str) -> Callable[[Callable], Callable]:
    """`f(item, x, y) -> (Parts, width)`: a stack on the table."""
    return _by_name(STACKS, fields)


def piece(name: str, icon: Callable) -> None:
    """Draws `icon(paint)` before the count of a field, or of a kind (a label) of a field over kinds."""
    _once(PIECES, name)
    PIECES[name] = icon


def calls_neutral(*features: str) -> Callable[[Callable], Callable]:
    """`f(number) -> str`: what the neutral color of this number, from 0, is called where there is such a feature."""
    return _by_name(NEUTRALS, features)


def leaves_out(*names: str, because: str) -> None:
    """Fields and features that no picture shows."""
    for name in names:
        _once(LEFT_OUT, name)
        LEFT_OUT[name] = because


def apart() -> set[str]:
    """Names of all that is drawn elsewhere than among what a seat or the table holds, or not at all."""
    return {name for drawing in (*BOARD, *HEADS) for name in drawing.fields} | set(LEFT_OUT)


def on_board() -> set[str]:
    """Names of the fields that have a drawing on the board."""
    return {name for drawing in BOARD for name in drawing.fields}


def in_layers(drawings: list[Drawing], composition: Composition) -> list[Drawing]:
    """Those that have something to draw, from the ground up."""
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
        raise ValueError(f"{name!r} has a drawing already.")
