"""Islands, start areas and the points of islands."""

import pytest
from sea_positions import sea

from catan_env.testing.positions import new_game

SETTLEMENT = {"lumber": 1, "brick": 1, "wool": 1, "grain": 1}
ACROSS = (1, 2, "E"), (2, 1, "SW")


def crossing(**rules):
    """Seat 0 has sailed from the main island to a small one."""
    return sea(**rules).settlement(0, "N", 1, 3).ship(0, *ACROSS).on_turn(0)


@pytest.mark.rule("seafarers.islands.1")
def test_the_first_settlement_on_another_island_brings_two_further_points():
    game = crossing().hand(0, **SETTLEMENT).game()
    game.do("build_settlement", game.corner("SW", 2, 1))
    assert game.visible_points(0) == 1 + 1 + 2 and game.state["islands_settled"][0] == 1


@pytest.mark.rule("seafarers.islands.1")
def test_further_settlements_on_it_bring_no_more():
    place = crossing().ship(0, (1, 1, "SE SW")).hand(0, **dict.fromkeys(SETTLEMENT, 2))
    game = place.game()
    game.do("build_settlement", game.corner("SW", 2, 1)).do("build_settlement", game.corner("SW", 1, 1))
    assert game.visible_points(0) == 3 + 2


@pytest.mark.rule("seafarers.islands.1")
def test_it_does_not_matter_who_else_is_there():
    game = crossing().settlement(1, "N", 1, 1).hand(0, **SETTLEMENT).game()
    game.do("build_settlement", game.corner("SW", 2, 1))
    assert game.visible_points(0) == 4


@pytest.mark.rule("seafarers.islands.2")
def test_settlements_on_the_home_island_bring_no_points_of_islands():
    place = sea().settlement(0, "N", 1, 3).road(0, (1, 3, "NE E")).hand(0, **SETTLEMENT).on_turn(0)
    game = place.game()
    game.do("build_settlement", game.corner("SE", 1, 3))
    assert game.visible_points(0) == 2


@pytest.mark.rule("seafarers.islands.1")
def test_cities_bring_no_points_of_islands():
    game = crossing().settlement(1, "N", 1, 1).hand(0, ore=3, grain=3, lumber=1, brick=1, wool=1).game()
    game.do("build_settlement", game.corner("SW", 2, 1)).do("build_city", game.corner("SW", 2, 1))
    assert game.visible_points(0) == 1 + 2 + 2


@pytest.mark.rule("seafarers.islands.1")
def test_the_value_is_a_number_of_the_rules():
    game = crossing(island_points=1).hand(0, **SETTLEMENT).game()
    game.do("build_settlement", game.corner("SW", 2, 1))
    assert game.visible_points(0) == 3


@pytest.mark.rule("seafarers.islands.5")
@pytest.mark.parametrize("scenario, target", [("new_shores", 14), ("four_islands", 13), ("fog_islands", 12)])
def test_each_scenario_has_its_target(scenario, target):
    assert new_game(f"seafarers_{scenario}").engine.rules["victory_points"] == target
    assert new_game("seafarers_through_the_desert").engine.rules["victory_points"] == 14


def placed_on(scenario, players=4):
    """Islands where somebody may found."""
    rules = {"start_player": "seat_0", "shuffle_harbors": 0}
    game = new_game(f"seafarers_{scenario}", players, **rules).draw("start_player", 0)
    hexes = game.engine.topology.intersection_hexes
    islands = set()
    for place in game.legal("build_settlement"):
        islands.add(frozenset(int(game.state["island"][h]) for h in hexes[place] if h >= 0) - {-1})
    return islands


@pytest.mark.rule("seafarers.islands.3")
def test_one_starts_on_the_main_island_of_new_shores_and_of_the_desert():
    assert placed_on("new_shores") == {frozenset({2})} and placed_on("new_shores", 3) == {frozenset({2})}
    assert placed_on("through_the_desert") == {frozenset({1})}


@pytest.mark.rule("seafarers.islands.2")
def test_one_starts_anywhere_on_the_four_islands_and_these_are_home():
    assert placed_on("four_islands") == {frozenset({k}) for k in range(4)}
    game = sea("seafarers_four_islands").settlement(0, "N", 3, 1).settlement(0, "N", 1, 1).on_turn(0).game()
    assert game.state["on_island"][0].sum() == 2 and game.visible_points(0) == 2


@pytest.mark.rule("seafarers.islands.3")
def test_one_starts_on_either_coast_of_the_fog_islands_and_not_in_the_fog():
    game = new_game("seafarers_fog_islands", start_player="seat_0").draw("start_player", 0)
    assert game.corner("N", 1, 6) not in game.legal("build_settlement")
    assert game.corner("N", 4, 2) in game.legal("build_settlement")


@pytest.mark.rule("seafarers.islands.4")
def test_the_strip_beyond_the_desert_is_an_island_of_its_own():
    place = sea("seafarers_through_the_desert").settlement(0, "N", 1, 3).road(0, (1, 3, "NW"), (1, 2, "SW W"))
    game = place.hand(0, **SETTLEMENT).on_turn(0).game()
    game.do("build_settlement", game.corner("NW", 1, 2))
    assert game.visible_points(0) == 4


@pytest.mark.rule("seafarers.islands.4")
def test_desert_alone_is_no_island():
    place = sea("seafarers_through_the_desert").settlement(0, "N", 3, 1).road(0, (3, 1, "NW"), (2, 1, "NE"))
    game = place.hand(0, **SETTLEMENT).on_turn(0).game()
    game.do("build_settlement", game.corner("N", 2, 1))
    assert game.visible_points(0) == 2
