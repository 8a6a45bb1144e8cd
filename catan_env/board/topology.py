"""The geometry of a board: places, adjacency and marks.

Hexes, intersections and paths are indexed from 0. Tables contain these indices, with -1 for none. `hexgrid` and
`graph_map` build topologies, and all other code reads their arrays. Array widths depend on the map: on a hex grid,
three paths meet at an intersection and hexes have six corners, but other graphs differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catan_env.errors import BoardError
from catan_env.numeric import is_integer

NOTHING = -1
KINDS: Mapping[str, str] = {"hexes": "hex", "intersections": "intersection", "paths": "path"}
"""Kinds of places, with the singular forms used as prefixes of array names."""

Key = tuple[Any, ...]
"""A place in human-readable form: coordinates such as (0, -2), ("N", 0, -2) or (0, -2, "NE"), or an id in a graph."""
Int16 = NDArray[np.int16]
Float32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Mark:
    """A named list of places of one kind, such as villages or harbors. Each mark is an axis."""

    name: str
    kind: str
    """"hexes", "intersections" or "paths"."""
    places: Int16
    """(n,): indices of the places in map-file order, without repeats."""
    names: tuple[str, ...] = ()
    """Names of the places; empty if they have none."""
    numbers: Mapping[str, Int16] = field(default_factory=dict)
    """Additional arrays, each of shape (n,), keyed by name, such as the rate of each certificate."""

    def __len__(self) -> int:
        return len(self.places)

    def tables(self, places: int) -> dict[str, Int16]:
        """Return the arrays that rules read for a mark; `places` is the total number of places of its kind.

        For a mark "village" on intersections, `village_intersections` (n,) contains the places, and
        `intersection_village` (I,) contains the village at each intersection, or -1. `village_<key>` contains the array
        `key` from `numbers`.
        """
        index_at_place = np.full(places, NOTHING, np.int16)
        index_at_place[self.places] = np.arange(len(self), dtype=np.int16)
        arrays = {f"{self.name}_{self.kind}": self.places, f"{KINDS[self.kind]}_{self.name}": index_at_place}
        return arrays | {f"{self.name}_{key}": values for key, values in self.numbers.items()}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Topology:
    """Adjacency of H hexes, I intersections and P paths.

    Arrays are read-only. Integers are int16, and -1 marks missing entries. The degree D is the maximum number of paths
    (or hexes) that meet at an intersection. C is the maximum number of corners (sides, neighbors) of a hex, and S is
    the maximum number of hexes along a path.
    """

    hex_keys: tuple[Key, ...]
    intersection_keys: tuple[Key, ...]
    path_keys: tuple[Key, ...]
    hex_intersections: Int16
    """(H, C): corners, clockwise. Buildings on them receive the hex's resources."""
    hex_paths: Int16
    """(H, C): sides."""
    hex_neighbors: Int16
    """(H, C): hexes across a path from the hex."""
    intersection_hexes: Int16
    """(I, D): hexes in ascending order; -1 entries last."""
    intersection_neighbors: Int16
    """(I, D): intersections one path away, in ascending order; -1 entries last."""
    intersection_paths: Int16
    """(I, D): entry k is the path to entry k of `intersection_neighbors`."""
    path_intersections: Int16
    """(P, 2): both ends, in ascending order."""
    path_hexes: Int16
    """(P, S): hexes along the path, in ascending order; -1 entries last."""
    coast_paths: Int16
    """(K,): paths where harbors are allowed."""
    coast_hexes: Int16
    """(K,): land hex at each path in `coast_paths`, or -1."""
    hex_xy: Float32
    """(H, 2): centers for drawing, in units of the hex size (center to corner); y grows downward."""
    intersection_xy: Float32
    """(I, 2): positions for drawing, in the same units."""
    path_xy: Float32
    """(P, 2): midpoints for drawing, in the same units."""
    hex_outlines: tuple[tuple[tuple[float, float], ...], ...]
    """Corners (x, y) of each hex for drawing, clockwise, in the unit of `hex_xy`."""
    path_lines: tuple[tuple[tuple[float, float], ...], ...]
    """Points (x, y) of the line drawn for each path, from its first end to its second."""
    titles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Proper names of places, keyed by kind; "" for places without one. Kinds without proper names are absent."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Marks, keyed by name. "coast" always exists."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(f'{axis} {length}' for axis, length in self.sizes.items())}>"

    @property
    def num_hexes(self) -> int:
        """Number of hexes, H."""
        return len(self.hex_keys)

    @property
    def num_intersections(self) -> int:
        """Number of intersections, I."""
        return len(self.intersection_keys)

    @property
    def num_paths(self) -> int:
        """Number of paths, P."""
        return len(self.path_keys)

    @cached_property
    def onward(self) -> Int16:
        """Return the courses that continue each course, as an array of shape (2P, D - 1).

        Course 2p + e follows path p to its end e. Its entries are the courses along the other paths at this end.
        """
        rows: list[list[int]] = []
        for path, ends in enumerate(self.path_intersections.tolist()):
            for end in ends:
                next_paths = [
                    next_path for next_path in self.intersection_paths[end].tolist() if next_path not in (path, NOTHING)
                ]
                rows.append(
                    [2 * next_path + int(self.path_intersections[next_path, 0] == end) for next_path in next_paths]
                )
        return padded(rows, self.intersection_paths.shape[1] - 1)

    @property
    def sizes(self) -> dict[str, int]:
        """Length of every axis used by rules. Topologies of equal sizes have arrays of equal shapes."""
        return {
            "hexes": self.num_hexes,
            "intersections": self.num_intersections,
            "paths": self.num_paths,
            "degree": self.intersection_paths.shape[1],
            "corners": self.hex_intersections.shape[1],
            "sides": self.path_hexes.shape[1],
            **{name: len(mark) for name, mark in self.marks.items()},
        }

    def count(self, kind: str) -> int:
        """Return the number of places of a kind ("hexes", "intersections", "paths")."""
        return len(self.keys(kind))

    def keys(self, kind: str) -> tuple[Key, ...]:
        """Return the coordinates or ids of all places of a kind, in order."""
        return getattr(self, f"{KINDS[kind]}_keys")

    def names(self, kind: str) -> tuple[str, ...]:
        """Return unique names for all places of a kind, based on coordinates or ids, for use in sentences."""
        return tuple(f"{KINDS[kind]} {key[0]}" for key in self.keys(kind))

    def at(self, kind: str, key: Sequence[Any]) -> int:
        """Return the index of the place of a kind that has the given coordinates or id.

        Raises:
            BoardError: the map has no such place.
        """
        try:
            return getattr(self, f"{KINDS[kind]}_at")(*key)
        except TypeError:
            raise BoardError(
                f"{key!r} has the wrong form for a {KINDS[kind]}; the first one is {self.keys(kind)[0]}"
            ) from None

    def hex_at(self, *key: Any) -> int:
        """Return the index of the hex with the given coordinates or id.

        Raises:
            BoardError: the hex is not on the map.
        """
        return self._numbered("hexes", key)

    def intersection_at(self, *key: Any) -> int:
        """Return the index of the intersection with the given coordinates or id.

        Raises:
            BoardError: the intersection is not on the map.
        """
        return self._numbered("intersections", key)

    def path_at(self, *key: Any) -> int:
        """Return the index of the path with the given coordinates or id.

        Raises:
            BoardError: the path is not on the map.
        """
        return self._numbered("paths", key)

    def same_places(self, other: Topology) -> bool:
        """Return whether another topology has the same places with the same coordinates or ids."""
        return all(self.keys(kind) == other.keys(kind) for kind in KINDS)

    @cached_property
    def numbers(self) -> dict[str, dict[Key, int]]:
        """Indices of places, keyed by kind and then by coordinates or id."""
        return {kind: {key: k for k, key in enumerate(self.keys(kind))} for kind in KINDS}

    def _numbered(self, kind: str, key: Key) -> int:
        try:
            return self.numbers[kind][tuple(key)]
        except (KeyError, TypeError):
            key_text = ", ".join(map(repr, key))
            examples = ", ".join(str(name[0]) for name in self.keys(kind)[:6])
            raise BoardError(
                f"{KINDS[kind]} {key_text} is not on the map; its {self.count(kind)} {kind} are {examples}, ..."
            ) from None


