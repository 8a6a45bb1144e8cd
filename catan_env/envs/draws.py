"""Random choices made by environments, as pure functions of the seed or random stream of a game.

The choices in a batch are therefore the same as in single games, and there is no state to store or copy.
"""

from __future__ import annotations

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import streams


def fresh_seed() -> int:
    """Return a seed from the operating system, for environments created without one."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


def choose(keys: np.ndarray, counts: np.ndarray | int) -> np.ndarray:
    """Map (n,) uint64 keys to (n,) int64 integers in 0 .. counts-1; equal keys give equal integers."""
    return (streams(keys)[:, 0].astype(np.int64) * counts) >> 32


def seat_of_episode(seeds: np.ndarray, episodes: np.ndarray, num_players: int) -> np.ndarray:
    """Return the learner's seat, (n,) int64, given the seed and episode number of each game."""
    return choose(~seeds + episodes.astype(np.uint64), num_players)


def substitutes(engine: BatchEngine, games: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Return replacements for illegal actions, (n,) int64 ids, given n game indices and the attempted actions.

    Each replacement is chosen uniformly from the legal actions. The choice depends on the attempted action and on the
    state of the game's random stream, which is not advanced.
    """
    legal = engine.action_mask[games]
    legal_counts = np.count_nonzero(legal, axis=1)
    rng_words = np.ascontiguousarray(engine.state["rng"][games]).view(np.uint64)
    chosen_positions = (
        np.cumsum(legal_counts)
        - legal_counts
        + choose(rng_words[:, 0] ^ rng_words[:, 1] ^ actions.astype(np.uint64), legal_counts)
    )
    return np.flatnonzero(legal)[chosen_positions] % engine.actions.n
