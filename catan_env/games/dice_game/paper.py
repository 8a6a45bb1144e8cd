"""Sheets for the dice game, used in place of maps: arrays for the rules and positions for drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.board.topology import NOTHING
from catan_env.engine.board import NoBoard
from catan_env.errors import ScenarioFileError
from catan_env.text_files import read_toml

ANY_SIDE = -1
NO_ROAD = -1
FACES = ("lumber", "brick", "wool", "grain", "ore", "gold")
KNIGHTS_OF_A_JOKER = 2
MISPRINTED = (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError)
"""Exceptions raised by contents of the wrong type or size while a sheet is being read."""


@dataclass(frozen=True, eq=False)
class Sheet(NoBoard):
    """A printed sheet that serves as a scenario's board (`catan_env.engine.board.Board`). Users cannot replace it.

    Attributes:
        places: (x, y) of each place, keyed by name. x grows eastward, in half sides of a hex; y grows southward, in
            half heights. Hexes have flat tops.
        hexes: (terrain, x, y) of each hex, in the same units.
        roads: (from, to) names of places. The first road is built at the start; the others follow in outward order.
        settlements, cities: (place, points).
        knights: (index of the hex, points).
        jokers: (face or "any", indices of knights).
        road_points: points for each road except the first.
        marked_road: index of the road that earns Longest Road; -1 if there is none.
    """

    places: dict[str, tuple[int, int]]
    hexes: tuple[tuple[str, int, int], ...]
    roads: tuple[tuple[str, str], ...]
    settlements: tuple[tuple[str, int], ...]
    cities: tuple[tuple[str, int], ...]
    knights: tuple[tuple[int, int], ...]
    jokers: tuple[tuple[str, tuple[int, ...]], ...]
    road_points: int
    marked_road: int
    played_on = "on a sheet of paper"

    @property
    def sizes(self) -> dict[str, int]:
        """Lengths of the axes that rules use."""
        return {
            "sheet_roads": len(self.roads),
            "sheet_settlements": len(self.settlements),
            "sheet_cities": len(self.cities),
            "sheet_knights": len(self.knights),
            "sheet_jokers": len(self.jokers),
        }

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of the entries along each axis."""
        knights = tuple(f"knight {k + 1} ({self.hexes[hex][0]})" for k, (hex, _) in enumerate(self.knights))
        return {
            "sheet_roads": tuple(f"the road from {start} to {end}" for start, end in self.roads),
            "sheet_settlements": tuple(place for place, _ in self.settlements),
            "sheet_cities": tuple(place for place, _ in self.cities),
            "sheet_knights": knights,
            "sheet_jokers": tuple(
                f"the joker of {' and '.join(knights[k] for k in indices)} for {'any side' if face == 'any' else face}"
                for face, indices in self.jokers
            ),
        }

    @property
    def road_depth(self) -> list[int]:
        """For each road, the number of roads from the start to its far end."""
        depth = {self.roads[0][0]: 0}
        for start, end in self.roads:
            depth[end] = depth[start] + 1
        return [depth[end] for _, end in self.roads]

    def tables(self, values: Mapping[str, Any], colors: int) -> dict[str, np.ndarray]:
        """Return the arrays that rules read."""
        place_index = {place: k for k, place in enumerate(self.places)}
        padding = (NOTHING,) * KNIGHTS_OF_A_JOKER
        tables = {
            "road_ends": [(place_index[start], place_index[end]) for start, end in self.roads],
            "road_depth": self.road_depth,
            "road_points": [0] + [self.road_points] * (len(self.roads) - 1),
            "marked_road": self.marked_road,
            "settlement_place": [place_index[place] for place, _ in self.settlements],
            "settlement_points": [points for _, points in self.settlements],
            "city_place": [place_index[place] for place, _ in self.cities],
            "city_points": [points for _, points in self.cities],
            "knight_points": [points for _, points in self.knights],
            "joker_face": [ANY_SIDE if face == "any" else FACES.index(face) for face, _ in self.jokers],
            "joker_knights": [(*knights, *padding)[:KNIGHTS_OF_A_JOKER] for _, knights in self.jokers],
        }
        return {name: np.array(table, np.int16) for name, table in tables.items()}


def read_sheet(file: Path) -> Sheet:
    """Return the sheet described by a TOML file.

    Raises:
        ScenarioFileError: the file does not describe a sheet.
    """
    printed = read_toml(file, "sheet", ScenarioFileError)
    try:
        return _sheet_of(printed)
    except MISPRINTED as error:
        reason = f"key {error} is missing" if isinstance(error, KeyError) else str(error)
        raise ScenarioFileError(
            f"{file}: this is not a sheet: {reason}. Compare it with the bundled sheets."
        ) from error


def _sheet_of(printed: Mapping[str, Any]) -> Sheet:
    """Return the sheet described by the contents of a file; raise one of `MISPRINTED` if they are invalid."""
    roads = tuple((start, end) for start, end in printed["roads"])
    sheet = Sheet(
        places={name: tuple(position) for name, position in printed["places"].items()},
        hexes=tuple((terrain, x, y) for terrain, x, y in printed["hexes"]),
        roads=roads,
        settlements=tuple((place, points) for place, points in printed["settlements"]),
        cities=tuple((place, points) for place, points in printed["cities"]),
        knights=tuple((hex, points) for hex, points in printed["knights"]),
        jokers=tuple((face, tuple(knights)) for face, *knights in printed["jokers"]),
        road_points=printed["road_points"],
        marked_road=roads.index(tuple(printed["marked_road"])) if "marked_road" in printed else NO_ROAD,
    )
    assert sheet.names and sheet.tables({}, 0)  # fail now, not in the middle of a game
    return sheet
