"""Drawings for the dice game: a sheet in each panel and the dice on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import sqrt

from catan_env.board.terrain import RESOURCES, TERRAINS
from catan_env.engine.registry import scenarios
from catan_env.games.dice_game.paper import Sheet
from catan_env.render import markup, palette
from catan_env.render.badges import SMALL
from catan_env.render.drawing import lays_out, leaves_out, stacks
from catan_env.render.layout import Part, Parts
from catan_env.render.markup import number, rect, text
from catan_env.render.view import Item

SIDE = 41
"""Side length of a hex, in pixels."""
HEIGHT = 5.7 * SIDE
MIDDLE = 2.7 * SIDE
BOX, BOX_HEIGHT = 33, 24
BARE, BARE_EDGE = palette.Paint("#ffffff", "#8a8f98", "#5a5f66", "not built"), "#8a8f98"
SEA = TERRAINS.index("sea")
DIE = 24
GOLD = palette.GOLD

leaves_out("has_built", because="the last box in the row of points shows it")


@lays_out(
    "roads_built", "settlements_built", "cities_built", "knights_built", "jokers_used", "points_row", height=HEIGHT
)
def sheet(items: Mapping[str, Item], seat: int, x: float, y: float, zoom: float) -> Parts:
    """Draw the sheet with its pieces and used jokers, and the row of points to its right."""
    built = {
        piece_kind: items[f"{piece_kind}_built"].value for piece_kind in ("roads", "settlements", "cities", "knights")
    }
    printed = next(
        candidate
        for candidate in _sheets()
        if all(len(built[piece_kind]) == len(getattr(candidate, piece_kind)) for piece_kind in built)
    )
    x += MIDDLE * zoom
    y += MIDDLE * zoom
    parts = {f"sheet {seat}": Part(x, y, _ground(printed), zoom)}
    parts[f"built {seat}"] = Part(x, y, _built(printed, seat, *built.values()), zoom)
    parts[f"jokers {seat}"] = Part(x, y, _jokers(printed, built["knights"], items["jokers_used"].value), zoom)
    if "points_row" in items:
        row_points = items["points_row"].value
        parts[f"row {seat}"] = Part(x + (MIDDLE + 6) * zoom, y - MIDDLE * zoom, _row(row_points), zoom)
    return parts


def _sheets() -> list[Sheet]:
    """Return the sheets of all registered scenarios."""
    return [scenario.board for scenario in scenarios().values() if isinstance(scenario.board, Sheet)]


def _at(place: tuple[int, int]) -> tuple[float, float]:
    """Return a place's position in pixels, relative to the middle of the sheet."""
    return place[0] * SIDE / 2, place[1] * SIDE * sqrt(3) / 2


@cache
def _ground(printed) -> str:
    polygons = []
    for terrain, *coordinates in printed.hexes:
        x, y = _at(coordinates)
        kind = next(k for k, name in enumerate(TERRAINS) if terrain.endswith(name))
        corners = [
            (x + SIDE * dx, y + SIDE * dy * sqrt(3) / 2)
            for dx, dy in ((1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1))
        ]
        fill = palette.SEA if kind == SEA else palette.terrain_color(kind)
        polygons.append(f'<polygon points="{markup.points(corners)}" fill="{fill}" stroke="#fff" stroke-width="2"/>')
    return "".join(polygons)


@cache
def _built(printed, seat: int, roads: tuple, settlements: tuple, cities: tuple, knights: tuple) -> str:
    paint = palette.SEATS[seat]
    drawings = [_road(printed, k, road, paint) for k, road in enumerate(roads)]
    for shape, sites, built_flags in (
        (markup.HOUSE, printed.settlements, settlements),
        (markup.TOWN, printed.cities, cities),
    ):
        for (place_name, points), is_built in zip(sites, built_flags, strict=True):
            building = markup.building(shape, paint if is_built else BARE, str(points), y=11)
            drawings.append(markup.moved(*_at(printed.places[place_name]), building, 0.42))
    drawings += [
        markup.moved(x, y, _knight(printed, k, paint if knights[k] else BARE), 0.42)
        for k, (x, y) in enumerate(_knights_at(printed))
    ]
    return "".join(drawings)


