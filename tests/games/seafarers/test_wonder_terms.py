"""What the Wonders of Catan are worth to a seat."""

import pytest
from evaluating import terms_of_position
from sea_positions import sea

THEATER, CASTLE = 0, 4


def terms(place):
    return terms_of_position(place, 0)


def builder(level=0, wonder=THEATER, **cards):
    """Seat 0 has two cities, and has built so far."""
    built, claimed = [[0] * 5 for _ in range(4)], [-1] * 4
    built[0][wonder] = level
    if level:
        claimed[0] = wonder
    place = sea("seafarers_wonders").field("wonder_levels", built).field("claimed_wonder", claimed)
    place = place.hand(0, **cards).on_turn(0)
    return place.city(0, "N", 0, 3).city(0, "N", 2, 3)


def test_levels_count_and_the_cards_for_the_next_one():
    assert terms(builder(3))["wonder_levels"] == 3
    assert terms(builder(1))["near_wonder"] == 0
    assert terms(builder(1, wool=3))["near_wonder"] == pytest.approx(3 / 5)
    assert terms(builder(1, wool=3, brick=1, lumber=1))["near_wonder"] == 1
    assert terms(builder(1, CASTLE, ore=3))["near_wonder"] == pytest.approx(3 / 5)


def test_cards_count_for_wonders_that_can_be_claimed_only():
    assert terms(builder(wool=3))["near_wonder"] == pytest.approx(3 / 5)
    one = sea("seafarers_wonders").hand(0, wool=3).on_turn(0).city(0, "N", 0, 3)
    assert terms(one)["near_wonder"] == 0
    assert terms(builder(wool=3).field("claimed_wonder", [-1, THEATER, -1, -1]))["near_wonder"] == 0


def test_a_claimed_wonder_counts_before_anything_is_built():
    claimed = terms(builder(wool=3).field("claimed_wonder", [THEATER, -1, -1, -1]))
    assert claimed["claimed_wonder"] == 1 and claimed["near_wonder"] == pytest.approx(3 / 5)
    assert terms(builder())["claimed_wonder"] == 0


def settler(wonder=None):
    """Seat 0 lives between mountains, hills and fields, as the castle needs them."""
    claimed = [-1 if wonder is None else wonder, -1, -1, -1]
    return sea("seafarers_wonders").field("claimed_wonder", claimed).on_turn(0).settlement(0, "N", 1, 4)


def test_levels_to_expect_are_those_of_the_own_wonder_and_grow_with_the_land():
    castle = terms(settler(CASTLE))["levels_to_expect"]
    assert castle > terms(settler(THEATER))["levels_to_expect"] > 0
    assert terms(settler(CASTLE).settlement(0, "N", -1, 5))["levels_to_expect"] > castle


def test_levels_to_expect_count_the_more_the_nearer_one_is_to_a_condition():
    """SE of (3, 4) is a site of the wall."""

    def on_the_way(*roads):
        return terms(sea("seafarers_wonders").on_turn(0).settlement(0, "N", 3, 4).road(0, *roads))["levels_to_expect"]

    assert 0 < on_the_way() < on_the_way((3, 4, "NE")) < on_the_way((3, 4, "NE E"))
    assert on_the_way((3, 4, "NE E")) < terms(builder())["levels_to_expect"]


def test_only_wonders_that_are_free_are_to_be_expected():
    others = [-1, 0, 1, 3]
    assert terms(settler().field("claimed_wonder", others))["levels_to_expect"] <= terms(settler())["levels_to_expect"]
    assert terms(builder().field("claimed_wonder", others))["levels_to_expect"] < terms(builder())["levels_to_expect"]


def test_hidden_points_bring_the_castle_nearer_and_those_of_others_do_not_matter():
    assert terms(settler().cards(0, victory_point=2))["levels_to_expect"] > terms(settler())["levels_to_expect"]
    assert terms(settler().cards(1, victory_point=2)) == terms(settler().cards(1, knight=2))
