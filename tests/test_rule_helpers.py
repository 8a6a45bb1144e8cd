"""Helpers for rules: small sets, rows of cards, and pending decisions."""

import itertools

import numba
import numpy as np
import pytest

from catan_env.engine import small_sets, stacks
from catan_env.engine.decision_stack import CAPACITY, RUNNING, WON, pending

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


RECORD = np.dtype([("before", "u1", 31), ("decision_stack", "u1", CAPACITY), ("depth", "u1"), ("ended", "u1")])
find_pending = numba.njit(pending)


@numba.njit
def first_and_number(game, decision):
    first, number = -1, 0
    for position in find_pending(game, decision):
        first = position if number == 0 else first
        number += 1
    return first, number


@pytest.mark.parametrize(
    "depth, ended, found", [(5, RUNNING, (1, 3)), (2, RUNNING, (1, 1)), (5, WON, (-1, 0)), (0, RUNNING, (-1, 0))]
)
def test_decisions_are_pending_up_to_the_head_while_the_game_runs(depth, ended, found):
    games = np.zeros(1, RECORD)
    games["decision_stack"][0, 1:6] = [200, 7, 200, 200, 200]
    games["depth"], games["ended"] = depth, ended
    assert first_and_number(games.view(np.recarray)[0] if numba.config.DISABLE_JIT else games[0], 200) == found
