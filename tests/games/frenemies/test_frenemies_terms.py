"""What favor tokens are worth to searching agents: shares of what they pay for."""

import pytest
from evaluating import terms_of_position
from favor_positions import favors, frenemies


def terms(tokens, seat=0, **fields):
    """Both terms of a seat, where seats hold tokens."""
    place = favors(frenemies(), tokens).on_turn(0)
    for name, value in fields.items():
        place.field(name, value)
    found = terms_of_position(place, seat)
    return [found["favors_held"], found["chips_held"]]


def test_tokens_count_as_shares_of_a_favor():
    assert terms({}) == [0, 0]
    assert terms({0: {"traders": 1}}) == [1, 0]
    assert terms({0: {"scholars": 1, "road_builders": 1}}) == [1.5, 0]


def test_those_of_the_master_builders_as_shares_of_a_chip():
    assert terms({0: {"master_builders": 3}}) == [0, 1.5]


def test_no_more_chips_count_than_are_left():
    assert terms({0: {"master_builders": 3}}, chips_left=1, chips=[11, 0, 0, 0]) == [0, 1]


@pytest.mark.parametrize("guild", ["traders", "master_builders"])
def test_what_others_hold_does_not_matter(guild):
    assert terms({1: {guild: 2}}) == [0, 0]
    assert terms({0: {"scholars": 1}, 1: {guild: 2}}) == terms({0: {"scholars": 1}})
