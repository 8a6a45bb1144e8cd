"""The weighted random agent, the usual first benchmark of Catan agents."""

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
"""Weight of one action by its kind; all others weigh 1. The values of Catanatron's WeightedRandomPlayer."""


class WeightedRandomAgent:
    """Random, but builds cities, then settlements, then buys development cards nearly whenever it can.

    Kinds of actions that the table does not name weigh 1, so that it plays every scenario.
    """

    name = "weighted"

    def __init__(self, seed: int = 0):
        self._streams = GameStreams(seed)

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        legal = engine.action_mask[games]
        entries = np.flatnonzero(legal)
        actions = entries % legal.shape[1]
        counts = np.count_nonzero(legal, axis=1)
        ends = np.cumsum(action_weights(engine.actions)[actions])  # exact: integers
        last = ends[np.cumsum(counts) - 1]
        first = np.concatenate([[0], last[:-1]])
        target = first + (self._streams.uniform(games) * (last - first)).astype(np.int64)
        return actions[np.searchsorted(ends, target, side="right")]

    def probabilities(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """(n, actions) probability of each action in the given games."""
        weights = engine.action_mask[games] * action_weights(engine.actions)
        return weights / weights.sum(axis=1, keepdims=True)


_tables: dict[str, np.ndarray] = {}


def action_weights(actions: ActionTable) -> np.ndarray:
    """Weight of every action of a scenario's action table: (actions.n,) int64."""
    if actions.hash not in _tables:
        _tables[actions.hash] = np.array([WEIGHTS.get(kind, 1) for kind in actions.kind_of], np.int64)
    return _tables[actions.hash]
