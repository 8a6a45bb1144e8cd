"""Random numbers for agents: one stream per game, so that results do not depend on the batch."""

from __future__ import annotations

import numpy as np

from catan_env.engine.random import check_seed

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
SALT = 0x6167656E74  # prevents agents from predicting the dice of an engine with the same seed


ONE, SHIFTS = np.uint64(1), (np.uint64(30), np.uint64(27), np.uint64(31))
FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
"""Created only once, because agents often draw a number for just one game."""


def mix(x: np.ndarray) -> np.ndarray:
    """Apply the finalizer of SplitMix64 (Steele, Lea and Flood, 2014) elementwise to uint64."""
    x = (x ^ (x >> SHIFTS[0])) * FACTORS[0]
    x = (x ^ (x >> SHIFTS[1])) * FACTORS[1]
    return x ^ (x >> SHIFTS[2])


class GameStreams:
    """Uniform random numbers that depend on the seed, the game index and the number of earlier draws for that game."""

    def __init__(self, seed: int = 0):
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Restart the streams of all games.

        Raises:
            OptionError: the seed is not an integer from 0 to 2**64 - 1.
        """
        self._seed = mix(np.array([(check_seed(seed) + SALT) % 2**64], np.uint64))
        self._keys = np.zeros(0, np.uint64)
        self._used = np.zeros(0, np.uint64)

    def uniform(self, games: np.ndarray) -> np.ndarray:
        """Return the next number from the stream of each of n distinct games, (n,) float64 in [0, 1)."""
        return (self._next(games) >> np.uint64(11)) * 2.0**-53

    def words(self, games: np.ndarray) -> np.ndarray:
        """Return the next word from the stream of each of n distinct games, (n,) uint64. Words serve as seeds."""
        return self._next(games)

    def _next(self, games: np.ndarray) -> np.ndarray:
        try:
            self._used[games] += ONE
        except IndexError:  # first draw of these games
            game_count = int(games.max()) + 1
            self._keys = mix(self._seed + np.arange(1, game_count + 1, dtype=np.uint64) * GOLDEN)
            self._used = np.concatenate([self._used, np.zeros(game_count - len(self._used), np.uint64)])
            self._used[games] += ONE
        return mix(self._keys[games] + self._used[games] * GOLDEN)
