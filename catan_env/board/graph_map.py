"""Maps given as graphs: hexes of any shape, junctions with the hexes they live on, roads that join two junctions.

The format is `catan-geography/1`; *Writing a map* in the documentation has its keys.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from catan_env.board.graph_check import CANAL_SITE, PLAIN, SITES, VP, problems
from catan_env.board.hex_map import with_marks
from catan_env.board.layout import Layout
from catan_env.board.map import Map, terrains_up_to
from catan_env.board.terrain import HARBOR_KINDS, RESOURCES, TERRAINS
from catan_env.board.topology import NOTHING, Mark, Topology, frozen_array, make_mark, padded
from catan_env.errors import BoardError

UNIT = 100.0
"""Length of the file's coordinates that is drawn as the size of a hex, from its center to a corner."""
PRINTED = "printed"
"""The name of the one layout that such a map has."""


def graph_map(name: str, table: Mapping[str, Any]) -> Map:
    """The map that a mapping describes. Raises `BoardError` naming the key and id of what is wrong with it."""
    if found := problems(table):
        more = f" (and {len(found) - 1} more: catan board check FILE lists them)" if len(found) > 1 else ""
        raise BoardError(found[0] + more)
    topology = graph_topology(table)
    terrain = [TERRAINS.index(entry["terrain"]) for entry in table["hexes"]]
    number = [entry.get("number") or 0 for entry in table["hexes"]]
    terrains = terrains_up_to(terrain)
    harbors = [(topology.path_at(road), HARBOR_KINDS.index(kind)) for road, kind in table.get("harbors", [])]
    start = table.get("robber_start", {}).get("hex")
    robber = NOTHING if start is None else topology.hex_at(start)
    layout = Layout(topology, np.array(terrain), np.array(number), tuple(harbors), robber)
    nothing = frozen_array([])
    return Map(
        name=str(table.get("id") or name),
        topology=topology,
        terrains=terrains,
        terrain_counts=frozen_array(np.bincount(terrain, minlength=len(terrains)), np.int8),
        fixed_terrain=layout.terrain,
        number_tokens=nothing.astype(np.int8),
        spirals=frozen_array(np.zeros((0, len(terrain)))),
        side_start=nothing,
        piece_offsets=frozen_array(np.zeros((0, 2)), np.int8),
        piece_kinds=frozen_array(np.zeros((0, 2)), np.int8),
        small_harbors=frozen_array(np.zeros((0, 2))),
        harbor_sites=nothing,
        harbor_kinds=nothing.astype(np.int8),
        layouts={PRINTED: layout},
        standing=PRINTED,
        status=table.get("status", "own"),
        source=table,
    )


def graph_topology(table: Mapping[str, Any]) -> Topology:
    """The topology of a checked mapping. Hexes, intersections (junctions) and paths (roads) keep the file's order."""
    hexes = {entry["id"]: h for h, entry in enumerate(table["hexes"])}
    junctions = {entry["id"]: i for i, entry in enumerate(table["junctions"])}
    centers = [_scaled(entry["center"]) for entry in table["hexes"]]
    points = [_scaled(entry["pos"]) for entry in table["junctions"]]

    touched = [sorted(hexes[one] for one in entry["hexes"]) for entry in table["junctions"]]
    corners: list[list[int]] = [[] for _ in hexes]
    for i, around in enumerate(touched):
        for h in around:
            corners[h].append(i)
    for h, row in enumerate(corners):
        row.sort(key=lambda i: _clockwise(centers[h], points[i]))

    both = [(junctions[road["a"]], junctions[road["b"]]) for road in table["roads"]]
    ends = [(min(pair), max(pair)) for pair in both]
    along = [
        sorted(hexes[one] for one in road["hexes"]) if "hexes" in road else sorted({*touched[a]} & {*touched[b]})
        for road, (a, b) in zip(table["roads"], ends, strict=True)
    ]
    sides: list[list[int]] = [[] for _ in hexes]
    beside: list[list[int]] = [[] for _ in hexes]
    meeting: list[list[tuple[int, int]]] = [[] for _ in junctions]
    for p, (a, b) in enumerate(ends):
        meeting[a].append((b, p))
        meeting[b].append((a, p))
        for h in along[p]:
            sides[h].append(p)
            beside[h] += [other for other in along[p] if other != h and other not in beside[h]]
    meeting = [sorted(row) for row in meeting]
    degree = max(1, *map(len, meeting), *map(len, touched))
    width = max(1, *map(len, corners), *map(len, sides), *map(len, beside))
    lines = [_line(road, points, pair) for road, pair in zip(table["roads"], ends, strict=True)]

    harbor_roads = [entry[0] for entry in table.get("harbors", [])]
    roads = {road["id"]: p for p, road in enumerate(table["roads"])}
    coast = frozen_array([roads[road] for road in dict.fromkeys(harbor_roads)])
    topology = Topology(
        hex_keys=tuple((name,) for name in hexes),
        intersection_keys=tuple((name,) for name in junctions),
        path_keys=tuple((road,) for road in roads),
        hex_intersections=padded(corners, width),
        hex_paths=padded(sides, width),
        hex_neighbors=padded([sorted(row) for row in beside], width),
        intersection_hexes=padded(touched, degree),
        intersection_neighbors=padded([[there for there, _ in row] for row in meeting], degree),
        intersection_paths=padded([[p for _, p in row] for row in meeting], degree),
        path_intersections=frozen_array(ends),
        path_hexes=padded(along, max(2, *map(len, along))),
        coast_paths=coast,
        coast_hexes=frozen_array([(along[p] or [NOTHING])[0] for p in coast]),
        hex_xy=frozen_array(centers, np.float32),
        intersection_xy=frozen_array(points, np.float32),
        path_xy=frozen_array([_middle(line) for line in lines], np.float32),
        hex_outlines=tuple(
            tuple(map(_scaled, entry.get("polygon", ()))) or tuple(points[i] for i in corners[h])
            for h, entry in enumerate(table["hexes"])
        ),
        path_lines=tuple(lines),
        titles={
            "hexes": tuple(entry.get("label") or "" for entry in table["hexes"]),
            "intersections": tuple(entry.get("name") or "" for entry in table["junctions"]),
        },
        marks={"coast": Mark("coast", "paths", coast)},
    )
    topology = replace(topology, marks={**topology.marks, **_marks_of(topology, table)})
    return with_marks(topology, {**table.get("marks", {})})


