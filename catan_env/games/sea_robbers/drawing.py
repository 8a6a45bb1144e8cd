"""Drawings for Sea Robbers: robber ships with their chests, and warships."""

from __future__ import annotations

from functools import cache

from catan_env.games.seafarers.drawing import HULL, PIRATE, SAIL
from catan_env.render import markup, palette
from catan_env.render.ansi import Sketch
from catan_env.render.drawing import FIGURES, draws, leaves_out, writes
from catan_env.render.layout import Part, Parts
from catan_env.render.view import ShownGame

CHEST = '<rect x="-13" y="26" width="26" height="16" rx="3" fill="#8a5a2b" stroke="#3d2508" stroke-width="3"/>'
CANNONS = '<path d="M-16 13h4M-4 13h4M8 13h4" stroke="#ffd24a" stroke-width="5" stroke-linecap="round"/>'

leaves_out("robber_ships", because="the drawn ships show it")
leaves_out("jug_added", "chest_redeemed", "spent", because="the legal actions show it")


@draws("afloat", layer=FIGURES)
def robber_ships(game: ShownGame) -> Parts:
    """Draw a black ship and a chest on each hex that has sea robbers."""
    layout, parts = game.layout, {}
    robber_hexes = layout.map.marks["sea_robber"].places
    for k, afloat in enumerate(game.values("afloat")):
        x, y = layout.hexes[int(robber_hexes[k])]
        parts[f"sea robbers {k}"] = Part(x, y, PIRATE + CHEST if afloat else "", layout.unit / 100 * 1.3)
    return parts


@draws("warship", layer=FIGURES)
def warships(game: ShownGame) -> Parts:
    """Draw a warship as a large ship with cannons, in its owner's color."""
    layout, parts = game.layout, {}
    for hex, owner in enumerate(game.values("warship")):
        x, y = layout.hexes[hex]
        parts[f"warship {hex}"] = Part(
            x, y, _warship(owner, layout.num_players) if owner >= 0 else "", layout.unit / 55
        )
    return parts


@cache
def _warship(seat: int, num_players: int) -> str:
    paint = palette.paint_of(seat, num_players)
    shape = f'<path d="{HULL}{SAIL}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="4"/>'
    label = markup.text(-9, -6, str(seat), 16, paint.edge, bold=True, anchor="middle")
    return f'<path d="{HULL}{SAIL}" fill="none" stroke="#fff" stroke-width="12"/>{shape}{CANNONS}{label}'


@writes("afloat", layer=FIGURES)
def written_robber_ships(sketch: Sketch) -> None:
    robber_hexes = sketch.game.layout.map.marks["sea_robber"].places
    for k, afloat in enumerate(sketch.game.values("afloat")):
        if afloat:
            x, y = sketch.hexes[int(robber_hexes[k])]
            sketch.canvas.write(x, y + 1, "ROBBERS", centered=True)


@writes("warship", layer=FIGURES)
def written_warships(sketch: Sketch) -> None:
    for hex, owner in enumerate(sketch.game.values("warship")):
        if owner >= 0:
            x, y = sketch.hexes[hex]
            sketch.canvas.write(x, y + 1, f"WARSHIP {owner}", centered=True)