def make_mark(topology: Topology, name: str, kind: str, places: Iterable[int], **more: Any) -> Mark:
    """Return a validated mark.

    Raises:
        BoardError: the name is invalid or reserved, a place occurs twice, or a list has the wrong length.
    """
    numbers = more.pop("numbers", {})
    place_numbers = [int(place) for place in places]
    if not isinstance(name, str) or not name.isidentifier() or name in (*KINDS, *RESERVED):
        raise BoardError(f"mark {name!r}: a name has letters and underscores, and is none of {', '.join(RESERVED)}")
    for place in place_numbers:
        if place_numbers.count(place) > 1:
            raise BoardError(f"mark {name!r}: {KINDS[kind]} {topology.keys(kind)[place]} is listed twice")
    names = tuple(str(title or "") for title in more.get("names", ()))
    for key, values in [("names", names), *numbers.items()]:
        if len(values) != len(place_numbers) and (key != "names" or names):
            raise BoardError(f"mark {name!r}: {key} has {len(values)} entries for {len(place_numbers)} {kind}")
    arrays = {}
    for key, values in numbers.items():
        for index, value in enumerate(values):
            if not is_integer(value) or abs(value) >= 2**15:
                raise BoardError(f"mark {name!r}: {key}[{index}] is {value!r}; allowed are integers below 2^15")
        arrays[key] = frozen_array(values)
    return Mark(name, kind, frozen_array(place_numbers), names, arrays)


