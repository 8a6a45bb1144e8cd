"""Checks for a single state: bounds, invariants, and a legal action for the seat to act."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import CHANCE
from catan_env.testing.faults import Fault

BOUNDS = "bounds of "
"""Prefix of those names in `BatchEngine.broken_invariants` that refer to field bounds."""


def unsound(engine: BatchEngine, rng: np.random.Generator | None = None) -> Iterator[Fault]:
    """Yield out-of-bounds fields, broken invariants, and seats to act without a legal action."""
    composition = engine.program.composition
    for game, name in engine.broken_invariants():
        if name.startswith(BOUNDS):
            field = composition.fields[name.removeprefix(BOUNDS)]
            values, (low, high) = engine.state[field.name][game], composition.bounds(field)
            found = f"{np.min(values)} .. {np.max(values)}"
            yield Fault(name, f"field {field.name!r} holds {found}; its bounds are {low} .. {high}", game)
        else:
            meaning = composition.invariants[name].meaning
            yield Fault(f"invariant {name}", f"invariant {name!r} does not hold: {meaning}", game)
    yield from stuck(engine)


def stuck(engine: BatchEngine) -> Iterator[Fault]:
    """Yield games in which a seat must act but has no legal action, or chance must act but has no possible outcome."""
    without_action = (engine.seat_to_act >= 0) & ~engine.action_mask.any(axis=1)
    without_outcome = engine.seat_to_act == CHANCE
    if without_outcome.any():
        without_outcome &= ~engine.chance_mask.any(axis=1)
    for game in np.flatnonzero(without_action | without_outcome).tolist():
        what = "outcome is possible" if without_outcome[game] else "action is legal"
        name = engine.decision(game)
        yield Fault(f"stuck at {name}", f"no {what} at {name!r}", game)
