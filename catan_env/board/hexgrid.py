"""Hex grids: adjacency tables built from axial coordinates.

Hexes are pointy-topped. In axial coordinates (q, r), q grows eastward and r grows toward the south-east.

Corners are ordered clockwise N NE SE S SW NW, sides clockwise NE E SE SW W NW. Side k joins corners k and k + 1 and
borders neighbor k. An intersection or path can be named relative to any adjacent cell.

In this file, a point is (y, x) on an integer lattice (y in half hex sizes, x in half hex widths). Points can therefore
be compared exactly, and they sort from top to bottom and west to east.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.board.topology import (
    NOTHING,
    Int16,
    Mark,
    Topology,
    frozen_array,
    holders,
    other_ends,
    padded,
    position_of,
)
from catan_env.errors import BoardError

CORNERS = ("N", "NE", "SE", "S", "SW", "NW")
SIDES = ("NE", "E", "SE", "SW", "W", "NW")
NORTH, SOUTH = 0, 1

_CORNER_STEPS = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))  # (y, x) from the center
_SIDE_STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))  # (q, r) to the neighbor
_NORTH_WEST_SIDE = SIDES.index("NW")
_UNIT = (np.sqrt(3) / 2, 0.5)  # lattice step in x and y, in hex sizes

Point = tuple[int, int]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HexGrid(Topology):
    """A topology of hexes on a grid, built by `of_hexes`.

    Hexes keep their input order. Intersections are sorted by (y, x), and paths by the (y, x) of their midpoints.
    Corners are in the order of `CORNERS`; sides and neighbors are in the order of `SIDES`.
    """

    hex_axial: Int16
    """(H, 2): coordinates (q, r)."""
    intersection_corner: Int16
    """(I, 3): (0 for north or 1 for south, q, r). The intersection is the north or south corner of this cell, which
    may be off the board."""
    path_side: Int16
    """(P, 3): (q, r, index into `SIDES`), as seen from the first hex in `path_hexes`."""
    water: Int16
    """Hexes that are not land."""

    @classmethod
    def of_hexes(
        cls,
        axial: ArrayLike | Sequence[Sequence[int]],
        water: Iterable[tuple[int, int]] = (),
    ) -> HexGrid:
        """Return the topology of the hexes at the coordinates `axial`, a sequence of (q, r).

        `coast_paths` are the paths with land on exactly one side. They run clockwise from the north-west side of the
        first land hex in the top row. Any other outlines follow, each traversed with land on the right: islands
        clockwise, lakes counter-clockwise. Hexes in `water` are not land. Use `with_coast` to select other paths.

        Raises:
            BoardError: `axial` is empty, contains a hex twice, or has an entry that is not a pair of integers.
        """
        cells = _cells(axial)
        water_cells = frozenset(water)
        hex_at = {cell: hex for hex, cell in enumerate(cells)}

        hex_points = [[_corner_point(q, r, corner) for corner in range(6)] for q, r in cells]
        points = sorted({point for corners in hex_points for point in corners})
        intersection_at = {point: i for i, point in enumerate(points)}
        hex_intersections = [[intersection_at[point] for point in corners] for corners in hex_points]

        def midpoint(ends: Point) -> Point:  # doubled to make it an integer
            (y0, x0), (y1, x1) = points[ends[0]], points[ends[1]]
            return y0 + y1, x0 + x1

        hex_ends = [
            [_ascending(intersections[side], intersections[(side + 1) % 6]) for side in range(6)]
            for intersections in hex_intersections
        ]
        path_ends = sorted({ends for ends_of_hex in hex_ends for ends in ends_of_hex}, key=midpoint)
        path_of = {ends: path for path, ends in enumerate(path_ends)}
        hex_paths = [[path_of[ends] for ends in ends_of_hex] for ends_of_hex in hex_ends]
        hex_neighbors = [[hex_at.get((q + dq, r + dr), NOTHING) for dq, dr in _SIDE_STEPS] for q, r in cells]

        path_hexes, intersection_paths = holders(hex_paths, len(path_ends)), holders(path_ends, len(points))
        path_side = [(*cells[hex], hex_paths[hex].index(path)) for path, (hex, *_) in enumerate(path_hexes)]

        land = [hex for hex, cell in enumerate(cells) if cell not in water_cells]
        outline = [(hex_paths[hex][side], hex) for hex, side in _outline(cells, land, hex_neighbors)]
        coast = frozen_array([path for path, _ in outline])
        corner_names = [_corner_name(point) for point in points]
        xy = np.array([(x, y) for y, x in points]) * _UNIT
        center_xy = np.array([(2 * q + r, 3 * r) for q, r in cells]) * _UNIT
        return cls(
            hex_keys=tuple(cells),
            intersection_keys=tuple(("NS"[end], q, r) for end, q, r in corner_names),
            path_keys=tuple((q, r, SIDES[side]) for q, r, side in path_side),
            hex_axial=frozen_array(cells),
            hex_intersections=frozen_array(hex_intersections),
            hex_paths=frozen_array(hex_paths),
            hex_neighbors=frozen_array(hex_neighbors),
            intersection_hexes=padded(holders(hex_intersections, len(points)), 3),
            intersection_neighbors=padded(other_ends(intersection_paths, path_ends), 3),
            intersection_paths=padded(intersection_paths, 3),
            intersection_corner=frozen_array(corner_names),
            path_intersections=frozen_array(path_ends),
            path_hexes=padded(path_hexes, 2),
            path_side=frozen_array(path_side),
            coast_paths=coast,
            coast_hexes=frozen_array([hex for _, hex in outline]),
            water=frozen_array([hex for hex, cell in enumerate(cells) if cell in water_cells]),
            hex_xy=frozen_array(center_xy, np.float32),
            intersection_xy=frozen_array(xy, np.float32),
            path_xy=frozen_array(xy[path_ends].mean(axis=1), np.float32),
            hex_outlines=tuple(tuple(map(tuple, xy[intersections].tolist())) for intersections in hex_intersections),
            path_lines=tuple(tuple(map(tuple, xy[list(ends)].tolist())) for ends in path_ends),
            marks={"coast": Mark("coast", "paths", coast)},
        )

    def with_coast(self, paths: Iterable[int]) -> HexGrid:
        """Return the same grid with harbors allowed on exactly these paths."""
        coast = frozen_array(list(paths))
        land_beside = [
            [hex for hex in self.path_hexes[path].tolist() if hex != NOTHING and hex not in self.water]
            for path in coast
        ]
        coast_hexes = [
            hexes[0] if hexes else int(self.path_hexes[path, 0]) for hexes, path in zip(land_beside, coast, strict=True)
        ]
        marks = {**self.marks, "coast": Mark("coast", "paths", coast)}
        return replace(self, coast_paths=coast, coast_hexes=frozen_array(coast_hexes), marks=marks)

    def names(self, kind: str) -> tuple[str, ...]:
        """Return the names of all places of a kind, with coordinates in the form that `board=` accepts."""
        if kind == "hexes":
            return tuple(f"hex ({q}, {r})" for q, r in self.hex_keys)
        if kind == "intersections":
            return tuple(f"intersection {corner} of ({q}, {r})" for corner, q, r in self.intersection_keys)
        return tuple(f"path {side} of ({q}, {r})" for q, r, side in self.path_keys)

    def hex_at(self, q: int, r: int) -> int:
        """Return the index of the hex at (q, r).

        Raises:
            BoardError: the hex is not on the map.
        """
        try:
            return self.numbers["hexes"][q, r]
        except (KeyError, TypeError):
            low, high = self.hex_axial.min(axis=0), self.hex_axial.max(axis=0)
            raise BoardError(
                f"hex ({q}, {r}) is not on the map; its {self.num_hexes} hexes lie within "
                f"q {low[0]}..{high[0]} and r {low[1]}..{high[1]}, for the list see Topology.hex_axial"
            ) from None

    def intersection_at(self, corner: str, q: int, r: int) -> int:
        """Return the index of the intersection at a corner ("N", "NE", ...) of the cell (q, r).

        The cell may lie outside the map.

        Raises:
            BoardError: the corner is unknown or touches no hex on the map.
        """
        point = _corner_point(q, r, position_of(CORNERS, corner, "corner"))
        try:
            end, *cell = _corner_name(point)
            return self.numbers["intersections"]["NS"[end], *cell]
        except KeyError:
            raise BoardError(
                f"corner {corner} of cell ({q}, {r}) is not an intersection of the map: it touches no hex"
            ) from None

    def path_at(self, q: int, r: int, side: str) -> int:
        """Return the index of the path at a side ("NE", "E", ...) of the cell (q, r).

        The cell may lie outside the map.

        Raises:
            BoardError: the side is unknown or borders no hex on the map.
        """
        k = position_of(SIDES, side, "side")
        dq, dr = _SIDE_STEPS[k]
        for cell, towards in (((q, r), k), ((q + dq, r + dr), (k + 3) % 6)):
            if cell in self.numbers["hexes"]:
                return int(self.hex_paths[self.numbers["hexes"][cell], towards])
        raise BoardError(f"side {side} of cell ({q}, {r}) is not a path of the map: it borders no hex")

    @cached_property
    def land_neighbors(self) -> Int16:
        """(H, 6): the `hex_neighbors` that are land; -1 elsewhere."""
        return frozen_array(np.where(np.isin(self.hex_neighbors, self.water), NOTHING, self.hex_neighbors))

    @cached_property
    def corner_hexes(self) -> tuple[int, ...]:
        """Hexes with at least three sides on the coast, in `coast_paths` order."""
        coast_hexes = dict.fromkeys(self.coast_hexes.tolist())
        return tuple(hex for hex in coast_hexes if (self.land_neighbors[hex] == NOTHING).sum() >= 3)

    def spiral(self, start: int) -> Int16:
        """Return all land hexes along a counter-clockwise spiral inward from the coastal hex `start`.

        Raises:
            BoardError: the hex is not on the coast, or the spiral does not reach every land hex.
        """
        is_open = self.land_neighbors[start] == NOTHING
        # Start along the coast by crossing the side that comes, clockwise, just before open water.
        start_sides = [side for side in range(6) if not is_open[side] and is_open[(side + 1) % 6]]
        if not is_open.any():
            raise BoardError(f"a spiral must start on the coast; hex {start} is surrounded by hexes")
        walk, heading = [start], start_sides[0] if start_sides else 0
        while True:
            for turn in (2, 1, 0, -1, -2):  # keep right, following the coast or visited hexes
                side = (heading + turn) % 6
                next_hex = int(self.land_neighbors[walk[-1], side])
                if next_hex != NOTHING and next_hex not in walk:
                    walk.append(next_hex)
                    heading = side
                    break
            else:
                break
        land_count = self.num_hexes - len(self.water)
        if len(walk) < land_count:
            raise BoardError(f"the spiral from hex {start} reaches only {len(walk)} of {land_count} hexes")
        return frozen_array(walk)


def _cells(axial: Any) -> list[tuple[int, int]]:
    array = np.asarray(axial)
    if array.ndim != 2 or array.shape[1] != 2 or not len(array) or not np.issubdtype(array.dtype, np.integer):
        raise BoardError(f"hexes has shape {array.shape}; it must be a non-empty sequence of integer pairs (q, r)")
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


def _outline(cells: list[tuple[int, int]], land: list[int], neighbors: list[list[int]]) -> list[tuple[int, int]]:
    """Return (hex, side) for each land side with no land beyond it, one outline at a time, with land on the right."""
    land_hexes = {*land}
    walk: dict[tuple[int, int], None] = {}
    for first_hex in sorted(land, key=lambda hex: (cells[hex][1], cells[hex][0])):
        for k in range(6):
            hex, side = first_hex, (_NORTH_WEST_SIDE + k) % 6
            while neighbors[hex][side] not in land_hexes and (hex, side) not in walk:
                walk[hex, side] = None
                side = (side + 1) % 6
                if neighbors[hex][side] in land_hexes:  # the coast continues along the neighboring hex
                    hex, side = neighbors[hex][side], (side + 4) % 6
    return list(walk)