def _road(printed, road: int, built: int, paint: palette.Paint) -> str:
    (x1, y1), (x2, y2) = (_at(printed.places[place_name]) for place_name in printed.roads[road])
    line = f'd="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" stroke-linecap="round"'
    if not built:
        dashes = "" if road == printed.marked_road else ' stroke-dasharray="2 5"'
        return f'<path {line} stroke="{BARE_EDGE}" stroke-width="3"{dashes}/>'
    return f'<path {line} stroke="{paint.edge}" stroke-width="7"/><path {line} stroke="{paint.fill}" stroke-width="4"/>'


@cache
def _knights_at(printed) -> list[tuple[float, float]]:
    """Return the position of each knight: the middle of its hex, or left or right of it if two share the hex."""
    positions = []
    hexes = [hex for hex, _ in printed.knights]
    for k, hex in enumerate(hexes):
        x, y = _at(printed.hexes[hex][1:])
        if hexes.count(hex) > 1:
            x += -9 if hex not in hexes[:k] else 9
        positions.append((x, y - 6))
    return positions


def _knight(printed, k: int, paint: palette.Paint) -> str:
    points = printed.knights[k][1]
    label = text(0, 21, str(points), 22, paint.ink, bold=True, anchor="middle") if points else ""
    return f'<path d="{markup.PAWN}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="4"/>{label}'


@cache
def _jokers(printed, knights: tuple, used: tuple) -> str:
    """Draw each joker below its knights: pale until they are built, pale and crossed out once used."""
    drawings = []
    positions = _knights_at(printed)
    for (face, needed_knights), is_used in zip(printed.jokers, used, strict=True):
        x = sum(positions[k][0] for k in needed_knights) / len(needed_knights)
        y = positions[needed_knights[0]][1] + 22
        opacity = "" if all(knights[k] for k in needed_knights) and not is_used else ' opacity=".45"'
        side = f"<g{opacity}>{_side(face, 14)}</g>"
        strike = f'<path d="M-10 8L10-8" stroke="{palette.HOT}" stroke-width="3"/>' if is_used else ""
        drawings.append(markup.moved(x, y, side + strike))
    return "".join(drawings)


def _side(face: str, size: float) -> str:
    """Draw one side of a die around the origin: its color and the first letters of its name, or "?" for any side."""
    fill, ink = "#ffffff", palette.INK
    if face in RESOURCES:
        fill, ink = palette.RESOURCES[RESOURCES.index(face)], palette.RESOURCE_INKS[RESOURCES.index(face)]
    elif face == "gold":
        fill = GOLD
    label = "?" if face == "any" else face[:2].title() if size < DIE else face[0].upper() + face[1:3]
    square = rect(-size / 2, -size / 2, size, size, fill, size / 6, palette.INK)
    return square + text(0, size * 0.16, label, size * 0.42, ink, bold=True, anchor="middle")


@cache
def _row(points: tuple[int, ...]) -> str:
    """Draw one box per turn; boxes without points stay empty."""
    drawings = []
    for k, entry in enumerate(points):
        x, y = k % 3 * BOX, 18 + k // 3 * BOX_HEIGHT
        drawings.append(rect(x, y, BOX, BOX_HEIGHT, "#ffffff", 0, palette.RULE))
        if entry:
            color = palette.HOT if entry < 0 else palette.INK
            drawings.append(text(x + BOX / 2, y + 16.5, str(entry), 13, color, bold=True, anchor="middle"))
    drawings.append(text(0, 11, "Points by turn", SMALL, palette.FAINT))
    total = text(0, 18 + 5 * BOX_HEIGHT + 18, f"Sum {sum(points)}", 14, bold=True)
    return "".join(drawings) + total


@stacks("dice_lying")
def dice_lying(item: Item, x: float, y: float) -> tuple[Parts, float]:
    """Draw the dice on the table."""
    return {"dice lying": Part(x, y + 2, _dice(item.value, item.labels))}, 6 * (DIE + 4) + 8


@cache
def _dice(counts: tuple[int, ...], faces: tuple[str, ...]) -> str:
    lying_faces = list(_lying(counts, faces))
    return "".join(
        markup.moved(DIE / 2 + k * (DIE + 4), DIE / 2 + 2, _side(face, DIE)) for k, face in enumerate(lying_faces)
    )


def _lying(counts: tuple[int, ...], faces: tuple[str, ...]) -> Iterator[str]:
    for count, face in zip(counts, faces, strict=True):
        yield from (face,) * count
