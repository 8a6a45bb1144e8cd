"""The board, ships, what they bring, and the Seafaring People."""

import numpy as np
import pytest
from troy_positions import EAST, SHIP, WEST, pool, troy

from catan_agents.heuristic import HeuristicAgent
from catan_agents.human_trades import words_for
from catan_env.testing.positions import new_game

ROW = [(2, 1), (3, 1), (4, 1), (3, 0), (4, 0), (2, 2), (3, 2)]
"""Seven sea hexes, each beside one before it."""


def fleet(number):
    return {0: ROW[:number]}


# -- the board ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("troy.frame.2")
def test_the_board_has_25_sea_hexes_24_that_produce_and_the_hexes_of_both_cities():
    game = new_game("troy")
    terrain, numbers = game.state["terrain"].tolist(), game.state["number"]
    assert [terrain.count(kind) for kind in range(7)] == [5, 4, 5, 5, 5, 2, 25]
    assert (numbers > 0).sum() == 24 and game.state["robber"] == game.hex(2, 3)
    mark = game.engine.topology.marks["war_city"]
    assert mark.names == ("Troy", "Mycenae") and all(terrain[hex] == 5 for hex in mark.places)
    assert game.engine.scenario.facts.status == "reconstruction"
    assert not any(name.startswith("harbor") for name in game.engine.feature_names("flat"))


@pytest.mark.rule("troy.frame.3")
def test_roads_lie_along_land_and_settlements_stand_on_land():
    game = troy().settlement(0, *WEST).hand(0, lumber=5, brick=5).game()
    sea = {game.path(2, 1, "SW")} - {game.path(1, 1, "SE"), game.path(1, 1, "E")}
    assert game.paths_at(*WEST) - set(game.legal("build_road")) == sea
    game = new_game("troy").draw("side", "troy").draw("side", "troy").draw("side", "mycenae").draw("side", "mycenae")
    game.draw("start_player", 0)
    assert not game.can("build_settlement", game.corner("SE", 3, 2))
    game.do("build_settlement", game.corner(*WEST))
    assert set(game.legal("build_road")) == game.paths_at(*WEST) - sea


# -- building ships ----------------------------------------------------------------------------------------------


@pytest.mark.rule("troy.fleet.2")
def test_a_ship_costs_two_commerce_points_a_lumber_and_a_wool():
    game = troy(commerce=(3, 0, 0, 0)).settlement(0, *WEST).hand(0, **SHIP).game()
    game.do("build_ship", game.hex(2, 1))
    assert game.state["commerce"][0] == 1 and game.hand(0) == {} and game.state["ships_left"].tolist() == [6, 7, 7, 7]
    assert game.state["ship_owner"][game.hex(2, 1)] == 0
    for commerce, hand in ((1, SHIP), (2, {"lumber": 2}), (2, {"wool": 2})):
        place = troy(commerce=(commerce, 0, 0, 0)).settlement(0, *WEST).hand(0, **hand)
        assert not place.game().can("build_ship")


@pytest.mark.rule("troy.fleet.3")
def test_a_ship_lies_in_a_free_sea_hex_at_an_own_building_or_beside_an_own_ship():
    def places(place):
        game = place.hand(0, **SHIP).game()
        return {game.engine.topology.hex_keys[hex] for hex in game.legal("build_ship")}

    two = (2, 0, 0, 0)
    assert places(troy(commerce=two).settlement(0, *WEST)) == {(2, 1), (1, 2)}
    assert places(troy(commerce=two).city(0, *WEST)) == {(2, 1), (1, 2)}
    assert places(troy(commerce=two).settlement(1, *WEST)) == set()
    assert places(troy(commerce=two, ships={1: [(2, 1)]}).settlement(0, *WEST)) == {(1, 2)}
    assert places(troy(commerce=two, ships={0: [(2, 1)]})) == {(3, 0), (3, 1), (1, 2), (2, 2)} - {(2, 1)}
    assert places(troy(commerce=two, ships={0: [(2, 1)], 1: [(3, 0), (2, 2)]})) == {(3, 1), (1, 2)}


@pytest.mark.rule("troy.fleet.4")
def test_the_seafaring_people_keep_no_ship_away():
    game = troy(commerce=(2, 0, 0, 0)).settlement(0, *WEST).hand(0, **SHIP).robber(2, 1).game()
    assert game.can("build_ship", game.hex(2, 1))


@pytest.mark.rule("troy.fleet.5")
def test_as_many_ships_in_a_turn_as_one_can_pay_for():
    game = troy(commerce=(4, 0, 0, 0)).settlement(0, *WEST).hand(0, lumber=2, wool=2).game()
    for q, r in ROW[:2]:
        game.do("build_ship", game.hex(q, r)).do("move_people", game.legal("move_people")[0])
    assert game.state["ships_left"][0] == 5


