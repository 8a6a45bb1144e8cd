"""Helpers of rules for small sets and for rows of cards do what the same words say of Python's sets and lists."""

import itertools

import numba
import numpy as np
import pytest

from catan_env.engine import small_sets, stacks

SUBSETS = [set(members) for size in range(7) for members in itertools.combinations(range(6), size)]


def as_number(members):
    number = small_sets.EMPTY
    for member in members:
        number |= small_sets.only(np.int8(member))
    return number


@pytest.mark.parametrize("members", SUBSETS, ids=str)
def test_a_small_set_contains_what_was_put_in(members):
    number = as_number(members)
    assert {member for member in range(8) if small_sets.contains(np.uint8(number), member)} == members
    if numba.config.DISABLE_JIT:
        assert list(small_sets.members(np.uint8(number))) == sorted(members)
    assert small_sets.only_if(True, 3) == small_sets.only(3) and small_sets.only_if(False, 3) == small_sets.EMPTY


def test_cards_move_from_one_row_to_another():
    deck, hand = np.array([3, 0, 2], np.int8), np.array([1, 1, 0], np.int8)
    stacks.move_card(deck, hand, 0)
    stacks.move_card(deck, hand, 2, 2)
    assert deck.tolist() == [2, 0, 0] and hand.tolist() == [2, 1, 2]


def test_a_row_copied_differs_in_nothing_and_a_row_cleared_in_all_its_cards():
    hand, shown = np.array([2, 0, 5], np.int8), np.zeros(3, np.int8)
    assert stacks.count_differences(shown, hand) == 7
    stacks.copy_row(shown, hand)
    assert stacks.count_differences(shown, hand) == 0
    stacks.clear_row(shown)
    assert shown.tolist() == [0, 0, 0] and stacks.count_differences(shown, hand) == 7


def test_draws_are_weighed_and_actions_marked_by_the_cards_of_a_row():
    stack, weights, mask = np.array([4, 0, 1], np.int8), np.full(5, 9, np.int64), np.ones(6, bool)
    stacks.weigh_stack(stack, weights)
    stacks.mark_kinds(stack, 2, mask)
    assert weights.tolist() == [4, 0, 1, 9, 9]
    assert mask.tolist() == [True, True, True, False, True, True]
