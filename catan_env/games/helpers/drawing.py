"""Drawings for helpers: each player's card, its side and whether it is resting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from catan_env.render import palette
from catan_env.render.badges import SMALL, Badge, back, phrase, small
from catan_env.render.drawing import lays_out, sets
from catan_env.render.layout import LINE, Part, Parts
from catan_env.render.markup import rect, text, width_of
from catan_env.render.view import Item, words

SIDE = 15
B_SIDE = "#a8521d"


@lays_out("helpers_held", "helper_turned", "helper_resting", height=LINE + 2)
def helper(items: Mapping[str, Item], seat: int, x: float, y: float, zoom: float) -> Parts:
    """Draw the helper card, pale while it rests."""
    held_item = items["helpers_held"]
    names = [words(name) for name, is_held in zip(held_item.labels, held_item.value, strict=True) if is_held]
    drawing = card(names[0], bool(items["helper_turned"].value), bool(items["helper_resting"].value)) if names else ""
    return {f"helper {seat}": Part(x, y - 2 * zoom, drawing, zoom)}


@cache
def card(name: str, turned: bool, resting: bool) -> str:
    """Draw a helper card with the letter of the side that is up."""
    width = round(width_of(name, SMALL, bold=True)) + SIDE + 12
    fill = B_SIDE if turned else "#f7e3b0"
    ink = "#ffffff" if turned else palette.INK
    drawing = rect(0, -9.5, width, 13, fill, 4, "#5a4520") + text(4, 0.5, "B" if turned else "A", SMALL, ink, bold=True)
    drawing += text(SIDE, 0.5, name, SMALL, ink, bold=True)
    if resting:
        drawing = f'<g opacity=".45">{drawing}</g>' + text(width + 6, 0.5, "rests", SMALL, palette.FAINT)
    return small(drawing)


@sets("display")
def display(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the helpers in the display."""
    prefix = item.label
    for name, is_there in zip(item.labels, item.value, strict=True):
        if is_there:
            yield back(words(name), prefix, 3)
            prefix = ""


@sets("captains_trade")
def captains_trade(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    for name, traded in zip(item.labels, item.value, strict=True):
        if traded:
            yield phrase(f"captain trades {words(name)}", f"{rules['captains_rate']}:1")
