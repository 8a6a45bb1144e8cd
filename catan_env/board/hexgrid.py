"""Geometry of a hex board: axial coordinates in, adjacency tables out.

Hexes have their points up; axial (q, r), q grows to the east, r to the south-east. Hexes, intersections and
paths are numbered from 0, and every table holds these numbers, with -1 where there is nothing.

Corners go clockwise N NE SE S SW NW, sides clockwise NE E SE SW W NW: side k joins corners k and k + 1 and
leads to neighbor k. An intersection or path has several names, one for each cell it belongs to.

Inside this file a point is (y, x) on an integer lattice (y in half hex sizes, x in halves of a hex's width),
so that points compare exactly and sort from top to bottom, west to east.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catan_env.errors import BoardError

CORNERS = ("N", "NE", "SE", "S", "SW", "NW")
SIDES = ("NE", "E", "SE", "SW", "W", "NW")
NORTH, SOUTH = 0, 1
NOTHING = -1

_CORNER_STEPS = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))  # (y, x) from the center
_SIDE_STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))  # (q, r) to the neighbor
_NORTH_WEST_SIDE = SIDES.index("NW")
_UNIT = (np.sqrt(3) / 2, 0.5)  # lattice step of x and y in hex sizes

Point = tuple[int, int]
Int16 = NDArray[np.int16]
Float32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Topology:
    """Adjacency of H hexes, I intersections and P paths; build it with `of_hexes`.

    Arrays are read-only; integers are int16 and -1 means "none". Hexes keep the order they were given in;
    intersections are ordered by (y, x), paths by their midpoint's (y, x). The widths 3 and 2 are those of a
    hex grid: code that reads them from the arrays also works on boards that are any other graph.
    """

    hex_axial: Int16
    """(H, 2): q, r."""
    hex_intersections: Int16
    """(H, 6): in the order of `CORNERS`."""
    hex_paths: Int16
    """(H, 6): in the order of `SIDES`."""
    hex_neighbors: Int16
    """(H, 6): in the order of `SIDES`."""
    intersection_hexes: Int16
    """(I, 3): ascending, existing ones first."""
    intersection_neighbors: Int16
    """(I, 3): intersections one path away, ascending, existing ones first."""
    intersection_paths: Int16
    """(I, 3): entry k is the path to neighbor k."""
    intersection_corner: Int16
    """(I, 3): (0 north or 1 south, q, r): the one cell, on the board or not, whose top or bottom it is."""
    path_intersections: Int16
    """(P, 2): both ends, ascending."""
    path_hexes: Int16
    """(P, 2): the hexes on both sides, ascending, the existing one first."""
    path_side: Int16
    """(P, 3): (q, r, index into `SIDES`) as seen from the first of `path_hexes`."""
    coast_paths: Int16
    """(C,): paths with one hex only, clockwise from the north-west side of the first hex of the top row.
    Further outlines follow, hexes to the right of the walk: islands clockwise, lakes the other way."""
    hex_xy: Float32
    """(H, 2): centers for drawing; the unit is the hex size (center to corner), y grows downwards."""
    intersection_xy: Float32
    """(I, 2)."""
    path_xy: Float32
    """(P, 2): midpoints."""

    @classmethod
    def of_hexes(cls, axial: ArrayLike | Sequence[Sequence[int]]) -> Topology:
        """Topology of the hexes at `axial`, a sequence of (q, r).

        Raises `BoardError` if there is no hex, a hex is listed twice or an entry is not a pair of integers.
        """
        cells = _cells(axial)
        hex_at = {cell: h for h, cell in enumerate(cells)}

        hex_points = [[_corner_point(q, r, corner) for corner in range(6)] for q, r in cells]
        points = sorted({point for corners in hex_points for point in corners})
        intersection_at = {point: i for i, point in enumerate(points)}
        hex_intersections = [[intersection_at[point] for point in corners] for corners in hex_points]

        def midpoint(ends: Point) -> Point:  # doubled, to stay whole
            (y0, x0), (y1, x1) = points[ends[0]], points[ends[1]]
            return y0 + y1, x0 + x1

        hex_ends = [[_ascending(row[s], row[(s + 1) % 6]) for s in range(6)] for row in hex_intersections]
        path_ends = sorted({ends for row in hex_ends for ends in row}, key=midpoint)
        path_of = {ends: p for p, ends in enumerate(path_ends)}
        hex_paths = [[path_of[ends] for ends in row] for row in hex_ends]
        hex_neighbors = [[hex_at.get((q + dq, r + dr), NOTHING) for dq, dr in _SIDE_STEPS] for q, r in cells]

        intersection_hexes: list[list[int]] = [[] for _ in points]
        path_hexes: list[list[int]] = [[] for _ in path_ends]
        path_side: list[list[int]] = [[] for _ in path_ends]
        for h, (q, r) in enumerate(cells):
            for k in range(6):
                intersection_hexes[hex_intersections[h][k]].append(h)
                p = hex_paths[h][k]
                path_hexes[p].append(h)
                path_side[p] = path_side[p] or [q, r, k]

        neighbors: list[list[int]] = [[] for _ in points]
        paths: list[list[int]] = [[] for _ in points]
        for p, (a, b) in enumerate(path_ends):
            for here, there in ((a, b), (b, a)):
                neighbors[here].append(there)
                paths[here].append(p)

        coast = [hex_paths[h][side] for h, side in _outline(cells, hex_neighbors)]
        xy = np.array([(x, y) for y, x in points]) * _UNIT
        return cls(
            hex_axial=frozen_array(cells),
            hex_intersections=frozen_array(hex_intersections),
            hex_paths=frozen_array(hex_paths),
            hex_neighbors=frozen_array(hex_neighbors),
            intersection_hexes=_padded(intersection_hexes, 3),
            intersection_neighbors=_padded(neighbors, 3),
            intersection_paths=_padded(paths, 3),
            intersection_corner=frozen_array([_corner_name(point) for point in points]),
            path_intersections=frozen_array(path_ends),
            path_hexes=_padded(path_hexes, 2),
            path_side=frozen_array(path_side),
            coast_paths=frozen_array(coast),
            hex_xy=frozen_array(np.array([(2 * q + r, 3 * r) for q, r in cells]) * _UNIT, np.float32),
            intersection_xy=frozen_array(xy, np.float32),
            path_xy=frozen_array(xy[path_ends].mean(axis=1), np.float32),
        )

    @property
    def num_hexes(self) -> int:
        """H."""
        return len(self.hex_axial)

    @property
    def num_intersections(self) -> int:
        """I."""
        return len(self.intersection_corner)

    @property
    def num_paths(self) -> int:
        """P."""
        return len(self.path_intersections)

    def hex_at(self, q: int, r: int) -> int:
        """Number of the hex at (q, r). `BoardError` if it is not on the map."""
        try:
            return self._hex_numbers[q, r]
        except (KeyError, TypeError):
            low, high = self.hex_axial.min(axis=0), self.hex_axial.max(axis=0)
            raise BoardError(
                f"hex ({q}, {r}) is not on the map; its {self.num_hexes} hexes lie within "
                f"q {low[0]}..{high[0]} and r {low[1]}..{high[1]}, for the list see Topology.hex_axial"
            ) from None

    def intersection_at(self, corner: str, q: int, r: int) -> int:
        """Number of the intersection at a corner ("N", "NE", ...) of the cell (q, r).

        The cell need not be on the map. `BoardError` if the corner is unknown or touches no hex of the map.
        """
        point = _corner_point(q, r, position_of(CORNERS, corner, "corner"))
        try:
            return self._intersection_numbers[_corner_name(point)]
        except KeyError:
            raise BoardError(
                f"corner {corner} of cell ({q}, {r}) is not an intersection of the map: it touches no hex"
            ) from None

    def path_at(self, q: int, r: int, side: str) -> int:
        """Number of the path at a side ("NE", "E", ...) of the cell (q, r).

        The cell need not be on the map. `BoardError` if the side is unknown or borders no hex of the map.
        """
        k = position_of(SIDES, side, "side")
        dq, dr = _SIDE_STEPS[k]
        for cell, towards in (((q, r), k), ((q + dq, r + dr), (k + 3) % 6)):
            if cell in self._hex_numbers:
                return int(self.hex_paths[self._hex_numbers[cell], towards])
        raise BoardError(f"side {side} of cell ({q}, {r}) is not a path of the map: it borders no hex")

    @cached_property
    def corner_hexes(self) -> tuple[int, ...]:
        """Hexes with at least three sides on the coast, in the order of `coast_paths`."""
        coast_hexes = dict.fromkeys(self.path_hexes[self.coast_paths, 0].tolist())
        return tuple(h for h in coast_hexes if (self.hex_neighbors[h] == NOTHING).sum() >= 3)

    def spiral(self, start: int) -> Int16:
        """(H,): all hexes from hex `start` on the coast, counter-clockwise, winding inwards.

        `BoardError` if `start` is not on the coast or no such walk reaches every hex.
        """
        missing = self.hex_neighbors[start] == NOTHING
        # Start along the coast: cross the side that, going clockwise, comes just before open water.
        ahead = [side for side in range(6) if not missing[side] and missing[(side + 1) % 6]]
        if not missing.any():
            raise BoardError(f"a spiral starts on the coast; hex {start} has hexes all around")
        walk, heading = [start], ahead[0] if ahead else 0
        while True:
            for turn in (2, 1, 0, -1, -2):  # keep to the right, where land ends or the walk has been
                side = (heading + turn) % 6
                following = int(self.hex_neighbors[walk[-1], side])
                if following != NOTHING and following not in walk:
                    walk.append(following)
                    heading = side
                    break
            else:
                break
        if len(walk) < self.num_hexes:
            raise BoardError(
                f"the spiral from hex {start} reaches only {len(walk)} of {self.num_hexes} hexes"
            )
        return frozen_array(walk)

    @cached_property
    def _hex_numbers(self) -> dict[tuple[int, ...], int]:
        return {tuple(cell): h for h, cell in enumerate(self.hex_axial.tolist())}

    @cached_property
    def _intersection_numbers(self) -> dict[tuple[int, ...], int]:
        return {tuple(name): i for i, name in enumerate(self.intersection_corner.tolist())}


def frozen_array(values: ArrayLike, dtype: Any = np.int16) -> NDArray[Any]:
    """A read-only copy of `values` as `dtype`. `OverflowError` if a Python integer does not fit."""
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def position_of(names: tuple[str, ...], name: Any, what: str) -> int:
    """Index of `name` in `names`; a `BoardError` that lists them if it is not there."""
    if not isinstance(name, str) or name not in names:
        raise BoardError(f"unknown {what}: {name!r}; allowed: {', '.join(names)}")
    return names.index(name)


def _cells(axial: Any) -> list[tuple[int, int]]:
    array = np.asarray(axial)
    if array.ndim != 2 or array.shape[1] != 2 or not len(array) or not np.issubdtype(array.dtype, np.integer):
        raise BoardError(f"hexes are a non-empty sequence of integer pairs (q, r), not shape {array.shape}")
    cells = [(q, r) for q, r in array.tolist()]
    for cell in cells:
        if cells.count(cell) > 1:
            raise BoardError(f"hex {cell} is listed twice")
    return cells


def _corner_point(q: int, r: int, corner: int) -> Point:
    dy, dx = _CORNER_STEPS[corner]
    return 3 * r + dy, 2 * q + r + dx


def _corner_name(point: Point) -> tuple[int, int, int]:
    y, x = point
    end, r = (NORTH, (y + 2) // 3) if y % 3 == 1 else (SOUTH, (y - 2) // 3)
    return end, (x - r) // 2, r


def _ascending(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def _outline(cells: list[tuple[int, int]], neighbors: list[list[int]]) -> list[tuple[int, int]]:
    """(hex, side) of every side without a neighbor, outline by outline, hexes to the right of the walk."""
    walk: dict[tuple[int, int], None] = {}
    for first in sorted(range(len(cells)), key=lambda h: (cells[h][1], cells[h][0])):
        for k in range(6):
            here, side = first, (_NORTH_WEST_SIDE + k) % 6
            while neighbors[here][side] == NOTHING and (here, side) not in walk:
                walk[here, side] = None
                side = (side + 1) % 6
                if neighbors[here][side] != NOTHING:  # the coast goes on along the neighbor
                    here, side = neighbors[here][side], (side + 4) % 6
    return list(walk)


def _padded(rows: list[list[int]], width: int) -> Int16:
    return frozen_array([row + [NOTHING] * (width - len(row)) for row in rows])
