"""Layouts: the part of a board that can vary from game to game on the same map.

A layout consists of terrain, numbers, harbors, the robber, and any fixed start pieces. Layouts are specified in
coordinates (`Layout.from_coordinates`), in the same form in Python, JSON and map files. All other code reads the arrays
of a `Layout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catan_env.board.terrain import BARE, DESERT, HARBOR_KINDS, TERRAINS
from catan_env.board.topology import NOTHING, Topology, frozen_array, listed, position_of
from catan_env.errors import BoardError
from catan_env.numeric import is_integer


@dataclass(frozen=True)
class StartPieces:
    """One seat's start pieces. The first settlement, which is marked on the board, produces the starting cards."""

    color: str
    settlements: tuple[int, ...]
    """Intersections."""
    roads: tuple[int, ...]
    """Paths; road k touches settlement k."""


@dataclass(frozen=True, eq=False)
class Layout:
    """A complete board, validated at construction (`BoardError`). Arrays are read-only."""

    topology: Topology = field(repr=False)
    terrain: NDArray[np.int8]
    """(H,): indices into `TERRAINS`."""
    number: NDArray[np.int8]
    """(H,): 2..12 except 7; 0 for no token."""
    harbors: tuple[tuple[int, int], ...]
    """(path, kind) of each harbor, at most one harbor per path; kind is an index into `HARBOR_KINDS`. Two harbors may
    share an intersection."""
    robber: int
    """Hex of the robber; -1 if it is not on a hex."""
    start: tuple[StartPieces, ...] = ()
    """Fixed start pieces; empty if there are none. See `start_for`."""

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
        topology: Topology,
        hexes: Iterable[Sequence[Any]],
        harbors: Iterable[Sequence[Any]],
        robber: Sequence[Any] | str | None = None,
        start: Iterable[Mapping[str, Any]] = (),
        terrains: Sequence[str] = TERRAINS,
    ) -> Layout:
        """Return the layout described by coordinates. Graphs use ids instead of coordinates: (id, terrain, number).

        Any number of hexes per terrain, and of copies of each token, is allowed.

        Args:
            topology: topology of the map.
            hexes: (q, r, terrain, number) for every hex on the map, in any order; None or 0 for no number.
            harbors: (q, r, side, kind); kind is "3:1" or the resource that the harbor trades 2:1.
            robber: (q, r), or "off" for a place that is not on a hex; defaults to the desert if there is exactly one.
            start: one mapping per seat with `color`, `settlements` (corner, q, r), the marked one first, and `roads`
                (q, r, side) in the same order. Games with n players use the last n mappings.
            terrains: names of the terrains on this map.

        Raises:
            BoardError: this is not a valid board for the map.
        """
        words = _Words(topology)
        terrain, number = [NOTHING] * topology.num_hexes, [0] * topology.num_hexes
        for entry in listed(hexes, "hexes"):
            hex, terrain_name, token = words.read("hexes", "hex", entry, "terrain", "number or None")
            hex_text = words.write("hexes", hex)
            if terrain[hex] != NOTHING:
                raise BoardError(f"hex {hex_text} is listed twice")
            terrain[hex] = position_of(terrains, terrain_name, f"terrain of hex {hex_text}")
            number[hex] = 0 if token is None else token
        if NOTHING in terrain:
            absent_hexes = [words.write("hexes", hex) for hex, value in enumerate(terrain) if value == NOTHING]
            raise BoardError(f"hexes are missing: {', '.join(map(str, absent_hexes))}")

        laid_harbors = []
        for entry in listed(harbors, "harbors"):
            path, kind = words.read("paths", "harbor", entry, "kind")
            (*cell, side) = topology.path_keys[path]
            kind_text = f"kind of the harbor at ({', '.join(map(str, cell))}) {side}"
            laid_harbors.append((path, position_of(HARBOR_KINDS, kind, kind_text)))

        if robber is None:
            deserts = [words.write("hexes", hex) for hex, value in enumerate(terrain) if value == DESERT]
            if len(deserts) != 1:
                desert_text = f"{len(deserts)} deserts: {deserts}" if deserts else "no desert"
                raise BoardError(f"robber is missing; set it to (q, r) or 'off', because the board has {desert_text}")
            robber_hex = terrain.index(DESERT)
        else:
            (robber_hex,) = (NOTHING,) if robber == "off" else words.read("hexes", "robber", robber)
        seats = tuple(_start_pieces(words, seat) for seat in listed(start, "start"))
        return cls(topology, np.array(terrain), np.array(number, dtype=object), tuple(laid_harbors), robber_hex, seats)

    def to_coordinates(self) -> dict[str, Any]:
        """Return the arguments of `from_coordinates` as JSON-serializable lists, strings and integers."""
        words = _Words(self.topology)
        coordinates: dict[str, Any] = {
            "hexes": [
                [*key, TERRAINS[self.terrain[hex]], int(self.number[hex]) or None]
                for hex, key in enumerate(self.topology.hex_keys)
            ],
            "harbors": [[*self.topology.path_keys[path], HARBOR_KINDS[kind]] for path, kind in self.harbors],
            "robber": "off" if self.robber == NOTHING else list(self.topology.hex_keys[self.robber]),
        }
        if self.start:
            coordinates["start"] = [
                {
                    "color": seat.color,
                    "settlements": [words.entry("intersections", i) for i in seat.settlements],
                    "roads": [words.entry("paths", path) for path in seat.roads],
                }
                for seat in self.start
            ]
        return coordinates

    def start_for(self, num_players: int) -> tuple[StartPieces, ...]:
        """Return the start pieces in seat order. If there are fewer players, the first colors in the list are left out.

        Raises:
            BoardError: the layout has no start pieces, or too few for the players.
        """
        if not 1 <= num_players <= len(self.start):
            raise BoardError(f"this layout has start pieces for {len(self.start)} players; {num_players} play")
        return self.start[len(self.start) - num_players :]

    def _check_hexes(self) -> None:
        topology, words = self.topology, _Words(self.topology)
        if len(self.terrain) != topology.num_hexes or len(self.number) != topology.num_hexes:
            raise BoardError(f"terrain and number must have one entry for each of the {topology.num_hexes} hexes")
        if not NOTHING <= self.robber < topology.num_hexes:
            raise BoardError(f"robber is {self.robber}; allowed are hexes, 0..{topology.num_hexes - 1}, and -1")
        for hex, (terrain, number) in enumerate(zip(self.terrain, self.number, strict=True)):
            hex_text = words.write("hexes", hex)
            if not 0 <= terrain < len(TERRAINS):
                raise BoardError(f"terrain {terrain} of hex {hex_text} is not in 0..{len(TERRAINS) - 1}")
            if not is_integer(number) or (number != 0 and (not 2 <= number <= 12 or number == 7)):
                raise BoardError(f"number {number} of hex {hex_text} is not one of 2..6, 8..12")
            if number != 0 and terrain in BARE:
                terrain_name = TERRAINS[terrain]
                raise BoardError(f"the {terrain_name} {hex_text} has number {number}; it must have number 0")

    def _check_harbors(self) -> None:
        topology, words = self.topology, _Words(self.topology)
        coast = set(topology.coast_paths.tolist())
        paths = [path for path, _ in self.harbors]
        for path, kind in self.harbors:
            if not 0 <= path < topology.num_paths:
                raise BoardError(f"the path of a harbor is {path}; allowed are 0..{topology.num_paths - 1}")
            path_text = words.entry("paths", path)
            if path not in coast:
                raise BoardError(f"the harbor at {path_text} is not on the coast of the map")
            if not 0 <= kind < len(HARBOR_KINDS):
                raise BoardError(f"harbor kind {kind} at {path_text} is not in 0..{len(HARBOR_KINDS) - 1}")
            if paths.count(path) > 1:
                raise BoardError(f"there are two harbors at {path_text}")

    def _check_start(self) -> None:
        topology, words = self.topology, _Words(self.topology)
        settlements: list[int] = []
        roads: list[int] = []
        for seat in self.start:
            if len(seat.settlements) != len(seat.roads):
                raise BoardError(f"{seat.color} needs one start road for each start settlement")
            for intersection, path in zip(seat.settlements, seat.roads, strict=True):
                intersection_text, path_text = words.entry("intersections", intersection), words.entry("paths", path)
                if intersection in settlements:
                    raise BoardError(f"two start settlements lie at {intersection_text}")
                if intersection not in topology.path_intersections[path]:
                    raise BoardError(
                        f"{seat.color}'s road at {path_text} does not touch its settlement at {intersection_text}"
                    )
                if path in roads:
                    raise BoardError(f"two start roads lie at {path_text}")
                settlements.append(intersection)
                roads.append(path)


