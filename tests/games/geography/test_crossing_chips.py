"""Chips at crossings."""

import pytest
from geography_positions import Land, country, layout

from catan_env.testing.positions import new_game

__all__ = ["country"]


def chips(game):
    return game.state["crossing_chips"][:3].tolist()


@pytest.mark.rule("geography.crossing_chips.2", "geography.crossing_chips.3")
def test_the_first_road_at_a_crossing_takes_its_chip(country):
    land, place = Land(country), layout(country, roads=[(0, "alba-p")]).hand(0, lumber=1, brick=1).on_turn(0)
    game = place.game()
    before = game.engine.visible_points[0, 0]
    game.do("build_road", land.path("p-v"))
    assert chips(game) == [1, 0, 0] and game.engine.visible_points[0, 0] == before + 1
    assert sorted(game.state["crossing_chip"]) == [0, 1]


@pytest.mark.rule("geography.crossing_chips.2")
def test_the_second_player_there_gets_nothing(country):
    game = layout(country, roads=[(0, "p-v"), (1, "v-kay")]).on_turn(0).game()
    assert chips(game) == [1, 0, 0]


@pytest.mark.rule("geography.crossing_chips.2", "geography.crossing_chips.3")
def test_a_road_between_two_crossings_takes_both_chips(country):
    game = layout(country, roads=[(2, "v-w")]).on_turn(0).game()
    assert chips(game) == [0, 0, 2] and game.engine.visible_points[0].tolist()[:3] == [0, 0, 2]


@pytest.mark.rule("geography.crossing_chips.2")
def test_a_free_road_takes_it_too(country):
    place = layout(country, roads=[(0, "alba-p")]).cards(0, road_building=1).on_turn(0)
    game = place.game().do("play_road_building").do("build_road", Land(country).path("p-v"))
    assert chips(game) == [1, 0, 0]


def after_one_settlement(country, **rules):
    land, game = Land(country), new_game(country, 3, start_player="seat_0", **rules).draw("start_player", 0)
    return game.do("build_settlement", land.at("kay")).do("build_road", land.path("v-kay"))


@pytest.mark.rule("geography.crossing_chips.4")
def test_so_does_a_road_of_the_initial_placement(country):
    assert chips(after_one_settlement(country)) == [1, 0, 0]


@pytest.mark.rule("geography.crossing_chips.4")
def test_unless_the_rules_say_otherwise(country):
    assert chips(after_one_settlement(country, chips_by_roads="in_play_only")) == [0, 0, 0]


@pytest.mark.rule("geography.crossing_chips.5")
def test_no_chips_where_crossings_are_sites(country):
    game = layout(country, roads=[(0, "p-v v-w")], crossings="sites").on_turn(0).game()
    assert chips(game) == [0, 0, 0] and not game.state["crossing_chip"].any()


@pytest.mark.rule("geography.crossing_chips.6")
def test_a_chip_wins_at_once_on_the_own_turn(country):
    place = layout(country, roads=[(0, "alba-p")], victory_points=2, points_of_chip=2)
    game = place.hand(0, lumber=1, brick=1).on_turn(0).game().do("build_road", Land(country).path("p-v"))
    assert game.over and game.engine.winner[0] == 0
