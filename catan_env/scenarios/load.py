"""Making a scenario from its rule modules and its TOML file of numbers, players and map."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from types import ModuleType
from typing import Any

import numpy as np

from catan_env.board.hexgrid import NORTH, SIDES, Topology
from catan_env.board.layout import Layout, StartPieces
from catan_env.board.map import Map, load_map
from catan_env.board.terrain import HARBOR_KINDS, NO_HARBOR
from catan_env.engine.declare import NEUTRAL_LETTERS
from catan_env.engine.registry import register
from catan_env.engine.scenario import Scenario
from catan_env.errors import BoardError

LEFT = ("the next player", *(f"the {k} player to the left" for k in ("2nd", "3rd", "4th", "5th", "6th", "7th")))


class BoardTables:
    """Constant arrays of a map and a layout, as rules read them: `tables(board)` of a scenario on this map."""

    def __init__(self, board_map: Map, max_players: int, neutral_settlements: Sequence[int] = ()):
        self.map = board_map
        self.max_players = max_players
        self.neutral_settlements = np.array(neutral_settlements, np.int16)

    def __call__(self, board: Any, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
        topology = self.map.topology
        coast = self.map.coast_paths
        coast_intersections = topology.path_intersections[coast]
        intersection_coast = np.full((topology.num_intersections, 2), -1, np.int16)
        for place, ends in enumerate(coast_intersections):
            for end in ends:
                intersection_coast[end, int(intersection_coast[end, 0] != -1)] = place
        kinds = np.bincount(self.map.harbor_kinds, minlength=len(HARBOR_KINDS))
        names = (
            "hex_intersections",
            "hex_paths",
            "hex_neighbors",
            "intersection_hexes",
            "intersection_neighbors",
            "intersection_paths",
            "path_intersections",
            "path_hexes",
        )
        return {
            **{name: getattr(topology, name) for name in names},
            "coast_intersections": coast_intersections.astype(np.int16),
            "intersection_coast": intersection_coast,
            "terrain_counts": self.map.terrain_counts,
            "number_tokens": self.map.number_tokens,
            "spirals": self.map.spirals,
            "side_start": self.map.side_start,
            "piece_offsets": self.map.piece_offsets,
            "piece_kinds": self.map.piece_kinds,
            "small_harbors": self.map.small_harbors,
            "harbor_sites": self.map.harbor_sites,
            "harbor_kind_counts": kinds.astype(np.int16),
            **self._layout_tables(None if board is None else Layout.from_any(self.map, board)),
            **self._start_tables(board, values),
            **({"neutral_settlements": self.neutral_settlements} if len(self.neutral_settlements) else {}),
        }

    def _layout_tables(self, layout: Layout | None) -> dict[str, np.ndarray]:
        topology = self.map.topology
        harbor = np.full(len(self.map.coast_paths), NO_HARBOR, np.int8)
        if layout is None:
            terrain = number = np.zeros(topology.num_hexes, np.int8)
            robber = 0
        else:
            terrain, number, robber = layout.terrain, layout.number, layout.robber
            places = {int(path): place for place, path in enumerate(self.map.coast_paths)}
            for path, kind in layout.harbors:
                harbor[places[path]] = kind
        return {
            "layout_given": np.asarray(layout is not None, np.int8),
            "layout_terrain": terrain,
            "layout_number": number,
            "layout_harbor": harbor,
            "layout_robber": np.asarray(robber, np.int16),
        }

    def _start_tables(self, board: Any, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Printed start pieces of each seat, where the rules ask for them."""
        settlements = np.full((self.max_players, 2), -1, np.int16)
        roads = np.full((self.max_players, 2), -1, np.int16)
        if values.get("founding") == "printed":
            printed = [name for name, layout in self.map.layouts.items() if layout.start]
            if board is None:
                raise BoardError(
                    f"founding='printed' needs a board with start pieces, such as board={printed[0]!r}."
                    if printed
                    else f"founding='printed' is not possible: map {self.map.name!r} has no layout with start pieces."
                )
            start = self._start_pieces(Layout.from_any(self.map, board), values["num_players"])
            for seat, pieces in enumerate(start):
                settlements[seat], roads[seat] = pieces.settlements, pieces.roads
        return {"start_settlements": settlements, "start_roads": roads}

    def _start_pieces(self, layout: Layout, num_players: int) -> tuple[StartPieces, ...]:
        """The start pieces of each seat; colors whose settlements are too near to a neutral one stay out first."""
        neutral = self.neutral_settlements
        taken = {*neutral.tolist(), *self.map.topology.intersection_neighbors[neutral].flat}
        free = tuple(pieces for pieces in layout.start if taken.isdisjoint(pieces.settlements))
        if len(free) < num_players <= len(layout.start):
            out = ", ".join(pieces.color for pieces in layout.start if pieces not in free)
            raise BoardError(
                f"founding='printed' is not possible for {num_players} on this board: start settlements of {out} are "
                "less than two paths from a neutral settlement. Use founding='snake'."
            )
        return replace(layout, start=free).start_for(num_players)

    def save(self, board: Any) -> Any:
        """The board as JSON can hold it, None for a drawn one."""
        return None if board is None else Layout.from_any(self.map, board).to_coordinates()


