"""Faults that checks find in the current states of an engine's games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from catan_env.engine.batch import BatchEngine


@dataclass(frozen=True)
class Fault:
    """A property that does not hold in a state.

    Attributes:
        subject: the defect in short, such as "bounds of fish". Faults with one subject have one cause.
        message: the defect in a sentence, with the values of this state.
        game: index of the game in its engine.
    """

    subject: str
    message: str
    game: int = 0


StateCheck = Callable[[BatchEngine, np.random.Generator], Iterable[Fault]]
"""A check of the current states of all games of an engine. It leaves the engine unchanged."""