RESERVED = ("degree", "corners", "sides", "terrains", "players", "neutrals", "opponents")
"""Axis names that marks may not use."""


def frozen_array(values: ArrayLike, dtype: Any = np.int16) -> NDArray[Any]:
    """Return a read-only copy of `values` as `dtype`.

    Raises:
        OverflowError: a number does not fit into `dtype`.
    """
    given = np.asarray(values)
    array = given.astype(dtype)
    if array.dtype.kind == "i" and (array != given).any():
        limits = np.iinfo(array.dtype)
        raise OverflowError(f"{given[array != given].flat[0]} is not in {limits.min}..{limits.max}")
    array.flags.writeable = False
    return array


def padded(rows: Sequence[Sequence[int]], width: int) -> Int16:
    """Return rows of unequal length as one read-only array, padded with -1."""
    padded_rows = [[*row, *[NOTHING] * (width - len(row))] for row in rows]
    return frozen_array(np.reshape(np.array(padded_rows, np.int64), (-1, width)))


def holders(rows: Sequence[Iterable[int]], count: int) -> list[list[int]]:
    """Return, for each of the numbers 0 to `count` - 1, the indices of the rows that contain it, in ascending order."""
    rows_with: list[list[int]] = [[] for _ in range(count)]
    for index, row in enumerate(rows):
        for number in row:
            rows_with[number].append(index)
    return rows_with


def other_ends(paths: Sequence[Sequence[int]], path_ends: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the far ends of the paths at each intersection, in the order of `paths`.

    Args:
        paths: the paths at each intersection.
        path_ends: the two intersections of each path.
    """
    return [[sum(path_ends[path]) - here for path in paths_here] for here, paths_here in enumerate(paths)]


def position_of(names: Sequence[str], name: Any, what: str) -> int:
    """Return the index of `name` in `names`.

    Raises:
        BoardError: the name is unknown; the message lists `names`.
    """
    if not isinstance(name, str) or name not in names:
        raise BoardError(f"unknown {what}: {name!r}; allowed: {', '.join(names)}")
    return names.index(name)


def listed(values: Any, what: str) -> Iterable[Any]:
    """Return the values if they are a list or similar iterable; raise BoardError otherwise."""
    if isinstance(values, (str, Mapping)) or not isinstance(values, Iterable):
        raise BoardError(f"{what} must be a list, not {values!r}")
    return values