def place_names(topology: Topology, max_players: int, neutrals: int) -> dict[str, tuple[str, ...]]:
    """What people call places, opponents and neutral colors: places by the coordinates `board=` takes."""
    corners = [("N" if end == NORTH else "S", q, r) for end, q, r in topology.intersection_corner.tolist()]
    return {
        "hexes": tuple(f"hex ({q}, {r})" for q, r in topology.hex_axial.tolist()),
        "intersections": tuple(f"intersection {corner} of ({q}, {r})" for corner, q, r in corners),
        "paths": tuple(f"path {SIDES[side]} of ({q}, {r})" for q, r, side in topology.path_side.tolist()),
        "opponents": LEFT[: max_players - 1],
        "neutrals": tuple(f"neutral color {letter}" for letter in NEUTRAL_LETTERS[:neutrals]),
    }


def make_scenario(package: str, name: str, modules: tuple[ModuleType, ...]) -> Scenario:
    """Registers the scenario of these rule modules with the numbers of `<name>.toml` in a package."""
    return scenario_from(tomllib.loads((resources.files(package) / f"{name}.toml").read_text("utf-8")), modules)


def scenario_from(config: dict[str, Any], modules: tuple) -> Scenario:
    """Registers a scenario described by a mapping with the keys of the TOML files; for scenarios outside the package.

    Keys: name, version, title, summary, players (list), map (name or path), numbers, numbers_for (by player count),
    history, and optionally neutrals, colors on the board that nobody plays: they have the seats after the players',
    and neutral_settlements, the intersection (corner, q, r) where each of them has a settlement before the founding.
    """
    board_map = load_map(config["map"])
    players = tuple(config["players"])
    neutrals = config.get("neutrals", 0)
    rows = max(players) + neutrals
    topology = board_map.topology
    neutral_settlements = [topology.intersection_at(*corner) for corner in config.get("neutral_settlements", ())]
    if len(neutral_settlements) not in (0, neutrals):
        raise BoardError(f"neutral_settlements has {len(neutral_settlements)} entries for {neutrals} neutral colors")
    tables = BoardTables(board_map, rows, neutral_settlements)
    return register(
        Scenario(
            name=config["name"],
            version=config["version"],
            title=config["title"],
            summary=config["summary"],
            modules=modules,
            sizes={
                "players": rows,
                "neutrals": neutrals,
                "opponents": max(players) - 1,
                "hexes": topology.num_hexes,
                "intersections": topology.num_intersections,
                "paths": topology.num_paths,
                "coast": len(board_map.coast_paths),
            },
            players=players,
            numbers=config.get("numbers", {}),
            numbers_for={int(count): values for count, values in config.get("numbers_for", {}).items()},
            tables=tables,
            save_board=tables.save,
            topology=topology,
            names=place_names(topology, max(players), neutrals),
            history=tuple(config.get("history", ())),
        )
    )
