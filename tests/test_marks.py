"""A set of actions, stored as bits, behaves like a bool array with the same entries."""

from types import FunctionType, SimpleNamespace

import numba
import numpy as np
import pytest

from catan_env.engine import bitset, marks
from catan_env.engine.bitset import mark_with_bit
from catan_env.engine.compiler import bits
from catan_env.engine.marks import any_mark, clear_marks, count_marks, marks_of, nth_mark, only_mark, write_mask

ACTIONS = 197
WORDS, BLOCKS = -(-ACTIONS // 64), -(-ACTIONS // 32)
ROW = 1
BEFORE = 31
"""Bytes that may be read before an array."""


def mask_words():
    return WORDS


def mask_blocks():
    return BLOCKS


def write(words, action, value):
    marks_of(words, ROW)[action] = value


def read(words, action):
    return marks_of(words, ROW)[action]


def add_places(words, array, bit, first):
    mark_with_bit(array, bit, first, marks_of(words, ROW))


def clear(words):
    clear_marks(words, ROW)


def count(words):
    return count_marks(marks_of(words, ROW))


def has_any(words):
    return any_mark(marks_of(words, ROW))


def only(words):
    return only_mark(marks_of(words, ROW))


def nth(words, rest):
    return nth_mark(marks_of(words, ROW), rest)


def copy(words, masks):
    write_mask(marks_of(words, ROW), masks, ROW)


@pytest.fixture(scope="module")
def kernel():
    """Return the functions as kernels and rules call them, compiled unless all rules run in plain Python."""
    space = {**vars(bitset), **vars(marks), **globals()}
    for name, value in space.items():  # in order of definition, so that callees come before callers
        if isinstance(value, FunctionType) and value.__module__ in (bitset.__name__, marks.__name__, __name__):
            space[name] = numba.njit(FunctionType(value.__code__, space, name))
    return SimpleNamespace(**space)


@pytest.fixture
def words():
    """Return three sets. Tests use the middle one; the others must not change."""
    return np.full((3, WORDS + 1), -1, np.int64)


def agree(kernel, words, wanted):
    """Assert that all queries of a set give the same answers as the bool array `wanted`."""
    masks = np.ones((3, 32 * BLOCKS), bool)
    kernel.copy(words, masks)
    np.testing.assert_array_equal(masks[ROW, :ACTIONS], wanted)
    assert not masks[ROW, ACTIONS:].any() and masks[[0, 2]].all() and (words[[0, 2]] == -1).all()
    own = np.flatnonzero(wanted).tolist()
    assert kernel.count(words) == len(own) and kernel.has_any(words) == bool(own)
    assert [kernel.nth(words, rest) for rest in range(len(own))] == own
    assert kernel.only(words) == (own[0] if len(own) == 1 else -1)
    assert [bool(kernel.read(words, action)) for action in range(ACTIONS)] == wanted.tolist()


@pytest.mark.core
def test_a_set_is_what_was_written_last(kernel, words):
    rng, wanted = np.random.default_rng(0), np.zeros(ACTIONS, bool)
    words[ROW, -1] = 0
    kernel.clear(words)
    agree(kernel, words, wanted)
    for k, action in enumerate([0, 63, 64, 127, 128, ACTIONS - 1, *rng.integers(0, ACTIONS, 300)]):
        value = bool(rng.random() < 0.4)
        kernel.write(words, np.int64(action), value)
        wanted[action] = value
        if k % 20 == 0:
            agree(kernel, words, wanted)
    kernel.clear(words)
    agree(kernel, words, np.zeros(ACTIONS, bool))


@pytest.mark.parametrize("only_one", (0, 31, 32, 63, 64, ACTIONS - 1))
def test_a_single_action_is_found(kernel, words, only_one):
    words[ROW] = 0
    kernel.write(words, np.int64(only_one), True)
    agree(kernel, words, np.arange(ACTIONS) == only_one)


@pytest.mark.parametrize("fast", (True, False))
def test_every_processor_finds_the_same_bit(monkeypatch, fast):
    if not fast:
        monkeypatch.setattr(bits, "deposits_bits", lambda context: False)
    nth_bit = numba.njit(lambda word, n: bits.nth_bit(word, n))
    for word in (1, -1, -(2**63), 2**63 - 1, *np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 50).tolist()):
        places = [place for place in range(64) if word >> place & 1]
        assert [nth_bit(word, n) for n in range(len(places))] == places
        assert [bits.nth_bit_in_python(word, n) for n in range(len(places))] == places


@pytest.mark.parametrize("length", (1, 19, 54, 64, 72, 149))
def test_places_are_added_to_what_is_marked(kernel, words, length):
    rng = np.random.default_rng(length)
    array = rng.integers(0, 4, length + BEFORE).astype(np.uint8)[BEFORE:]
    for first in (0, 1, ACTIONS - length, *rng.integers(0, ACTIONS - length + 1, 10)):
        words[ROW] = 0
        kernel.write(words, np.int64(63), True)
        wanted = np.arange(ACTIONS) == 63
        wanted[first : first + length] |= array >> 1 & 1 == 1
        kernel.add_places(words, array, np.int64(1), np.int64(first))
        agree(kernel, words, wanted)
