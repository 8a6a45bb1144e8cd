"""The Forgotten Tribe: sailing for its gifts."""

from __future__ import annotations

import numpy as np

from agents.heuristic.sea import PRIZES
from agents.heuristic.thought import Thought

WORTH = np.array([9.0, 6.0, 4.0])
"""A point, a development card, a harbor, in pips."""


def gifts(t: Thought) -> np.ndarray:
    """(n, paths) the gifts that still lie there."""
    mark = t.topology.marks["gift"]
    worth = np.zeros(t.public("way").shape)
    worth[:, mark.places] = t.public("gift") * WORTH[np.asarray(mark.numbers["kind"])]
    return worth


PRIZES.append(("gift", gifts))
