"""Faults that checks find in the current states of an engine's games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from catan_env.engine.batch import BatchEngine


@dataclass(frozen=True)
class Fault:
    """A property that a state violates.

    Attributes:
        subject: a brief description of the defect, such as "bounds of fish". Faults with the same subject have the same
            cause.
        message: a sentence describing the defect, with values from this state.
        game: the game's index in its engine.
    """

    subject: str
    message: str
    game: int = 0


StateCheck = Callable[[BatchEngine, np.random.Generator], Iterable[Fault]]
"""A check of the current states of all games of an engine, which leaves the engine unchanged."""
