"""The observation row as data: names, bounds, scales and places of its columns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from catan_env.encoders.row import PLACES, Column, blocks, columns
from catan_env.engine.compose import digest
from catan_env.engine.program import Program

__all__ = ["Column", "Layout", "layout_of"]


@dataclass(frozen=True)
class Layout:
    """The columns of the observation row of a scenario for a number of players. The same at any seed."""

    scenario: str
    columns: tuple[Column, ...]

    @property
    def size(self) -> int:
        """Number of columns."""
        return len(self.columns)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of each column."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def high(self) -> np.ndarray:
        """(size,) uint8 upper bounds; all lower bounds are 0."""
        return _frozen(np.array([column.high for column in self.columns], np.uint8))

    @cached_property
    def scale(self) -> np.ndarray:
        """(size,) float32: what an integer is multiplied by in float observations."""
        return _frozen((1.0 / self.high).astype(np.float32))

    @cached_property
    def hash(self) -> str:
        """Fingerprint of all that gives the columns their meaning; kept in checkpoints."""
        return digest([self.scenario, json.dumps(self.columns)])

    def index(self, name: str) -> int:
        """Number of the column of this name. `KeyError` if there is none."""
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}

    def channels(self, place_kind: str) -> tuple[str, ...]:
        """Channels of the columns at this kind of place, in order."""
        return tuple(dict.fromkeys(c.channel for c in self.columns if c.place_kind == place_kind))

    def table(self, place_kind: str) -> np.ndarray:
        """(channels, places) int64: the column of each channel at each place of a kind."""
        rows: dict[str, list[int]] = {}
        for number, column in enumerate(self.columns):
            if column.place_kind == place_kind:
                rows.setdefault(column.channel, []).append(number)
        return np.array(list(rows.values()), np.int64).reshape(len(rows), -1)

    @cached_property
    def global_columns(self) -> np.ndarray:
        """(G,) int64: the columns that belong to no place of the map."""
        return np.array([k for k, column in enumerate(self.columns) if column.place_kind not in PLACES], np.int64)


@cache
def layout_of(program: Program, num_players: int) -> Layout:
    """The layout of a scenario's observation row for a number of players.

    Raises:
        CompositionError: a declaration does not fit into bytes.
    """
    found = [column for block in blocks(program.composition) for column in columns(block, num_players)]
    return Layout(program.composition.name, tuple(found))


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
