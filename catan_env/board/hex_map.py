"""Maps on the hex grid, read from TOML file contents; the keys are explained in `games/base/maps/base.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from catan_env.board.hexgrid import HexGrid
from catan_env.board.map import Int8, Map, bearing_tokens, terrains_up_to
from catan_env.board.terrain import HARBOR_KINDS, TERRAINS, WATER
from catan_env.board.topology import (
    KINDS,
    NOTHING,
    frozen_array,
    listed,
    make_mark,
    position_of,
)
from catan_env.errors import BoardError
from catan_env.numeric import is_integer

KEYS = (
    *("name", "status", "rows", "fixed", "coast", "terrains", "terrain_counts", "numbers", "frame", "harbor_sites"),
    *("marks", "layouts", "layout"),
)
PARTS = {
    "numbers": ("tokens", "spiral", "shuffled"),
    "frame": ("sides", "pieces", "small"),
    "harbor_sites": ("coast", "kinds"),
}
SIDES_OF_FRAME = 6
HARBORS_OF_PIECE = 2
NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
MOST_OF_TERRAIN = 127
MOST_HEXES = 1000
COASTS = ("shores", "everywhere")
ALSO = {"junctions": "intersections", "roads": "paths"}
"""Names of place kinds in graph files, mapped to the names used here."""


def hex_map(name: str, table: Mapping[str, Any]) -> Map:
    """Return the map described by a mapping.

    Raises:
        BoardError: the map is invalid. Values of the wrong type may also raise the errors in `files.MISTYPED`.
    """
    if unknown_keys := [key for key in table if key not in KEYS]:
        raise BoardError(f"unknown key {unknown_keys[0]!r}; allowed: {', '.join(KEYS)}")
    cells = _cells(table["rows"])
    terrain_of_cell: dict[tuple[int, int], int] = {}
    for terrain, rows in table.get("fixed", {}).items():
        terrain_index = position_of(TERRAINS, terrain, "terrain")
        terrain_of_cell |= dict.fromkeys(_cells(rows), terrain_index)
    water = [cell for cell, terrain in terrain_of_cell.items() if terrain in WATER]
    topology = _with_coast(HexGrid.of_hexes(cells, water), table.get("coast", "shores"))
    terrain_fields = _terrain_fields(table, topology, terrain_of_cell)
    new_map = Map(
        name=str(table.get("name", name)),
        topology=with_marks(topology, table.get("marks", {})),
        **terrain_fields,
        **_number_fields(_part(table, "numbers"), topology, terrain_fields["terrain_counts"].tolist()),
        **_harbor_fields(_part(table, "frame"), _part(table, "harbor_sites"), len(topology.coast_paths)),
        layouts={},
        standing=table.get("layout"),
        status=str(table.get("status", "published")),
        source=table,
    )
    for layout_name, layout in table.get("layouts", {}).items():
        if (checked_layout := new_map.layout(layout)) is not None:
            new_map.layouts[layout_name] = checked_layout
    if new_map.standing is not None:
        new_map.layout(str(new_map.standing))
    return new_map


def _terrain_fields(
    table: Mapping[str, Any], topology: HexGrid, terrain_of_cell: Mapping[tuple[int, int], int]
) -> dict[str, Any]:
    """Return the fields of a `Map` about terrains: which there are, how many of each, and where some are fixed."""
    fixed_terrain = [NOTHING] * topology.num_hexes
    for cell, terrain in terrain_of_cell.items():
        fixed_terrain[topology.hex_at(*cell)] = terrain
    count_of_terrain = {position_of(TERRAINS, key, "terrain"): count for key, count in table["terrain_counts"].items()}
    for terrain, count in count_of_terrain.items():
        if not is_integer(count) or not 0 <= count <= MOST_OF_TERRAIN:
            raise BoardError(f"terrain_counts.{TERRAINS[terrain]} is {count!r}; allowed are 0 to {MOST_OF_TERRAIN}")
    named_terrains = [position_of(TERRAINS, terrain, "terrain") for terrain in table.get("terrains", ())]
    terrains = terrains_up_to([*count_of_terrain, *terrain_of_cell.values(), *named_terrains])
    terrain_counts = [count_of_terrain.get(terrain, 0) for terrain in range(len(terrains))]
    if sum(terrain_counts) != topology.num_hexes:
        raise BoardError(f"terrain_counts add up to {sum(terrain_counts)}, but there are {topology.num_hexes} hexes")
    for terrain, terrain_name in enumerate(terrains):
        if (fixed_count := fixed_terrain.count(terrain)) > terrain_counts[terrain]:
            raise BoardError(
                f"terrain_counts has {terrain_counts[terrain]} {terrain_name}, but {fixed_count} are fixed"
            )
    return {
        "terrains": terrains,
        "terrain_counts": frozen_array(terrain_counts, np.int8),
        "fixed_terrain": frozen_array(fixed_terrain, np.int8),
    }


def _number_fields(numbers: Mapping[str, Any], topology: HexGrid, terrain_counts: Sequence[int]) -> dict[str, Any]:
    """Return the fields of a `Map` about number tokens and the order in which they are placed."""
    tokens = list(listed(numbers.get("tokens", []), "numbers.tokens"))
    for token in tokens:
        if not is_integer(token) or token not in NUMBERS:
            raise BoardError(f"numbers.tokens has {token!r}; allowed are {', '.join(map(str, NUMBERS))}")
    token_hex_count = bearing_tokens(terrain_counts)
    if tokens and len(tokens) != token_hex_count:
        raise BoardError(f"there are {len(tokens)} number tokens for {token_hex_count} hexes that are not desert")
    is_spiral, is_shuffled = numbers.get("spiral", False), numbers.get("shuffled", False)
    spirals = [topology.spiral(corner_hex) for corner_hex in topology.corner_hexes] if is_spiral else []
    if spirals and is_shuffled:
        raise BoardError("numbers.spiral and numbers.shuffled are both true; set only one of them")
    if len(spirals) > SIDES_OF_FRAME:
        raise BoardError(f"this map has {len(spirals)} corners; numbers.spiral needs a map with at most six")
    return {
        "number_tokens": frozen_array(tokens, np.int8),
        "spirals": frozen_array(np.reshape(spirals, (-1, topology.num_hexes - len(topology.water)))),
        "shuffled": bool(is_shuffled),
    }


def _harbor_fields(frame: Mapping[str, Any], sites: Mapping[str, Any], coast_length: int) -> dict[str, Any]:
    """Return the fields of a `Map` about harbors, on the pieces of the frame or at sites on the coast."""
    frame_pieces, frame_sides = frame.get("pieces", []), frame.get("sides", [])
    if len(frame_sides) != len(frame_pieces):
        raise BoardError(f"the frame has {len(frame_sides)} sides but {len(frame_pieces)} pieces")
    if len(frame_sides) not in (0, SIDES_OF_FRAME):
        raise BoardError(f"a frame has six sides, not {len(frame_sides)}")
    small_harbors = [(index, _kind(kind)) for index, kind in frame.get("small", [])]
    site_kinds = [_kind(kind) for kind in sites.get("kinds", [])]
    coast_indices = sites.get("coast", [])
    if len(site_kinds) != len(coast_indices):
        raise BoardError(f"harbor_sites has {len(coast_indices)} places but {len(site_kinds)} kinds")
    for key, indices in (
        ("frame.sides", frame_sides),
        ("frame.small", [index for index, _ in small_harbors]),
        ("harbor_sites.coast", coast_indices),
    ):
        for index in indices:
            if not is_integer(index) or not 0 <= index < coast_length:
                raise BoardError(f"{key}: coast index {index!r} is not in 0..{coast_length - 1}")
            if list(indices).count(index) > 1:
                raise BoardError(f"{key}: coast index {index} is given twice")
    _check_pieces(frame_sides, frame_pieces, coast_length)
    return {
        "side_start": frozen_array(frame_sides),
        "piece_offsets": _pairs([[offset for offset, _ in piece] for piece in frame_pieces]),
        "piece_kinds": _pairs([[_kind(kind) for _, kind in piece] for piece in frame_pieces]),
        "small_harbors": frozen_array(np.reshape(small_harbors, (-1, 2))),
        "harbor_sites": frozen_array(coast_indices),
        "harbor_kinds": frozen_array(site_kinds, np.int8),
    }


def _part(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return a table of the file, or an empty table if it is missing; raise BoardError for unknown keys."""
    part = table.get(key, {})
    if not isinstance(part, Mapping):
        raise BoardError(f"{key} is {part!r}; it must be a table with the keys {', '.join(PARTS[key])}")
    if unknown_keys := [part_key for part_key in part if part_key not in PARTS[key]]:
        raise BoardError(f"unknown key {unknown_keys[0]!r} in {key}; allowed: {', '.join(PARTS[key])}")
    return part


