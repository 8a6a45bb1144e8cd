"""What canal tokens are worth to searching agents, and those that a road more would bring."""

from evaluating import terms_of_position
from geography_positions import country_of, layout

from catan_env import find_scenario

canal = country_of(find_scenario("erie_canal").modules)


def terms(place):
    """The terms of the canal, of seat 0: tokens, and tokens ahead."""
    found = terms_of_position(place.on_turn(0))
    return [found["canal_tokens"], found["canal_ahead"]]


def test_a_token_counts_when_it_is_one_road_off_and_when_it_is_there(canal):
    """The second road over r has joined kay and lund."""
    assert terms(layout(canal, roads=[(0, "kay-r")])) == [0, 1]
    joined = layout(canal, roads=[(0, "kay-r r-lund")]).field("canal_tokens", [1, 0, 0, 0]).field("canal_bank", 11)
    assert terms(joined) == [1, 0]


def test_roads_that_lead_to_no_second_site_bring_none(canal):
    assert terms(layout(canal, roads=[(0, "cove-dell")])) == [0, 0]


def test_a_pair_that_is_joined_already_brings_no_other(canal):
    """kay and lund over v; once more over r would bring nothing."""
    place = layout(canal, roads=[(0, "v-kay v-lund kay-r")]).field("canal_tokens", [1, 0, 0, 0])
    assert terms(place.field("canal_bank", 11)) == [1, 0]


def test_no_token_is_ahead_where_the_bank_is_empty(canal):
    assert terms(layout(canal, roads=[(0, "kay-r")], tokens_of_canal=0)) == [0, 0]
