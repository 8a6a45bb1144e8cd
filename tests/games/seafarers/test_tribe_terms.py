"""What gifts of the tribe are worth to a seat: around (1, 1) lie a point (NE), a card (W) and a harbor (NW)."""

import pytest
from evaluating import terms_of_position
from sea_positions import harbors, sea

AWAY = 0.7


def explorer(*ships, left=(0, 8, 12), **rules):
    """Seat 0 has ships; of the gifts only these are left."""
    place = sea("seafarers_forgotten_tribe", **rules).ship(0, *ships).on_turn(0)
    return place.field("gift", [int(k in left) for k in range(18)]).field("harbor", harbors(place))


def terms(place):
    return terms_of_position(place, 0)


def test_points_count_the_more_the_nearer_they_are():
    assert terms(explorer((2, 1, "NW")))["point_gifts"] == 1
    assert terms(explorer((2, 1, "NE")))["point_gifts"] == pytest.approx(AWAY)


def test_cards_and_harbors_do_not_count_nor_gifts_that_are_gone():
    assert terms(explorer((2, 1, "NW"), left=(8, 12)))["point_gifts"] == 0


def test_whoever_has_no_ships_left_reaches_nothing():
    assert terms(explorer((2, 1, "NW"), ships_per_player=2))["point_gifts"] == 1
    assert terms(explorer((2, 1, "NW NE"), ships_per_player=2))["point_gifts"] == 0


def test_others_may_bar_the_way():
    assert terms(explorer((2, 1, "NE")).settlement(1, "N", 2, 1))["point_gifts"] == 0
