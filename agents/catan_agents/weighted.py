"""The weighted random agent, a common Catan baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from catan_agents.streams import GameStreams

if TYPE_CHECKING:
    from catan_env.engine.actions import ActionTable
    from catan_env.engine.batch import BatchEngine

WEIGHTS = {
    "build_city": 10_000,
    "build_settlement": 1_000,
    "buy_development_card": 100,
}
"""Action weights keyed by kind, as in Catanatron's WeightedRandomPlayer; other kinds have weight 1."""


class WeightedRandomAgent:
    """A random agent that nearly always builds or buys when it can.

    It prefers cities to settlements, and settlements to development cards. Action kinds without an entry in `WEIGHTS`
    have weight 1, so the agent can play every scenario.
    """

    name = "weighted"

    def __init__(self, seed: int = 0):
        self._streams = GameStreams(seed)

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        return self._drawn(engine, games)[0]

    def sample(self, engine: BatchEngine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the actions that `act` would choose, with their log-probabilities as an (n,) float64 array."""
        actions, totals = self._drawn(engine, games)
        return actions, np.log(action_weights(engine.actions)[actions] / totals)

    def _drawn(self, engine: BatchEngine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return an action for each game, and the total weight of its legal actions."""
        legal = engine.action_mask[games]
        entries = np.flatnonzero(legal)
        actions = entries % legal.shape[1]
        legal_counts = np.count_nonzero(legal, axis=1)
        weight_ends = np.cumsum(action_weights(engine.actions)[actions])  # exact, since the weights are integers
        last_ends = weight_ends[np.cumsum(legal_counts) - 1]
        first_weights = np.concatenate([[0], last_ends[:-1]])
        targets = first_weights + (self._streams.uniform(games) * (last_ends - first_weights)).astype(np.int64)
        return actions[np.searchsorted(weight_ends, targets, side="right")], last_ends - first_weights

    def probabilities(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the probability of each action in the given games, shape (n, actions)."""
        weights = engine.action_mask[games] * action_weights(engine.actions)
        return weights / weights.sum(axis=1, keepdims=True)


_tables: dict[str, np.ndarray] = {}


def action_weights(actions: ActionTable) -> np.ndarray:
    """Return the weight of each action in an action table, as an (actions.n,) int64 array."""
    if actions.hash not in _tables:
        _tables[actions.hash] = np.array([WEIGHTS.get(kind, 1) for kind in actions.kind_of], np.int64)
    return _tables[actions.hash]
