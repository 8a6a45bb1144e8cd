"""Checks that rules work with all rule numbers that they accept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.declare import Number
from catan_env.errors import BoardError, RuleValueError
from catan_env.testing.faults import Fault
from catan_env.testing.playing import play_on
from catan_env.testing.soundness import unsound

MOST = 4
"""Maximum number of rule numbers that may differ from the scenario's at the same time."""


def unsound_numbers(engine: BatchEngine, seed: int, tries: int, steps: int) -> Iterator[Fault]:
    """Yield rule numbers, within bounds, for which random games violate a bound or an invariant.

    Args:
        engine: any engine of the scenario; its games are left unchanged.
        seed: seed for numbers, games and moves.
        tries: number of random sets of rule numbers to try.
        steps: number of moves to play with each set.
    """
    rng = np.random.default_rng(seed)
    declared = [number for name, number in sorted(engine.program.composition.numbers.items()) if name != "num_players"]
    for _ in range(tries):
        chosen = rng.choice(len(declared), min(MOST, len(declared)), replace=False)
        rules = {declared[k].name: other_value(declared[k], rng) for k in chosen}
        try:
            other = BatchEngine(**(engine.settings | {"rules": engine.overrides | rules, "num_games": 2}), seed=seed)
        except (BoardError, RuleValueError):
            continue  # these numbers need a different board, or are mutually exclusive
        try:
            play_on(other, steps, seed)
            faults = list(unsound(other))
        except Exception as error:  # an author's rules may raise anything
            faults = [Fault(type(error).__name__, f"{type(error).__name__}: {error}")]
        for fault in faults:
            yield Fault(f"rules with numbers: {fault.subject}", f"with the rules {rules}, {fault.message}")


def other_value(number: Number, rng: np.random.Generator) -> Any:
    """Return a random valid value for a number: one of its named choices, a bound, or a value near the default."""
    if number.choices:
        return str(rng.choice(number.choices))
    most = min(number.high, 2 * int(np.max(number.default)) + 3)
    near = rng.integers(number.low, max(number.low, most) + 1, np.shape(number.default))
    ends = rng.choice([number.low, number.high], np.shape(number.default))
    return np.where(rng.random(np.shape(number.default)) < 0.5, near, ends).tolist()
