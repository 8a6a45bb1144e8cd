"""`MapBoard`: a map used as a scenario's board, with the arrays that rules read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from catan_env.board import Layout, Map, StartPieces, Topology, board_of, place_names, saved_board
from catan_env.board.terrain import BARE, HARBOR_KINDS, NO_HARBOR
from catan_env.board.topology import KINDS, NOTHING
from catan_env.errors import BoardError

ADJACENCY = (
    "hex_intersections",
    "hex_paths",
    "hex_neighbors",
    "intersection_hexes",
    "intersection_neighbors",
    "intersection_paths",
    "onward",
    "path_intersections",
    "path_hexes",
)
SIDES_OF_FRAME = 6


@dataclass(frozen=True, eq=False)
class MapBoard:
    """A map that serves as a scenario's board (`catan_env.engine.board.Board`).

    The shapes and dtypes of its arrays depend only on the map's `sizes`; shorter lists are padded. Maps of equal sizes
    therefore share the scenario's compiled rules.

    Attributes:
        map: hexes, intersections and paths, and the rules for drawing terrain, numbers and harbors.
        map_for: other maps of the same sizes, keyed by number of players.
        neutral_settlements: settlement of each neutral color before the initial placement, as (corner, q, r).
        layout: terrain, numbers, harbors and robber; None if they are drawn at random.
        home: the scenario's default board, if `laid` derived this board from it.
        chosen: whether the user chose the board.
    """

    map: Map
    map_for: Mapping[int, Map] = field(default_factory=dict)
    neutral_settlements: Sequence[Sequence[Any]] = ()
    layout: Layout | None = None
    home: MapBoard | None = None
    chosen: bool = False

    @property
    def sizes(self) -> Mapping[str, int]:
        """Length of each axis: hexes, intersections, paths, coast, degree, corners, sides, terrains, and every mark."""
        return self.map.sizes

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the places along each axis, such as "hex (0, -2)"."""
        return names_on(self.map)

    @property
    def label(self) -> str:
        """Name of the map in messages, including the file name if it differs."""
        return self.map.label

    @property
    def free_numbers(self) -> tuple[str, ...]:
        """Names of the arrays that store numbers for marked places."""
        return tuple(f"{mark.name}_{key}" for mark in self.topology.marks.values() for key in mark.numbers)

    @property
    def topology(self) -> Topology:
        """Geometry and adjacency of the map."""
        return self.map.topology

    def laid(self, chosen: Any, num_players: int) -> MapBoard:
        """Return the board for a layout, a file or a map of the same sizes; see `catan_env.board.board_of`.

        Raises:
            BoardError: the map does not say how to draw a board, or draws numbers in a way that the scenario does not
                support.
        """
        home = self.home or self
        board_map, layout = board_of(home.map, home.map_for.get(num_players) if chosen is None else chosen)
        if layout is None and not board_map.can_be_drawn:
            layout_names = ", ".join(board_map.layouts) or "none, so give a board by coordinates"
            raise BoardError(
                f"map {board_map.name!r} has no numbers to draw a board with; choose one of its layouts: {layout_names}"
            )
        if layout is None and board_map.shuffled and not home.map.shuffled:
            raise BoardError(
                f"{board_map.label} draws number tokens by chance (numbers.shuffled), which this scenario does "
                "not support; set numbers.spiral = true, or give it a layout"
            )
        return replace(home, map=board_map, layout=layout, home=home, chosen=chosen is not None)

    def save(self) -> Any:
        """Return a JSON-compatible value from which `laid` restores the board; None for the default board."""
        home = self.home or self
        return saved_board(home.map, self.map, self.layout) if self.chosen else None

    def place_names(self, record: Any) -> Mapping[str, tuple[str, ...]]:
        """Return names for places, based on their surroundings in one game, such as "6 hills, 4 pasture, desert"."""
        if not {"terrain", "number"} <= set(record.dtype.names):
            return {}
        return place_names(self.topology, record["terrain"], record["number"])

    def tables(self, values: Mapping[str, Any], colors: int) -> dict[str, np.ndarray]:
        """Return the constant arrays of the board, which rules read as `params.<name>`.

        Raises:
            BoardError: the rule numbers need harbor sites or start pieces that the map lacks, or a mark's name is
                already taken.
        """
        board_map, topology, coast_paths = self.map, self.topology, self.map.coast_paths
        coast_intersections = topology.path_intersections[coast_paths]
        intersection_coast = np.full(
            (topology.num_intersections, topology.intersection_paths.shape[1]), NOTHING, np.int16
        )
        for coast_index, ends in enumerate(coast_intersections):
            for end in ends:
                intersection_coast[end, int((intersection_coast[end] != NOTHING).sum())] = coast_index
        hex_count = topology.num_hexes
        neutral_intersections = self._neutral_places()
        if self.layout is None and values.get("harbors") == "shuffled" and not len(board_map.harbor_sites):
            raise BoardError(
                f"harbors='shuffled' needs a map with [harbor_sites], and {self.label} has none; add them to the map "
                "or use harbors='frame'"
            )
        own_tables = {
            **{name: getattr(topology, name) for name in ADJACENCY},
            "coast_intersections": coast_intersections.astype(np.int16),
            "intersection_coast": intersection_coast,
            "terrain_counts": board_map.terrain_counts,
            "barren": np.array([terrain in BARE for terrain in range(len(board_map.terrains))], np.int8),
            "fixed_terrain": board_map.fixed_terrain,
            "number_tokens": _padded(board_map.number_tokens, (hex_count,)),
            "spirals": _padded(board_map.spirals, (SIDES_OF_FRAME, hex_count)),
            "side_start": _padded(board_map.side_start, (SIDES_OF_FRAME,)),
            "piece_offsets": _padded(board_map.piece_offsets, (SIDES_OF_FRAME, 2)),
            "piece_kinds": _padded(board_map.piece_kinds, (SIDES_OF_FRAME, 2)),
            "small_harbors": _padded(board_map.small_harbors, (len(coast_paths), 2)),
            **self._layout_tables(),
            **self._harbor_tables(),
            **self._start_tables(values, colors),
            **({"neutral_settlements": neutral_intersections} if len(neutral_intersections) else {}),
        }
        return own_tables | self._mark_tables(own_tables)

    def _mark_tables(self, taken: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Return the arrays for the marks.

        Raises:
            BoardError: another array has the same name.
        """
        tables: dict[str, np.ndarray] = {}
        for mark in self.topology.marks.values():
            mark_tables = mark.tables(self.topology.count(mark.kind))
            if taken_names := sorted(mark_tables.keys() & {*taken, *tables}):
                raise BoardError(
                    f"{self.label}: mark {mark.name!r} defines params.{taken_names[0]}, which already exists; "
                    "give the mark, or its list of numbers, another name"
                )
            tables |= mark_tables
        return tables

    def _neutral_places(self) -> np.ndarray:
        return np.array([self.topology.at("intersections", key) for key in self.neutral_settlements], np.int16)

    def _layout_tables(self) -> dict[str, np.ndarray]:
        board_map, layout = self.map, self.layout
        harbor = np.full(len(board_map.coast_paths), NO_HARBOR, np.int8)
        if layout is None:
            terrain = number = np.zeros(board_map.topology.num_hexes, np.int8)
            robber = 0
        else:
            terrain, number, robber = layout.terrain, layout.number, layout.robber
            coast_indices = {int(path): coast_index for coast_index, path in enumerate(board_map.coast_paths)}
            for path, kind in layout.harbors:
                harbor[coast_indices[path]] = kind
        return {
            "layout_given": np.asarray(layout is not None, np.int8),
            "layout_terrain": terrain,
            "layout_number": number,
            "layout_harbor": harbor,
            "layout_robber": np.asarray(robber, np.int16),
            "layout_chosen": np.asarray(self.chosen, np.int8),
        }

    def _harbor_tables(self) -> dict[str, np.ndarray]:
        """Return the sites and kinds of shuffled harbors, from the layout if there is one, else from the map."""
        board_map, layout = self.map, self.layout
        sites, kinds = board_map.harbor_sites, board_map.harbor_kinds
        if layout is not None:
            coast_indices = {int(path): coast_index for coast_index, path in enumerate(board_map.coast_paths)}
            sites = np.array(sorted(coast_indices[path] for path, _ in layout.harbors), np.int16)
            kinds = np.array([kind for _, kind in layout.harbors], np.int8)
        return {
            "harbor_sites": _padded(sites, (len(board_map.coast_paths),)),
            "harbor_kind_counts": np.bincount(kinds, minlength=len(HARBOR_KINDS)).astype(np.int16),
        }

    def _start_tables(self, values: Mapping[str, Any], colors: int) -> dict[str, np.ndarray]:
        """Return the printed start pieces of each seat; all -1 unless the rules use them."""
        board_map, layout = self.map, self.layout
        settlements = np.full((colors, 2), NOTHING, np.int16)
        roads = np.full((colors, 2), NOTHING, np.int16)
        if values.get("initial_placement") == "printed":
            start_layouts = [name for name, layout in board_map.layouts.items() if layout.start]
            if layout is None:
                raise BoardError(
                    f"initial_placement='printed' needs a board with start pieces, such as board={start_layouts[0]!r}."
                    if start_layouts
                    else f"initial_placement='printed' is not possible: map {board_map.name!r} has no layout with "
                    "start pieces."
                )
            start_pieces = self._start_pieces(layout, values["num_players"])
            for seat, pieces in enumerate(start_pieces):
                settlements[seat], roads[seat] = pieces.settlements, pieces.roads
        return {"start_settlements": settlements, "start_roads": roads}

    def _start_pieces(self, layout: Layout, num_players: int) -> tuple[StartPieces, ...]:
        """Return the start pieces of each seat. Colors that start too close to a neutral settlement are skipped."""
        neutral_intersections = self._neutral_places()
        taken_intersections = {
            *neutral_intersections.tolist(),
            *self.topology.intersection_neighbors[neutral_intersections].flat,
        }
        free_pieces = tuple(pieces for pieces in layout.start if taken_intersections.isdisjoint(pieces.settlements))
        if len(free_pieces) < num_players <= len(layout.start):
            colors_left_out = ", ".join(pieces.color for pieces in layout.start if pieces not in free_pieces)
            raise BoardError(
                f"initial_placement='printed' is not possible for {num_players} on this board: start settlements of "
                f"{colors_left_out} are less than two paths from a neutral settlement. Use initial_placement='snake'."
            )
        return replace(layout, start=free_pieces).start_for(num_players)


def _padded(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return `array`, padded with -1 to the given shape."""
    padded = np.full(shape, NOTHING, array.dtype)
    padded[tuple(map(slice, array.shape))] = array
    return padded


@lru_cache(maxsize=256)
def names_on(board_map: Map) -> dict[str, tuple[str, ...]]:
    """Return the names of the places along each axis of a map, such as "hex (0, -2)"."""
    topology = board_map.topology
    axis_names = {kind: topology.names(kind) for kind in KINDS} | {"terrains": board_map.terrains}
    for mark in topology.marks.values():
        place_labels = tuple(axis_names[mark.kind][place] for place in mark.places)
        axis_names[mark.name] = tuple(
            f"{name} ({place})" if name else place
            for name, place in zip(mark.names or ("",) * len(place_labels), place_labels, strict=True)
        )
    return axis_names
