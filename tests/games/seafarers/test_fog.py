"""Fog and discovery, on the published board for four: (2, 4) and (1, 3) are unexplored."""

import pytest
from sea_positions import sea

from catan_env import BatchEngine
from catan_env.testing.positions import new_game

SHIP = {"lumber": 1, "wool": 1}


def voyage(**rules):
    """Seat 0 is one ship away from the fog: its settlement at (3, 2), its ship between (2, 2) and (2, 3)."""
    return sea("seafarers_fog_islands", **rules).settlement(0, "SW", 3, 2).on_turn(0).hand(0, **SHIP)


def sail(game, *side):
    return game.do("build_ship", game.path(*side))


@pytest.mark.rule("seafarers.fog.1")
def test_the_stacks_hold_twelve_hexes_and_ten_numbers():
    game = new_game("seafarers_fog_islands")
    assert game.state["hexes_face_down"].tolist() == [1, 2, 1, 2, 2, 0, 2, 2, 0, 0]
    assert game.state["numbers_face_down"].tolist() == [0, 1, 1, 1, 1, 0, 1, 1, 1, 2, 1]
    three = new_game("seafarers_fog_islands", 3)
    assert three.state["numbers_face_down"].tolist() == [0, 2, 1, 1, 1, 0, 1, 1, 1, 1, 1]
    assert (three.state["terrain"] == 8).sum() == 12


@pytest.mark.rule("seafarers.fog.2")
def test_a_ship_that_reaches_the_fog_turns_up_land_its_number_and_a_card():
    game = sail(voyage().game(), 2, 3, "NW")
    assert game.decision == "found_terrain"
    once, twice = ("forest", "pasture"), ("hills", "fields", "mountains", "sea", "gold")
    assert game.chances() == pytest.approx(dict.fromkeys(once, 1 / 12) | dict.fromkeys(twice, 1 / 6))
    game.draw("found_terrain", 0)
    assert game.decision == "found_number" and game.hand(0) == {"lumber": 1}
    game.draw("found_number", "8")
    fog = game.hex(1, 3)
    assert game.state["terrain"][fog] == 0 and game.state["number"][fog] == 8 and game.decision == "play"
    assert game.state["hexes_face_down"].sum() == 11 and game.state["numbers_face_down"].sum() == 9
    assert game.bank()["lumber"] == 18


@pytest.mark.rule("seafarers.fog.3")
def test_sea_brings_nothing_and_ships_sail_on():
    game = sail(voyage().game(), 2, 3, "NW").draw("found_terrain", 6)
    assert game.decision == "play" and game.hand(0) == {} and game.state["number"][game.hex(1, 3)] == 0


@pytest.mark.rule("seafarers.fog.3")
def test_gold_brings_a_card_of_choice():
    game = sail(voyage().game(), 2, 3, "NW").draw("found_terrain", 7).draw("found_number", "5")
    assert (game.seat, game.decision) == (0, "choose_card")
    assert game.do("take_card", "ore").hand(0) == {"ore": 1}


@pytest.mark.rule("seafarers.fog.1")
def test_what_is_used_up_is_found_no_more():
    game = voyage().fog(2, 2).game()
    sail(game, 2, 3, "NW").do("explore", game.hex(1, 3)).draw("found_terrain", 0).draw("found_number", "8")
    assert game.decision == "found_terrain" and "forest" not in game.chances()
    game.draw("found_terrain", 1)
    assert "8" not in game.chances() and "11" in game.chances()


@pytest.mark.rule("seafarers.moving_ships.5", "seafarers.fog.2")
def test_a_moved_ship_discovers_too():
    place = sea("seafarers_fog_islands").settlement(0, "SW", 3, 2).ship(0, (3, 2, "SW")).on_turn(0)
    game = place.game()
    assert game.decision == "play"
    game.do("take_ship", game.path(3, 2, "SW"))
    sail(game, 2, 3, "NW")
    assert game.decision == "found_terrain"


