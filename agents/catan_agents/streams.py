"""Random numbers for agents: one stream per game, so that results do not depend on the batch."""

from __future__ import annotations

import numpy as np

from catan_env.engine.random import check_seed

GOLDEN = np.array(0x9E3779B97F4A7C15, np.uint64)
SALT = 0x6167656E74  # prevents agents from predicting the dice of an engine with the same seed

SHIFTS = tuple(np.array(shift, np.uint64) for shift in (30, 27, 31))
FACTORS = tuple(np.array(factor, np.uint64) for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
UNIFORM_SHIFT, UNIFORM_SCALE = np.array(11, np.uint64), np.array(2.0**-53)
"""Arrays rather than scalars, which NumPy converts at each use. Agents often draw numbers for just a few games."""


def mix(x: np.ndarray) -> np.ndarray:
    """Apply the finalizer of SplitMix64 (Steele, Lea and Flood, 2014) to each uint64 in place; return the array."""
    x ^= x >> SHIFTS[0]
    x *= FACTORS[0]
    x ^= x >> SHIFTS[1]
    x *= FACTORS[1]
    x ^= x >> SHIFTS[2]
    return x


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
        self._states = np.zeros(0, np.uint64)

    def uniform(self, games: np.ndarray) -> np.ndarray:
        """Return the next number from the stream of each of n distinct games, (n,) float64 in [0, 1)."""
        words = self._next(games)
        words >>= UNIFORM_SHIFT
        return words * UNIFORM_SCALE

    def words(self, games: np.ndarray) -> np.ndarray:
        """Return the next word from the stream of each of n distinct games, (n,) uint64. Words serve as seeds."""
        return self._next(games)

    def _next(self, games: np.ndarray) -> np.ndarray:
        try:
            states = self._states[games]
        except IndexError:  # first draw of these games
            first_states = mix(self._seed + np.arange(1, int(games.max()) + 2, dtype=np.uint64) * GOLDEN)
            first_states[: len(self._states)] = self._states
            self._states = first_states
            states = self._states[games]
        states += GOLDEN
        self._states[games] = states
        return mix(states)
