"""Battles with sea robber ships, on the reconstructed board.

Seat 0 has a settlement at the south-east of the fields (2, 2) and ships towards the robbers at (4, 3).
"""

import pytest
from sea_positions import sea

from catan_env.testing.positions import new_game

SHIP = {"lumber": 1, "wool": 1}


def voyage(jugs=1, **rules):
    """Seat 0 is one ship away from the robbers at (4, 3) and from no others."""
    place = sea("sea_robbers", first_jugs=jugs, **rules).settlement(0, "SE", 2, 2)
    return place.ship(0, (3, 2, "SW"), (3, 3, "NE")).hand(0, **SHIP).on_turn(0)


def engage(game):
    return game.do("build_ship", game.path(3, 3, "E"))


@pytest.mark.rule("sea_robbers.battles.1")
def test_eight_ships_begin_with_four_players_and_six_with_three():
    assert new_game("sea_robbers").state["afloat"].sum() == 8
    assert new_game("sea_robbers", 3).state["afloat"].sum() == 6
    assert new_game("sea_robbers").state["jugs"].tolist() == [1, 1, 1, 1]


@pytest.mark.rule("sea_robbers.battles.2", "sea_robbers.battles.3")
def test_a_ship_that_comes_near_attacks_at_once():
    game = engage(voyage().game())
    assert game.decision == "battle"
    assert game.chances() == pytest.approx({"0": 1 / 8, "1": 2 / 8, "2": 3 / 8, "3": 2 / 8})


@pytest.mark.rule("sea_robbers.battles.4")
def test_fewer_jugs_lose_the_ship_and_bring_lumber_or_wool():
    game = engage(voyage().game()).draw("battle", "2")
    assert game.decision == "claim_loss" and game.legal("take_card") == ["lumber", "wool"]
    game.do("take_card", "wool")
    assert game.hand(0) == {"wool": 1} and game.state["edge_owner"][game.path(3, 3, "E")] == -1
    assert game.state["edge_pieces_left"][0, 1] == 13 and game.state["afloat"].sum() == 8
    assert game.decision == "after_battle" and game.kinds() == {"end_turn"}


@pytest.mark.rule("sea_robbers.battles.4")
def test_the_card_for_a_lost_ship_may_be_left():
    game = engage(voyage().game()).draw("battle", "2").do("forgo_card")
    assert game.hand(0) == {} and game.decision == "after_battle"


@pytest.mark.rule("sea_robbers.battles.5")
def test_as_many_jugs_make_the_ship_move_away_from_all_robbers():
    game = engage(voyage().game()).draw("battle", "1")
    assert game.decision == "flee" and game.path(3, 3, "E") not in game.legal("build_ship")
    assert not any(near_robbers(game, path) for path in game.legal("build_ship"))
    refuge = game.legal("build_ship")[0]
    game.do("build_ship", refuge)
    assert game.state["edge_owner"][refuge] == 0 and game.state["edge_pieces_left"][0, 1] == 12
    assert game.decision == "after_battle" and game.state["afloat"].sum() == 8


@pytest.mark.rule("sea_robbers.battles.5")
def test_after_a_tie_a_ship_moves_though_one_was_moved_before():
    place = voyage().ship(0, (2, 2, "SE")).field("ship_moved", 1)
    game = engage(place.game()).draw("battle", "1")
    assert game.decision == "flee" and game.can("build_ship")


def race(**rules):
    """Seat 1 holds Longest Road with three roads; seat 0 has three ships in line, and the next one attacks."""
    place = sea("sea_robbers", longest_road_minimum=2, **rules).settlement(1, "N", 1, 2).road(1, (1, 2, "NE E SE"))
    place = place.settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW SE"), (3, 3, "NE")).hand(0, **SHIP)
    return engage(place.on_turn(0).game())


@pytest.mark.rule("sea_robbers.battles.13")
@pytest.mark.parametrize("card, holder", [("0", 0), ("2", 1)])
def test_longest_road_and_victory_wait_for_the_end_of_the_battle(card, holder):
    game = race(victory_points=4)
    assert (game.state["longest_road"], game.state["road_length"][0], game.decision) == (1, 4, "battle")
    assert game.draw("battle", card).state["longest_road"] == holder and game.over == (holder == 0)


@pytest.mark.rule("sea_robbers.battles.13")
def test_a_ship_that_draws_back_from_the_line_brings_no_longest_road():
    game = race().draw("battle", "1")
    assert (game.state["longest_road"], game.decision) == (1, "flee")
    fork = game.paths_at("S", 3, 2) & set(game.legal("build_ship"))
    assert game.do("build_ship", fork.pop()).state["longest_road"] == 1 and game.state["road_length"][0] == 3


@pytest.mark.rule("sea_robbers.battles.6")
def test_more_jugs_sink_the_robbers_for_a_point_and_a_chest():
    game = engage(voyage(2).game()).draw("battle", "1")
    assert game.decision == "chest"
    game.draw("chest", "card_of_choice")
    assert game.state["sunk"][0] == 1 and game.visible_points(0) == 2 and game.state["afloat"].sum() == 7
    assert game.state["chests"][0].sum() == 1 and game.decision == "after_battle"
    assert game.state["edge_owner"][game.path(3, 3, "E")] == 0