def _check_pieces(sides: Sequence[int], pieces: Sequence[Sequence[Any]], coast_length: int) -> None:
    """Raise BoardError unless the harbors of every frame piece fit on every side of the frame."""
    if list(sides) != sorted(sides):
        raise BoardError(f"frame.sides is {list(sides)}; it must list coast indices in ascending order")
    ends = [*sides, coast_length][1:]
    shortest = min((end - start for start, end in zip(sides, ends, strict=True)), default=0)
    for piece, harbors in enumerate(pieces):
        if len(harbors) > HARBORS_OF_PIECE:
            raise BoardError(f"frame.pieces[{piece}] has {len(harbors)} harbors; allowed are {HARBORS_OF_PIECE}")
        for offset, _ in harbors:
            if not is_integer(offset) or not 0 <= offset < shortest:
                raise BoardError(
                    f"frame.pieces[{piece}]: offset {offset!r} is not in 0..{shortest - 1}: the shortest side of the "
                    f"frame has {shortest} coast paths, and any piece can lie there"
                )


def with_marks(topology: Any, marks: Mapping[str, Any]) -> Any:
    """Return the topology with the marks defined in a map file.

    A table `[marks.NAME]` lists places under `hexes`, `intersections` (`junctions`) or `paths` (`roads`). It may also
    contain lists of the same length: `names`, and lists of numbers under any other key.
    """
    all_marks = dict(topology.marks)
    for name, mark_table in marks.items():
        mark_entries = {ALSO.get(key, key): value for key, value in mark_table.items()}
        kinds = [kind for kind in KINDS if kind in mark_entries]
        if len(kinds) != 1:
            raise BoardError(
                f"mark {name!r} has {len(kinds)} lists of places; it needs one, under {' or '.join(KINDS)}"
            )
        if name in all_marks:
            raise BoardError(f"mark {name!r}: the board already has an axis with this name; choose another")
        (kind,) = kinds
        places = [
            topology.at(kind, entry if not isinstance(entry, str) else (entry,))
            for entry in listed(mark_entries[kind], f"{kind} of mark {name!r}")
        ]
        numbers = {key: values for key, values in mark_entries.items() if key not in KINDS}
        names = numbers.pop("names", ())
        for key, values in {"names": names, **numbers}.items():
            listed(values, f"{key} of mark {name!r}")
        all_marks[name] = make_mark(topology, name, kind, places, names=names, numbers=numbers)
    return replace(topology, marks=all_marks)


