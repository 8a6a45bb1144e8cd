"""Draws whose weights are the same in every position, such as the sum of two dice.

Their outcomes stand in a table, each as often as its weight says, so that a draw takes one look instead of a search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_env.engine.bytecode import uses

if TYPE_CHECKING:
    from catan_env.engine.compose import Composition

LARGEST = 1024
"""Largest sum of weights for which there is a table."""


def fixed_outcomes(functions: list[Callable], length: int) -> list[int]:
    """Return the outcomes of a draw, each repeated according to its weight; [] if its weights are not known in advance.

    Args:
        functions: the draw's `@weights` functions.
        length: number of outcomes.
    """
    if not functions or not all(map(is_constant, functions)):
        return []
    weights = np.zeros(length, np.int64)
    for function in functions:
        function(None, None, weights)
    if (weights < 0).any() or weights.sum() > LARGEST:
        return []
    return np.repeat(np.arange(length), weights).tolist()


def is_constant(function: Callable) -> bool:
    """Return whether a `@weights` function sets the same weights whenever it is called."""
    parameters = function.__code__.co_varnames
    own_names = [function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__]
    return not uses(function, parameters[:2]) and all(isinstance(value, int | tuple) for value in own_names)


def tables_of(composition: Composition) -> dict[str, Any]:
    """Return arrays for `params`: where each draw's outcomes start in the table, how many there are, and the table."""
    tables = [
        fixed_outcomes(list(composition.roles("weights", name)), composition.extent(draw.over))
        for name, draw in composition.draws.items()
    ]
    sizes = np.array([len(table) for table in tables] or [0], np.int16)
    return {
        "fixed_first": (np.cumsum(sizes) - sizes).astype(np.int16),
        "fixed_size": sizes,
        "fixed_outcomes": np.array([outcome for table in tables for outcome in table] or [0], np.int16),
    }
