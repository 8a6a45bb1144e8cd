"""Where the columns of the flat row belong on the map."""

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
    """(channels, places) int64, read-only: column of the flat row; its size, one past the end, for none."""


@dataclass(frozen=True)
class Places:
    """The columns of a row, grouped by what they describe.

    An axis of marked places counts as the kind of place that is marked: the harbors of axis `coast` belong to paths.
    What is left over describes the game as a whole.
    """

    kinds: dict[str, Channels]
    global_columns: np.ndarray
    """(G,) int64, read-only."""


@lru_cache(maxsize=256)
def places_of(layout: Layout, topology: Any) -> Places:
    """The columns by place.

    Raises:
        OptionError: the scenario has no map.
    """
    if topology is None:
        raise OptionError(f"Scenario {layout.scenario!r} has no map; use the encoder 'flat'.")
    lines: dict[str, dict[str, np.ndarray]] = {kind: {} for kind in PLACES}
    left: list[int] = []
    for number, column in enumerate(layout.columns):
        kind, numbers = _places_along(column.place_kind, topology)
        if kind is None:
            left.append(number)
            continue
        nowhere = np.full(len(getattr(topology, f"{PLACES[kind]}_xy")), layout.size, np.int64)
        line = lines[kind].setdefault(column.channel, nowhere)
        line[numbers[column.place_index]] = number
    kinds = {kind: _channels(of_kind, len(getattr(topology, f"{PLACES[kind]}_xy"))) for kind, of_kind in lines.items()}
    return Places(kinds, read_only(np.array(left, np.int64)))


def _channels(lines: dict[str, np.ndarray], places: int) -> Channels:
    columns = np.array(list(lines.values()), np.int64).reshape(len(lines), places)
    return Channels(tuple(lines), read_only(columns))


def _places_along(axis: str | None, topology: Any) -> tuple[str | None, Any]:
    """The kind of place that an axis runs over and the numbers of its places; (None, ()) if it is no place."""
    if axis is not None and axis in PLACES:
        return axis, range(len(getattr(topology, f"{PLACES[axis]}_xy")))
    if axis in topology.marks:
        mark = topology.marks[axis]
        return mark.kind, mark.places
    return None, ()
