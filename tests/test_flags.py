"""`write_flags` flags the same entries as a comparison in NumPy."""

import numba
import numpy as np
import pytest

from catan_env.engine.compiler.flags import write_flags

AT = 3
OTHER = 7
"""What is in a row before and behind the flags."""


@numba.njit
def write(row, values, code):
    write_flags(row, AT, values, code)


@pytest.mark.core
@pytest.mark.parametrize("dtype", (np.int8, np.uint8))
def test_flags_are_those_that_numpy_finds_and_nothing_else_changes(dtype):
    rng = np.random.default_rng(0)
    for length in [*range(100), 149]:
        values = rng.integers(0, 4, length).astype(dtype)
        for code in range(4):
            row = np.full(length + 2 * AT, OTHER, np.uint8)
            write(row, values, code)
            np.testing.assert_array_equal(row[AT : AT + length], values == code)
            assert (np.delete(row, slice(AT, AT + length)) == OTHER).all()


@pytest.mark.core
def test_negative_codes_are_found():
    values, row = np.array([-1, 0, 127, -128] * 10, np.int8), np.zeros(40 + AT, np.uint8)
    write(row, values, -1)
    assert np.flatnonzero(row[AT:]).tolist() == list(range(0, 40, 4))