def _marks_of(topology: Topology, table: Mapping[str, Any]) -> dict[str, Mark]:
    """The marks that the format itself has, on every map: kinds of junctions, the canal from west to east, certificates
    on roads. What a map has none of is an axis of length 0."""
    kinds = {"site": SITES, "canal_site": (CANAL_SITE,), VP: (VP,), PLAIN: (PLAIN,)}
    entries = {entry["id"]: entry for entry in table["junctions"]}
    found = {}
    for name, members in kinds.items():
        ids = [key for key, entry in entries.items() if entry["kind"] in members]
        if name == CANAL_SITE:
            ids = table.get("canal", {}).get("sites_west_to_east", ids)
        names = [entries[key].get("name") for key in ids]
        places = [topology.intersection_at(key) for key in ids]
        found[name] = make_mark(topology, name, "intersections", places, names=names if any(names) else ())
    certificates = table.get("certificates", [])
    red = [(road, number) for number, one in enumerate(certificates) for road in one["roads"]]
    numbers = {
        "number": [number for _, number in red],
        "rate": [certificates[number]["rate"] for _, number in red],
        "resource": [_resource(certificates[number].get("resource")) for _, number in red],
    }
    places = [topology.path_at(road) for road, _ in red]
    names = [certificates[number].get("name") or certificates[number]["id"] for _, number in red]
    found["certificate"] = make_mark(topology, "certificate", "paths", places, names=names, numbers=numbers)
    return found


def _resource(name: str | None) -> int:
    return NOTHING if name is None else RESOURCES.index(name)


def _scaled(point: list[float]) -> tuple[float, float]:
    return point[0] / UNIT, point[1] / UNIT


def _clockwise(center: tuple[float, float], point: tuple[float, float]) -> float:
    """Angle of a point around a center, clockwise from straight above (y grows downwards)."""
    return math.atan2(point[0] - center[0], center[1] - point[1]) % (2 * math.pi)


def _line(road: Mapping[str, Any], points: list[tuple[float, float]], ends: tuple[int, int]) -> tuple:
    """The line of a road from its first end to its second."""
    line = [*map(_scaled, road.get("path", ()))] or [points[end] for end in ends]
    backwards = math.dist(line[0], points[ends[0]]) > math.dist(line[-1], points[ends[0]])
    return tuple(reversed(line) if backwards else line)


def _middle(line: tuple) -> tuple[float, float]:
    """The point halfway along a line."""
    lengths = [math.dist(a, b) for a, b in zip(line, line[1:], strict=False)]
    left = sum(lengths) / 2
    for (a, b), length in zip(zip(line, line[1:], strict=False), lengths, strict=True):
        if left <= length and length > 0:
            share = left / length
            return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        left -= length
    return line[0]
