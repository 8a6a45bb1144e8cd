"""Rows written past the cache equal those that NumPy computes."""

import numba
import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.encoders.flat import LARGEST_IN_CACHE
from catan_env.engine.compiler.cache_lines import end_writes, write_past_cache

OTHER = 7
"""What is in the rows before and after the written one."""


@numba.njit
def write(out, i, row, scale):
    write_past_cache(out, i, row, scale)
    end_writes()


@pytest.mark.core
def test_scaled_rows_are_those_of_numpy_at_any_alignment():
    rng = np.random.default_rng(0)
    for size in [*range(1, 70), 133]:
        row = rng.integers(0, 256, size + 1).astype(np.uint8)
        scale = rng.random(size, dtype=np.float32)
        for start in range(16):
            out = np.full(start + 3 * size, OTHER, np.float32)[start:].reshape(3, size)
            write(out, 1, row, scale)
            np.testing.assert_array_equal(out[1], row[:size] * scale)
            assert (out[[0, 2]] == OTHER).all()


def test_observations_larger_than_the_cache_equal_those_of_fewer_games():
    size = BatchEngine("base", 1).observation_space().shape[0]
    engine = BatchEngine("base", LARGEST_IN_CACHE // size + 1, seed=3)
    engine.random_rollout(300)
    observed, first_half = engine.observe(), np.arange(engine.num_games) < engine.num_games // 2
    assert observed.size > LARGEST_IN_CACHE
    np.testing.assert_array_equal(observed[first_half], engine.observe(games=first_half))
    np.testing.assert_array_equal(observed[~first_half], engine.observe(games=~first_half))
