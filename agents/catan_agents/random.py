"""The uniformly random agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from catan_agents.streams import GameStreams
from catan_env.engine.arrays import Batch  # annotations of kernels are evaluated
from catan_env.engine.bitset import count_with_bit, nth_with_bit

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


def choose_legal(_: Batch, masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray) -> None:
    """Kernel: choose the legal action at a given fraction of each mask's legal actions; -1 if there is none."""
    for k in range(masks.shape[0]):
        legal_count = count_with_bit(masks[k], 0)
        actions[k] = nth_with_bit(masks[k], 0, int(fractions[k] * legal_count)) if legal_count > 0 else -1


class RandomAgent:
    """An agent that chooses uniformly among the legal actions."""

    name = "random"

    def __init__(self, seed: int = 0):
        self._streams = GameStreams(seed)

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        actions = np.empty(len(games), np.int64)
        engine.run_kernel(choose_legal, engine.batch.masks[games], self._streams.uniform(games), actions)
        return actions

    def probabilities(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the probability of each action in the given games, shape (n, actions)."""
        legal = engine.action_mask[games]
        return legal / legal.sum(axis=1, keepdims=True)
