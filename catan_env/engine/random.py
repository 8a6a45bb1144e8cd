"""One random stream per game: xoshiro128++ (Blackman and Vigna, 2019), stored in the record's `rng` field.

All intermediate values fit in 44 bits of an int64, so neither compiled code nor plain Python overflows, and both
produce the same bits.
"""

from typing import Any

import numpy as np

from catan_env.errors import OptionError
from catan_env.numeric import is_integer

WORD = 0xFFFFFFFF


def next_word(game):
    """Advance the game's stream and return its next 32 bits as an int64."""
    rng = game.rng
    a = np.int64(rng[0])
    b = np.int64(rng[1])
    c = np.int64(rng[2])
    d = np.int64(rng[3])
    total = (a + d) & WORD
    word = ((((total << 7) | (total >> 25)) & WORD) + a) & WORD
    shifted = (b << 9) & WORD
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = ((d << 11) | (d >> 21)) & WORD
    rng[0] = a
    rng[1] = b
    rng[2] = c
    rng[3] = d
    return word


def below(game, n):
    """Return a random integer in 0 .. n-1, for n < 2**31. The bias is less than n / 2**32."""
    return (next_word(game) * n) >> 32


def _mix(x: np.ndarray) -> np.ndarray:
    """Apply the finalizer of SplitMix64 (Steele, Lea and Flood, 2014) elementwise to uint64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def check_seed(seed: Any) -> int:
    """Return the seed as an int.

    Raises:
        OptionError: the seed is not an integer from 0 to 2**64 - 1.
    """
    if not is_integer(seed) or not 0 <= int(seed) < 2**64:
        raise OptionError(f"seed is {seed!r}; it must be an integer from 0 to 2**64 - 1.")
    return int(seed)


def game_seeds(seed: int | np.integer, num_games: int) -> np.ndarray:
    """Return one seed per game, uint64 of shape (num_games,), derived from a single seed.

    The first n seeds do not depend on `num_games`.

    Raises:
        OptionError: see `check_seed`.
    """
    index = np.arange(1, num_games + 1, dtype=np.uint64)
    return _mix(_mix(np.array([check_seed(seed)], np.uint64)) + index * GOLDEN)


def streams(seeds: np.ndarray) -> np.ndarray:
    """Return the initial stream states, uint32 of shape (n, 4), for game seeds, uint64 of shape (n,)."""
    first, second = _mix(seeds + GOLDEN), _mix(seeds + GOLDEN + GOLDEN)
    state = np.stack([first, first >> np.uint64(32), second, second >> np.uint64(32)], axis=1)
    state = (state & np.uint64(WORD)).astype(np.uint32)
    state[(state == 0).all(axis=1)] = 1  # the all-zero state is a fixed point
    return state
