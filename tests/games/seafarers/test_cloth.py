"""Cloth for Catan: from S of (3, 1) one ship leads to the village N of (2, 3), numbered 11."""

import numpy as np
import pytest
from sea_positions import sea

from catan_env import BatchEngine
from catan_env.board import load_map
from catan_env.games.seafarers import cloth as cloth_rules
from catan_env.testing.positions import new_game

SHIP = {"lumber": 1, "wool": 1}
VILLAGE = 2


def traders(*seats, left=5, general=10, cloth=(0, 0, 0, 0), others=5, decision="pre_roll"):
    """These seats trade with the village; cloth lies as told, and the seats have the rest of it."""
    villages = [others] * 8
    villages[VILLAGE] = left
    trades = [[int(seat in seats and village == VILLAGE) for village in range(8)] for seat in range(4)]
    place = sea("seafarers_cloth", cloth_of_village=(sum(villages) + sum(cloth) + general - 10) // 8, general_cloth=10)
    place = place.field("village_cloth", villages).field("trades", trades).field("cloth", cloth)
    return place.field("cloth_left", general).on_turn(0, decision)


@pytest.mark.rule("seafarers.cloth.2", "seafarers.cloth.3")
def test_a_ship_that_comes_to_a_village_brings_a_cloth_and_opens_trade():
    game = sea("seafarers_cloth").settlement(0, "S", 3, 1).hand(0, **SHIP).on_turn(0).game()
    game.do("build_ship", game.path(2, 2, "E"))
    assert game.state["cloth"].tolist() == [1, 0, 0, 0] and game.state["village_cloth"][VILLAGE] == 4
    assert game.state["trades"][0].tolist() == [0, 0, 1, 0, 0, 0, 0, 0]


@pytest.mark.rule("seafarers.cloth.3")
def test_its_number_brings_a_cloth_to_all_who_trade_with_it():
    game = traders(0, 2).game().roll(11)
    assert game.state["cloth"].tolist() == [1, 0, 1, 0] and game.state["village_cloth"][VILLAGE] == 3
    assert traders(0, 2).game().roll(10).state["cloth"].sum() == 0


@pytest.mark.rule("seafarers.cloth.4")
def test_what_a_village_lacks_comes_from_the_general_bank_in_turn_order():
    game = traders(0, 1, 2, left=1, general=1, cloth=(4, 4, 4, 0), others=4).game().roll(11)
    assert game.state["cloth"].tolist() == [5, 5, 4, 0] and game.state["cloth_left"] == 0


@pytest.mark.rule("seafarers.cloth.4")
def test_an_empty_village_brings_nothing():
    game = traders(0, left=0, cloth=(5, 0, 0, 0)).game().roll(11)
    assert game.state["cloth"].tolist() == [5, 0, 0, 0] and game.state["cloth_left"] == 10


@pytest.mark.rule("seafarers.cloth.5")
def test_two_cloth_are_a_point():
    assert traders(left=0, cloth=(5, 0, 0, 0)).game().visible_points(0) == 2
    assert traders(left=1, cloth=(1, 3, 0, 0)).game().visible_points(0) == 0


@pytest.mark.rule("seafarers.cloth.6")
def test_a_ship_at_a_village_stays_and_the_line_may_continue():
    place = sea("seafarers_cloth").settlement(0, "S", 3, 1).ship(0, (2, 2, "E")).hand(0, **SHIP).on_turn(0)
    assert not place.game().can("take_ship") and place.game().can("build_ship", place.game().path(2, 2, "SE"))
    game = place.ship(0, (2, 2, "SE")).game()
    assert game.legal("take_ship") == [game.path(2, 2, "SE")]


@pytest.mark.rule("seafarers.cloth_pirate.1")
def test_only_traders_move_the_pirate_which_takes_a_card_or_a_cloth():
    assert traders(1).game().roll(7).kinds() == {"move_robber"}
    place = traders(0, left=3, cloth=(0, 2, 0, 0)).settlement(1, "N", 1, 7).ship(1, (1, 6, "W")).hand(1, ore=1)
    place = place.field("trades", [[0, 0, 1, 0, 0, 0, 0, 0]] + [[0] * 8] * 3)
    game = place.game().roll(7)
    game.do("move_pirate", game.hex(1, 6))
    assert game.decision == "choose_loot" and game.kinds() == {"steal", "steal_cloth"}
    game.do("steal_cloth", game.opponent(1))
    assert game.state["cloth"].tolist() == [1, 1, 0, 0] and game.decision == "play"
    game = place.game().roll(7)
    game.do("move_pirate", game.hex(1, 6)).do("steal", game.opponent(1)).theft("ore")
    assert game.hand(0) == {"ore": 1}
    assert not traders(0).pirate(1, 6).game().roll(7).do("send_pirate_off").can("steal")


@pytest.mark.rule("seafarers.cloth_pirate.1")
def test_a_player_without_cards_and_cloth_is_not_robbed():
    place = traders(0).settlement(1, "N", 1, 7).ship(1, (1, 6, "W"))
    game = place.game().roll(7)
    assert game.do("move_pirate", game.hex(1, 6)).decision == "play"


@pytest.mark.rule("seafarers.cloth.9")
def test_with_five_empty_villages_the_game_ends_after_the_turn_and_most_points_win_then_most_cloth():
    place = sea("seafarers_cloth").field("village_cloth", [0, 0, 0, 0, 0, 5, 5, 5]).on_turn(0)
    game = place.field("cloth", [12, 13, 0, 0]).game()
    assert not game.over
    assert game.do("end_turn").winner == 1
    four = sea("seafarers_cloth").field("village_cloth", [0, 0, 0, 0, 1, 5, 5, 5]).field("cloth", [12, 12, 0, 0])
    assert not four.on_turn(0).game().do("end_turn").over
    level = place.field("cloth", [12, 12, 1, 0]).game().do("end_turn")
    assert level.over and level.engine.winners[0].tolist() == [True, True, False, False]


@pytest.mark.rule("seafarers.cloth.1")
def test_everybody_founds_three_settlements_the_third_in_the_first_order_with_its_cards():
    game = new_game("seafarers_cloth", start_player="seat_0").draw("start_player", 0)
    seats, cards = [], []
    for _ in range(12):
        seats.append(game.seat)
        game.do("build_settlement", game.legal("build_settlement")[0])
        cards.append(sum(game.hand(seats[-1]).values()))
        game.do("build_road", game.legal("build_road")[0])
    assert seats == [0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3]
    assert cards[:8] == [0] * 8 and min(cards[8:]) > 0


@pytest.mark.rule("seafarers.cloth.8")
def test_the_robber_starts_on_the_twelve_where_it_is_printed():
    game = new_game("seafarers_cloth", start_player="seat_0").draw("start_player", 0)
    assert game.decision == "place_initial_settlement" and game.state["robber"] == game.hex(-1, 3)
    assert game.state["number"][game.state["robber"]] == 12


@pytest.mark.rule("seafarers.cloth.8")
def test_the_first_player_chooses_among_the_twelves_in_a_variable_set_up_or_where_one_asks_for_it():
    for scenario, rules in [("seafarers_cloth+variable_setup", {}), ("seafarers_cloth", {"choose_robber_start": 1})]:
        engine = BatchEngine(scenario, 1, seed=3, rules={"start_player": "seat_0", **rules})
        assert engine.decision(0) == "start_robber" and engine.seat_to_act[0] == 0
        twelves = np.flatnonzero(engine.state["number"][0] == 12)
        assert len(twelves) == 2
        actions = [engine.actions.id("move_robber", hex) for hex in twelves]
        assert np.flatnonzero(engine.action_mask[0]).tolist() == actions
        engine.step(np.array(actions[1:]))
        assert engine.state["robber"][0] == twelves[1] and engine.action_mask[0].any()


@pytest.mark.rule("seafarers.cloth.8")
def test_a_custom_board_without_a_twelve_asks_nobody_for_one():
    printed = load_map("cloth").layouts["published"].to_coordinates()
    hexes = [[q, r, name, 11 if number == 12 else number] for q, r, name, number in printed["hexes"]]
    for robber, number in (("off", 0), ([1, 1], 1)):
        board = {**printed, "hexes": hexes, "robber": robber}
        game = new_game("seafarers_cloth", board=board, start_player="seat_0", choose_robber_start=number)
        assert game.draw("start_player", 0).decision == "place_initial_settlement"


@pytest.mark.rule("seafarers.cloth.7")
def test_the_robber_keeps_off_the_islets():
    game = traders().game().roll(7)
    assert not {game.hex(0, 4), game.hex(2, 3), game.hex(3, 4), game.hex(1, 5)} & set(game.legal("move_robber"))


@pytest.mark.rule("seafarers.cloth.7")
def test_nobody_settles_at_a_village_and_there_is_no_longest_route():
    place = sea("seafarers_cloth").settlement(0, "S", 3, 1).ship(0, (2, 2, "E SE"), (2, 3, "NE E"))
    game = place.hand(0, lumber=1, brick=1, wool=1, grain=1).on_turn(0).game()
    assert not game.can("build_settlement") and game.visible_points(0) == 1 + 0
    assert "longest_road" not in game.engine.state.dtype.names


def test_one_player_can_hold_all_the_cloth_that_the_numbers_allow():
    numbers = {number.name: number.high for number in cloth_rules.NUMBERS}
    fields = {field.name: field.high for field in cloth_rules.FIELDS}
    (villages,) = (array.most for array in cloth_rules.BOARD_ARRAYS if array.name == "village_number")
    all_cloth = villages * numbers["cloth_of_village"] + numbers["general_cloth"]
    assert all_cloth == fields["cloth"] == fields["cloth_left"]