@pytest.mark.rule("sea_robbers.battles.7")
def test_the_turn_ends_after_a_battle_and_a_free_ship_is_forfeited():
    place = sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW"), (3, 3, "NE")).on_turn(0)
    game = engage(place.cards(0, road_building=1).game().do("play_road_building")).draw("battle", "3")
    game.do("take_card", "lumber")
    assert game.kinds() == {"end_turn"}
    assert game.do("end_turn").seat == 1


@pytest.mark.rule("sea_robbers.battles.7")
def test_a_battle_before_the_roll_ends_the_turn_without_it():
    place = sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW"), (3, 3, "NE")).on_turn(0, "pre_roll")
    game = engage(place.cards(0, road_building=1).game().do("play_road_building")).draw("battle", "3")
    game.do("take_card", "wool").do("end_turn")
    assert game.seat == 1 and game.decision == "pre_roll"


@pytest.mark.rule("sea_robbers.battles.3")
def test_from_two_wins_on_cards_come_from_the_higher_stack():
    game = engage(voyage().field("sunk", [2, 0, 0, 0]).game())
    assert game.chances() == pytest.approx({"2": 1 / 8, "3": 2 / 8, "4": 3 / 8, "5": 2 / 8})
    game = engage(voyage().field("sunk", [1, 0, 0, 0]).game())
    assert "0" in game.chances()


@pytest.mark.rule("sea_robbers.battles.2")
def test_a_moved_ship_attacks_too():
    place = sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW"), (3, 3, "NE"), (2, 2, "SE")).on_turn(0)
    game = place.game()
    game.do("take_ship", game.path(2, 2, "SE"))
    assert engage(game).decision == "battle"


@pytest.mark.rule("sea_robbers.battles.7")
def test_a_battle_that_wins_the_game_ends_it():
    game = engage(voyage(2, victory_points=2).game()).draw("battle", "0")
    assert game.over and game.winner == 0


@pytest.mark.rule("sea_robbers.battles.8")
def test_a_jug_costs_brick_and_ore_once_a_turn_up_to_six():
    place = sea("sea_robbers").hand(0, brick=2, ore=2).on_turn(0)
    game = place.game().do("add_jug")
    assert game.state["jugs"][0] == 2 and game.hand(0) == {"brick": 1, "ore": 1} and not game.can("add_jug")
    assert not sea("sea_robbers", first_jugs=6).hand(0, brick=1, ore=1).on_turn(0).game().can("add_jug")


def test_numbers_of_jugs_stacks_and_points():
    place = sea("sea_robbers", most_jugs=2, jug_cost=[1, 0, 0, 0, 0]).hand(0, lumber=3).on_turn(0)
    game = place.game().do("add_jug")
    assert game.state["jugs"][0] == 2 and game.hand(0) == {"lumber": 2}
    assert not sea("sea_robbers", most_jugs=1).hand(0, brick=1, ore=1).on_turn(0).game().can("add_jug")
    rules = {"low_stack": [0, 0, 0, 0, 0, 1], "high_stack": [1, 0, 0, 0, 0, 0]}
    assert engage(voyage(**rules).game()).chances() == {"5": 1.0}
    high = engage(voyage(wins_for_high_stack=0, points_per_sunk_ship=3, **rules).game())
    assert high.chances() == {"0": 1.0} and high.draw("battle", "0").visible_points(0) == 1 + 3


@pytest.mark.rule("sea_robbers.battles.9")
def test_first_ships_keep_away_from_the_robbers():
    game = new_game("sea_robbers", start_player="seat_0").draw("start_player", 0)
    game.do("build_settlement", game.corner("SE", 0, 6))
    assert game.path(1, 6, "SW") not in game.legal("build_ship") and game.can("build_ship")
    assert near_robbers(game, game.path(1, 6, "SW"))


def near_robbers(game, path):
    """Whether an end of a path is a corner of a hex with sea robbers."""
    topology = game.engine.topology
    hexes = topology.marks["sea_robber"].places.tolist()
    return any(h in hexes for end in topology.path_intersections[path] for h in topology.intersection_hexes[end])


@pytest.mark.rule("sea_robbers.warships.1")
def test_the_robber_stays_on_land_and_there_is_no_pirate():
    game = sea("sea_robbers").on_turn(0, "pre_roll").game().roll(7)
    assert game.kinds() == {"move_robber", "move_warship"}


@pytest.mark.rule("sea_robbers.battles.2")
def test_of_two_robbers_the_player_picks_one():
    place = sea("sea_robbers").settlement(0, "SE", 5, 2).hand(0, **SHIP).on_turn(0)
    game = place.game()
    both = [p for p in game.legal("build_ship") if len(foes_of(game, p)) == 2]
    game.do("build_ship", both[0])
    assert game.decision == "choose_foe" and set(game.legal("attack")) == foes_of(game, both[0])
    assert game.do("attack", game.legal("attack")[1]).decision == "battle"


def foes_of(game, path):
    """Sea robber ships at the ends of a path."""
    topology = game.engine.topology
    hexes = topology.marks["sea_robber"].places.tolist()
    around = {int(h) for end in topology.path_intersections[path] for h in topology.intersection_hexes[end]}
    return {k for k, hex in enumerate(hexes) if hex in around}
