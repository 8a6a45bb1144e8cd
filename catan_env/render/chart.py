"""Time series for the charts on replay pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.field_names import field_names

ROLLS = 36
NEEDED = ("number", "building", "building_owner")


def changes(values: Sequence[float]) -> list[float]:
    """Compress a series to a flat list of (position, value) pairs, one for each change."""
    pairs: list[float] = []
    for place, value in enumerate(values):
        if not pairs or value != pairs[-1]:
            pairs += [place, value]
    return pairs


def production_of(engine: BatchEngine) -> list[list[float]]:
    """Return the expected cards per roll for each seat, as `num_players` lists of N values for N games.

    A settlement next to a number gets one card and a city two. The robber's hex produces nothing. The list is empty for
    scenarios without numbers or buildings.
    """
    state = engine.state
    if not set(NEEDED) <= set(field_names(state)):
        return []
    numbers = state["number"].astype(np.int64)
    chances = np.where(numbers > 0, 6 - np.abs(7 - numbers), 0)
    if "robber" in field_names(state):
        chances[np.arange(len(state)), state["robber"]] *= state["robber"] < 0
    hex_corners = engine.topology.hex_intersections
    levels, owners = state["building"][:, hex_corners], state["building_owner"][:, hex_corners]  # (N, hexes, 6)
    return [
        np.round((chances * (levels * (owners == seat)).sum(axis=2)).sum(axis=1) / ROLLS, 2).tolist()
        for seat in range(engine.num_players)
    ]
