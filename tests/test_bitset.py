"""Scanning byte arrays block by block finds the same entries as checking every byte."""

from types import FunctionType, SimpleNamespace

import numba
import numpy as np
import pytest

from catan_env.engine import bitset as module
from catan_env.engine.bitset import (
    WORD_BITS,
    any_of,
    equal_to,
    lowest,
    num_words,
    number_of,
    where_bit,
    where_equal,
    where_in,
    where_other,
)
from catan_env.engine.compiler.entries import members_of

LENGTHS = (1, 5, 8, 19, 31, 32, 33, 54, 64, 72, 149)
BEFORE = 31
"""Bytes that may be read before an array."""
VALUES = (-2, -1, 0, 1, 3, 100, 127)


def places_of(array, value, found):
    """Write the indices of entries that equal a value, in order. Return their number."""
    number = 0
    for k in range(num_words(len(array))):
        rest = equal_to(array, k, value)
        while rest:
            found[number] = WORD_BITS * k + lowest(rest)
            number += 1
            rest &= rest - 1
    return number


@pytest.fixture(scope="module")
def look():
    """Return the functions as rules call them: compiled, unless all rules run in plain Python."""
    space = {
        **vars(module),
        "places_of": places_of,
        "loops_over": loops_over,
        "twos_with": twos_with,
        "members_of": members_of,
        "lists_members": lists_members,
        "joined": joined,
    }
    for name, value in space.items():  # in order of definition: functions are defined before their callers
        if isinstance(value, FunctionType) and value.__module__ in (module.__name__, __name__):
            space[name] = numba.njit(FunctionType(value.__code__, space, name))
    return SimpleNamespace(**space)


@pytest.mark.parametrize("length", LENGTHS)
def test_equal_entries_are_found(look, length):
    array = np.random.default_rng(length).choice(np.array(VALUES, np.int8), 2 * length + BEFORE)
    found = np.zeros(length, int)
    array = array[BEFORE : length + BEFORE]  # the scan must ignore surrounding bytes, as in a record
    for value in VALUES:
        number = look.places_of(array, value, found)
        np.testing.assert_array_equal(found[:number], np.flatnonzero(array == value))
        assert look.count_equal(array, value) == np.count_nonzero(array == value)
        wanted = np.where(array == value, 50, array)
        look.replace(array, value, 50)
        np.testing.assert_array_equal(array, wanted)


def loops_over(array, value, found):
    """Write entries from loops that skip, stop early, nest and change the array. Return the number of entries."""
    number = 0
    for entry in where_equal(array, value):
        if entry % 3 == 1:
            continue
        for other in where_other(array, value):
            if other > entry:
                found[number] = other
                number += 1
                break
        array[entry] = 0
        if number > 20:
            break
    for entry in where_bit(array, 1):
        found[number] = entry
        number += 1
    return number


@pytest.mark.parametrize("length", LENGTHS)
def test_loops_over_entries_are_like_other_loops(look, length):
    rng = np.random.default_rng(length)
    for value in (1, 2, 3, -2):
        array = rng.choice(np.array((-2, 0, 1, 2, 3), np.int8), length + BEFORE)[BEFORE:]
        found, wanted, left = np.zeros(2 * length + 1, int), [], array.copy()
        for entry in np.flatnonzero(array == value):
            if entry % 3 == 1:
                continue
            others = np.flatnonzero(left != value)
            wanted += others[others > entry][:1].tolist()
            left[entry] = 0
            if len(wanted) > 20:
                break
        wanted += np.flatnonzero(left & 2).tolist()
        number = look.loops_over(array, value, found)
        assert found[:number].tolist() == wanted and (array == left).all()


def lists_members(word, found):
    """Write each member of a small set after those of 0, 2 and 4 that exceed it. Return the number written."""
    number = 0
    for member in members_of(word):
        for other in members_of(word & 0b10101):
            if other > member:
                found[number] = other
                number += 1
        found[number] = member
        number += 1
    return number


