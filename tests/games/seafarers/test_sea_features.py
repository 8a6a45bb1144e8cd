"""What value networks see of ships, islands and gold."""

import pytest
from evaluating import features_of_position
from sea_positions import sea

ON_THE_SHORE = 0, "N", 1, 3
"""Two ships lead from there to the small island of (2, 1)."""
REACH = "island_by_ships", "island_by_ship", "island_at_once"


def seen(place, name, player=0, turn=20):
    """A feature of a player, as seat 0 sees it."""
    return features_of_position(place.on_turn(0, turn=turn))[f"{name}@{player}"]


def reach(place, player=0):
    """The flags of new islands that are two ships, one ship and none away."""
    found = features_of_position(place.on_turn(0))
    return [found[f"{name}@{player}"] for name in REACH]


def test_an_island_comes_nearer_with_every_ship():
    place = sea().settlement(*ON_THE_SHORE)
    assert reach(place) == [1, 0, 0] and reach(place, player=1) == [0, 0, 0]
    assert reach(place.ship(0, (1, 2, "E")))[1:] == [1, 0]
    assert reach(place.ship(0, (2, 1, "SW")))[2] == 1
    assert reach(sea().settlement(1, "N", 1, 3), player=1) == [1, 0, 0]


def test_without_ships_left_nothing_is_reached():
    place = sea(ships_per_player=2).settlement(*ON_THE_SHORE).ship(0, (1, 2, "SE SW"))
    assert reach(place) == [0, 0, 0] and seen(place, "ships_left") == 0
    assert seen(place, "site_by_ship") == seen(place, "site_by_ships") == 0


def test_a_second_ship_reaches_sites_that_one_does_not():
    place = sea().settlement(*ON_THE_SHORE)
    assert seen(place, "site_by_ship") == 0 < seen(place, "site_by_ships")
    assert seen(place.ship(0, (1, 2, "E")), "site_by_ship") == seen(place, "site_by_ships")


def test_gold_counts_by_its_number_and_twice_in_a_city():
    assert seen(sea().settlement(1, "N", 4, 4), "gold", player=1) == pytest.approx(3 / 36)
    assert seen(sea().city(0, "N", 4, 4), "gold") == pytest.approx(6 / 36)
    assert seen(sea().settlement(0, "N", 4, 4).robber(4, 4), "gold") == 0
