"""The layout of the observation row: the names, bounds, scales and places of its columns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from catan_env.encoders.row import Column, blocks, columns
from catan_env.engine.binding import digest
from catan_env.engine.program import Program
from catan_env.errors import CompositionError

__all__ = ["Column", "Layout", "layout_of"]


@dataclass(frozen=True, eq=False)
class Layout:
    """The columns of a scenario's observation row for a given number of players. They do not depend on the seed."""

    scenario: str
    columns: tuple[Column, ...]

    @property
    def size(self) -> int:
        """Number of columns."""
        return len(self.columns)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def high(self) -> np.ndarray:
        """(size,) uint8 upper bounds; lower bounds are 0."""
        return read_only(np.array([column.high for column in self.columns], np.uint8))

    @cached_property
    def scale(self) -> np.ndarray:
        """(size,) float32 factors that convert integers to float observations."""
        return read_only((1.0 / self.high).astype(np.float32))

    @cached_property
    def hash(self) -> str:
        """Fingerprint of everything that defines the columns; checkpoints store it."""
        return digest([self.scenario, json.dumps(self.columns)])

    def index(self, name: str) -> int:
        """Return the index of the column with this name; raise `KeyError` if there is none."""
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}


@cache
def layout_of(program: Program, num_players: int) -> Layout:
    """Return the layout of a scenario's observation row for a given number of players.

    Raises:
        CompositionError: a declared value does not fit in a byte, or two columns share a name.
    """
    all_columns = [column for block in blocks(program.composition) for column in columns(block, num_players)]
    layout = Layout(f"{program.scenario.name}_v{program.scenario.version}", tuple(all_columns))
    if len(set(layout.names)) < layout.size:
        repeated_name = next(name for name in layout.names if layout.names.count(name) > 1)
        raise CompositionError(
            f"Two columns of observations have the name {repeated_name!r}. Rename a field or feature."
        )
    return layout


def read_only(array: np.ndarray) -> np.ndarray:
    """Mark an array as read-only and return it."""
    array.flags.writeable = False
    return array
