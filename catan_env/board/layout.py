"""What may differ from game to game on one map: terrain, numbers, harbors, robber, and fixed start pieces.

People write layouts in coordinates (`Layout.from_coordinates`, the same in Python, JSON and the map files);
everything else reads the arrays of a `Layout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catan_env.board.hexgrid import NOTHING, SIDES, SOUTH, Topology, frozen_array, position_of
from catan_env.board.terrain import DESERT, HARBOR_KINDS, TERRAINS
from catan_env.errors import BoardError

if TYPE_CHECKING:
    from catan_env.board.map import Map

_KEYS = ("hexes", "harbors", "robber", "start")


@dataclass(frozen=True)
class StartPieces:
    """The pieces one seat begins with. The first settlement is the marked one: it brings the first cards."""

    color: str
    settlements: tuple[int, ...]
    """Intersections."""
    roads: tuple[int, ...]
    """Paths; road k touches settlement k."""


@dataclass(frozen=True, eq=False)
class Layout:
    """A complete board, checked when built (`BoardError`). Arrays are read-only."""

    topology: Topology = field(repr=False)
    terrain: NDArray[np.int8]
    """(H,): index into `TERRAINS`."""
    number: NDArray[np.int8]
    """(H,): 2..12 but never 7; 0 where there is no token."""
    harbors: tuple[tuple[int, int], ...]
    """(path, kind) each, one a path; kind is an index into `HARBOR_KINDS`. Two may share an intersection."""
    robber: int
    """Hex."""
    start: tuple[StartPieces, ...] = ()
    """Fixed start pieces, or none. See `start_for`."""

    def __post_init__(self) -> None:
        self._check_hexes()
        self._check_harbors()
        self._check_start()
        object.__setattr__(self, "harbors", tuple((int(path), int(kind)) for path, kind in self.harbors))
        object.__setattr__(self, "terrain", frozen_array(self.terrain, np.int8))
        object.__setattr__(self, "number", frozen_array(self.number, np.int8))

    @classmethod
    def from_coordinates(
        cls,
        board_map: Map,
        hexes: Iterable[Sequence[Any]],
        harbors: Iterable[Sequence[Any]],
        robber: Sequence[int] | None = None,
        start: Iterable[Mapping[str, Any]] = (),
    ) -> Layout:
        """A layout in words.

        `hexes`: (q, r, terrain, number) for every hex of the map in any order; None or 0 is no number.
        `harbors`: (q, r, side, kind); kind is "3:1" or the resource traded 2:1.
        `robber`: (q, r); the desert if left out and there is exactly one.
        `start`: one mapping for each seat with `color`, `settlements` (corner, q, r), the marked one first,
        and `roads` (q, r, side) in the same order. Games of n players use the last n.

        The number of hexes of a terrain and of each token is free. Raises `BoardError` for whatever does not
        make a board of this map.
        """
        topology = board_map.topology
        terrain, number = [NOTHING] * topology.num_hexes, [0] * topology.num_hexes
        for entry in _listed(hexes, "hexes"):
            q, r, terrain_name, token = _entry(entry, "hex", "q", "r", "terrain", "number or None")
            h = topology.hex_at(q, r)
            if terrain[h] != NOTHING:
                raise BoardError(f"hex ({q}, {r}) is listed twice")
            terrain[h] = position_of(TERRAINS, terrain_name, f"terrain of hex ({q}, {r})")
            number[h] = 0 if token is None else token
        if NOTHING in terrain:
            absent = [_cell(topology, h) for h, value in enumerate(terrain) if value == NOTHING]
            raise BoardError(f"hexes are missing: {', '.join(map(str, absent))}")

        places = []
        for entry in _listed(harbors, "harbors"):
            q, r, side, kind = _entry(entry, "harbor", "q", "r", "side", "kind")
            path = topology.path_at(q, r, side)
            places.append((path, position_of(HARBOR_KINDS, kind, f"kind of the harbor at ({q}, {r}) {side}")))

        if robber is None:
            deserts = [_cell(topology, h) for h, value in enumerate(terrain) if value == DESERT]
            if len(deserts) != 1:
                which = f"{len(deserts)} deserts: {deserts}" if deserts else "no desert"
                raise BoardError(f"say where the robber starts, robber=(q, r): the board has {which}")
            robber = deserts[0]
        robber_hex = topology.hex_at(*_entry(robber, "robber", "q", "r"))
        seats = tuple(_start_pieces(topology, seat) for seat in _listed(start, "start"))
        return cls(
            topology, np.array(terrain), np.array(number, dtype=object), tuple(places), robber_hex, seats
        )

    @classmethod
    def from_any(cls, board_map: Map, board: str | Layout | Mapping[str, Any]) -> Layout:
        """What users pass as `board=`: a name from `board_map.layouts`, a `Layout` of that map, or a mapping
        with the arguments of `from_coordinates` as keys. Anything else is a `BoardError`."""
        if isinstance(board, str):
            if board not in board_map.layouts:
                known = ", ".join(board_map.layouts) or "none"
                raise BoardError(f"map {board_map.name!r} has no layout {board!r}; known: {known}")
            return board_map.layouts[board]
        if isinstance(board, Layout):
            if not np.array_equal(board.topology.hex_axial, board_map.topology.hex_axial):
                raise BoardError(f"the layout belongs to another map than {board_map.name!r}")
            return board
        if isinstance(board, Mapping):
            if unknown := [key for key in board if key not in _KEYS]:
                raise BoardError(f"unknown key {unknown[0]!r} in board; allowed: {', '.join(_KEYS)}")
            if absent := [key for key in ("hexes", "harbors") if key not in board]:
                raise BoardError(f"board has no key {absent[0]!r} (harbors may be an empty list)")
            return cls.from_coordinates(board_map, **board)
        raise BoardError(f"board is a layout name, a Layout or a mapping, not {type(board).__name__}")

    def to_coordinates(self) -> dict[str, Any]:
        """The arguments of `from_coordinates` in lists, strings and integers, ready for JSON."""
        topology = self.topology
        coordinates: dict[str, Any] = {
            "hexes": [
                [*_cell(topology, h), TERRAINS[self.terrain[h]], int(self.number[h]) or None]
                for h in range(topology.num_hexes)
            ],
            "harbors": [[*_side(topology, path), HARBOR_KINDS[kind]] for path, kind in self.harbors],
            "robber": list(_cell(topology, self.robber)),
        }
        if self.start:
            coordinates["start"] = [
                {
                    "color": seat.color,
                    "settlements": [_corner(topology, i) for i in seat.settlements],
                    "roads": [_side(topology, path) for path in seat.roads],
                }
                for seat in self.start
            ]
        return coordinates

    def start_for(self, num_players: int) -> tuple[StartPieces, ...]:
        """Start pieces in seat order; with fewer players the first colors listed stay out.

        `BoardError` if the layout has pieces for fewer players (or for none).
        """
        if not 1 <= num_players <= len(self.start):
            raise BoardError(
                f"this layout has start pieces for {len(self.start)} players, not for {num_players}"
            )
        return self.start[len(self.start) - num_players :]

    def _check_hexes(self) -> None:
        topology = self.topology
        if len(self.terrain) != topology.num_hexes or len(self.number) != topology.num_hexes:
            raise BoardError(f"terrain and number have one entry for each of the {topology.num_hexes} hexes")
        if not 0 <= self.robber < topology.num_hexes:
            raise BoardError(f"robber is a hex, 0..{topology.num_hexes - 1}, not {self.robber}")
        for h, (terrain, number) in enumerate(zip(self.terrain, self.number, strict=True)):
            if not 0 <= terrain < len(TERRAINS):
                raise BoardError(
                    f"terrain {terrain} of hex {_cell(topology, h)} is not in 0..{len(TERRAINS) - 1}"
                )
            if not _is_integer(number) or (number != 0 and (not 2 <= number <= 12 or number == 7)):
                raise BoardError(f"number {number} of hex {_cell(topology, h)} is not one of 2..6, 8..12")
            if number != 0 and terrain == DESERT:
                raise BoardError(f"the desert {_cell(topology, h)} has number {number}; a desert has none")

    def _check_harbors(self) -> None:
        topology = self.topology
        paths = [path for path, _ in self.harbors]
        for path, kind in self.harbors:
            if not 0 <= path < topology.num_paths:
                raise BoardError(f"a harbor lies on a path, 0..{topology.num_paths - 1}, not {path}")
            where = _side(topology, path)
            if topology.path_hexes[path, 1] != NOTHING:
                raise BoardError(f"the harbor at {where} is not on the coast: there are hexes on both sides")
            if not 0 <= kind < len(HARBOR_KINDS):
                raise BoardError(f"harbor kind {kind} at {where} is not in 0..{len(HARBOR_KINDS) - 1}")
            if paths.count(path) > 1:
                raise BoardError(f"there are two harbors at {where}")

    def _check_start(self) -> None:
        topology = self.topology
        settlements: list[int] = []
        roads: list[int] = []
        for seat in self.start:
            if len(seat.settlements) != len(seat.roads):
                raise BoardError(f"{seat.color} starts with unequal numbers of settlements and roads")
            for intersection, path in zip(seat.settlements, seat.roads, strict=True):
                where, road = _corner(topology, intersection), _side(topology, path)
                if intersection in settlements:
                    raise BoardError(f"two start settlements lie at {where}")
                if intersection not in topology.path_intersections[path]:
                    raise BoardError(
                        f"{seat.color}'s road at {road} does not touch its settlement at {where}"
                    )
                if path in roads:
                    raise BoardError(f"two start roads lie at {road}")
                settlements.append(intersection)
                roads.append(path)


def _start_pieces(topology: Topology, seat: Mapping[str, Any]) -> StartPieces:
    if not isinstance(seat, Mapping) or set(seat) != {"color", "settlements", "roads"}:
        raise BoardError(f"start pieces of a seat have the keys color, settlements, roads; got {seat!r}")
    settlements = _listed(seat["settlements"], "settlements")
    roads = _listed(seat["roads"], "roads")
    return StartPieces(
        color=str(seat["color"]),
        settlements=tuple(
            topology.intersection_at(*_entry(entry, "start settlement", "corner", "q", "r"))
            for entry in settlements
        ),
        roads=tuple(topology.path_at(*_entry(entry, "start road", "q", "r", "side")) for entry in roads),
    )


def _listed(values: Any, what: str) -> Iterable[Any]:
    if isinstance(values, (str, Mapping)) or not isinstance(values, Iterable):
        raise BoardError(f"{what} is a list, not {values!r}")
    return values


def _entry(entry: Any, what: str, *names: str) -> tuple[Any, ...]:
    """`entry` as a tuple with one item for each of `names`, of which q and r are integers."""
    items = tuple(entry) if isinstance(entry, (Sequence, np.ndarray)) and not isinstance(entry, str) else ()
    if len(items) != len(names) or not all(
        _is_integer(item) for item, name in zip(items, names, strict=True) if name in ("q", "r")
    ):
        raise BoardError(f"a {what} is written ({', '.join(names)}) with integers q and r, not {entry!r}")
    return items


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _cell(topology: Topology, h: int) -> tuple[int, int]:
    q, r = topology.hex_axial[h].tolist()
    return q, r


def _side(topology: Topology, path: int) -> list[Any]:
    q, r, side = topology.path_side[path].tolist()
    return [q, r, SIDES[side]]


def _corner(topology: Topology, intersection: int) -> list[Any]:
    end, q, r = topology.intersection_corner[intersection].tolist()
    return ["S" if end == SOUTH else "N", q, r]
