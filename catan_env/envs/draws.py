"""Small random choices of the environments themselves: pure functions of a game's seed or stream.

They depend on nothing but the game, so a batch of games makes the same choices as each game alone, and there is
no state to keep, copy or forget.
"""

from __future__ import annotations

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import streams


def fresh_seed() -> int:
    """A seed from the operating system, for environments that were not given one."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


def choose(keys: np.ndarray, counts: np.ndarray | int) -> np.ndarray:
    """A number in 0 .. counts-1 for each key: (n,) int64 of (n,) uint64 keys, always the same for a key."""
    return (streams(keys)[:, 0].astype(np.int64) * counts) >> 32


def seat_of_episode(seeds: np.ndarray, episodes: np.ndarray, num_players: int) -> np.ndarray:
    """A seat for the learner, drawn from a game's seed and the number of its episode: (n,) int64."""
    return choose(~seeds + episodes.astype(np.uint64), num_players)


def substitutes(engine: BatchEngine, games: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """A legal action in place of an illegal one: (n,) int64 ids for (n,) game indices and the actions attempted.

    Uniform over the legal actions, and fixed by the state of the game's random stream (which it leaves alone) and
    the attempted action.
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
