"""The uniformly random agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from catan_agents.streams import GameStreams

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


class RandomAgent:
    """An agent that chooses uniformly among the legal actions."""

    name = "random"

    def __init__(self, seed: int = 0):
        self._streams = GameStreams(seed)

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        legal = engine.action_mask[games]
        entries = np.flatnonzero(legal)
        counts = np.count_nonzero(legal, axis=1)
        chosen_entries = np.cumsum(counts) - counts + (self._streams.uniform(games) * counts).astype(np.int64)
        return entries[chosen_entries] % legal.shape[1]

    def probabilities(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the probability of each action in the given games, shape (n, actions)."""
        legal = engine.action_mask[games]
        return legal / legal.sum(axis=1, keepdims=True)
