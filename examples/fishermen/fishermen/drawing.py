"""Drawings for Fishermen: the lake's numbers and the fishing grounds. Lake, tokens and boot need no drawing."""

from catan_env.board.terrain import own_terrain
from catan_env.render import drawing, markup
from catan_env.render.layout import Part

from fishermen.fishing import FISH, LAKE, LOWEST_SUM

WATER, INK = own_terrain(LAKE).color, "#14506e"


@drawing.draws("ground_number", layer=drawing.LAND)
def lake_numbers(game):
    """Write the numbers at which the lake brings fish below its icon."""
    layout, brings_fish = game.layout, game.reading.engine.rules["lake_numbers"]
    numbers = " ".join(str(k + LOWEST_SUM) for k, brings in enumerate(brings_fish) if brings)
    text = markup.text(0, 46, numbers, 22, INK, bold=True, anchor="middle")
    return {
        f"lake numbers {hex}": Part(*layout.hexes[hex], text if terrain == LAKE else "", layout.unit / 100)
        for hex, terrain in enumerate(game.values("terrain"))
    }


@drawing.draws("ground_number", layer=drawing.COAST)
def fishing_grounds(game):
    """Draw each fishing ground's number off the shore, with lines to the intersections it covers."""
    layout, parts = game.layout, {}
    topology, scale = layout.map, layout.unit / 100
    for ground, number in enumerate(game.values("ground_number")):
        middle = int(topology.marks["ground"].places[ground])
        sides = [k for k, path in enumerate(topology.coast_paths) if middle in topology.path_intersections[path]]
        x, y = (sum(layout.coast[k][axis] for k in sides) / len(sides) for axis in (0, 1))
        covered = {int(end) for k in sides for end in topology.path_intersections[topology.coast_paths[k]]}
        lines = "".join(
            f'<path d="M0 0L{markup.number((layout.intersections[place][0] - x) / scale)} '
            f'{markup.number((layout.intersections[place][1] - y) / scale)}"/>'
            for place in sorted(covered)
        )
        sign = f'<g stroke="{INK}" stroke-width="5" stroke-dasharray="4 7">{lines}</g>'
        sign += f'<circle r="31" fill="{WATER}" stroke="{INK}" stroke-width="3"/>' + markup.moved(
            0, -12, f'<path d="{FISH}" fill="{INK}"/>', 0.6
        )
        sign += markup.text(0, 20, str(number), 26, INK, bold=True, anchor="middle")
        parts[f"fishing ground {ground}"] = Part(x, y, sign if number else "", scale)
    return parts
