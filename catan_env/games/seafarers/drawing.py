"""Drawings for Seafarers: ships and the pirate."""

from __future__ import annotations

from functools import cache

from catan_env.render import markup, palette
from catan_env.render.ansi import Sketch
from catan_env.render.drawing import EDGE_PIECES, FIGURES, draws, explains, leaves_out, piece, writes
from catan_env.render.layout import Part, Parts
from catan_env.render.view import ShownGame

HULL = "M-27 6h54q-3 17-15 17h-24q-12 0-15-17z"
SAIL = "M-2 2v-34q19 12 21 34z"
NEW_SHIP = 2

leaves_out("new_island", "on_island", because="the settlements on the board show it")
leaves_out("ship_moved", because="the current decision shows it")


@draws("ships", layer=EDGE_PIECES)
def ships(game: ShownGame) -> Parts:
    """Draw each ship as a hull with a sail, and add a flag if it was built this turn."""
    layout, owners, scale = game.layout, game.values("edge_owner"), game.layout.unit / 100
    parts = {}
    for path, ship in enumerate(game.values("ships")):
        x, y = layout.paths[path]
        drawing = boat(owners[path], ship == NEW_SHIP, layout.num_players) if ship else ""
        parts[f"ship {path}"] = Part(x, y, drawing, scale)
    return parts


@cache
def boat(seat: int, new: bool, num_players: int) -> str:
    """Draw a ship in the seat's color."""
    paint = palette.paint_of(seat, num_players)
    flag = f'<path d="M-2-32v-12l14 6z" fill="{palette.HOT}"/>' if new else ""
    shape = f'<path d="{HULL}{SAIL}" fill="none" stroke="#fff" stroke-width="12" stroke-linejoin="round"/>'
    return f'{shape}{flag}<path d="{HULL}{SAIL}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="4"/>'


def ship_icon(paint: palette.Paint) -> str:
    """Draw a ship at text size."""
    drawing = f'<path d="{HULL}{SAIL}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="5"/>'
    return markup.moved(7, -5, drawing, 0.24)


piece("ship", ship_icon)


@draws("pirate", layer=FIGURES)
def pirate(game: ShownGame) -> Parts:
    """Draw the pirate as a black ship on its hex."""
    layout, hex = game.layout, game.values("pirate")
    x, y = layout.hexes[hex] if hex >= 0 else (0, 0)
    return {"pirate": Part(0, 0, markup.moved(x, y, PIRATE, layout.unit / 100 * 1.7) if hex >= 0 else "")}


PIRATE = (
    f'<path d="{HULL}{SAIL}" fill="none" stroke="#fff" stroke-width="9" stroke-linejoin="round"/>'
    f'<path d="{HULL}{SAIL}" fill="#1c1c1c" stroke="#000" stroke-width="3"/>'
    '<circle cx="5" cy="-10" r="5" fill="#fff"/><path d="M0-1l10 5M10-1l-10 5" stroke="#fff" stroke-width="2.5"/>'
)


@explains("pirate")
def pirate_in_the_legend() -> list[tuple[str, str]]:
    return [(markup.moved(0, 0, PIRATE, 1.3), "pirate: no ship moves or is built beside its hex")]


# -- in characters -----------------------------------------------------------------------------------------


@writes("pirate", layer=FIGURES)
def written_pirate(sketch: Sketch) -> None:
    hex = sketch.game.values("pirate")
    if hex >= 0:
        x, y = sketch.hexes[hex]
        sketch.canvas.write(x, y + 1, "PIRATE", centered=True)


@writes("ships", layer=EDGE_PIECES)
def written_ships(sketch: Sketch) -> None:
    for path, ship in enumerate(sketch.game.values("ships")):
        if ship:
            x, y = sketch.paths[path]
            sketch.canvas.write(x, y, "~", centered=True)
