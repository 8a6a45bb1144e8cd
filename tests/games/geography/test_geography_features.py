"""What value networks see of maps of countries: chips one and two roads off, and canal tokens."""

from evaluating import features_of_position
from geography_positions import country_of, layout

from catan_env import find_scenario

canal = country_of(find_scenario("erie_canal").modules)


def features(place):
    """The features of a position as seat 0 sees it, by name."""
    return features_of_position(place.on_turn(0))


def chips(place):
    """Of seats 0 and 1: chips that the next road takes, and chips two roads off."""
    found = features(place)
    return [found[f"chips_{where}@{seat}"] for seat in range(2) for where in ("next", "after")]


def test_chips_count_one_and_two_roads_off(canal):
    """From dell one road leads to w, and one more to v; from kay the other way."""
    assert chips(layout(canal, towns=[(0, "dell")])) == [1, 1, 0, 0]
    assert chips(layout(canal, towns=[(0, "dell"), (1, "kay")])) == [1, 1, 1, 1]


def test_a_chip_that_is_gone_counts_no_more(canal):
    found = features(layout(canal, towns=[(0, "dell")], roads=[(1, "v-kay")]))
    assert [found[name] for name in ("chips_next@0", "chips_after@0", "chips_left")] == [1, 0, 1]


def test_no_second_road_leads_through_a_site_without_an_own_town(canal):
    """From r one road leads to kay and to lund, next to v; both are empty sites."""
    assert chips(layout(canal, roads=[(0, "r-s")])) == [0, 0, 0, 0]


def test_tokens_of_the_canal_are_seen(canal):
    found = features(layout(canal, roads=[(0, "kay-r")]).field("canal_tokens", [0, 2, 0, 0]).field("canal_bank", 10))
    assert [found[name] for name in ("canal_tokens@0", "canal_tokens@1", "canal_ahead", "canal_bank")] == [0, 2, 1, 10]
