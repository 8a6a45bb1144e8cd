"""Looking through bytes a block at a time finds what looking at each of them finds."""

from types import FunctionType, SimpleNamespace

import numba
import numpy as np
import pytest

from catan_env.engine import bitset as module
from catan_env.engine.bitset import WORD_BITS, equal_to, first_index, num_words

LENGTHS = (1, 5, 8, 19, 31, 32, 33, 54, 64, 72, 149)
BEFORE = 31
"""Bytes that may be read before an array."""
VALUES = (-2, -1, 0, 1, 3, 100, 127)


def places_of(array, value, found):
    """Writes where a value stands, in order; returns how often."""
    number = 0
    for k in range(num_words(len(array))):
        rest = equal_to(array, k, value)
        while rest:
            found[number] = first_index(rest, k)
            number += 1
            rest &= rest - 1
    return number


@pytest.fixture(scope="module")
def look():
    """The functions as rules call them, compiled unless all rules run in plain Python."""
    space = {**vars(module), "places_of": places_of}
    for name, value in space.items():  # in order of definition: what a function calls stands above it
        if isinstance(value, FunctionType):
            space[name] = numba.njit(FunctionType(value.__code__, space, name))
    return SimpleNamespace(**space)


@pytest.mark.parametrize("length", LENGTHS)
def test_equal_entries_are_found(look, length):
    array = np.random.default_rng(length).choice(np.array(VALUES, np.int8), 2 * length + BEFORE)
    found = np.zeros(length, int)
    array = array[BEFORE : length + BEFORE]  # what lies around it, as in a record, is not looked at
    for value in VALUES:
        number = look.places_of(array, value, found)
        np.testing.assert_array_equal(found[:number], np.flatnonzero(array == value))
        assert look.count_equal(array, value) == np.count_nonzero(array == value)
        wanted = np.where(array == value, 50, array)
        look.replace(array, value, 50)
        np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("length", LENGTHS)
def test_other_entries_are_those_that_are_not_equal(look, length):
    array = np.random.default_rng(length).choice(np.array(VALUES, np.int8), length + BEFORE)[BEFORE:]
    for value in VALUES:
        for k in range(num_words(length)):
            entries = min(WORD_BITS, length - WORD_BITS * k)
            assert look.other_than(array, k, value) == 2**entries - 1 - look.equal_to(array, k, value)


@pytest.mark.parametrize("value", (-2, -1, 2))
@pytest.mark.parametrize("length", (1, 5, 16, 54))
def test_equal_entries_of_a_record_are_found(length, value):
    """With length and value known when it is compiled, as in rules."""
    space = {**vars(module), "VALUE": value}
    for name in ("num_words", "first_index", "equal_to"):
        space[name] = numba.njit(FunctionType(space[name].__code__, space, name))

    def look_through(record, found):
        for k in range(num_words(len(record.array))):
            rest = equal_to(record.array, k, VALUE)  # noqa: F821 its global when compiled
            while rest:
                found[first_index(rest, k)] = True
                rest &= rest - 1

    rule = numba.njit(FunctionType(look_through.__code__, space, "rule"))
    records = np.zeros(4, [("front", "i1", (BEFORE,)), ("array", "i1", (length,)), ("behind", "i1", (16,))])
    records["array"] = np.random.default_rng(length).choice(np.array(VALUES, np.int8), (4, length))
    records["array"][0], records["behind"] = 0, value
    for record in records.view(np.recarray) if numba.config.DISABLE_JIT else records:
        found = np.zeros(length, bool)
        rule(record, found)
        np.testing.assert_array_equal(found, record["array"] == value)


@pytest.mark.parametrize("length", LENGTHS)
def test_entries_with_a_bit_are_found(look, length):
    rng = np.random.default_rng(length)
    size = 2 * length + BEFORE
    array = (rng.integers(0, 256, size) * (rng.random(size) < 0.2)).astype(np.uint8)[BEFORE : length + BEFORE]
    for bit in range(8):
        wanted, mask = array >> bit & 1 == 1, np.zeros(length + 5, bool)
        assert look.count_with_bit(array, bit) == wanted.sum()
        assert look.any_with_bit(array, bit) == wanted.any()
        look.mark_with_bit(array, bit, 5, mask)
        np.testing.assert_array_equal(mask, [*[False] * 5, *wanted])
        assert not look.any_with_bit(np.zeros(length + BEFORE, np.uint8)[BEFORE:], bit)


@pytest.mark.parametrize("length", LENGTHS)
def test_entries_noted_in_words_are_those_put_in_and_not_taken_out(look, length):
    rng = np.random.default_rng(length)
    words, wanted = np.zeros(num_words(length), np.uint32), np.zeros(length, bool)
    for _ in range(4 * length):
        entry, value = rng.integers(length, dtype=np.int16), rng.random() < 0.6  # places come from tables as int16
        look.set_bit(words, entry, value)
        wanted[entry] = value
    assert [bool(look.has_bit(words, entry)) for entry in range(length)] == wanted.tolist()
    found = [int(words[k]) >> bit & 1 for k in range(num_words(length)) for bit in range(WORD_BITS)]
    assert found == [*wanted, *[0] * (len(found) - length)]
