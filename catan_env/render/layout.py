"""Where everything goes: the sheet of a scenario and a number of players, laid out once.

A picture is 800 wide: the decision on top, the board on the left with the table's holdings below it, a panel for
every seat on the right. Without a board the panels stand in two columns, and the table's holdings below them. The
size depends on the scenario and the number of players alone, so that all pictures of a game make one video.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from catan_env.board.hexgrid import Topology
from catan_env.engine.compose import Composition
from catan_env.render.drawing import PIECES

WIDTH = 800
MARGIN = 6
HEADER = 46
BOARD_WIDTH = 500
BOARD_HEIGHT = 560
STRIP_WIDTH = 290
"""Of the words on the table, beside the bank."""
PANEL_WIDTH = WIDTH - BOARD_WIDTH - 3 * MARGIN
WIDE_PANEL = (WIDTH - 3 * MARGIN) // 2
"""Of panels without a board beside them."""
GAP = 5
HARBOR_MARGIN = 1.15
LEAST_PANEL, MOST_PANEL = 67, 126
"""Height of panels; the least one without the rows that drawings lay out in it."""
LINE = 13
"""Height of a line of holdings."""
ZOOM = 1.12
PLACES = ("hexes", "intersections", "paths", "coast")
"""Axes that are places of every map; a map may mark more."""


class Part(NamedTuple):
    """A piece of SVG and where its origin lies."""

    x: float
    y: float
    content: str
    scale: float = 1


Parts = dict[str, Part]
"""Parts of a picture by name, in drawing order. A part that has nothing to show is empty, not missing."""


@dataclass(frozen=True, eq=False)
class PictureLayout:
    """The layout of the sheet.

    Attributes:
        composition: the scenario's declarations.
        topology: its map; None in a game without a board.
        num_players: seats that people or agents play.
        rows_height: height of the rows laid out in each panel.
        lines: lines of holdings that each panel needs.
        strip_lines: lines of what lies on the table.
    """

    composition: Composition
    topology: Topology | None
    num_players: int
    rows_height: float
    lines: int
    strip_lines: int

    @property
    def map(self) -> Topology:
        """The map, for what is drawn on one only.

        Raises:
            ValueError: the game has no board.
        """
        if self.topology is None:
            raise ValueError("This game has no board to draw on.")
        return self.topology

    @property
    def rows(self) -> int:
        """Seats with pieces, neutral ones included."""
        return self.composition.sizes["players"]

    @cached_property
    def pieces(self) -> list[str]:
        """Names of the fields, and of the kinds, that are counted beside an icon, in order of declaration."""
        piece_names = []
        for field in self.composition.fields.values():
            piece_names += [name for name in (field.name, *field.labels) if name in PIECES]
        return piece_names

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the map with its harbors, in hex sizes."""
        left, top = (self.map.intersection_xy.min(axis=0) - HARBOR_MARGIN).tolist()
        right, bottom = (self.map.intersection_xy.max(axis=0) + HARBOR_MARGIN).tolist()
        return left, top, right, bottom

    @cached_property
    def unit(self) -> float:
        """Pixels of a hex size."""
        left, top, right, bottom = self.bounds
        return min(BOARD_WIDTH / (right - left), BOARD_HEIGHT / (bottom - top))

    @property
    def board_height(self) -> float:
        if self.topology is None:
            return 0
        left, top, right, bottom = self.bounds
        return round(self.unit * (bottom - top))

    @property
    def _needed(self) -> int:
        return int(LEAST_PANEL + self.rows_height + LINE * max(self.lines - 3, 0))

    @cached_property
    def panel_height(self) -> int:
        """Height of each player's panel."""
        if self.topology is None:
            return self._needed + LINE
        free_height = (self.board_height + self.strip_height - GAP * (self.num_players - 1)) // self.num_players
        return int(max(self._needed, min(free_height, MOST_PANEL)))

    @property
    def zoom(self) -> float:
        """How much the contents of panels grow where there is room."""
        return ZOOM if self.panel_height >= ZOOM * self._needed else 1.0

    @property
    def panel_width(self) -> float:
        return WIDE_PANEL if self.topology is None else PANEL_WIDTH

    def panel_x(self, seat: int) -> float:
        if self.topology is None:
            return MARGIN + seat % 2 * (WIDE_PANEL + MARGIN)
        return MARGIN + BOARD_WIDTH + MARGIN

    def panel_y(self, seat: int) -> float:
        panel_row = seat // 2 if self.topology is None else seat
        return HEADER + panel_row * (self.panel_height + GAP)

    @property
    def panels_bottom(self) -> float:
        return self.panel_y(self.num_players - 1) + self.panel_height

    @property
    def strip_width(self) -> float:
        return WIDTH - 2 * MARGIN if self.topology is None else BOARD_WIDTH

    @property
    def strip_y(self) -> float:
        """Top of the strip below the board, or below the panels."""
        return (self.panels_bottom if self.topology is None else HEADER + self.board_height) + 4

    @property
    def turn_spot(self) -> tuple[float, float]:
        """Where the number of the turn begins: at the board's upper left corner, or beside the decision."""
        return (WIDTH - 108, 20) if self.topology is None else (MARGIN + 10, HEADER + 20)

    @property
    def dice_spot(self) -> tuple[float, float]:
        """The upper left corner of what the dice show."""
        return (WIDTH - 44, 6) if self.topology is None else (MARGIN + BOARD_WIDTH - 44, HEADER + 8)

    @property
    def strip_height(self) -> int:
        return LINE * self.strip_lines + 6

    @cached_property
    def height(self) -> int:
        """Height of the sheet: even, as videos want it."""
        bottom = max(self.panels_bottom, self.strip_y + self.strip_height)
        return 2 * round((bottom + MARGIN) / 2)

    def _pixels(self, xy: np.ndarray) -> list[tuple[float, float]]:
        left, top, right, bottom = self.bounds
        offset = (BOARD_WIDTH - self.unit * (right - left)) / 2
        scaled = (np.asarray(xy, float).reshape(-1, 2) - (left, top)) * self.unit + (MARGIN + offset, HEADER)
        return [(x, y) for x, y in scaled.tolist()]

    @cached_property
    def hexes(self) -> list[tuple[float, float]]:
        """Center of each hex."""
        return self._pixels(self.map.hex_xy)

    @cached_property
    def intersections(self) -> list[tuple[float, float]]:
        """Each intersection."""
        return self._pixels(self.map.intersection_xy)

    @cached_property
    def paths(self) -> list[tuple[float, float]]:
        """Middle of each path."""
        return self._pixels(self.map.path_xy)

    @cached_property
    def path_ends(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """Both ends of each path."""
        return [
            (self.intersections[first], self.intersections[second])
            for first, second in self.map.path_intersections.tolist()
        ]

    @cached_property
    def coast(self) -> list[tuple[float, float]]:
        """Where the harbor of each coast path is drawn: out at sea."""
        topology = self.map
        inland = topology.hex_xy[topology.coast_hexes]
        middle = topology.path_xy[topology.coast_paths]
        return self._pixels(middle + (middle - inland) * 0.8)

    def kind(self, axis: str | None) -> str:
        """What sort of places an axis numbers: one of `PLACES`; empty where it numbers no places of the map."""
        return kind_of(self.topology, axis)

    def place(self, axis: str | None, number: int) -> tuple[str, int] | None:
        """The kind of a place, one of `PLACES`, and its number among these; None if the axis numbers no places."""
        kind = self.kind(axis)
        if axis is None or not kind:
            return None
        return (axis, number) if axis in PLACES else (kind, int(self.map.marks[axis].places[number]))

    def places(self, axis: str) -> list[tuple[float, float]]:
        """Where the places of an axis lie."""
        if axis in PLACES:
            return getattr(self, axis)
        mark = self.map.marks[axis]
        return [getattr(self, mark.kind)[place] for place in mark.places.tolist()]

    @cached_property
    def outlines(self) -> list[list[tuple[float, float]]]:
        """The corners of each hex."""
        return [self._pixels(np.array(outline)) for outline in self.map.hex_outlines]


def kind_of(topology: Topology | None, axis: str | None) -> str:
    """What sort of places an axis numbers: one of `PLACES`; empty where it numbers no places of the map."""
    if topology is None or axis is None:
        return ""
    if axis in PLACES:
        return axis
    return topology.marks[axis].kind if axis in topology.marks else ""
