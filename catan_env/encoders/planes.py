"""The `planes` observation, which puts the map on a grid of cells, with one plane per channel, for convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.board.topology import KINDS as PLACES
from catan_env.encoders.flat import Encoder, encode
from catan_env.encoders.places import places_of
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError

GLOBALS = "globals"


def write_planes(  # noqa: PLR0913 (kernel)
    states, all_params, seats, games, scale, columns, cells, global_columns, first_global, out, row, start, stop
):
    """Kernel: write the columns of each place to its cell, and fill one plane per global column."""
    area = (out.shape[1] - first_global) // max(global_columns.shape[0], 1)
    for i in range(start, stop):
        plane = out[i]
        if seats[i] >= 0:
            encode(states[games[i]], all_params[0], seats[i], row)
            plane[:first_global] = 0
            for k in range(columns.shape[0]):
                plane[cells[k]] = row[columns[k]] * scale[columns[k]]
            for k in range(global_columns.shape[0]):
                column = global_columns[k]
                first_cell = first_global + k * area
                plane[first_cell : first_cell + area] = row[column] * scale[column]
        else:
            plane[:] = 0


class PlanesEncoder(Encoder):
    """(rows, C, H, W) observations: channels of hexes, intersections and paths, then one plane per global feature.

    Hexes and vertical paths are in every other row of the grid; intersections and slanted paths are in the rows
    between. A grid column is a quarter of a hex wide, so the base board has 11 x 21 cells. No two places share a cell.

    Attributes:
        cells: (places, 2) row and column of each place, keyed by kind.
        channel_names: (kind, channel) of each plane.
        feature_names: "kind/channel" of each plane.
        shape: (C, H, W).
        space: observation space of one game.

    Raises:
        OptionError: the dtype is not supported, or the scenario has no hex map.
    """

    name = "planes"
    kernel = staticmethod(write_planes)

    def __init__(self, engine: BatchEngine, dtype: str = "float32"):
        super().__init__(engine, dtype)
        places = places_of(self.layout, engine.topology)
        self.cells, (height, width) = grid(engine.topology)
        columns: list[np.ndarray] = []
        cells: list[np.ndarray] = []
        names: list[tuple[str, str]] = []
        for kind, channels in places.kinds.items():
            cell_numbers = self.cells[kind] @ np.array([width, 1])
            for name, place_columns in zip(channels.names, channels.columns):
                exists = place_columns < self.layout.size
                columns.append(place_columns[exists])
                cells.append(len(names) * height * width + cell_numbers[exists])
                names.append((kind, name))
        first_global = len(names)
        names += [(GLOBALS, self.layout.names[k]) for k in places.global_columns]
        self.channel_names = tuple(names)
        self.feature_names = tuple("/".join(name) for name in names)
        self.shape = (len(names), height, width)
        cell_indices, column_indices = (np.concatenate([*parts, np.zeros(0, np.int64)]) for parts in (cells, columns))
        first_global_cell = first_global * height * width
        self._arguments = (self._scale, column_indices, cell_indices, places.global_columns, first_global_cell)
        high = np.zeros(self.shape, self.dtype)
        high.reshape(-1)[cell_indices] = self.high[column_indices]
        high[first_global:] = self.high[places.global_columns][:, None, None]
        self.space = self.box(high)

    def show(self, seats: np.ndarray, games: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return the planes; see `Encoder.show`."""
        out = self._target(out, (len(games), *self.shape))
        self._run(seats, games, out.reshape(len(games), -1))
        return out


def grid(topology: Any) -> tuple[dict[str, np.ndarray], tuple[int, int]]:
    """Return the row and column of every place, (places, 2) int64 per kind, and the (height, width) of the grid.

    Raises:
        OptionError: two places would share a cell, which happens on maps without hexes.
    """
    cells_by_kind, origin = {}, topology.hex_xy[0].astype(np.float64)
    for kind, singular in PLACES.items():
        xy = getattr(topology, f"{singular}_xy") - origin
        down, across = xy[:, 1] / 1.5, xy[:, 0] * 4 / np.sqrt(3)  # in units of hex rows and quarters of a hex width
        is_between_rows = np.abs(down - np.rint(down)) > 0.01
        grid_rows = 2 * np.floor(down + 0.01) + is_between_rows
        cells_by_kind[kind] = np.stack([grid_rows, np.rint(across)], axis=1).astype(np.int64)
    all_cells = np.concatenate(list(cells_by_kind.values()))
    if len(np.unique(all_cells, axis=0)) < len(all_cells):
        raise OptionError(
            "The encoder 'planes' needs a map of hexes; two places of this map share a cell. Use 'flat' or 'graph'."
        )
    lowest_cell = all_cells.min(axis=0)
    height, width = (all_cells.max(axis=0) - lowest_cell + 1).tolist()
    return {kind: cells - lowest_cell for kind, cells in cells_by_kind.items()}, (height, width)
