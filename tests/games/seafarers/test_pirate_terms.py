"""What fortresses and the fleet are worth to a seat; seat 3 starts N of (3, 4), at one hex of the loop."""

import pytest
from evaluating import terms_of_position
from sea_positions import sea

LINE = [(3, 4, "NW"), (2, 4, "NE"), (2, 3, "SE SW"), (1, 4, "NW")]
LINE += [(0, 4, "NE"), (1, 3, "W"), (0, 3, "NE"), (0, 2, "SE")]


def sailor(ships=9, warships=0, lairs=3, **rules):
    """Seat 3 has the first ships of its line."""
    place = sea("seafarers_pirate_islands", **rules).settlement(3, "N", 3, 4)
    sides = [(q, r, side) for q, r, names in LINE for side in names.split()]
    place.ship(3, *sides[:ships])
    return place.field("warships", [0, 0, 0, warships]).field("lairs", [3, 3, 3, lairs]).on_turn(3)


def terms(place):
    return terms_of_position(place, 3)


def test_ships_lead_to_the_fortress_as_long_as_it_stands():
    assert [terms(sailor(ships))["line_ships"] for ships in (1, 4, 9)] == [1, 4, 9]
    retaken = terms(sailor(9, 4, lairs=0).settlement(3, "S", 0, 2).field("settlements_left", [4, 4, 4, 3]))
    assert retaken["line_ships"] == retaken["warships"] == retaken["storm"] == retaken["lairs"] == 0


def test_warships_storm_once_the_line_is_complete():
    assert terms(sailor(9, 4))["storm"] == pytest.approx(3 / 6)
    assert terms(sailor(8, 4))["storm"] == 0 and terms(sailor(9))["storm"] == 0
    assert terms(sailor(9, 7))["storm"] == 1


def test_ships_that_a_forced_attack_costs_count_against_a_complete_line():
    """One ship is lost to as strong a die, two to a stronger one."""
    assert terms(sailor(9))["ships_at_risk"] == 2 and terms(sailor(8))["ships_at_risk"] == 0
    assert terms(sailor(9, 4))["ships_at_risk"] == pytest.approx((1 + 2 * 2) / 6)
    assert terms(sailor(9, 7))["ships_at_risk"] == 0
    assert terms(sailor(9, fortress_attack="optional"))["ships_at_risk"] == 0


def test_more_than_seven_warships_are_of_no_use():
    assert terms(sailor(9, 6))["warships"] == 6 and terms(sailor(9, 8))["warships"] == 7


def test_lairs_taken_count():
    assert terms(sailor(lairs=2))["lairs"] == 2


def test_knights_count_where_there_are_ships_to_arm():
    assert terms(sailor(3, 1).cards(3, knight=3))["knights_to_arm"] == 2
    assert terms(sailor(3, 1).cards(3, knight=1))["knights_to_arm"] == 1
    assert terms(sailor(9, 6).cards(3, knight=3))["knights_to_arm"] == 1
    assert terms(sailor(3, 3).cards(3, knight=1))["knights_to_arm"] == 0


def test_knights_of_others_are_hidden():
    place = sailor(3, 1).cards(2, knight=2)
    assert terms(place) == terms(sailor(3, 1).cards(2, road_building=2))


def test_cards_for_knights_count_until_there_are_enough():
    def price(warships):
        return sailor(9, warships).hand(3, wool=1, grain=1, ore=1)

    assert terms(price(3))["near_warship"] == 1 and terms(price(7))["near_warship"] == 0


def test_a_fleet_that_is_gone_takes_nothing():
    assert terms(sailor(3).field("fleet_place", -1))["from_the_fleet"] == 0


def test_the_fleet_takes_more_from_cities_and_brings_cards_to_whoever_is_stronger():
    """Of the lower die 1 has 11 ways of 36, 2 has 9."""
    places = 1 / 14
    assert terms(sailor(3))["from_the_fleet"] == pytest.approx(-places)
    assert terms(sailor(3, 2))["from_the_fleet"] == pytest.approx(places * (11 - 16) / 36)
    assert terms(sailor(3, 2).city(3, "N", 4, 4))["from_the_fleet"] == pytest.approx(places * (11 - 2 * 16) / 36)
    assert terms(sailor(9, 7))["from_the_fleet"] == pytest.approx(places)
