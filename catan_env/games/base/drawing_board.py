"""The board in base-game pictures: terrain, number tokens, harbors, roads, settlements, cities and the robber."""

from __future__ import annotations

from functools import cache

from catan_env.board.terrain import GENERIC_HARBOR, HARBOR_KINDS, RESOURCES, TERRAINS, own_terrain
from catan_env.engine.declare import NEUTRAL_LETTERS
from catan_env.render import markup, palette
from catan_env.render.ansi import Sketch, letter_of
from catan_env.render.drawing import BUILDINGS, COAST, EDGE_PIECES, FIGURES, LAND, draws, explains, writes
from catan_env.render.layout import Part, Parts, PictureLayout
from catan_env.render.markup import number
from catan_env.render.view import ShownGame

HOT_NUMBERS = (6, 8)
SETTLEMENT = 1
TOKEN_Y = 16
ROBBER = (
    f'<g transform="translate(-52 {TOKEN_Y - 2}) scale(1.05)" stroke-linejoin="round">'
    f'<path d="{markup.PAWN}" fill="none" stroke="#fff" stroke-width="12"/>'
    f'<path d="{markup.PAWN}" fill="#3b3b3b" stroke="#000" stroke-width="3"/></g>'
)


# -- land and sea ------------------------------------------------------------------------------------------


@draws("terrain", "number", layer=LAND)
def hexes(game: ShownGame) -> Parts:
    terrains, numbers = game.values("terrain", []), game.values("number", [])
    parts, scale = {}, game.layout.unit / 100
    for hex, ((x, y), corners) in enumerate(zip(game.layout.hexes, game.layout.corners, strict=True)):
        terrain = terrains[hex] if terrains else -1
        parts[f"hex {hex}"] = Part(x, y, land(terrain, numbers[hex] if numbers else 0, corners), scale)
    return parts


@cache
def land(terrain: int, token: int, corners: str) -> str:
    """Draw a hex with its number token."""
    fill, own = palette.terrain_color(terrain), own_terrain(terrain)
    drawing = f'<polygon points="{corners}" fill="{fill}" stroke="#fff7df" stroke-width="4"/>'
    icon = own.icon if own else markup.glyph(terrain) if 0 <= terrain < len(palette.GLYPHS) else ""
    drawing += markup.moved(0, -52 if token else -10, icon, 1 if token else 1.4)
    return drawing + (_token(token) if token else "")


def _token(token: int) -> str:
    color = palette.HOT if token in HOT_NUMBERS else palette.INK
    pips = 6 - abs(7 - token)
    dots = "".join(
        f'<circle cx="{number((k - (pips - 1) / 2) * 9)}" cy="{TOKEN_Y + 21}" r="3.2"/>' for k in range(pips)
    )
    return (
        f'<circle cy="{TOKEN_Y}" r="35" fill="#fffdf3" stroke="#8b7f63" stroke-width="2.5"/>'
        f'<text y="{TOKEN_Y + 10}" font-size="37" font-weight="bold" text-anchor="middle" fill="{color}">{token}</text>'
        f'<g fill="{color}">{dots}</g>'
    )


@draws("harbor", layer=COAST)
def harbors(game: ShownGame) -> Parts:
    layout, rules, parts = game.layout, game.reading.engine.rules, {}
    scale = layout.unit / 100
    rates = rules.get("special_harbor_rate", 2), rules.get("generic_harbor_rate", 3)
    for coast_index, kind in enumerate(game.values("harbor", [])):
        drawing = ""
        if kind >= 0:
            x, y = layout.coast[coast_index]
            ends = layout.path_ends[int(layout.map.coast_paths[coast_index])]
            piers = "".join(
                f'<path d="M{number(x)} {number(y)}L{number(pier_x)} {number(pier_y)}"/>'
                for pier_x, pier_y in _toward(ends, (x, y))
            )
            width = number(layout.unit * 0.09)
            drawing = f'<g stroke="#8a6a43" stroke-width="{width}" stroke-linecap="round">{piers}</g>'
            drawing += markup.moved(x, y, _harbor(kind, rates[kind == GENERIC_HARBOR]), max(scale, 0.42))
        parts[f"harbor {coast_index}"] = Part(0, 0, drawing)
    return parts


