"""Scenarios described by a mapping, such as their TOML files: the tables that rules read, laid out from the board."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from types import ModuleType
from typing import Any

import numpy as np

from catan_env.board import Layout, Map, StartPieces, Topology, board_of, load_map, place_names, saved_board
from catan_env.board.terrain import HARBOR_KINDS, NO_HARBOR
from catan_env.board.topology import KINDS, NOTHING
from catan_env.engine.binding import did_you_mean
from catan_env.engine.declare import NEUTRAL_LETTERS, TRAITS
from catan_env.engine.registry import register
from catan_env.engine.scenario import Scenario
from catan_env.errors import BoardError, OptionError

NEEDED = ("name", "version", "title", "summary", "players")
KNOWN = (
    *NEEDED,
    "map",
    "map_for",
    "numbers",
    "numbers_for",
    "history",
    "neutrals",
    "neutral_traits",
    "neutral_settlements",
    "extras",
)
"""Keys of a scenario's description."""
LEFT = ("the next player", *(f"the {k} player to the left" for k in ("2nd", "3rd", "4th", "5th", "6th", "7th")))
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


class BoardTables:
    """Constant arrays of a board, as rules read them: `tables(board, values)` of a scenario on this map.

    Their shapes and types follow from the map's `sizes` alone: what varies among maps of equal sizes is padded, so
    that all of them share the scenario's compiled rules.
    """

    def __init__(self, board_map: Map, max_players: int, neutral_settlements: Sequence[Sequence[Any]] = ()):
        self.map = board_map
        self.max_players = max_players
        self.neutral_settlements = tuple(map(tuple, neutral_settlements))
        self._neutral_places(board_map)

    def __call__(self, board: Any, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
        board_map, layout = board_of(self.map, board)
        if layout is None and not board_map.can_be_drawn:
            known = ", ".join(board_map.layouts) or "none, so give one by coordinates"
            raise BoardError(f"map {board_map.name!r} does not say how a board is drawn; its layouts: {known}")
        topology = board_map.topology
        coast = board_map.coast_paths
        coast_intersections = topology.path_intersections[coast]
        beside = np.full((topology.num_intersections, topology.intersection_paths.shape[1]), NOTHING, np.int16)
        for place, ends in enumerate(coast_intersections):
            for end in ends:
                beside[end, int((beside[end] != NOTHING).sum())] = place
        hexes = topology.num_hexes
        neutral = self._neutral_places(board_map)
        marks: dict[str, np.ndarray] = {}
        for mark in topology.marks.values():
            marks |= mark.tables(topology.count(mark.kind))
        return {
            **{name: getattr(topology, name) for name in ADJACENCY},
            **marks,
            "coast_intersections": coast_intersections.astype(np.int16),
            "intersection_coast": beside,
            "terrain_counts": board_map.terrain_counts,
            "fixed_terrain": board_map.fixed_terrain,
            "number_tokens": _padded(board_map.number_tokens, (hexes,)),
            "spirals": _padded(board_map.spirals, (SIDES_OF_FRAME, hexes)),
            "side_start": _padded(board_map.side_start, (SIDES_OF_FRAME,)),
            "piece_offsets": _padded(board_map.piece_offsets, (SIDES_OF_FRAME, 2)),
            "piece_kinds": _padded(board_map.piece_kinds, (SIDES_OF_FRAME, 2)),
            "small_harbors": _padded(board_map.small_harbors, (len(coast), 2)),
            "harbor_sites": _padded(board_map.harbor_sites, (len(coast),)),
            "harbor_kind_counts": np.bincount(board_map.harbor_kinds, minlength=len(HARBOR_KINDS)).astype(np.int16),
            **self._layout_tables(board_map, layout),
            **self._start_tables(board_map, layout, board, values),
            **({"neutral_settlements": neutral} if len(neutral) else {}),
        }

    def _neutral_places(self, board_map: Map) -> np.ndarray:
        return np.array([board_map.topology.at("intersections", key) for key in self.neutral_settlements], np.int16)

    def _layout_tables(self, board_map: Map, layout: Layout | None) -> dict[str, np.ndarray]:
        harbor = np.full(len(board_map.coast_paths), NO_HARBOR, np.int8)
        if layout is None:
            terrain = number = np.zeros(board_map.topology.num_hexes, np.int8)
            robber = 0
        else:
            terrain, number, robber = layout.terrain, layout.number, layout.robber
            places = {int(path): place for place, path in enumerate(board_map.coast_paths)}
            for path, kind in layout.harbors:
                harbor[places[path]] = kind
        return {
            "layout_given": np.asarray(layout is not None, np.int8),
            "layout_terrain": terrain,
            "layout_number": number,
            "layout_harbor": harbor,
            "layout_robber": np.asarray(robber, np.int16),
        }

    def _start_tables(
        self, board_map: Map, layout: Layout | None, board: Any, values: Mapping[str, Any]
    ) -> dict[str, np.ndarray]:
        """Printed start pieces of each seat, where the rules ask for them."""
        settlements = np.full((self.max_players, 2), NOTHING, np.int16)
        roads = np.full((self.max_players, 2), NOTHING, np.int16)
        if values.get("founding") == "printed":
            printed = [name for name, layout in board_map.layouts.items() if layout.start]
            if layout is None:
                raise BoardError(
                    f"founding='printed' needs a board with start pieces, such as board={printed[0]!r}."
                    if printed
                    else f"founding='printed' is not possible: map {board_map.name!r} has no layout with start pieces."
                )
            start = self._start_pieces(board_map, layout, values["num_players"])
            for seat, pieces in enumerate(start):
                settlements[seat], roads[seat] = pieces.settlements, pieces.roads
        return {"start_settlements": settlements, "start_roads": roads}

    def _start_pieces(self, board_map: Map, layout: Layout, num_players: int) -> tuple[StartPieces, ...]:
        """The start pieces of each seat; colors whose settlements are too near to a neutral one stay out first."""
        neutral = self._neutral_places(board_map)
        taken = {*neutral.tolist(), *board_map.topology.intersection_neighbors[neutral].flat}
        free = tuple(pieces for pieces in layout.start if taken.isdisjoint(pieces.settlements))
        if len(free) < num_players <= len(layout.start):
            out = ", ".join(pieces.color for pieces in layout.start if pieces not in free)
            raise BoardError(
                f"founding='printed' is not possible for {num_players} on this board: start settlements of {out} are "
                "less than two paths from a neutral settlement. Use founding='snake'."
            )
        return replace(layout, start=free).start_for(num_players)

    def save(self, board: Any) -> Any:
        """The board as JSON can hold it, None for the scenario's own."""
        return saved_board(self.map, board)


def _padded(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The array in a larger one of this shape and the same type, -1 around it."""
    wide = np.full(shape, NOTHING, array.dtype)
    wide[tuple(map(slice, array.shape))] = array
    return wide


class OnBoard:
    """What a scenario on a map becomes on another board of the same sizes: `scenario.on_board` of a scenario."""

    def __init__(self, board_map: Map, names: Mapping[str, tuple[str, ...]]):
        self.map, self.names = board_map, names

    def __call__(self, scenario: Scenario, board: Any) -> Scenario:
        board_map, _ = board_of(self.map, board)
        if board_map is self.map:
            return scenario
        return replace(scenario, topology=board_map.topology, names={**self.names, **names_on(board_map)})


def names_on(board_map: Map) -> dict[str, tuple[str, ...]]:
    """What people call the places along each axis of a map, by the coordinates or ids that `board=` takes."""
    topology = board_map.topology
    found = {kind: topology.names(kind) for kind in KINDS} | {"terrains": board_map.terrains}
    for mark in topology.marks.values():
        places = tuple(found[mark.kind][place] for place in mark.places)
        found[mark.name] = tuple(
            f"{name} ({place})" if name else place
            for name, place in zip(mark.names or ("",) * len(places), places, strict=True)
        )
    return found


def said_on(topology: Topology) -> Any:
    """`scenario.place_names` of scenarios on a board: what people call places, given the record of a game."""

    def names(record: Any) -> dict[str, tuple[str, ...]]:
        if not {"terrain", "number"} <= set(record.dtype.names):
            return {}
        return place_names(topology, record["terrain"], record["number"])

    return names


def make_scenario(package: str, name: str, modules: tuple[ModuleType, ...], sheet: Any = None) -> Scenario:
    """Registers the scenario of these rule modules with the numbers of `<name>.toml` in a package."""
    return scenario_from(tomllib.loads((resources.files(package) / f"{name}.toml").read_text("utf-8")), modules, sheet)


def _check_keys(config: Mapping[str, Any]) -> None:
    told = f"The description of scenario {config.get('name', '?')!r}"
    missing = [key for key in NEEDED if key not in config]
    if missing:
        raise OptionError(f"{told} lacks {', '.join(missing)}; it needs {', '.join(NEEDED)}.")
    unknown = [key for key in config if key not in KNOWN]
    if unknown:
        raise OptionError(f"{told} has the unknown key {unknown[0]!r}.{did_you_mean(unknown[0], KNOWN)}")
    wrong = [trait for trait in config.get("neutral_traits", ()) if trait not in TRAITS]
    if wrong:
        raise OptionError(f"{told} has the unknown trait {wrong[0]!r}; colors can have {', '.join(TRAITS)}.")


def scenario_from(config: dict[str, Any], modules: tuple, sheet: Any = None) -> Scenario:
    """Registers a scenario described by a mapping with the keys of the TOML files; for scenarios outside the package.

    Keys: name, version, title, summary, players (list), numbers, numbers_for (by player count), history, and
    optionally map (a name, or the path of a map file; without one the game has no board), map_for (other maps of the
    same sizes by player count), neutrals, colors on the board that nobody plays: they have the seats after the
    players', and neutral_settlements, the intersection (corner, q, r) where each of them has a settlement before the
    founding; and extras, optional rule modules that the scenario can have though not every one can, each with the
    numbers and numbers_for it has then.

    Raises OptionError where a key is missing or unknown, BoardError where board and settlements do not fit.

    Rules have the axes of the map as sizes: hexes, intersections, paths, coast, degree (most paths at an
    intersection), corners (most corners of a hex), sides (most hexes along a path), terrains, and each mark's name.

    `sheet` is what a game without a board has in its place, if anything: called as `sheet(board, values)` it gives
    the tables that rules read, its `sizes` and `names` are those of its axes.
    """
    _check_keys(config)
    players = tuple(config["players"])
    neutrals = config.get("neutrals", 0)
    rows = max(players) + neutrals
    sizes = {"players": rows, "neutrals": neutrals, "opponents": max(players) - 1}
    names = {
        "opponents": LEFT[: max(players) - 1],
        "neutrals": tuple(f"neutral color {letter}" for letter in NEUTRAL_LETTERS[:neutrals]),
    }
    on_board: dict[str, Any] = {}
    if "map" in config:
        board_map = load_map(config["map"])
        settlements = config.get("neutral_settlements", ())
        if len(settlements) not in (0, neutrals):
            raise BoardError(f"neutral_settlements has {len(settlements)} entries for {neutrals} neutral colors")
        tables = BoardTables(board_map, rows, settlements)
        sizes |= board_map.sizes
        names |= names_on(board_map)
        on_board = {
            "tables": tables,
            "save_board": tables.save,
            "topology": board_map.topology,
            "on_board": OnBoard(board_map, names),
            "place_names": said_on,
            "status": board_map.status,
            "boards_for": {int(count): load_map(source) for count, source in config.get("map_for", {}).items()},
        }
    if sheet is not None:
        sizes |= sheet.sizes
        names |= sheet.names
        on_board["tables"] = sheet
    return register(
        Scenario(
            name=config["name"],
            version=config["version"],
            title=config["title"],
            summary=config["summary"],
            modules=modules,
            sizes=sizes,
            players=players,
            numbers=config.get("numbers", {}),
            numbers_for={int(count): values for count, values in config.get("numbers_for", {}).items()},
            names=names,
            history=tuple(config.get("history", ())),
            neutral_traits=tuple(config.get("neutral_traits", ())),
            extras=dict(config.get("extras", {})),
            **on_board,
        )
    )
