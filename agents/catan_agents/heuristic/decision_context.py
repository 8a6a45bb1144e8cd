"""The decision context that the heuristic agent's scores read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from catan_agents.player_view import PlayerView
from catan_env.errors import OptionError

T = TypeVar("T")


class DecisionContext(PlayerView):
    """What the seat to act sees in each game, plus derived values that are computed once per decision.

    Attributes:
        topology: geometry of the board.
        rows: (n,) int64, 0 .. n - 1, used to index the arrays of the view.
    """

    def __init__(self, engine, games: np.ndarray):
        super().__init__(engine, games)
        self._known: dict[Callable, Any] = {}
        self.topology = engine.topology
        self.rows = np.arange(len(games))

    def of(self, compute: Callable[[DecisionContext], T]) -> T:
        """Return the result of a function for this context, computing it only once."""
        if compute not in self._known:
            self._known[compute] = compute(self)
        return self._known[compute]

    def cost(self, what: str) -> np.ndarray:
        """Return the price of a purchase, shape (kinds,).

        Raises:
            OptionError: the scenario has no such price.
        """
        if f"{what}_cost" not in self.engine.rules:
            prices = ", ".join(name.removesuffix("_cost") for name in self.engine.rules if name.endswith("_cost"))
            raise OptionError(f"This scenario has no price for {what!r}; it has prices for: {prices}.")
        return np.array(self.engine.rules[f"{what}_cost"])

    def affords(self, what: str) -> np.ndarray:
        """Return whether the seat to act can afford a purchase, as an (n,) bool array."""
        return np.all(self.own("hands") >= self.cost(what), axis=1)

    def left(self, pieces: str) -> np.ndarray:
        """Return whether the seat to act has any pieces of this kind left, as an (n,) bool array."""
        pieces_left = self.public(f"{pieces}_left")[self.rows, self.seats]
        return pieces_left.reshape(len(pieces_left), -1)[:, 0] > 0


HORIZON = 6
"""How many edge pieces ahead `within_reach` looks."""


def within_reach(
    t: DecisionContext, values: np.ndarray, free: np.ndarray, away: float, closed: np.ndarray | None = None
) -> np.ndarray:
    """Return the best discounted value reachable from each intersection, shape (n, intersections).

    Args:
        values: (n, intersections) value of each intersection itself.
        free: (n, paths) bool, paths on which further edge pieces can be placed.
        away: discount per edge piece.
        closed: (n, intersections) bool, intersections that routes cannot pass through.
    """
    onward_shares = away * at(free, t.topology.intersection_paths)
    for _ in range(HORIZON):
        passing_values = values if closed is None else np.where(closed, 0.0, values)
        values = np.maximum(values, (onward_shares * at(passing_values, t.topology.intersection_neighbors)).max(axis=2))
    return values


def at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the entries of `values`, shape (n, places, ...), at the given places; 0 where a place is -1.

    The result has shape (n, *places.shape, ...).
    """
    zeros = np.zeros((values.shape[0], 1, *values.shape[2:]), values.dtype)
    return np.concatenate([values, zeros], axis=1)[:, places]