def _toward(ends, place):
    """Return the endpoints of a path, shifted slightly toward a place."""
    x, y = place
    return [(end_x + (x - end_x) * 0.12, end_y + (y - end_y) * 0.12) for end_x, end_y in ends]


@cache
def _harbor(kind: int, rate: int) -> str:
    if kind == GENERIC_HARBOR:
        return (
            '<circle r="29" fill="#fff" stroke="#8a6a43" stroke-width="3"/>'
            f'<text y="9" font-size="25" font-weight="bold" text-anchor="middle">{rate}:1</text>'
        )
    fill, ink, name = palette.RESOURCES[kind], palette.RESOURCE_INKS[kind], HARBOR_KINDS[kind]
    width = round(markup.width_of(name, 22, bold=True)) + 14
    return (
        f'<rect x="{-width / 2:g}" y="-29" width="{width}" height="58" rx="12" fill="{fill}" stroke="#fff" '
        f'stroke-width="3"/>'
        f'<g font-size="24" font-weight="bold" text-anchor="middle" fill="{ink}"><text y="-4">{rate}:1</text>'
        f'<text y="19" font-size="22">{name}</text></g>'
    )


# -- pieces ------------------------------------------------------------------------------------------------


@draws("edge_owner", layer=EDGE_PIECES)
def roads(game: ShownGame) -> Parts:
    layout = game.layout
    owners = enumerate(game.values("edge_owner"))
    return {f"road {path}": Part(0, 0, road(layout, path, seat) if seat >= 0 else "") for path, seat in owners}


def road(layout: PictureLayout, path: int, seat: int) -> str:
    """Draw a road in the seat's color, with an outline."""
    paint = palette.paint_of(seat, layout.num_players)
    (x1, y1), (x2, y2) = layout.path_ends[path]
    dx, dy = (x2 - x1) * 0.17, (y2 - y1) * 0.17
    line = f'd="M{number(x1 + dx)} {number(y1 + dy)}L{number(x2 - dx)} {number(y2 - dy)}" stroke-linecap="round"'
    outline_width, fill_width = number(layout.unit * 0.2), number(layout.unit * 0.125)
    return f'<path {line} stroke="{paint.edge}" stroke-width="{outline_width}"/>' + (
        f'<path {line} stroke="{paint.fill}" stroke-width="{fill_width}"/>'
    )


@draws("building", "building_owner", layer=BUILDINGS)
def buildings(game: ShownGame) -> Parts:
    layout, parts, scale = game.layout, {}, game.layout.unit / 100
    levels = game.values("building", [])
    for intersection, seat in enumerate(game.values("building_owner", [])):
        x, y = layout.intersections[intersection]
        drawing = house(seat, levels[intersection], layout.num_players) if seat >= 0 else ""
        parts[f"building {intersection}"] = Part(x, y, drawing, scale * 1.15)
    return parts


@cache
def house(seat: int, level: int, num_players: int) -> str:
    """Draw a settlement or city, labeled with its seat number or, for neutral colors, with a letter."""
    label = str(seat) if seat < num_players else NEUTRAL_LETTERS[seat - num_players]
    paint = palette.paint_of(seat, num_players)
    if level <= SETTLEMENT:
        return markup.building(markup.HOUSE, paint, label)
    return markup.building(markup.TOWN, paint, label, 1, 15)


@draws("robber", layer=FIGURES)
def robber(game: ShownGame) -> Parts:
    layout, hex = game.layout, game.values("robber")
    x, y = layout.hexes[hex] if hex >= 0 else (0, 0)
    return {"robber": Part(0, 0, markup.moved(x, y, ROBBER, layout.unit / 100) if hex >= 0 else "")}