@pytest.mark.rule("seafarers.fog.4")
@pytest.mark.parametrize("first, second", [((1, 3), (2, 2)), ((2, 2), (1, 3))])
def test_the_player_chooses_which_of_two_places_is_turned_up_first(first, second):
    game = sail(voyage().fog(2, 2).game(), 2, 3, "NW")
    assert (game.seat, game.decision) == (0, "choose_fog")
    assert set(game.legal("explore")) == {game.hex(1, 3), game.hex(2, 2)}
    game.do("explore", game.hex(*first)).draw("found_terrain", 6)
    assert game.state["terrain"][game.hex(*first)] == 6 and game.state["terrain"][game.hex(*second)] == 8
    game.draw("found_terrain", 2)
    assert game.state["terrain"][game.hex(*second)] == 2 and game.decision == "found_number"


@pytest.mark.rule("seafarers.fog.4")
def test_three_places_are_turned_up_one_after_another():
    game = voyage().fog(2, 2).fog(2, 3).fog(3, 3).hand(0, brick=1).game()
    game.do("build_road", game.path(3, 2, "SW"))
    assert set(game.legal("explore")) == {game.hex(2, 2), game.hex(2, 3), game.hex(3, 3)}
    game.do("explore", game.hex(2, 3)).draw("found_terrain", 6)
    assert set(game.legal("explore")) == {game.hex(2, 2), game.hex(3, 3)}
    game.do("explore", game.hex(2, 2)).draw("found_terrain", 6).draw("found_terrain", 6)
    assert game.decision == "play" and game.hand(0) == {"wool": 1}


@pytest.mark.rule("seafarers.fog.2")
def test_a_road_discovers_too():
    place = sea("seafarers_fog_islands").settlement(0, "SW", 3, 2).fog(2, 2).hand(0, lumber=1, brick=1).on_turn(0)
    game = place.game()
    game.do("build_road", game.path(3, 2, "W"))
    assert game.decision == "found_terrain"


@pytest.mark.rule("seafarers.fog.5")
def test_settlements_discover_nothing_and_no_ship_lies_between_unexplored_places():
    game = voyage().fog(2, 2).fog(2, 3).game()
    assert game.decision == "play" and game.state["terrain"][game.hex(2, 2)] == 8
    assert game.path(2, 3, "NW") not in game.legal("build_ship") and not game.can("build_ship")


@pytest.mark.rule("seafarers.waters.4")
def test_robber_and_pirate_keep_out_of_the_fog():
    game = sea("seafarers_fog_islands").on_turn(0, "pre_roll").game().roll(7)
    fog = {h for h in range(42) if game.state["terrain"][h] == 8}
    assert not fog & set(game.legal("move_robber")) and not fog & set(game.legal("move_pirate"))


@pytest.mark.rule("seafarers.fog.2")
def test_on_land_that_was_found_one_settles_and_builds_roads():
    game = voyage().hand(0, lumber=2, brick=2, wool=2, grain=1).game()
    sail(game, 2, 3, "NW").draw("found_terrain", 0).draw("found_number", "8")
    sail(game, 2, 3, "W").draw("found_terrain", 6)
    game.do("build_settlement", game.corner("SW", 2, 3))
    assert game.can("build_road", game.path(1, 3, "SE")) and game.visible_points(0) == 2
    lumber = game.hand(0)["lumber"]
    assert game.do("end_turn").roll(8).hand(0)["lumber"] == lumber + 1


@pytest.mark.rule("seafarers.fog.3")
def test_a_landing_on_sea_that_was_found_is_no_place_to_settle():
    game = voyage().hand(0, lumber=2, brick=1, wool=2, grain=1).game()
    sail(game, 2, 3, "NW").draw("found_terrain", 6)
    sail(game, 2, 3, "W").draw("found_terrain", 6)
    assert game.refuses("build_settlement", game.corner("SW", 2, 3))


@pytest.mark.slow
def test_what_the_stacks_lack_is_desert_without_a_number():
    for rules in ({"fog_hexes": [0] * 10}, {"fog_numbers": [0] * 11}, {"fog_hexes": [0, 9, 0, 0, 0, 0, 9, 0, 0, 0]}):
        engine = BatchEngine("seafarers_fog_islands", 4, 3, seed=1, rules=rules)
        engine.random_rollout(600)
        assert not engine.broken_invariants()


@pytest.mark.rule("seafarers.fog.1")
def test_no_hex_of_fog_lies_under_the_fog():
    rules = {"fog_hexes": [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]}
    engine = BatchEngine("seafarers_fog_islands", 8, 4, seed=0, rules=rules)
    assert not engine.state["hexes_face_down"][:, 8].any()
    engine.random_rollout(400)
    assert not engine.broken_invariants()
