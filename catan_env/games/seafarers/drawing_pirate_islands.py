"""Drawings for the Pirate Islands: the pirate fleet, the shipping lines and the fortresses."""

from __future__ import annotations

from functools import cache

from catan_env.games.seafarers.drawing import PIRATE
from catan_env.render import markup, palette
from catan_env.render.ansi import Sketch
from catan_env.render.drawing import COAST, FIGURES, ICONS, draws, leaves_out, writes
from catan_env.render.layout import Part, Parts
from catan_env.render.markup import number
from catan_env.render.view import ShownGame

TOWER = "M-24 22v-40h10v9h9v-9h10v9h9v-9h10v40z"

leaves_out("fleet", because="the drawn ship shows it")


@draws("lairs", layer=COAST)
def lines(game: ShownGame) -> Parts:
    """Draw each seat's shipping line in its color."""
    layout, mark, parts = game.layout, game.layout.map.marks["lane"], {}
    for path, seat in zip(mark.places.tolist(), mark.numbers["seat"], strict=True):
        (x1, y1), (x2, y2) = layout.path_ends[path]
        drawing = ""
        if seat < layout.num_players:
            paint = palette.paint_of(int(seat), layout.num_players)
            drawing = f'<path d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" stroke="{paint.fill}" '
            drawing += f'stroke-width="{number(layout.unit * 0.06)}" stroke-dasharray="4 4" opacity=".8"/>'
        parts[f"line {path}"] = Part(0, 0, drawing)
    return parts


@draws("lairs", layer=ICONS + 1)
def fortresses(game: ShownGame) -> Parts:
    """Draw a tower with its number of lairs, in the color of the seat that attacks it."""
    layout, mark, parts = game.layout, game.layout.map.marks["fortress"], {}
    for seat, (intersection, lairs) in enumerate(zip(mark.places.tolist(), game.values("lairs"), strict=True)):
        drawing = _fortress(seat, lairs, layout.num_players) if lairs and seat < layout.num_players else ""
        x, y = layout.intersections[intersection]
        parts[f"fortress {seat}"] = Part(x, y, drawing, layout.unit / 100)
    return parts


@cache
def _fortress(seat: int, lairs: int, num_players: int) -> str:
    paint = palette.paint_of(seat, num_players)
    tower = f'<path d="{TOWER}" fill="#1c1c1c" stroke="{paint.fill}" stroke-width="6"/>'
    return tower + markup.text(0, 18, str(lairs), 24, "#ffffff", bold=True, anchor="middle")


@draws("fleet_place", layer=FIGURES)
def fleet(game: ShownGame) -> Parts:
    """Draw the pirate fleet as a black ship on its hex, if it is on the board."""
    hexes, place = game.layout.map.marks["fleet"].places, game.values("fleet_place")
    if place < 0:
        return {"fleet": Part(0, 0, "")}
    x, y = game.layout.hexes[int(hexes[place])]
    return {"fleet": Part(0, 0, markup.moved(x, y, PIRATE, game.layout.unit / 100 * 1.7))}


@writes("fleet_place", layer=FIGURES)
def written_fleet(sketch: Sketch) -> None:
    hexes = sketch.game.layout.map.marks["fleet"].places
    place = sketch.game.values("fleet_place")
    if place >= 0:
        x, y = sketch.hexes[int(hexes[place])]
        sketch.canvas.write(x, y + 1, "FLEET", centered=True)


@writes("lairs", layer=ICONS + 1)
def written_fortresses(sketch: Sketch) -> None:
    """Write `#` and the number of remaining lairs on each fortress."""
    intersections = sketch.game.layout.map.marks["fortress"].places
    for seat, lairs in enumerate(sketch.game.values("lairs")):
        if lairs and seat < sketch.game.layout.num_players:
            sketch.canvas.write(*sketch.corners[int(intersections[seat])], f"#{lairs}", centered=True)
