"""The `graph` observation, with features of intersections, paths and hexes, and global features."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Dict

from catan_env.encoders.flat import Encoder, encode
from catan_env.encoders.places import places_of
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError

PARTS = ("intersections", "paths", "hexes", "globals")


def gather(row, columns, weights, out):
    """Fill each cell with its column's value times the weight."""
    for k in range(columns.shape[0]):
        out[k] = row[columns[k]] * weights[k]


def write_parts(states, all_params, seats, games, columns, weights, outs, row, start, stop):  # noqa: PLR0913 (kernel)
    """Kernel: gather each part of the observation from the row. Column `size` of the row is zero."""
    row[row.shape[0] - 1] = 0
    for i in range(start, stop):
        if seats[i] >= 0:
            encode(states[games[i]], all_params[0], seats[i], row)
            for part in range(len(outs)):
                gather(row, columns[part], weights[part], outs[part][i])
        else:
            for part in range(len(outs)):
                outs[part][i, :] = 0


class GraphEncoder(Encoder):
    """The features of the flat row, grouped by place.

    An observation is a dict of `intersections` (rows, I, Fi), `paths` (rows, P, Fp), `hexes` (rows, H, Fh) and
    `globals` (rows, G). Because the map is fixed, the encoder itself holds the adjacency arrays, int16 with -1 for
    none.

    Attributes:
        feature_names: names of the features, keyed by part.
        space: observation space of one game, a `Dict`.
        intersection_neighbors, intersection_paths: (I, 3) neighbors and paths of each intersection; path k leads to
            neighbor k.
        path_intersections: (P, 2) ends of each path.
        hex_intersections: (H, 6) corners of each hex.

    Raises:
        OptionError: the dtype is not supported, or the scenario has no map.
    """

    name = "graph"
    kernel = staticmethod(write_parts)

    def __init__(self, engine: BatchEngine, dtype: str = "float32"):
        super().__init__(engine, dtype)
        places = places_of(self.layout, engine.topology)
        self.intersection_neighbors = engine.topology.intersection_neighbors
        self.intersection_paths = engine.topology.intersection_paths
        self.path_intersections = engine.topology.path_intersections
        self.hex_intersections = engine.topology.hex_intersections
        self.feature_names = {kind: places.kinds[kind].names for kind in PARTS[:-1]}
        self.feature_names["globals"] = tuple(self.layout.names[k] for k in places.global_columns)
        columns = {kind: places.kinds[kind].columns.T for kind in PARTS[:-1]} | {"globals": places.global_columns}
        self._columns = tuple(columns[part].reshape(-1).astype(np.uint32) for part in PARTS)
        self._arguments = (
            self._columns,
            tuple(np.append(self._scale, self.dtype.type(0))[cells] for cells in self._columns),
        )
        self._shapes = {part: columns[part].shape for part in PARTS}
        high = np.append(self.high, self.dtype.type(0))
        self.space = Dict({part: self.box(high[columns[part]]) for part in PARTS})

    def show(
        self, seats: np.ndarray, games: np.ndarray, out: dict[str, np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Return a dict of observations; see `Encoder.show`."""
        if out is not None and (not isinstance(out, dict) or set(out) != set(PARTS)):
            raise OptionError(f"out is a {type(out).__name__}; it must be a dict with the keys {', '.join(PARTS)}.")
        parts = {
            part: self._target(out and out[part], (len(games), *shape), f"out[{part!r}]")
            for part, shape in self._shapes.items()
        }
        flat_parts = tuple(parts[part].reshape(len(games), len(self._columns[k])) for k, part in enumerate(PARTS))
        self._run(seats, games, flat_parts)
        return parts
