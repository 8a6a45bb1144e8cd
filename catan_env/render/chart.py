"""Numbers over the course of a game: what the charts of a replay page show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.field_names import field_names

ROLLS = 36
NEEDED = ("number", "building", "building_owner")


def changes(values: Sequence[float]) -> list[float]:
    """A series as (place, value) pairs, one after the other, for every place where the value changes."""
    pairs: list[float] = []
    for place, value in enumerate(values):
        if not pairs or value != pairs[-1]:
            pairs += [place, value]
    return pairs


def production_of(engine: BatchEngine) -> list[list[float]]:
    """Cards that each seat may expect from a roll, in every game of an engine: (players, N).

    A settlement next to a number gets one card, a city two; nothing comes from the robber's hex. Empty for
    scenarios without these fields.
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
