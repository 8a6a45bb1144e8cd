"""What the heuristic agent knows of the games it is asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from catan_agents.player_view import PlayerView
from catan_env.errors import OptionError

T = TypeVar("T")


class DecisionContext(PlayerView):
    """What the seats to act make of what they see. Everything is computed at most once a decision."""

    def __init__(self, engine, games: np.ndarray):
        super().__init__(engine, games)
        self._known: dict[Callable, Any] = {}
        self.topology = engine.topology
        self.rows = np.arange(len(games))

    def of(self, compute: Callable[[DecisionContext], T]) -> T:
        """The value of a function of this context, computed once."""
        if compute not in self._known:
            self._known[compute] = compute(self)
        return self._known[compute]

    def cost(self, what: str) -> np.ndarray:
        """(kinds,) the price of something.

        Raises:
            OptionError: the scenario has no such price.
        """
        if f"{what}_cost" not in self.engine.rules:
            raise OptionError(f"Nothing has the price {what!r} here.")
        return np.array(self.engine.rules[f"{what}_cost"])

    def affords(self, what: str) -> np.ndarray:
        """(n,) bool: the seat to act holds the price of something."""
        return np.all(self.own("hands") >= self.cost(what), axis=1)

    def left(self, pieces: str) -> np.ndarray:
        """(n,) bool: the seat to act has such pieces left."""
        pieces_left = self.public(f"{pieces}_left")[self.rows, self.seats]
        return pieces_left.reshape(len(pieces_left), -1)[:, 0] > 0


HORIZON = 6
"""Ways ahead that are looked at."""


def within_reach(
    t: DecisionContext, values: np.ndarray, free: np.ndarray, away: float, closed: np.ndarray | None = None
) -> np.ndarray:
    """(n, intersections) the best of such values that free ways, (n, paths) bool, lead to, worth `away` of it for every
    way on; not going through closed intersections, (n, intersections) bool."""
    onward_shares = away * at(free, t.topology.intersection_paths)
    for _ in range(HORIZON):
        passing_values = values if closed is None else np.where(closed, 0.0, values)
        values = np.maximum(values, (onward_shares * at(passing_values, t.topology.intersection_neighbors)).max(axis=2))
    return values


def at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n, ..., places) values at places, 0 where a place is -1: `values` is (n, places, ...)."""
    zeros = np.zeros((values.shape[0], 1, *values.shape[2:]), values.dtype)
    return np.concatenate([values, zeros], axis=1)[:, places]
