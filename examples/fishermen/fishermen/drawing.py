"""Drawings of Fishermen: the lake and the fishing grounds. Tokens and boot appear in the panels by themselves."""

from catan_env.board.terrain import DESERT
from catan_env.render import drawing, markup
from catan_env.render.layout import Part

from fishermen.fishing import LOWEST_SUM

WATER, INK = "#6fb3d9", "#14506e"
FISH = "M-14 0q9-11 20-5l8-5v20l-8-5q-11 6-20-5z"
"""A fish around the origin."""


def fish(y, scale):
    """Draw a fish above or below the origin."""
    return markup.moved(0, y, f'<path d="{FISH}" fill="{INK}"/>', scale)


@drawing.draws("ground_number", layer=drawing.LAND)
def lake(game):
    """Lay water over the hexes of the lake, with the numbers at which it brings fish."""
    layout, parts = game.layout, {}
    scale = layout.unit / 100
    brings_fish = game.reading.engine.rules["lake_numbers"]
    numbers = " ".join(str(k + LOWEST_SUM) for k, brings in enumerate(brings_fish) if brings)
    for hex, terrain in enumerate(game.values("terrain")):
        water = ""
        if terrain == DESERT:
            x, y = layout.hexes[hex]
            corners = ((corner_x - x, corner_y - y) for corner_x, corner_y in layout.outlines[hex])
            shore = markup.points((0.88 * dx / scale, 0.88 * dy / scale) for dx, dy in corners)
            water = f'<polygon points="{shore}" fill="{WATER}" stroke="{INK}" stroke-width="2"/>'
            water += fish(-18, 2.2) + markup.text(0, 46, numbers, 22, INK, bold=True, anchor="middle")
        parts[f"lake {hex}"] = Part(*layout.hexes[hex], water, scale)
    return parts


@drawing.draws("ground_number", layer=drawing.COAST)
def fishing_grounds(game):
    """Draw the number of each fishing ground off the shore, and lines to the intersections that it covers."""
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
        sign += f'<circle r="31" fill="{WATER}" stroke="{INK}" stroke-width="3"/>' + fish(-12, 0.9)
        sign += markup.text(0, 20, str(number), 26, INK, bold=True, anchor="middle")
        parts[f"fishing ground {ground}"] = Part(x, y, sign if number else "", scale)
    return parts


@drawing.writes("ground_number", layer=drawing.COAST)
def written_lake(sketch):
    for (x, y), terrain in zip(sketch.hexes, sketch.game.values("terrain"), strict=True):
        if terrain == DESERT:
            sketch.canvas.write(x, y - 1, " lake ", centered=True)
