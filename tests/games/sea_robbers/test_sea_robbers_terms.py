"""What a position of Sea Robbers is worth beside its points: battles in reach, and chests."""

import numpy as np
import pytest
from evaluating import terms_of_position as terms
from sea_positions import sea


def voyage(jugs=1, ships=((3, 2, "SW"), (3, 3, "NE"))):
    """Seat 0 is one ship away from the robbers at (4, 3) and from no others."""
    return sea("sea_robbers", first_jugs=jugs).settlement(0, "SE", 2, 2).ship(0, *ships).on_turn(0)


def test_sea_robbers_one_ship_away_are_worth_the_chance_to_sink_them():
    assert [terms(voyage(jugs))["prey"] for jugs in (0, 1, 3, 4)] == pytest.approx([0, 1 / 8, 6 / 8, 1])
    assert terms(voyage(3), seat=1)["prey"] == 0


def test_after_two_wins_the_higher_stack_makes_it_harder():
    assert terms(voyage(4).field("sunk", [2, 0, 0, 0]))["prey"] == pytest.approx(3 / 8)


def test_without_a_ship_near_them_or_a_ship_left_there_is_no_prey():
    assert terms(voyage(3, ships=((3, 2, "SW"),)))["prey"] == 0
    assert terms(voyage(3).field("afloat", np.zeros(8)))["prey"] == 0


def test_chests_in_the_own_hand_count_whatever_they_hold():
    one, other = np.zeros((2, 4, 7))
    one[0, 0], other[0, 4], other[1, 2] = 1, 1, 1
    left = np.array([4, 4, 4, 1, 1, 1, 1])
    assert terms(voyage().field("chests", one).field("chests_hidden", left - one.sum(axis=0)))["chests"] == 1
    place = voyage().field("chests", other).field("chests_hidden", left - other.sum(axis=0))
    assert terms(place)["chests"] == 1