# -- the legend --------------------------------------------------------------------------------------------


@explains("terrain")
def terrains_in_the_legend() -> list[tuple[str, str]]:
    """Explain the terrains, the resources they produce and the number tokens."""
    hexagon = "0,-50 43,-25 43,25 0,50 -43,25 -43,-25"
    entries = []
    for terrain, card in enumerate(RESOURCES):
        swatch = f'<polygon points="{hexagon}" fill="{palette.TERRAINS[terrain]}"/>'
        entries.append((swatch + markup.moved(0, 0, markup.glyph(terrain), 0.9), f"{TERRAINS[terrain]}: brings {card}"))
    token = markup.moved(0, -TOKEN_Y * 1.2, _token(8), 1.2)
    return [*entries, (token, "number: the roll that makes the hex produce; a dot for each way to roll it")]


@explains("robber")
def robber_in_the_legend() -> list[tuple[str, str]]:
    return [(markup.moved(0, -5, f'<path d="{markup.PAWN}" fill="#3a3a3a"/>', 1.5), "robber: its hex produces nothing")]


@explains("harbor")
def harbors_in_the_legend() -> list[tuple[str, str]]:
    return [
        (markup.moved(0, 0, _harbor(GENERIC_HARBOR, 3), 1.5), "harbor: three cards of a kind for any other"),
        (markup.moved(0, 0, _harbor(0, 2), 0.95), "harbor: two cards of this kind for any other"),
    ]


# -- in characters -----------------------------------------------------------------------------------------


@writes("edge_owner", layer=EDGE_PIECES)
def written_roads(sketch: Sketch) -> None:
    for path, seat in enumerate(sketch.game.values("edge_owner")):
        if seat >= 0:
            sketch.draw_edge_piece(path, seat)


@writes("terrain", "number", "robber", layer=LAND)
def written_hexes(sketch: Sketch) -> None:
    game, hexes = sketch.game, sketch.hexes
    numbers, robber = game.values("number", [0] * len(hexes)), game.values("robber", -1)
    for hex, ((x, y), terrain) in enumerate(zip(hexes, game.values("terrain", [-1] * len(hexes)), strict=True)):
        if terrain >= 0:
            sketch.canvas.write(x, y - 1, TERRAINS[terrain], centered=True)
        sketch.canvas.write(x, y, str(numbers[hex]) if numbers[hex] else "", centered=True)
        sketch.canvas.write(x, y + 1, "ROBBER" if robber == hex else "", centered=True)


@writes("harbor", layer=COAST)
def written_harbors(sketch: Sketch) -> None:
    topology, rules = sketch.game.layout.map, sketch.game.reading.engine.rules
    for coast_index, kind in enumerate(sketch.game.values("harbor")):
        if kind >= 0:
            path = int(topology.coast_paths[coast_index])
            (x, y), (inner_x, inner_y) = sketch.paths[path], sketch.hexes[int(topology.path_hexes[path, 0])]
            generic = kind == GENERIC_HARBOR
            rate = rules.get("generic_harbor_rate", 3) if generic else rules.get("special_harbor_rate", 2)
            label = f"{rate}:1" if generic else f"{rate}:{HARBOR_KINDS[kind]}"
            x += 2 * (x > inner_x) - (1 + len(label)) * (x < inner_x)
            sketch.canvas.write(x, y + 2 * (y > inner_y) - 2 * (y < inner_y), label)


@writes("building", "building_owner", layer=BUILDINGS)
def written_buildings(sketch: Sketch) -> None:
    game, corners = sketch.game, sketch.corners
    owners, levels = game.values("building_owner", [-1] * len(corners)), game.values("building", [0] * len(corners))
    for (x, y), seat, level in zip(corners, owners, levels, strict=True):
        if seat >= 0:
            label = f"{'sc'[level > SETTLEMENT]}{letter_of(seat, game.layout.num_players)}"
            sketch.canvas.write(x, y, label, sketch.color(seat))
