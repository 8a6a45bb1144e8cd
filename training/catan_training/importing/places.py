"""Look up places on the standard board by coordinates relative to any adjacent cell, even one off the board."""

from __future__ import annotations

from typing import Any

from catan_env.board.hexgrid import CORNERS, SIDES

SIDE_STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""Step (q, r) from a cell to its neighbor on each side, in the order of `SIDES`."""
Cell = tuple[int, int]


class HexPlaces:
    """Looks up the hexes, intersections and paths of a hex grid by axial coordinates (q, r).

    Other formats often refer to a corner or side of a sea cell. An intersection can be identified from any of its three
    adjacent cells, and a path from either of its two.

    Args:
        topology: a `HexGrid`.

    Attributes:
        topology: the given topology.
        hexes: hexes, keyed by (q, r).
        cells: the (q, r) of each hex.
    """

    def __init__(self, topology: Any):
        self.topology = topology
        self.cells: list[Cell] = [(int(q), int(r)) for q, r in topology.hex_axial]
        self.hexes = {cell: hex for hex, cell in enumerate(self.cells)}
        self._intersections: dict[frozenset[Cell], int] = {}
        self._paths: dict[frozenset[Cell], int] = {}
        for hex, cell in enumerate(self.cells):
            for k in range(len(CORNERS)):
                self._intersections[_around_corner(k, cell)] = int(topology.hex_intersections[hex, k])
                self._paths[_along_side(k, cell)] = int(topology.hex_paths[hex, k])

    def intersection(self, corner: str, q: int, r: int) -> int:
        """Return the intersection at the given corner of a cell, such as "N".

        Raises:
            KeyError: the intersection is not on the board.
        """
        return self._intersections[_around_corner(CORNERS.index(corner), (q, r))]

    def path(self, side: str, q: int, r: int) -> int:
        """Return the path on the given side of a cell, such as "NE".

        Raises:
            KeyError: the path is not on the board.
        """
        return self._paths[_along_side(SIDES.index(side), (q, r))]


def _step(cell: Cell, side: int) -> Cell:
    return cell[0] + SIDE_STEPS[side][0], cell[1] + SIDE_STEPS[side][1]


def _around_corner(corner: int, cell: Cell) -> frozenset[Cell]:
    return frozenset((cell, _step(cell, corner), _step(cell, corner - 1)))


def _along_side(side: int, cell: Cell) -> frozenset[Cell]:
    return frozenset((cell, _step(cell, side)))