@pytest.mark.rule("troy.fleet.1")
def test_after_seven_ships_there_are_no_more():
    assert not troy(commerce=(9, 0, 0, 0), ships=fleet(7)).hand(0, **SHIP).game().can("build_ship")


# -- what ships bring --------------------------------------------------------------------------------------------


@pytest.mark.rule("troy.fleet.7")
def test_the_third_fifth_and_seventh_ship_are_two_points_each_that_all_see():
    assert [troy(ships=fleet(n)).game().visible_points(0) for n in range(8)] == [0, 0, 0, 2, 2, 4, 4, 6]


@pytest.mark.rule("troy.fleet.6")
def test_the_first_ship_trades_three_for_one():
    three = {"ore": 3, "brick": 2}
    assert not troy().hand(0, **three).game().can("trade_with_bank")
    game = troy(ships=fleet(1)).hand(0, **three).game()
    assert {pair.split()[0] for pair in game.legal("trade_with_bank")} == {"ore"}
    assert game.do("trade_with_bank", "ore for 1 wool").hand(0) == {"wool": 1, "brick": 2}
    assert not troy(ships=fleet(1), seat=1).hand(1, **three).game().can("trade_with_bank")


def test_agents_and_people_know_the_rate_of_ships():
    place = troy(ships=fleet(1)).settlement(0, *WEST).hand(0, brick=3, grain=1, ore=3)
    engine = place.game().engine
    action = int(HeuristicAgent().act(engine, np.array([0]))[0])
    assert engine.describe(0, action) == "trade brick for 1 grain with the bank"
    assert words_for(engine, action) == "trade 3 brick for 1 grain with the bank"  # as a person reads it


@pytest.mark.rule("troy.fleet.8")
def test_the_fourth_ship_chooses_a_resource_and_trades_two_of_it_from_then_on():
    game = troy(ships=fleet(3), commerce=(2, 0, 0, 0)).hand(0, lumber=1, wool=3, brick=2).game()
    game.do("build_ship", game.hex(4, 0)).do("move_people", game.hex(3, 3))
    assert game.decision == "choose_goods" and len(game.legal("choose_trade_goods")) == 5
    game.do("choose_trade_goods", "brick")
    assert game.state["trade_goods"].tolist() == [1, -1, -1, -1] and game.observed(2)["trade_goods/left_2/brick"] == 1
    assert {pair.split()[0] for pair in game.legal("trade_with_bank")} == {"brick"}
    game.do("trade_with_bank", "brick for 1 ore")
    assert game.decision == "play" and not game.can("choose_trade_goods")


@pytest.mark.rule("troy.fleet.8")
def test_two_players_at_most_choose_the_same_resource():
    def choice(**rules):
        place = troy(ships={0: ROW[:3]}, commerce=(2, 0, 0, 0), **rules).field("trade_goods", [-1, 2, 2, 3])
        game = place.hand(0, **SHIP).game()
        game.do("build_ship", game.hex(4, 0)).do("move_people", game.hex(3, 3))
        return game.legal("choose_trade_goods")

    assert choice() == ["lumber", "brick", "grain", "ore"]
    assert choice(players_per_trade_goods=1) == ["lumber", "brick", "ore"]


@pytest.mark.rule("troy.pool_trade.1")
def test_the_second_ship_swaps_a_card_with_an_unseen_one_of_the_pool_once_a_turn():
    assert not troy(ships=fleet(1), pool={"ore": 3}).hand(0, wool=2).game().can("swap_with_pool")
    assert not troy(ships=fleet(2)).hand(0, wool=2).game().can("swap_with_pool")
    game = troy(ships=fleet(2), pool={"ore": 3, "brick": 1}).hand(0, wool=2).game().do("swap_with_pool", "wool")
    assert game.chances() == pytest.approx({"ore": 0.75, "brick": 0.25})  # not the card that goes in
    game.draw("swapped_card", "brick")
    assert game.hand(0) == {"wool": 1, "brick": 1} and pool(game) == {"ore": 3, "wool": 1}
    assert game.state["commerce"][0] == 0 and not game.can("swap_with_pool")


@pytest.mark.rule("troy.pool_trade.2")
def test_the_sixth_ship_takes_an_unseen_card_of_the_pool_once_a_turn():
    assert not troy(ships=fleet(5), pool={"ore": 3}).game().can("take_from_pool")
    assert not troy(ships=fleet(6)).game().can("take_from_pool")
    game = troy(ships=fleet(6), pool={"ore": 3, "brick": 1}).game().do("take_from_pool")
    assert game.chances() == pytest.approx({"ore": 0.75, "brick": 0.25})
    game.draw("taken_card", "ore")
    assert game.hand(0) == {"ore": 1} and pool(game) == {"ore": 2, "brick": 1} and not game.can("take_from_pool")