@pytest.mark.parametrize("word", (0, 1, 5, 0b10110111, 1 << 31 | 7))
def test_members_of_a_word_are_its_bits_in_order(look, word):
    inside = [bit for bit in range(32) if word >> bit & 1]
    wanted = [entry for bit in inside for entry in (*[k for k in (0, 2, 4) if k in inside and k > bit], bit)]
    found = np.zeros(100, int)
    number = look.lists_members(word, found)
    assert found[:number].tolist() == wanted


def twos_with(array, other, value):
    """Return entries that pass two tests, to check that functions can return entries."""
    return where_equal(array, 2) & where_other(other, value)


def joined(array, other, words, value, found):
    """Write the entries that pass two tests, then three, then the bitset's. Return the three counts in one number."""
    first, second, third = 0, 0, 0
    for entry in twos_with(array, other, value):
        found[0, first] = entry
        first += 1
    passing = twos_with(array, other, value) & where_in(words)
    if any_of(passing):
        for _ in range(2):  # a second loop over the same entries must work
            second = 0
            for entry in passing:
                found[1, second] = entry
                second += 1
    for entry in where_in(words):
        found[2, third] = entry
        third += 1
    return first + 1000 * second * int(second == number_of(passing)) + 1_000_000 * third


@pytest.mark.parametrize("length", LENGTHS)
def test_entries_that_pass_several_tests(look, length):
    rng = np.random.default_rng(length)
    for share in (0.0, 0.4, 1.0):
        array, other = rng.integers(1, 4, (2, length + BEFORE)).astype(np.int8)[:, BEFORE:]
        inside = rng.random(length) < share
        words = np.zeros(num_words(length), np.uint32)
        for entry in np.flatnonzero(inside):
            words[entry // WORD_BITS] |= np.uint32(1 << int(entry) % WORD_BITS)
        found = np.zeros((3, length), int)
        number = look.joined(array, other, words, 3, found)
        wanted = [(array == 2) & (other != 3), (array == 2) & (other != 3) & inside, inside]
        assert number == sum(1000**k * row.sum() for k, row in enumerate(wanted))
        for row, entries in zip(found, wanted, strict=True):
            assert row[: entries.sum()].tolist() == np.flatnonzero(entries).tolist()


@pytest.mark.parametrize("value", (-2, -1, 2))
@pytest.mark.parametrize("length", (1, 5, 16, 54))
def test_equal_entries_of_a_record_are_found(length, value):
    """Length and value are compile-time constants, as in rules."""
    space = {**vars(module), "VALUE": value}
    for name in ("num_words", "equal_to"):
        space[name] = numba.njit(FunctionType(space[name].__code__, space, name))

    def look_through(record, found):
        for k in range(num_words(len(record.array))):
            rest = equal_to(record.array, k, VALUE)  # noqa: F821 its global when compiled
            while rest:
                found[WORD_BITS * k + lowest(rest)] = True
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
        wanted = array >> bit & 1 == 1
        assert look.count_with_bit(array, bit) == wanted.sum()
        assert [look.nth_with_bit(array, bit, n) for n in range(wanted.sum())] == np.flatnonzero(wanted).tolist()
        assert look.any_with_bit(array, bit) == wanted.any()
        assert not look.any_with_bit(np.zeros(length + BEFORE, np.uint8)[BEFORE:], bit)


@pytest.mark.parametrize("length", LENGTHS)
def test_entries_noted_in_words_are_those_put_in_and_not_taken_out(look, length):
    rng = np.random.default_rng(length)
    words, wanted = np.zeros(num_words(length), np.uint32), np.zeros(length, bool)
    for _ in range(4 * length):
        entry, value = rng.integers(length, dtype=np.int16), rng.random() < 0.6  # rules read places from int16 arrays
        look.set_bit(words, entry, value)
        wanted[entry] = value
    assert [bool(look.has_bit(words, entry)) for entry in range(length)] == wanted.tolist()
    found = [int(words[k]) >> bit & 1 for k in range(num_words(length)) for bit in range(WORD_BITS)]
    assert found == [*wanted, *[0] * (len(found) - length)]
