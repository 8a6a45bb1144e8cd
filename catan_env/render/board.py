"""The board: terrain, number tokens, harbors, roads, buildings, the robber, and whatever else lies on places."""

from __future__ import annotations

import math
from functools import cache

from catan_env.board.terrain import GENERIC_HARBOR, HARBOR_KINDS
from catan_env.engine.declare import OneHot, SeatFlag
from catan_env.render import markup, palette
from catan_env.render.markup import number
from catan_env.render.stage import Part, Parts, Stage
from catan_env.render.view import Game, words

HOT_NUMBERS = (6, 8)
SETTLEMENT = 1
CORNERS = [(math.sin(math.radians(60 * k)), -math.cos(math.radians(60 * k))) for k in range(6)]
HEX = markup.points((100 * x, 100 * y) for x, y in CORNERS)
TOKEN_Y = 16
MARK_SPOTS = {"hexes": (0, 74), "intersections": (26, -26), "paths": (0, 0), "coast": (34, 30)}


def ground(stage: Stage) -> str:
    """The sea and the beach, which never change."""
    u = stage.unit
    hexes = "".join(
        f'<polygon points="{markup.points((x + u * a, y + u * b) for a, b in CORNERS)}"/>' for x, y in stage.hexes
    )
    left, top = 6, 46
    sea = markup.rect(left, top, 500, stage.board_height, palette.SEA, 10)
    beach = f'<g fill="#efe3bd" stroke="#efe3bd" stroke-width="{number(0.2 * u)}" stroke-linejoin="round">{hexes}</g>'
    return sea + beach


def board(game: Game) -> Parts:
    """Every part of the board, from the ground up; pieces that are not there are empty parts."""
    stage, parts = game.stage, {}
    scale = stage.unit / 100
    _lay_hexes(game, parts, scale)
    _lay_harbors(game, parts, scale)
    for path, seat in enumerate(game.values("road", [])):
        parts[f"road {path}"] = Part(0, 0, road(stage, path, seat) if seat >= 0 else "")
    levels = game.values("building", [])
    for place, seat in enumerate(game.values("building_owner", [])):
        x, y = stage.intersections[place]
        drawing = house(seat, levels[place], stage.num_players) if seat >= 0 else ""
        parts[f"building {place}"] = Part(x, y, drawing, scale * 1.15)
    _lay_marks(game, parts, scale)
    robber = game.values("robber", -1)
    x, y = stage.hexes[robber] if robber >= 0 else (0, 0)
    pawn = markup.moved(x, y, ROBBER, scale) if robber >= 0 else ""
    parts["robber"] = Part(0, 0, pawn)
    return parts


ROBBER = (
    f'<g transform="translate(-52 {TOKEN_Y - 2}) scale(1.05)" stroke-linejoin="round">'
    f'<path d="{markup.PAWN}" fill="none" stroke="#fff" stroke-width="12"/>'
    f'<path d="{markup.PAWN}" fill="#3b3b3b" stroke="#000" stroke-width="3"/></g>'
)


# -- land and sea ------------------------------------------------------------------------------------------


def _lay_hexes(game: Game, parts: Parts, scale: float) -> None:
    terrains, numbers = game.values("terrain", []), game.values("number", [])
    for hex, (x, y) in enumerate(game.stage.hexes):
        terrain = terrains[hex] if terrains else -1
        parts[f"hex {hex}"] = Part(x, y, land(terrain, numbers[hex] if numbers else 0), scale)


@cache
def land(terrain: int, token: int) -> str:
    """A hex with its number token."""
    fill = palette.TERRAINS[terrain] if terrain >= 0 else palette.UNLAID
    drawing = f'<polygon points="{HEX}" fill="{fill}" stroke="#fff7df" stroke-width="4"/>'
    if 0 <= terrain < len(palette.GLYPHS):
        drawing += markup.moved(0, -52 if token else -10, markup.glyph(terrain), 1 if token else 1.4)
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


