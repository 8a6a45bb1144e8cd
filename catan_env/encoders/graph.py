"""The `graph` observation: features of intersections, paths and hexes, and of the game as a whole."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict

from catan_env.encoders.flat import Encoder, encode
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError

PARTS = ("intersections", "paths", "hexes", "globals")


def write_parts(states, tables, seats, games, scale, columns, outs, start, stop):
    """Kernel: gathers each part of the observation from the row by column number."""
    rows = np.empty((1, scale.shape[0]), np.uint8)
    row = rows[0]
    for i in range(start, stop):
        if seats[i] >= 0:
            encode(states[games[i]], tables[0], seats[i], rows, 0)
            for part in range(len(outs)):
                column, out = columns[part], outs[part][i]
                for k in range(column.shape[0]):
                    out[k] = row[column[k]] * scale[column[k]]
        else:
            for part in range(len(outs)):
                outs[part][i, :] = 0


class GraphEncoder(Encoder):
    """The features of the flat row, grouped by what they describe.

    An observation is a dict of `intersections` (rows, I, Fi), `paths` (rows, P, Fp), `hexes` (rows, H, Fh) and
    `globals` (rows, G); `feature_names` has the same keys. Who touches whom never changes, so the encoder says
    it once, int16 with -1 for none: `intersection_neighbors` and `intersection_paths` (I, 3; entry k is the path
    to neighbor k), `path_intersections` (P, 2) and `hex_intersections` (H, 6).

    Raises:
        OptionError: the scenario has no map.
    """

    name = "graph"

    def __init__(self, engine: BatchEngine, dtype: str = "float32"):
        super().__init__(engine, dtype)
        topology = engine.topology
        if topology is None:
            raise OptionError(f"Scenario {engine.scenario.name!r} has no map; use the encoder 'flat'.")
        self.intersection_neighbors = topology.intersection_neighbors
        self.intersection_paths = topology.intersection_paths
        self.path_intersections = topology.path_intersections
        self.hex_intersections = topology.hex_intersections
        layout = self.layout
        self.feature_names = {kind: layout.channels(kind) for kind in PARTS[:-1]}
        self.feature_names["globals"] = tuple(layout.names[k] for k in layout.global_columns)
        columns = {kind: layout.table(kind).T for kind in PARTS[:-1]} | {"globals": layout.global_columns}
        places = {"intersections": topology.num_intersections, "paths": topology.num_paths, "hexes": topology.num_hexes}
        for kind, number in places.items():
            columns[kind] = columns[kind].reshape(number, -1)  # also where there is no feature of the kind
        self._columns = tuple(np.ascontiguousarray(columns[part]).reshape(-1) for part in PARTS)
        self._shapes = {part: columns[part].shape for part in PARTS}
        high = layout.high if self.dtype == np.uint8 else np.ones(layout.size, np.float32)
        self.space = Dict({
            part: Box(np.zeros_like(high[columns[part]]), high[columns[part]], dtype=self.dtype.type) for part in PARTS
        })

    def encode(self, seat: Any = None, out: dict[str, np.ndarray] | None = None, games: Any = None) -> dict[str, Any]:
        """The dict of observations, fresh unless `out` is given; arguments and errors as in `FlatEncoder.encode`."""
        seats, where = self._whose(seat, games)
        if out is not None and (not isinstance(out, dict) or set(out) != set(PARTS)):
            raise OptionError(f"out must be a dict of {', '.join(PARTS)}.")
        parts = {
            part: self._target(out and out[part], (len(where), *shape), f"out[{part!r}]")
            for part, shape in self._shapes.items()
        }
        flat = tuple(array.reshape(len(where), -1) if array.size else np.empty((len(where), 0), self.dtype)
                     for array in parts.values())
        self._run(write_parts, seats, where, self._scale, self._columns, flat)
        return parts