class _Words:
    """Converts between places of a topology and entries of a layout."""

    spelled = {"hexes": ("q", "r"), "intersections": ("corner", "q", "r"), "paths": ("q", "r", "side")}

    def __init__(self, topology: Topology):
        self.topology = topology
        self.graph = any(len(key) == 1 for key in topology.hex_keys[:1])

    def read(self, kind: str, what: str, entry: Any, *more: str) -> tuple[Any, ...]:
        """Return the place that an entry begins with, followed by one item for each name in `more`."""
        names = (*(("id",) if self.graph else self.spelled[kind]), *more)
        if self.graph and not more and isinstance(entry, str):
            entry = (entry,)
        items = tuple(entry) if isinstance(entry, (Sequence, np.ndarray)) and not isinstance(entry, str) else ()
        if len(items) != len(names) or not all(
            is_integer(item) for item, name in zip(items, names, strict=True) if name in ("q", "r")
        ):
            form = "" if self.graph else " with integers q and r"
            raise BoardError(f"a {what} must have the form ({', '.join(names)}){form}, not {entry!r}")
        key_length = len(names) - len(more)
        return self.topology.at(kind, items[:key_length]), *items[key_length:]

    def entry(self, kind: str, place: int) -> Any:
        """Return a place in the form used in entries: [q, r, side], or its id."""
        key = self.topology.keys(kind)[place]
        return key[0] if self.graph else list(key)

    def write(self, kind: str, place: int) -> str:
        """Return a place in the form used in messages: (q, r), or its id."""
        key = self.topology.keys(kind)[place]
        return key[0] if self.graph else str(key)


def _start_pieces(words: _Words, seat: Mapping[str, Any]) -> StartPieces:
    if not isinstance(seat, Mapping) or set(seat) != {"color", "settlements", "roads"}:
        raise BoardError(f"start pieces of a seat are {seat!r}; they need the keys color, settlements and roads")
    settlements = listed(seat["settlements"], "settlements")
    roads = listed(seat["roads"], "roads")
    return StartPieces(
        color=str(seat["color"]),
        settlements=tuple(words.read("intersections", "start settlement", entry)[0] for entry in settlements),
        roads=tuple(words.read("paths", "start road", entry)[0] for entry in roads),
    )
