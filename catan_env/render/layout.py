"""The layout of pictures, computed once per scenario and number of players.

A picture is 800 wide. The decision is at the top, the board is on the left with the table strip below it, and there is
one panel per seat on the right. In games without a board, the panels form two columns above the table strip. The size
never changes during a game, so its pictures can be combined into a video.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from catan_env.board.hexgrid import Topology
from catan_env.engine.compose import Composition
from catan_env.render import markup

WIDTH = 800
MARGIN = 6
HEADER = 46
BOARD_WIDTH = 500
BOARD_HEIGHT = 560
PANEL_WIDTH = WIDTH - BOARD_WIDTH - 3 * MARGIN
WIDE_PANEL = (WIDTH - 3 * MARGIN) // 2
"""Panel width in games without a board."""
PADDING = 6
"""Space between the edge of a panel and its contents."""
GAP = 5
HARBOR_MARGIN = 1.15
LEAST_PANEL, MOST_PANEL = 67, 126
"""Minimum and maximum panel height. The minimum excludes the registered rows."""
LINE = 13
"""Height of a line of badges."""
ZOOM = 1.12
PLACES = ("hexes", "intersections", "paths", "coast")
"""Kinds of places that every map has. Marks in a map number some of these places on axes of their own."""


class Part(NamedTuple):
    """A fragment of SVG with its origin and scale."""

    x: float
    y: float
    content: str
    scale: float = 1


Parts = dict[str, Part]
"""The parts of a picture, keyed by name, in drawing order. Parts that show nothing are present but empty."""


@dataclass(frozen=True, eq=False)
class PictureLayout:
    """The layout of a picture.

    Attributes:
        composition: the declarations of the scenario.
        topology: the map; None in games without a board.
        num_players: number of seats.
        rows_height: total height of the registered rows in each panel.
        lines: number of lines in each panel for holdings.
        strip_lines: number of lines in the table strip.
        pieces: the field that provides each count with an icon, keyed by the name of the field or of a kind, in
            declaration order.
    """

    composition: Composition
    topology: Topology | None
    num_players: int
    rows_height: float
    lines: int
    strip_lines: int
    pieces: Mapping[str, str]

    @property
    def map(self) -> Topology:
        """The map.

        Raises:
            ValueError: the game has no board.
        """
        if self.topology is None:
            raise ValueError("This game has no map.")
        return self.topology

    @property
    def rows(self) -> int:
        """Number of colors that have pieces, including neutral ones."""
        return self.composition.sizes["players"]

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom edges of the map including harbors, in hex sizes."""
        left, top = (self.map.intersection_xy.min(axis=0) - HARBOR_MARGIN).tolist()
        right, bottom = (self.map.intersection_xy.max(axis=0) + HARBOR_MARGIN).tolist()
        return left, top, right, bottom

    @cached_property
    def unit(self) -> float:
        """Pixels per hex size."""
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
        """Height of each panel."""
        if self.topology is None:
            return self._needed + LINE
        free_height = (self.board_height + self.strip_height - GAP * (self.num_players - 1)) // self.num_players
        return int(max(self._needed, min(free_height, MOST_PANEL)))

    @property
    def zoom(self) -> float:
        """Scale of panel contents, larger than 1 if there is room."""
        return ZOOM if self.panel_height >= ZOOM * self._needed else 1.0

    @property
    def panel_width(self) -> float:
        return WIDE_PANEL if self.topology is None else PANEL_WIDTH

    @property
    def inner_width(self) -> float:
        """Width of the contents of a panel."""
        return self.panel_width - 2 * PADDING

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
        """Top of the table strip."""
        return (self.panels_bottom if self.topology is None else HEADER + self.board_height) + 4

    @property
    def turn_spot(self) -> tuple[float, float]:
        """Origin of the turn number: in the upper left corner of the board, or in the header if there is no board."""
        return (WIDTH - 108, 20) if self.topology is None else (MARGIN + 10, HEADER + 20)

    @property
    def dice_spot(self) -> tuple[float, float]:
        """Upper left corner of the dice."""
        return (WIDTH - 44, 6) if self.topology is None else (MARGIN + BOARD_WIDTH - 44, HEADER + 8)

    @property
    def strip_height(self) -> int:
        return LINE * self.strip_lines + 6

    @cached_property
    def height(self) -> int:
        """Height of the picture, which is even because video encoders require even sizes."""
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
        """Position of each intersection."""
        return self._pixels(self.map.intersection_xy)

    @cached_property
    def paths(self) -> list[tuple[float, float]]:
        """Midpoint of each path."""
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
        """Position, off the shore, of the harbor at each coast path."""
        return self._off_shore(0.8)

    @cached_property
    def shore(self) -> list[tuple[float, float]]:
        """Position for a sign between each coast path and its harbor, leaving room for neighboring signs."""
        return self._off_shore(0.25)

    def _off_shore(self, distance: float) -> list[tuple[float, float]]:
        topology = self.map
        inland = topology.hex_xy[topology.coast_hexes]
        middle = topology.path_xy[topology.coast_paths]
        return self._pixels(middle + (middle - inland) * distance)

    def kind(self, axis: str | None) -> str:
        """Return the kind of place on an axis: one of `PLACES`, or "" if the axis does not index places."""
        return kind_of(self.topology, axis)

    def place(self, axis: str | None, number: int) -> tuple[str, int] | None:
        """Convert a place to its kind, one of `PLACES`, and its index within that kind.

        Return None if the axis does not index places on the map.
        """
        kind = self.kind(axis)
        if axis is None or not kind:
            return None
        return (axis, number) if axis in PLACES else (kind, int(self.map.marks[axis].places[number]))

    def places(self, axis: str, ashore: bool = False) -> list[tuple[float, float]]:
        """Return the position of each place on an axis; if `ashore` is set, coastal places are on the `shore`."""
        kind = self.kind(axis)
        positions = self.shore if ashore and kind == "coast" else getattr(self, kind)
        return positions if axis in PLACES else [positions[place] for place in self.map.marks[axis].places.tolist()]

    @cached_property
    def outlines(self) -> list[list[tuple[float, float]]]:
        """Corners of each hex."""
        return [self._pixels(np.array(outline)) for outline in self.map.hex_outlines]

    @cached_property
    def corners(self) -> list[str]:
        """Corners of each hex relative to its center, in hundredths of a hex size, as points of an SVG polygon."""
        scale = self.unit / 100
        return [
            markup.points(
                (round((corner_x - x) / scale, 1), round((corner_y - y) / scale, 1)) for corner_x, corner_y in outline
            )
            for (x, y), outline in zip(self.hexes, self.outlines, strict=True)
        ]


def kind_of(topology: Topology | None, axis: str | None) -> str:
    """Return the kind of place on an axis: one of `PLACES`, or "" if the axis does not index places on the map."""
    if topology is None or axis is None:
        return ""
    if axis in PLACES:
        return axis
    return topology.marks[axis].kind if axis in topology.marks else ""