@pytest.mark.rule("troy.pool_trade.3")
def test_ships_trade_with_the_pool_from_the_turn_in_which_they_are_built_and_again_in_the_next():
    game = troy(ships=fleet(1), commerce=(2, 0, 0, 0), pool={"ore": 3}).hand(0, lumber=1, wool=2).game()
    game.do("build_ship", game.hex(3, 1)).do("move_people", game.hex(3, 3))
    assert game.do("swap_with_pool", "wool").draw("swapped_card", "ore").state["card_swapped"] == 1
    for _ in range(4):
        game.do("end_turn").roll(12)
    assert game.seat == 0 and game.can("swap_with_pool", "ore")


# -- the Seafaring People ----------------------------------------------------------------------------------------


@pytest.mark.rule("troy.seafaring_people.1")
def test_a_seven_moves_them_after_the_discards_to_another_hex_of_the_sea_or_the_coast():
    game = troy("pre_roll").hand(1, ore=8).game().roll(7)
    for _ in range(4):
        game.do("discard_card", "ore")
    assert (game.seat, game.decision) == (0, "place_people")
    topology, terrain = game.engine.topology, game.state["terrain"]
    coast = {h for h in range(51) if terrain[h] != 6 and (terrain[topology.hex_neighbors[h]] == 6)[
        topology.hex_neighbors[h] >= 0].any()}  # fmt: skip
    sea = set(np.flatnonzero(terrain == 6).tolist()) - {game.hex(2, 3)}
    assert set(game.legal("move_people")) == sea | coast
    assert game.refuses("move_people", game.hex(0, 1)) and game.can("move_people", game.hex(5, 1))


@pytest.mark.rule("troy.seafaring_people.2")
def test_every_ship_built_moves_them():
    game = troy(commerce=(2, 0, 0, 0)).settlement(0, *WEST).hand(0, **SHIP).game()
    game.do("build_ship", game.hex(2, 1))
    assert (game.seat, game.decision) == (0, "place_people")


def moving(**options):
    """Seat 0 has just rolled a 7."""
    place = troy("pre_roll", **options).hand(1, ore=1).hand(2, wool=1)
    return place.settlement(1, *WEST).settlement(2, *EAST)


@pytest.mark.rule("troy.seafaring_people.3")
def test_at_sea_they_take_a_card_of_somebody_with_a_building_there():
    game = moving().game().roll(7)
    game.do("move_people", game.hex(1, 2))
    assert game.kinds() == {"steal", "leave_card"} and game.legal("steal") == [game.opponent(1)]
    game.do("steal", game.opponent(1))
    assert set(game.chances()) == {"ore"} and game.theft("ore").hand(0) == {"ore": 1}


@pytest.mark.rule("troy.seafaring_people.7")
def test_the_mover_may_leave_the_card():
    game = moving().game().roll(7)
    game.do("move_people", game.hex(1, 2)).do("leave_card")
    assert game.hand(0) == {} and game.hand(1) == {"ore": 1} and game.decision == "play"


@pytest.mark.rule("troy.seafaring_people.3")
def test_the_mover_chooses_among_several():
    game = moving().settlement(3, "S", 2, 1).hand(3, brick=1).game().roll(7)
    game.do("move_people", game.hex(2, 1))
    assert game.decision == "choose_victim" and set(game.legal("steal")) == {0, 2}


@pytest.mark.rule("troy.seafaring_people.4")
def test_where_a_ship_lies_they_take_a_card_of_its_owner_and_of_nobody_else():
    game = moving(ships={2: [(2, 1)]}).game().roll(7)
    game.do("move_people", game.hex(2, 1))
    game.do("steal", game.opponent(2))
    assert game.decision == "theft" and set(game.chances()) == {"wool"}
    game = moving(ships={0: [(2, 1)]}).game().roll(7)
    game.do("move_people", game.hex(2, 1))
    assert game.decision == "play"


@pytest.mark.rule("troy.seafaring_people.5")
def test_on_land_they_block_production_and_take_a_card():
    game = moving().game().roll(7)
    game.do("move_people", game.hex(1, 1)).do("steal", game.opponent(1)).theft("ore").do("end_turn").roll(6)
    assert game.hand(1) == {}
    game = moving().game().roll(6)
    assert game.hand(1) == {"ore": 2}


@pytest.mark.rule("troy.seafaring_people.6")
def test_they_may_go_where_nobody_is_robbed_and_at_sea_nothing_lasts():
    game = moving().game().roll(7)
    game.do("move_people", game.hex(-2, 5))
    assert game.decision == "play"
    game = moving().robber(2, 1).game().roll(6)
    assert game.hand(1) == {"ore": 2}
