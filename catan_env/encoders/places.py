"""The map places to which columns of the flat row belong."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from catan_env.board.topology import KINDS as PLACES
from catan_env.encoders.layout import Layout, read_only
from catan_env.errors import OptionError


@dataclass(frozen=True)
class Channels:
    """The channels of one kind of place."""

    names: tuple[str, ...]
    columns: np.ndarray
    """(channels, places) int64, read-only: index of the column in the flat row, or one past its end if there is
    none."""


@dataclass(frozen=True)
class Places:
    """The columns of a row, grouped by place.

    An axis over marked places is treated as the kind of place that is marked; for example, harbors, which use the
    `coast` axis, belong to paths. All other columns are global.
    """

    kinds: dict[str, Channels]
    global_columns: np.ndarray
    """(G,) int64, read-only."""


@lru_cache(maxsize=256)
def places_of(layout: Layout, topology: Any) -> Places:
    """Return the columns of a layout, grouped by place.

    Raises:
        OptionError: the scenario has no map.
    """
    if topology is None:
        raise OptionError(f"Scenario {layout.scenario!r} has no map; use the encoder 'flat'.")
    columns_by_channel: dict[str, dict[str, np.ndarray]] = {kind: {} for kind in PLACES}
    global_columns: list[int] = []
    for column_index, column in enumerate(layout.columns):
        kind, place_numbers = _places_along(column.place_kind, topology)
        if kind is None:
            global_columns.append(column_index)
            continue
        no_columns = np.full(len(getattr(topology, f"{PLACES[kind]}_xy")), layout.size, np.int64)
        place_columns = columns_by_channel[kind].setdefault(column.channel, no_columns)
        place_columns[place_numbers[column.place_index]] = column_index
    kinds = {
        kind: _channels(channels_of_kind, len(getattr(topology, f"{PLACES[kind]}_xy")))
        for kind, channels_of_kind in columns_by_channel.items()
    }
    return Places(kinds, read_only(np.array(global_columns, np.int64)))


def _channels(lines: dict[str, np.ndarray], places: int) -> Channels:
    columns = np.array(list(lines.values()), np.int64).reshape(len(lines), places)
    return Channels(tuple(lines), read_only(columns))


def _places_along(axis: str | None, topology: Any) -> tuple[str | None, Any]:
    """Return the kind of place that an axis covers and the indices of those places, or (None, ())."""
    if axis is not None and axis in PLACES:
        return axis, range(len(getattr(topology, f"{PLACES[axis]}_xy")))
    if axis in topology.marks:
        mark = topology.marks[axis]
        return mark.kind, mark.places
    return None, ()
