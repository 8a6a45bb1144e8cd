"""Drawings for Troy: ships on sea hexes, city names, supporters and battles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from catan_env.render import palette
from catan_env.render.ansi import Sketch, letter_of
from catan_env.render.badges import Badge, kinds, phrase
from catan_env.render.drawing import FIGURES, draws, leaves_out, piece, sets, writes
from catan_env.render.layout import Part, Parts
from catan_env.render.view import Item, ShownGame

HULL = "M-46 8L46 8L28 38L-28 38Z"
SAIL = "M-4 -44L-4 2L40 2Q34 -30 -4 -44Z"
NAMES = "#7a1f1f"

leaves_out("offered", because="the card is set aside only until the next chance event")


@draws("ship_owner", layer=FIGURES)
def ships(game: ShownGame) -> Parts:
    """Draw each ship with its seat number, and label the marked cities."""
    layout, parts = game.layout, {}
    scale = layout.unit / 100
    for hex, seat in enumerate(game.values("ship_owner")):
        x, y = layout.hexes[hex]
        parts[f"ship {hex}"] = Part(x, y, ship(seat, layout.num_players) if seat >= 0 else "", scale)
    mark = layout.map.marks.get("war_city")
    for name, hex in zip(mark.names, mark.places, strict=True) if mark else ():
        x, y = layout.hexes[hex]
        name_label = f'<text y="34" font-size="30" font-weight="bold" text-anchor="middle" fill="{NAMES}">{name}</text>'
        parts[f"city {name}"] = Part(x, y, name_label, scale)
    return parts


@cache
def ship(seat: int, num_players: int) -> str:
    """Draw a hull and a sail in the seat's color."""
    paint = palette.paint_of(seat, num_players)
    style = f'fill="{paint.fill}" stroke="{paint.edge}" stroke-width="4" stroke-linejoin="round"'
    seat_label = f'<text y="33" font-size="28" font-weight="bold" text-anchor="middle" fill="{paint.ink}">{seat}</text>'
    return f'<path d="{SAIL}" {style}/><path d="{HULL}" {style}/>{seat_label}'


def ship_icon(paint: palette.Paint) -> str:
    """Draw a ship at text size."""
    style = f'fill="{paint.fill}" stroke="{paint.edge}" stroke-width="7" stroke-linejoin="round"'
    return f'<g transform="translate(7 -4) scale(.14)"><path d="{SAIL}" {style}/><path d="{HULL}" {style}/></g>'


piece("ships_left", ship_icon)


@sets("side")
def side(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show which city a seat supports, if the viewer may see it."""
    if item.category:
        yield phrase("supports", item.category.title())


@sets("battles_won")
def battles(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show how many battles each city has won, including zeros."""
    for city, wins in zip(item.labels, item.value, strict=True):
        yield phrase(f"battles of {city.title()}", str(wins))


@sets("uncovered")
def uncovered(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the cards of the last battle."""
    return kinds(item._replace(label="last battle"))


@writes("ship_owner", layer=FIGURES)
def written_ships(sketch: Sketch) -> None:
    for (x, y), seat in zip(sketch.hexes, sketch.game.values("ship_owner"), strict=True):
        if seat >= 0:
            label = f"ship {letter_of(seat, sketch.game.layout.num_players)}"
            sketch.canvas.write(x, y, label, sketch.color(seat), centered=True)
