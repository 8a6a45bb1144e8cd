"""Drawings for country maps: sites, crossings with chips, and red roads with certificates."""

from __future__ import annotations

from functools import cache

from catan_env.board.terrain import RESOURCES
from catan_env.render import markup, palette
from catan_env.render.ansi import Sketch
from catan_env.render.drawing import COAST, ICONS, draws, writes
from catan_env.render.layout import Part, Parts
from catan_env.render.markup import number
from catan_env.render.view import ShownGame

STAR = markup.points((r * x, r * y) for r, x, y in (
    (24, 0, -1), (10, 0.588, -0.809), (24, 0.951, -0.309), (10, 0.951, 0.309), (24, 0.588, 0.809),
    (10, 0, 1), (24, -0.588, 0.809), (10, -0.951, 0.309), (24, -0.951, -0.309), (10, -0.588, -0.809),
))  # fmt: skip
WATER = "#1f6fb2"


@draws("crossing_chip", layer=COAST)
def sites(game: ShownGame) -> Parts:
    """Draw sites, canal sites, crossings that are also sites, and red roads with certificates."""
    layout, marks, scale = game.layout, game.layout.map.marks, game.layout.unit / 100
    parts = {}
    if "certificate" in marks:
        red_roads = marks["certificate"]
        for place, kind, rate in zip(
            red_roads.places, red_roads.numbers["resource"], red_roads.numbers["rate"], strict=True
        ):
            parts[f"red road {place}"] = _red_road(game, int(place), int(kind), int(rate))
    site_intersections = [*marks["site"].places, *(marks["vp"].places if _settled(game) else ())]
    canal_sites = set(marks["canal_site"].places.tolist() if "canal_site" in marks else ())
    for place in map(int, site_intersections):
        parts[f"site {place}"] = Part(*layout.intersections[place], _site(place in canal_sites), scale)
    return parts


def _settled(game: ShownGame) -> bool:
    """Return whether settlements may be built on crossings."""
    return game.reading.engine.rules.get("crossings") == "sites"


@cache
def _site(canal: bool) -> str:
    edge = WATER if canal else palette.INK
    return f'<circle r="19" fill="#fff" stroke="{edge}" stroke-width="{8 if canal else 4}"/>'


def _red_road(game: ShownGame, path: int, kind: int, rate: int) -> Part:
    layout, scale = game.layout, game.layout.unit / 100
    (x1, y1), (x2, y2) = layout.path_ends[path]
    line = f'<path d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" stroke="{palette.HOT}" '
    line += f'stroke-width="{number(layout.unit * 0.22)}"/>'
    x, y = layout.paths[path]
    land_positions = [layout.hexes[hex] for hex in layout.map.path_hexes[path].tolist() if hex >= 0]
    if len(land_positions) == 1:  # on the coast, draw the certificate in the sea
        x, y = x + (x - land_positions[0][0]) * 0.55, y + (y - land_positions[0][1]) * 0.55
    return Part(0, 0, line + markup.moved(x, y, _certificate(kind, rate), max(scale, 0.42)))


@cache
def _certificate(kind: int, rate: int) -> str:
    """Draw the trade rate of a certificate, with its resource below."""
    name = RESOURCES[kind] if kind >= 0 else ""
    fill = palette.RESOURCES[kind] if kind >= 0 else palette.PAPER
    ink = palette.RESOURCE_INKS[kind] if kind >= 0 else palette.INK
    width, height = round(max(markup.width_of(name, 20, bold=True), 44)) + 10, 50 if name else 32
    name_label = f'<text y="17">{name}</text>' if name else ""
    return markup.rect(-width / 2, -height / 2, width, height, fill, 6, palette.HOT) + (
        f'<g font-size="21" font-weight="bold" text-anchor="middle" fill="{ink}">'
        f'<text y="{-3 if name else 8}">{rate}:1</text>{name_label}</g>'
    )


@draws("crossing_chip", layer=ICONS + 1)
def chips(game: ShownGame) -> Parts:
    """Draw a star on every crossing, on top of a gold disc while its chip is there."""
    parts = {}
    if not _settled(game):
        for crossing, (intersection, has_chip) in enumerate(
            zip(game.layout.map.marks["vp"].places.tolist(), game.values("crossing_chip"), strict=True)
        ):
            x, y = game.layout.intersections[intersection]
            parts[f"chip {crossing}"] = Part(x, y, _chip(bool(has_chip)), game.layout.unit / 100)
    return parts


@cache
def _chip(there: bool) -> str:
    star = f'<polygon points="{STAR}"'
    if not there:
        return f'{star} fill="{palette.RULE}" stroke="{palette.FAINT}" stroke-width="2" opacity=".7"/>'
    return f'<circle r="30" fill="{palette.GOLD}" stroke="#8a6a00" stroke-width="4"/>{star} fill="#8a6a00"/>'


@writes("crossing_chip", layer=COAST)
def written_sites(sketch: Sketch) -> None:
    """Write `o` on sites, `*` on chips at crossings, and the rate and resource next to certificate roads."""
    game, marks = sketch.game, sketch.game.layout.map.marks
    for intersection in [*marks["site"].places, *(marks["vp"].places if _settled(game) else ())]:
        x, y = sketch.corners[intersection]
        sketch.canvas.write(x, y, "o")
    for intersection, has_chip in zip(marks["vp"].places, game.values("crossing_chip"), strict=True):
        if has_chip:
            x, y = sketch.corners[intersection]
            sketch.canvas.write(x, y, "*")
    if "certificate" in marks:
        red_roads = marks["certificate"]
        for path, kind, rate in zip(
            red_roads.places, red_roads.numbers["resource"], red_roads.numbers["rate"], strict=True
        ):
            x, y = sketch.paths[path]
            sketch.canvas.write(x + 1, y, f"{rate}:{RESOURCES[kind] if kind >= 0 else 1}")
