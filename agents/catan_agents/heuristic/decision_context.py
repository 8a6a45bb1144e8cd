"""The decision context that the heuristic agent's array scores read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from catan_agents.player_view import PlayerView

T = TypeVar("T")


class DecisionContext(PlayerView):
    """What the seat to act sees in each game, plus derived values that are computed once per decision.

    Attributes:
        rows: (n,) int64, 0 .. n - 1, used to index the arrays of the view.
    """

    def __init__(self, engine, games: np.ndarray):
        super().__init__(engine, games)
        self._known: dict[Callable, Any] = {}
        self.rows = np.arange(len(games))

    def of(self, compute: Callable[[DecisionContext], T]) -> T:
        """Return the result of a function for this context, computing it only once."""
        if compute not in self._known:
            self._known[compute] = compute(self)
        return self._known[compute]
