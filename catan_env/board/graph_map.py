"""Maps given as graphs: hexes of any shape, the junctions around each hex, and roads between junctions.

The format is `catan-geography/1`; its keys are explained in the documentation under *Writing a map*.
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
from catan_env.board.topology import NOTHING, Mark, Topology, frozen_array, holders, make_mark, other_ends, padded
from catan_env.errors import BoardError

UNIT = 100.0
"""Length, in file coordinates, that corresponds to one hex size (center to corner) in drawings."""
PRINTED = "printed"
"""Name of the only layout of such a map."""


def graph_map(name: str, table: Mapping[str, Any]) -> Map:
    """Return the map described by a mapping.

    Raises:
        BoardError: the map is invalid; the message names the offending key and id.
    """
    if complaints := problems(table):
        more_text = (
            f" (and {len(complaints) - 1} more: catan board check FILE lists them)" if len(complaints) > 1 else ""
        )
        raise BoardError(complaints[0] + more_text)
    topology = graph_topology(table)
    terrain_of_hexes = [TERRAINS.index(entry["terrain"]) for entry in table["hexes"]]
    number_of_hexes = [entry.get("number") or 0 for entry in table["hexes"]]
    terrains = terrains_up_to(terrain_of_hexes)
    harbors = [(topology.path_at(road), HARBOR_KINDS.index(kind)) for road, kind in table.get("harbors", [])]
    robber_start = table.get("robber_start", {}).get("hex")
    robber_hex = NOTHING if robber_start is None else topology.hex_at(robber_start)
    layout = Layout(topology, np.array(terrain_of_hexes), np.array(number_of_hexes), tuple(harbors), robber_hex)
    no_entries = frozen_array([])
    return Map(
        name=str(table.get("id") or name),
        topology=topology,
        terrains=terrains,
        terrain_counts=frozen_array(np.bincount(terrain_of_hexes, minlength=len(terrains)), np.int8),
        fixed_terrain=layout.terrain,
        number_tokens=no_entries.astype(np.int8),
        spirals=frozen_array(np.zeros((0, len(terrain_of_hexes)))),
        side_start=no_entries,
        piece_offsets=frozen_array(np.zeros((0, 2)), np.int8),
        piece_kinds=frozen_array(np.zeros((0, 2)), np.int8),
        small_harbors=frozen_array(np.zeros((0, 2))),
        harbor_sites=no_entries,
        harbor_kinds=no_entries.astype(np.int8),
        layouts={PRINTED: layout},
        standing=PRINTED,
        status=table.get("status", "own"),
        source=table,
    )


def graph_topology(table: Mapping[str, Any]) -> Topology:
    """Return the topology of a validated mapping.

    Hexes, intersections (junctions) and paths (roads) keep their order in the file.
    """
    hex_of_id = {entry["id"]: hex for hex, entry in enumerate(table["hexes"])}
    junction_of_id = {entry["id"]: i for i, entry in enumerate(table["junctions"])}
    centers = [_scaled(entry["center"]) for entry in table["hexes"]]
    points = [_scaled(entry["pos"]) for entry in table["junctions"]]

    touched_hexes = [sorted(hex_of_id[hex_id] for hex_id in entry["hexes"]) for entry in table["junctions"]]
    corner_intersections = [
        sorted(intersections, key=lambda i: _clockwise(center, points[i]))
        for center, intersections in zip(centers, holders(touched_hexes, len(centers)), strict=True)
    ]

    ends_as_written = [(junction_of_id[road["a"]], junction_of_id[road["b"]]) for road in table["roads"]]
    ends = [(min(pair), max(pair)) for pair in ends_as_written]
    along_hexes = [
        sorted(hex_of_id[hex_id] for hex_id in road["hexes"])
        if "hexes" in road
        else sorted({*touched_hexes[first]} & {*touched_hexes[second]})
        for road, (first, second) in zip(table["roads"], ends, strict=True)
    ]
    side_paths = holders(along_hexes, len(centers))
    beside_hexes = [
        sorted({other_hex for path in paths for other_hex in along_hexes[path]} - {hex})
        for hex, paths in enumerate(side_paths)
    ]
    exits = [sorted(paths, key=lambda path: sum(ends[path])) for paths in holders(ends, len(points))]  # by far end
    degree = max(1, *map(len, exits), *map(len, touched_hexes))
    width = max(1, *map(len, corner_intersections), *map(len, side_paths), *map(len, beside_hexes))
    road_lines = [_line(road, points, pair) for road, pair in zip(table["roads"], ends, strict=True)]

    harbor_roads = [entry[0] for entry in table.get("harbors", [])]
    road_of_id = {road["id"]: path for path, road in enumerate(table["roads"])}
    coast = frozen_array([road_of_id[road] for road in dict.fromkeys(harbor_roads)])
    topology = Topology(
        hex_keys=tuple((name,) for name in hex_of_id),
        intersection_keys=tuple((name,) for name in junction_of_id),
        path_keys=tuple((road,) for road in road_of_id),
        hex_intersections=padded(corner_intersections, width),
        hex_paths=padded(side_paths, width),
        hex_neighbors=padded(beside_hexes, width),
        intersection_hexes=padded(touched_hexes, degree),
        intersection_neighbors=padded(other_ends(exits, ends), degree),
        intersection_paths=padded(exits, degree),
        path_intersections=frozen_array(ends),
        path_hexes=padded(along_hexes, max(2, *map(len, along_hexes))),
        coast_paths=coast,
        coast_hexes=frozen_array([(along_hexes[path] or [NOTHING])[0] for path in coast]),
        hex_xy=frozen_array(centers, np.float32),
        intersection_xy=frozen_array(points, np.float32),
        path_xy=frozen_array([_middle(line) for line in road_lines], np.float32),
        hex_outlines=tuple(
            tuple(map(_scaled, entry.get("polygon", ()))) or tuple(points[i] for i in corner_intersections[hex])
            for hex, entry in enumerate(table["hexes"])
        ),
        path_lines=tuple(road_lines),
        titles={
            "hexes": tuple(entry.get("label") or "" for entry in table["hexes"]),
            "intersections": tuple(entry.get("name") or "" for entry in table["junctions"]),
        },
        marks={"coast": Mark("coast", "paths", coast)},
    )
    topology = replace(topology, marks={**topology.marks, **_marks_of(topology, table)})
    return with_marks(topology, {**table.get("marks", {})})


def _marks_of(topology: Topology, table: Mapping[str, Any]) -> dict[str, Mark]:
    """Return the format's marks: the kinds of junctions, the canal from west to east, and certificates on roads.

    Every map has all of these marks. A mark without places is an axis of length 0.
    """
    kinds = {"site": SITES, "canal_site": (CANAL_SITE,), VP: (VP,), PLAIN: (PLAIN,)}
    entries = {entry["id"]: entry for entry in table["junctions"]}
    marks = {}
    for name, junction_kinds in kinds.items():
        ids = [junction_id for junction_id, entry in entries.items() if entry["kind"] in junction_kinds]
        if name == CANAL_SITE:
            ids = table.get("canal", {}).get("sites_west_to_east", ids)
        place_names = [entries[junction_id].get("name") for junction_id in ids]
        places = [topology.intersection_at(junction_id) for junction_id in ids]
        marks[name] = make_mark(topology, name, "intersections", places, names=place_names if any(place_names) else ())
    certificates = table.get("certificates", [])
    red_roads = [
        (road, certificate_index)
        for certificate_index, certificate in enumerate(certificates)
        for road in certificate["roads"]
    ]
    numbers = {
        "number": [certificate_index for _, certificate_index in red_roads],
        "rate": [certificates[certificate_index]["rate"] for _, certificate_index in red_roads],
        "resource": [_resource(certificates[certificate_index].get("resource")) for _, certificate_index in red_roads],
    }
    places = [topology.path_at(road) for road, _ in red_roads]
    place_names = [
        certificates[certificate_index].get("name") or certificates[certificate_index]["id"]
        for _, certificate_index in red_roads
    ]
    marks["certificate"] = make_mark(topology, "certificate", "paths", places, names=place_names, numbers=numbers)
    return marks


def _resource(name: str | None) -> int:
    return NOTHING if name is None else RESOURCES.index(name)


def _scaled(point: list[float]) -> tuple[float, float]:
    return point[0] / UNIT, point[1] / UNIT


def _clockwise(center: tuple[float, float], point: tuple[float, float]) -> float:
    """Return a point's angle around a center, clockwise from straight up (y grows downward)."""
    return math.atan2(point[0] - center[0], center[1] - point[1]) % (2 * math.pi)


def _line(road: Mapping[str, Any], points: list[tuple[float, float]], ends: tuple[int, int]) -> tuple:
    """Return the line of a road from its first end to its second."""
    line = [*map(_scaled, road.get("path", ()))] or [points[end] for end in ends]
    backwards = math.dist(line[0], points[ends[0]]) > math.dist(line[-1], points[ends[0]])
    return tuple(reversed(line) if backwards else line)


def _middle(line: tuple) -> tuple[float, float]:
    """Return the point halfway along a line."""
    lengths = [math.dist(start, end) for start, end in zip(line, line[1:], strict=False)]
    length_left = sum(lengths) / 2
    for (start, end), length in zip(zip(line, line[1:], strict=False), lengths, strict=True):
        if length_left <= length and length > 0:
            share = length_left / length
            return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
        length_left -= length
    return line[0]
