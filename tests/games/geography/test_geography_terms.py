"""What maps of countries are worth to searching agents: sites and chips some roads off."""

import pytest
from evaluating import terms_of_position
from geography_positions import country, layout

__all__ = ["country"]


def terms(place, seat=0):
    """The terms of a seat by name."""
    return terms_of_position(place.on_turn(0), seat)


def test_a_free_site_counts_by_the_roads_that_lead_there(country):
    """From dell over x to moor and to port, two roads each; from cove no road goes on, nor through w to lund, four."""
    found = terms(layout(country, towns=[(0, "dell")]))["sites_beyond"]
    taken = terms(layout(country, towns=[(0, "dell"), (1, "port")]))["sites_beyond"]
    assert found - taken == pytest.approx(1 / 2)


def test_no_site_counts_without_a_settlement_to_build(country):
    def beyond(number):
        return terms(layout(country, towns=[(0, "dell alba")], settlements_per_player=number))["sites_beyond"]

    assert beyond(3) > 0 == beyond(2)


def test_chips_count_by_the_square_of_the_roads(country):
    """From dell one road leads to w, and one more to v."""
    assert terms(layout(country, towns=[(0, "dell")]))["chips_ahead"] == pytest.approx(1 / 4 + 1 / 9)


def test_a_chip_that_is_gone_counts_no_more(country):
    """Whose road took it at v is as near to w."""
    place = layout(country, towns=[(0, "dell")], roads=[(1, "v-kay")])
    assert terms(place)["chips_ahead"] == pytest.approx(1 / 4 / 2)


def test_a_chip_counts_half_where_another_is_as_near(country):
    """From kay one road leads to v, and one more to w, which is nearer to dell."""
    place = layout(country, towns=[(0, "dell"), (1, "kay")])
    assert terms(place)["chips_ahead"] == pytest.approx(1 / 4 + 1 / 9 / 2)
    assert terms(place, 1)["chips_ahead"] == pytest.approx(1 / 4 + 1 / 9 / 2)


def test_no_road_leads_through_a_site_without_an_own_town(country):
    """p-brig ends at an empty site: q, w and v beyond are out of reach, not so v from p."""
    assert terms(layout(country, roads=[(0, "p-brig")]))["chips_ahead"] == pytest.approx(1 / 4 + 1 / 9)
    assert terms(layout(country, roads=[(0, "cove-dell")]))["chips_ahead"] == 0


def test_a_road_in_hand_counts_where_it_takes_a_chip(country):
    def near(town, **hand):
        return terms(layout(country, towns=[(0, town)]).hand(0, **hand))["near_chip"]

    assert near("dell", lumber=1, brick=1) == 1 > near("dell", lumber=1) > 0
    assert near("brig", lumber=1, brick=1) == 0