def _lay_harbors(game: Game, parts: Parts, scale: float) -> None:
    stage, rules = game.stage, game.reading.engine.rules
    rates = rules.get("special_harbor_rate", 2), rules.get("generic_harbor_rate", 3)
    for place, kind in enumerate(game.values("harbor", [])):
        drawing = ""
        if kind >= 0:
            x, y = stage.coast[place]
            ends = stage.path_ends[int(stage.topology.coast_paths[place])]
            piers = "".join(
                f'<path d="M{number(x)} {number(y)}L{number(a)} {number(b)}"/>' for a, b in _toward(ends, (x, y))
            )
            width = number(stage.unit * 0.09)
            drawing = f'<g stroke="#8a6a43" stroke-width="{width}" stroke-linecap="round">{piers}</g>'
            drawing += markup.moved(x, y, _harbor(kind, rates[kind == GENERIC_HARBOR]), max(scale, 0.42))
        parts[f"harbor {place}"] = Part(0, 0, drawing)


def _toward(ends, place):
    """The ends of a path, a little nearer to a place."""
    x, y = place
    return [(a + (x - a) * 0.12, b + (y - b) * 0.12) for a, b in ends]


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


def road(stage: Stage, path: int, seat: int) -> str:
    """A road, in the seat's color with an outline."""
    paint = palette.paint_of(seat, stage.num_players)
    (a, b), (c, d) = stage.path_ends[path]
    x, y = (c - a) * 0.17, (d - b) * 0.17
    line = f'd="M{number(a + x)} {number(b + y)}L{number(c - x)} {number(d - y)}" stroke-linecap="round"'
    wide, narrow = number(stage.unit * 0.2), number(stage.unit * 0.125)
    return f'<path {line} stroke="{paint.edge}" stroke-width="{wide}"/>' + (
        f'<path {line} stroke="{paint.fill}" stroke-width="{narrow}"/>'
    )


@cache
def house(seat: int, level: int, num_players: int) -> str:
    """A settlement or city, with the number of its seat; neutral seats have letters."""
    label = str(seat) if seat < num_players else "ab"[(seat - num_players) % 2]
    paint = palette.paint_of(seat, num_players)
    if level <= SETTLEMENT:
        return markup.building(markup.HOUSE, paint, label)
    return markup.building(markup.TOWN, paint, label, 1, 15)


# -- what scenarios add ------------------------------------------------------------------------------------


def _lay_marks(game: Game, parts: Parts, scale: float) -> None:
    """A sign for every declared field over hexes, intersections, paths or the coast that has no drawing here."""
    taken: dict[str, int] = {}
    for field, axis, values in game.marks():
        places = game.stage.places(axis)
        shift = taken.get(axis, 0)
        taken[axis] = shift + 1
        dx, dy = MARK_SPOTS[axis]
        for place, value in enumerate(values):
            drawing = ""
            if value != field.default:
                drawing = markup.moved(dx + 30 * shift, dy, _sign(field, value, game.stage.num_players))
            x, y = places[place]
            parts[f"{field.name} {place}"] = Part(x, y, drawing, scale)


def _sign(field, value: int, num_players: int) -> str:
    if isinstance(field.show, SeatFlag):
        paint = palette.paint_of(value, num_players)
        return f'<circle r="15" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="3"/>' + (
            f'<text y="9" font-size="24" text-anchor="middle" fill="{paint.ink}">{value}</text>'
        )
    label = str(value)
    if isinstance(field.show, OneHot) and 0 <= value - field.show.first < len(field.show.names):
        label = words(field.show.names[value - field.show.first])
    width = markup.width_of(label, 23) + 12
    return (
        f'<rect x="{number(-width / 2)}" y="-15" width="{number(width)}" height="30" rx="10" fill="#fff" '
        f'stroke="#5b2a86" stroke-width="3"/>'
        f'<text y="9" font-size="23" text-anchor="middle" fill="#5b2a86">{label}</text>'
    )


def spotlight(game: Game, axis: str | None, place: int) -> str:
    """A ring around the place of the last action."""
    if axis not in ("hexes", "intersections", "paths", "coast"):
        return ""
    x, y = game.stage.places(axis)[place]
    radius = game.stage.unit * {"hexes": 0.8, "intersections": 0.42}.get(axis, 0.34)
    ring = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="none"'
    return f'{ring} stroke="#fff" stroke-width="5"/>{ring} stroke="{palette.HOT}" stroke-width="2.5"/>'
