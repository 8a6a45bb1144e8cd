"""The board: the background, the registered drawings in layers, and icons for other fields over places."""

from __future__ import annotations

import math

from catan_env.engine.declare import Field, OneHot, SeatFlag
from catan_env.render import markup, palette
from catan_env.render.drawing import BOARD, ICONS, in_layers
from catan_env.render.layout import Part, Parts, PictureLayout
from catan_env.render.markup import number
from catan_env.render.view import ShownGame, words

CORNERS = [(math.sin(math.radians(60 * k)), -math.cos(math.radians(60 * k))) for k in range(6)]
MARK_SPOTS = {"hexes": (0, 74), "intersections": (26, -26), "paths": (0, 0), "coast": (0, 0)}
COAST_SIGN = 62
"""Maximum width of signs on the coast, because neighboring signs in a bay are close together."""


def ground(layout: PictureLayout) -> str:
    """Draw the sea and the beach, which never change. Return "" for games without a board."""
    if layout.topology is None:
        return ""
    unit = layout.unit
    hexes = "".join(f'<polygon points="{markup.points(outline)}"/>' for outline in layout.outlines)
    left, top = 6, 46
    sea = markup.rect(left, top, 500, layout.board_height, palette.SEA, 10)
    beach = (
        f'<g fill="#efe3bd" stroke="#efe3bd" stroke-width="{number(0.2 * unit)}" stroke-linejoin="round">{hexes}</g>'
    )
    return sea + beach


def board(game: ShownGame) -> Parts:
    """Draw every part of the board, from the bottom layer up. Parts without a piece are drawn empty."""
    layout = game.layout
    parts: Parts = {}
    if layout.topology is None:
        return parts
    drawings = in_layers(BOARD, layout.composition)
    for drawing in (drawing for drawing in drawings if drawing.layer <= ICONS):
        parts |= drawing.function(game)
    _lay_marks(game, parts, layout.unit / 100)
    for drawing in (drawing for drawing in drawings if drawing.layer > ICONS):
        parts |= drawing.function(game)
    return parts


# -- fields without drawings -------------------------------------------------------------------------------


def _lay_marks(game: ShownGame, parts: Parts, scale: float) -> None:
    """Add icons for fields over hexes, intersections, paths or the coast that have no drawing."""
    mark_counts: dict[str, int] = {}
    for field, axis, values in game.marks():
        kind = game.layout.kind(axis)
        positions = game.layout.places(axis, ashore=True)
        shift = mark_counts.get(kind, 0)
        mark_counts[kind] = shift + 1
        dx, dy = MARK_SPOTS[kind]
        for place, value in enumerate(values):
            drawing = ""
            if value != field.default:
                width, sign = _sign(field, value, game.layout.num_players)
                fitting = min(1.0, COAST_SIGN / width) if kind == "coast" else 1.0
                drawing = markup.moved(dx + 30 * shift, dy, sign, fitting)
            x, y = positions[place]
            parts[f"{field.name} {place}"] = Part(x, y, drawing, scale)


def _sign(field: Field, value: int, num_players: int) -> tuple[float, str]:
    """Return the width and the drawing of a sign."""
    if isinstance(field.show, SeatFlag):
        paint = palette.paint_of(value, num_players)
        return 30, f'<circle r="15" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="3"/>' + (
            f'<text y="9" font-size="24" text-anchor="middle" fill="{paint.ink}">{value}</text>'
        )
    label = str(value)
    if isinstance(field.show, OneHot) and 0 <= value - field.show.first < len(field.show.names):
        label = words(field.show.names[value - field.show.first])
    width = markup.width_of(label, 23) + 12
    return width, (
        f'<rect x="{number(-width / 2)}" y="-15" width="{number(width)}" height="30" rx="10" fill="#fff" '
        f'stroke="#5b2a86" stroke-width="3"/>'
        f'<text y="9" font-size="23" text-anchor="middle" fill="#5b2a86">{label}</text>'
    )


def spotlight(game: ShownGame, axis: str | None, place: int) -> str:
    """Draw a ring around the place that the last action concerned."""
    kind = game.layout.kind(axis)
    if axis is None or not kind:
        return ""
    x, y = game.layout.places(axis)[place]
    radius = game.layout.unit * {"hexes": 0.8, "intersections": 0.42}.get(kind, 0.34)
    ring = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="none"'
    return f'{ring} stroke="#fff" stroke-width="5"/>{ring} stroke="{palette.HOT}" stroke-width="2.5"/>'