def _with_coast(topology: HexGrid, coast: Any) -> HexGrid:
    """Return the grid with the coast defined in a map file, either a word from `COASTS` or a list of paths."""
    if isinstance(coast, str):
        everywhere = COASTS[position_of(COASTS, coast, "coast")] == "everywhere"
        return topology.with_coast(range(topology.num_paths)) if everywhere else topology
    paths = [topology.at("paths", entry) for entry in listed(coast, "coast")]
    if len(set(paths)) < len(paths):
        raise BoardError("coast lists a path twice; list each path once")
    return topology.with_coast(paths)


def _cells(rows: Any) -> list[tuple[int, int]]:
    """Return the cells (q, r) of all rows; each row is given as (q of its westernmost hex, r, number of hexes)."""
    cells: list[tuple[int, int]] = []
    for q, r, length in rows:
        if not is_integer(length) or not 0 < length <= MOST_HEXES - len(cells):
            raise BoardError(f"a row adds {length!r} hexes; rows and maps have 1 to {MOST_HEXES} hexes")
        if not is_integer(q) or not is_integer(r):
            raise BoardError(f"a row must be three integers (q, r, number of hexes), not {[q, r, length]!r}")
        cells += [(q + k, r) for k in range(length)]
    return cells


def _kind(name: str) -> int:
    return position_of(HARBOR_KINDS, name, "harbor kind")


def _pairs(rows: list[list[int]]) -> Int8:
    padded_rows = [row + [NOTHING] * (2 - len(row)) for row in rows]
    return frozen_array(np.reshape(padded_rows, (-1, 2)), np.int8)
