"""Comparison of games: copies of everything that makes up a game, and the names of the parts that differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.field_names import field_names

Look = dict[str, np.ndarray]


def fields_of(engine: BatchEngine, rng: bool = True) -> list[str]:
    """Return the names of all fields not derived from others, with or without the random stream."""
    _, *names = field_names(engine.state)  # the first is an empty marker for the rules
    fields = engine.program.composition.fields
    derived = {name for name, field in fields.items() if field.derived}
    return [name for name in names if name not in derived and (rng or name != "rng")]


def look(engine: BatchEngine, games: Any = slice(None), rng: bool = True) -> Look:
    """Return copies of the records, masks, seats, probabilities, rewards, end flags and points of some games."""
    arrays = {
        "state": engine.state,
        "action_mask": engine.action_mask,
        "seat_to_act": engine.seat_to_act,
        "chance_probabilities": engine.chance_probabilities,
        "rewards": engine.rewards,
        "terminated": engine.terminated,
        "truncated": engine.truncated,
        "victory_points": engine.victory_points,
        "visible_points": engine.visible_points,
    }
    seen = {name: array[games].copy() for name, array in arrays.items()}
    if not rng:
        seen["state"]["rng"] = 0
    return seen


def differences(one: Look, other: Look, except_for: Sequence[str] = ()) -> list[str]:
    """Return the names of the arrays and fields that differ between two looks."""
    arrays = [name for name in one if name != "state" and name not in except_for]
    names = [name for name in arrays if not np.array_equal(one[name], other[name])]
    states = one["state"], other["state"]
    if states[0].tobytes() != states[1].tobytes():
        names += [
            name
            for name in field_names(states[0])
            if name not in except_for and not np.array_equal(states[0][name], states[1][name])
        ]
    return names
