"""What ships could reach, gold and cloth, as agents judge positions by them."""

import pytest
from evaluating import terms_of_position
from sea_positions import sea

from catan_agents.evaluation.cloth import ROLLS
from catan_agents.evaluation.sea import AWAY

ISLAND = 2.0
"""Points for one."""
ON_THE_SHORE = 0, "N", 1, 3
"""Two ships lead from there to the small island of (2, 1)."""


def term(name, place, seat=0, turn=20):
    """A term of the position of a seat, whose turn it is."""
    return terms_of_position(place.on_turn(0, turn=turn), seat)[name]


def test_an_island_with_points_is_worth_more_with_every_ship_on_the_way_there():
    place = sea().settlement(*ON_THE_SHORE)
    assert term("island_ahead", sea().settlement(0, "S", 1, 4)) == 0
    assert term("island_ahead", place) == pytest.approx(AWAY**2 * ISLAND)
    assert term("island_ahead", place.ship(0, (1, 2, "E"))) == pytest.approx(AWAY * ISLAND)
    assert term("island_ahead", place.ship(0, (2, 1, "SW"))) == ISLAND


def test_an_island_is_further_off_where_others_have_the_nearest_sites():
    place = sea().settlement(*ON_THE_SHORE).settlement(1, "SW", 2, 1).settlement(2, "SE", 2, 1)
    assert 0 < term("island_ahead", place) < AWAY**2 * ISLAND


def test_an_island_that_is_settled_brings_no_more():
    place = sea().settlement(*ON_THE_SHORE).ship(0, (1, 2, "E"), (2, 1, "SW")).settlement(0, "SW", 2, 1)
    assert term("island_ahead", place) < AWAY**2 * ISLAND


def test_islands_without_points_and_islands_in_the_initial_placement_do_not_count():
    assert term("island_ahead", sea(island_points=0).settlement(*ON_THE_SHORE)) == 0
    assert term("island_ahead", sea().settlement(*ON_THE_SHORE), turn=0) == 0


def test_without_ships_left_or_past_the_pirate_no_island_is_reached():
    assert term("island_ahead", sea(ships_per_player=2).settlement(*ON_THE_SHORE).ship(0, (1, 2, "SE SW"))) == 0
    assert term("island_ahead", sea().settlement(*ON_THE_SHORE).pirate(1, 2)) < AWAY**2 * ISLAND


def test_a_site_beyond_the_sea_is_worth_more_the_nearer_it_is():
    place = sea().settlement(*ON_THE_SHORE)
    far = term("site_by_sea", place)
    assert 0 < far < term("site_by_sea", place.ship(0, (1, 2, "E")))
    assert term("site_by_sea", sea().settlement(1, "N", 1, 3)) == 0


def test_gold_is_to_be_expected_by_its_number_twice_by_a_city_and_not_under_the_robber():
    assert term("gold", sea().settlement(0, "N", 4, 4)) == pytest.approx(3 / 36)
    assert term("gold", sea().city(0, "N", 4, 4)) == pytest.approx(6 / 36)
    assert term("gold", sea().settlement(0, "N", 4, 4).robber(4, 4)) == 0
    assert term("gold", sea().settlement(1, "N", 4, 4)) == 0


# -- cloth -------------------------------------------------------------------------------------------------

VILLAGE = 2
"""Its number is 11; one ship leads there from S of (3, 1)."""


def traded(left, *, cloth=0):
    """Seat 0 trades with the village, which has so much cloth left; the others have none."""
    villages = [left if village == VILLAGE else 0 for village in range(8)]
    trades = [[int(seat == 0 and village == VILLAGE) for village in range(8)] for seat in range(4)]
    place = sea("seafarers_cloth", cloth_of_village=5, general_cloth=10).field("village_cloth", villages)
    return place.field("trades", trades).field("cloth", [cloth, 0, 0, 0]).field("cloth_left", 50 - left - cloth)


def test_a_cloth_beyond_whole_points_is_part_of_the_next():
    assert [term("part_of_point", traded(5, cloth=cloth)) for cloth in (4, 5)] == [0, 0.5]


def test_a_village_traded_with_promises_cloth_by_its_number_as_long_as_it_has_some():
    assert term("cloth_to_expect", traded(5)) == pytest.approx(2 / 36)
    assert 0 < term("cloth_to_expect", traded(1)) < 2 / 36
    assert term("cloth_to_expect", traded(0)) == 0
    assert term("cloth_to_expect", traded(5), seat=1) == 0


def ahead(corner, left):
    """How far a settlement on a corner of (3, 1) is on its way to villages that have so much cloth left each."""
    place = sea("seafarers_cloth", cloth_of_village=5).settlement(0, corner, 3, 1).field("village_cloth", left)
    return term("village_ahead", place.field("cloth_left", 50 - sum(left)))


def test_a_village_is_worth_sailing_to_by_its_number_the_nearer_it_is_and_while_it_has_cloth():
    def only(left):
        return [left if village == VILLAGE else 0 for village in range(8)]

    assert ahead("S", only(5)) == pytest.approx(AWAY * (1 + ROLLS * 2 / 36) / 2)
    assert ahead("SW", only(5)) == pytest.approx(AWAY * ahead("S", only(5)))
    assert ahead("S", only(0)) == 0 < ahead("S", only(1)) < ahead("S", only(5))


def test_a_village_traded_with_is_none_to_sail_to():
    assert term("village_ahead", traded(5).settlement(0, "S", 3, 1)) == 0
