"""The rules of Harbormaster, tested on hand-made positions.

On the printed board, there are harbors at the north corners of hexes (0, -2) and (1, -2), at the north-east corner of
(2, 0) and at the south-east corner of (1, 1).
"""

import numpy as np
import pytest
from catan_env.testing import position

import harbormaster  # noqa: F401 (registers the scenario and the optional rule)

NOBODY = -1
CARDS = {"brick": 1, "lumber": 1, "wool": 1, "grain": 3, "ore": 3}


def three_points(scenario="harbormaster", **rules):
    """Seat 0 has 3 harbor points and roads leading further; seat 1 has 1 point."""
    table = position(scenario, 3, rules).city(0, "N", 0, -2).settlement(0, "N", 1, -2).settlement(1, "NE", 2, 0)
    return table.road(0, (0, -2, "NE"), (1, -2, "NW NE"))


def rivals(scenario="harbormaster"):
    """Seat 0 holds Harbormaster with 3 harbor points; seat 1 also has 3."""
    return three_points(scenario).city(1, "SE", 1, 1)


def points_at_harbors(game):
    return game.state["harbor_points"][:3].tolist()


def test_settlements_at_harbors_are_worth_one_point_and_cities_two():
    game = three_points().settlement(2, "N", 0, 0).on_turn(0).game()
    assert points_at_harbors(game) == [3, 1, 0]
    assert game.state["harbormaster"] == 0
    assert [game.points(seat) for seat in range(3)] == [2 + 1 + 2, 1, 1]


def test_two_points_do_not_take_the_card():
    game = three_points(harbormaster_minimum=4).on_turn(0).game()
    assert game.state["harbormaster"] == NOBODY and game.points(0) == 3


def test_building_at_a_harbor_takes_the_card_at_once():
    table = position("harbormaster", 3).city(0, "N", 0, -2).road(0, (0, -2, "NE"), (1, -2, "NW"))
    game = table.hand(0, **CARDS).on_turn(0).game()
    assert game.state["harbormaster"] == NOBODY
    game.do("build_settlement", game.corner("N", 1, -2))
    assert game.state["harbormaster"] == 0 and game.points(0) == 2 + 1 + 2


def test_on_a_tie_the_holder_keeps_the_card_and_one_point_more_takes_it():
    game = rivals().hand(1, **CARDS).on_turn(1).game()
    assert points_at_harbors(game) == [3, 3, 0] and game.state["harbormaster"] == 0
    game.do("build_city", game.corner("NE", 2, 0))
    assert points_at_harbors(game) == [3, 4, 0] and game.state["harbormaster"] == 1
    assert [game.points(seat) for seat in range(2)] == [3, 4 + 2]


def test_the_card_can_win_the_game():
    game = three_points(victory_points=6).hand(0, **CARDS).on_turn(0).game()
    game.do("build_city", game.corner("N", 1, -2))
    assert game.over and game.winner == 0


@pytest.mark.parametrize(
    "scenario, points", [("harbormaster", 11), ("base+harbormaster", 11), ("cities_and_knights+harbormaster", 14)]
)
def test_games_with_the_card_are_played_to_one_point_more(scenario, points):
    game = three_points(scenario).on_turn(0).game()
    assert game.engine.rules["victory_points"] == points
    assert game.state["harbormaster"] == 0


def test_a_pillaged_city_loses_its_harbor_point():
    """In Cities & Knights, the barbarians reach the island, nobody has a knight, and only seat 0 pays."""
    table = three_points("cities_and_knights+harbormaster").settlement(1, "SE", 1, 1)
    game = table.field("barbarian_steps", 6).on_turn(0, "pre_roll").game()
    game.do("roll").draw("red_die", "1").draw("yellow_die", "2").draw("event_die", "ship")
    game.do("choose_city", game.corner("N", 0, -2))
    assert points_at_harbors(game) == [2, 2, 0]
    assert game.state["harbormaster"] == NOBODY


def test_a_harbor_that_comes_to_a_settlement_counts():
    """In The Forgotten Tribe, seat 0 keeps a harbor it got from a tribe and places it at its next settlement."""
    table = position("seafarers_forgotten_tribe+harbormaster", 3).settlement(0, "N", 2, 3).on_turn(0)
    table.road(0, (2, 3, "NE"), (3, 3, "NW")).hand(0, brick=1, lumber=1, wool=1, grain=1)
    harbors, kept = table.game().state["harbor"].copy(), np.zeros((4, 6), int)
    taken = np.flatnonzero(harbors != NOBODY)[0]
    kept[0, harbors[taken]], harbors[taken] = 1, NOBODY
    game = table.field("harbor", harbors).field("harbors_kept", kept).game()
    game.do("build_settlement", game.corner("N", 3, 3))
    assert points_at_harbors(game) == [0, 0, 0]
    game.do("place_harbor", game.legal("place_harbor")[0])
    assert points_at_harbors(game) == [1, 0, 0]
