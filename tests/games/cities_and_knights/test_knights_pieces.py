"""Improvements, metropolises, walls, trade, knights and what they do."""

import pytest
from knight_positions import KnightPosition, cut_line, march, table

BASIC = {"wool": 1, "ore": 1}


@pytest.mark.rule("cities_and_knights.improvements.1")
def test_each_level_costs_as_many_commodities_as_its_number():
    game = march().hand(1, paper=3, cloth=1).on_turn(1).game()
    game.do("improve", "science").do("improve", "science")
    assert game.level(1) == {"science": 2, "trade": 0, "politics": 0} and game.hand(1) == {"cloth": 1}
    assert game.bank()["paper"] == 12
    assert game.refuses("improve", "science") and game.can("improve", "trade") and not game.can("improve", "politics")


@pytest.mark.rule("cities_and_knights.improvements.1")
def test_there_is_no_sixth_level():
    game = march().levels(1, politics=5).metropolis(1, "politics", "S", 0, 2).hand(1, coin=8).on_turn(1).game()
    assert not game.can("improve")


@pytest.mark.rule("cities_and_knights.improvements.2")
def test_improving_takes_a_city():
    game = march().levels(0, science=2).hand(0, paper=3).on_turn(0).game()
    assert not game.can("improve") and game.level(0)["science"] == 2
    crowned = march().metropolis(1, "trade", "S", 0, 2).levels(1, trade=4).hand(1, paper=1).on_turn(1).game()
    assert crowned.can("improve", "science")


@pytest.mark.rule("cities_and_knights.metropolises.1")
def test_who_is_first_at_the_fourth_level_gets_the_metropolis():
    game = march().city(1, "S", 2, 0).levels(1, trade=3).hand(1, cloth=4).on_turn(1).game()
    game.do("improve", "trade")
    assert game.decision == "place_metropolis" and len(game.legal("choose_city")) == 2
    game.do("choose_city", game.corner("S", 2, 0))
    assert game.state["metropolis_owner"].tolist() == [-1, 1, -1] and game.points(1) == 6
    assert game.state["metropolis"][game.corner("S", 2, 0)] == 2


@pytest.mark.rule("cities_and_knights.metropolises.2", "cities_and_knights.metropolises.5")
def test_a_metropolis_takes_a_city_without_one():
    game = march().metropolis(1, "trade", "S", 0, 2).levels(1, trade=4, science=3).hand(1, paper=4, cloth=5)
    game = game.on_turn(1).game()
    assert not game.can("improve", "science") and game.can("improve", "trade")
    assert game.do("improve", "trade").decision == "play"
    older = march(metropolis_needs_city=0).metropolis(1, "trade", "S", 0, 2).levels(1, trade=4, science=3)
    older = older.hand(1, paper=4).on_turn(1).game().do("improve", "science")
    assert older.level(1)["science"] == 4 and older.state["metropolis_owner"].tolist() == [-1, 1, -1]


@pytest.mark.rule(
    "cities_and_knights.metropolises.3", "cities_and_knights.metropolises.4", "cities_and_knights.metropolises.5"
)
def test_the_fifth_level_takes_a_metropolis_over_for_good():
    board = march().city(0, "S", -2, 2).metropolis(1, "trade", "S", 0, 2).hand(0, cloth=5)
    game = board.levels(1, trade=4).levels(0, trade=4).on_turn(0).game()
    assert (game.points(0), game.points(1)) == (3, 4)
    game.do("improve", "trade").do("choose_city", game.corner("S", -2, 2))
    assert (game.points(0), game.points(1)) == (5, 2) and game.state["metropolis_owner"].tolist() == [-1, 0, -1]
    fixed = march().city(0, "S", -2, 2).metropolis(1, "trade", "S", 0, 2).hand(0, cloth=5)
    fixed = fixed.levels(1, trade=5).levels(0, trade=4).on_turn(0).game().do("improve", "trade")
    assert fixed.decision == "play" and fixed.state["metropolis_owner"].tolist() == [-1, 1, -1]


@pytest.mark.rule("cities_and_knights.metropolises.3")
def test_the_fourth_level_does_not_take_a_metropolis_over():
    game = march().city(0, "S", -2, 2).metropolis(1, "trade", "S", 0, 2).levels(1, trade=4).levels(0, trade=3)
    game = game.hand(0, cloth=4).on_turn(0).game().do("improve", "trade")
    assert game.decision == "play" and game.points(1) == 4


# -- trade -------------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.trade.2")
def test_commodities_are_traded_with_the_bank_like_resources():
    game = march().hand(0, coin=4, ore=4).on_turn(0).game()
    game.do("trade_with_bank", "coin for 1 brick").do("trade_with_bank", "ore for 1 cloth")
    assert game.hand(0) == {"brick": 1, "cloth": 1}
    harbor = table().settlement(0, "N", 0, -2).hand(0, coin=3).on_turn(0).game()
    rate = int(harbor.state["trade_rate"][0, 7])
    assert harbor.can("trade_with_bank", "coin for 1 brick") == (rate == 3)


@pytest.mark.rule("cities_and_knights.merchant_guild.1")
def test_the_merchant_guild_trades_two_equal_commodities_for_any_card():
    game = march().levels(0, trade=3).hand(0, coin=2, ore=3).on_turn(0).game()
    assert game.can("trade_with_bank", "coin for 1 cloth") and not game.can("trade_with_bank", "ore for 1 brick")
    game.do("trade_with_bank", "coin for 1 grain")
    assert game.hand(0) == {"grain": 1, "ore": 3}
    assert not march().levels(0, trade=2).hand(0, coin=2).on_turn(0).game().can("trade_with_bank")


@pytest.mark.rule("cities_and_knights.trade.1")
def test_players_trade_commodities_with_each_other():
    game = march().hand(0, coin=1).hand(1, ore=1).on_turn(0).game()
    game.do("make_offer").do("offer_card", "coin").do("ask_card", "ore").do("submit_offer").do("accept")
    game.do("confirm", game.opponent(1))
    assert game.hand(0) == {"ore": 1} and game.hand(1) == {"coin": 1}


# -- walls -------------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.city_walls.1", "cities_and_knights.city_walls.2")
def test_a_wall_costs_two_bricks_stands_under_a_city_and_lets_one_hold_two_more_cards():
    game = march().city(1, "S", 2, 0).hand(1, brick=11).on_turn(1).game()
    assert set(game.legal("build_wall")) == {game.corner("S", 0, 2), game.corner("S", 2, 0)}
    game.do("build_wall", game.corner("S", 0, 2))
    assert game.legal("build_wall") == [game.corner("S", 2, 0)] and game.state["walls_left"][1] == 2
    game.do("end_turn").roll(3, 4)
    assert game.decision == "play", "nine cards are allowed with a wall"
    assert not march().hand(0, brick=4).on_turn(0).game().can("build_wall"), "a settlement has none"
    metropolis = march().metropolis(1, "trade", "S", 0, 2).levels(1, trade=4).hand(1, brick=2).on_turn(1).game()
    assert metropolis.can("build_wall")


@pytest.mark.rule("cities_and_knights.city_walls.3")
def test_there_are_three_walls():
    bare = march(walls_per_player=0).hand(1, brick=2).on_turn(1).game()
    assert not bare.can("build_wall")
    assert (march().on_turn(1).game().state["walls_left"] == 3).all()


# -- knights -----------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.knights.2")
def test_a_knight_is_recruited_inactive_on_an_empty_intersection_at_an_own_road():
    game = march().hand(0, **BASIC).on_turn(0).game()
    assert set(game.legal("recruit_knight")) == {game.corner(c, 0, -1) for c in ("NE", "SE", "S", "SW")}
    game.do("recruit_knight", game.corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 1, 0) and not game.hand(0) and not game.can("take_knight")
    assert game.state["knights_left"][0].tolist() == [1, 2, 2]


@pytest.mark.rule("cities_and_knights.knights.1", "cities_and_knights.knights.4")
def test_there_are_two_knights_of_each_strength():
    game = march().knight(0, "NE", 0, -1).knight(0, "SE", 0, -1).hand(0, **BASIC).on_turn(0).game()
    assert not game.can("recruit_knight") and game.can("promote_knight")
    full = march().knight(0, "NE", 0, -1).knight(0, "SE", 0, -1, strength=2).knight(0, "S", 0, -1, strength=2)
    assert not full.hand(0, **BASIC).on_turn(0).game().can("promote_knight")


@pytest.mark.rule("cities_and_knights.knights.3")
def test_activating_costs_grain_and_lets_a_knight_act_from_the_next_turn_on():
    game = march().knight(0, "NE", 0, -1).hand(0, grain=1).on_turn(0).game()
    game.do("activate_knight", game.corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 1, 2) and not game.can("take_knight") and not game.hand(0)
    game.do("end_turn")
    assert game.knight_on("NE", 0, -1) == (0, 1, 1)


@pytest.mark.rule("cities_and_knights.knights.4")
def test_a_knight_is_promoted_once_in_a_turn_and_keeps_its_state():
    game = march().knight(0, "NE", 0, -1, active=True).levels(0, politics=3).hand(0, wool=2, ore=2).on_turn(0).game()
    game.do("promote_knight", game.corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 2, 1) and game.hand(0) == {"wool": 1, "ore": 1}
    assert not game.can("promote_knight") and game.state["knights_left"][0].tolist() == [2, 1, 2]
    game.do("take_knight", game.corner("NE", 0, -1)).do("place_knight", game.corner("SE", 0, -1))
    assert not game.can("promote_knight"), "a move does not make it another knight"


@pytest.mark.rule("cities_and_knights.knights.5")
def test_recruited_knights_may_be_promoted_in_the_same_turn():
    game = march().hand(0, wool=2, ore=2).on_turn(0).game()
    game.do("recruit_knight", game.corner("NE", 0, -1)).do("promote_knight", game.corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 2, 0)


@pytest.mark.rule("cities_and_knights.knights.6")
def test_mighty_knights_take_the_fortress():
    board = march().knight(0, "NE", 0, -1, strength=2).hand(0, **BASIC)
    assert not board.levels(0, politics=2).on_turn(0).game().can("promote_knight")
    game = board.levels(0, politics=3).on_turn(0).game().do("promote_knight", board.game().corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 3, 0)


@pytest.mark.rule("cities_and_knights.knights.7", "cities_and_knights.knights.8")
def test_an_opponents_knight_ends_roads_and_occupies_its_site():
    ready = {"lumber": 2, "brick": 2, "wool": 1, "grain": 1}
    game = march().road(1, (1, -1, "NW")).knight(1, "SE", 0, -1).hand(0, **ready).on_turn(0).game()
    assert game.state["road_length"][0] == 2, "cut in the middle"
    assert game.corner("SE", 0, -1) not in game.legal("build_settlement")
    assert game.path(1, -1, "SW") not in game.legal("build_road")
    free = march().road(1, (1, -1, "NW")).hand(0, **ready).on_turn(0).game()
    assert free.state["road_length"][0] == 4 and free.corner("SE", 0, -1) in free.legal("build_settlement")
    assert free.path(1, -1, "SW") in free.legal("build_road")
    own = march().knight(0, "SE", 0, -1).hand(0, **ready).on_turn(0).game()
    assert own.state["road_length"][0] == 4 and own.path(1, -1, "SW") in own.legal("build_road")
    assert own.corner("SE", 0, -1) not in own.legal("build_settlement")


@pytest.mark.rule("cities_and_knights.knights.7")
def test_a_knight_may_cost_longest_road_and_give_it_back():
    board = march().road(0, (0, -1, "W")).road(1, (1, -1, "SW"))
    game = board.on_turn(1).hand(1, **BASIC).game()
    assert game.state["longest_road"] == 0
    game.do("recruit_knight", game.corner("SE", 0, -1))
    assert game.state["longest_road"] == -1 and game.state["road_length"][0] == 3
    game.state["knight_state"][game.corner("SE", 0, -1)] = 1
    game.engine.refresh()
    game.do("take_knight", game.corner("SE", 0, -1)).do("place_knight", game.corner("S", 1, -1))
    assert game.state["road_length"][0] == 5 and game.state["longest_road"] == 0


@pytest.mark.rule("cities_and_knights.knight_actions.1")
def test_a_knight_moves_along_own_roads_to_an_empty_intersection_and_is_inactive_then():
    game = march().knight(0, "NE", 0, -1, active=True).on_turn(0).game()
    game.do("take_knight", game.corner("NE", 0, -1))
    assert set(game.legal("place_knight")) == {game.corner(c, 0, -1) for c in ("SE", "S", "SW")}
    game.do("place_knight", game.corner("SW", 0, -1))
    assert game.knight_on("SW", 0, -1) == (0, 1, 0) and game.knight_on("NE", 0, -1) is None


@pytest.mark.rule("cities_and_knights.knights.9")
def test_who_has_acted_and_is_activated_again_does_not_act_twice_in_a_turn():
    game = march().knight(0, "NE", 0, -1, active=True).hand(0, grain=1).on_turn(0).game()
    game.do("take_knight", game.corner("NE", 0, -1)).do("place_knight", game.corner("SE", 0, -1))
    game.do("activate_knight", game.corner("SE", 0, -1))
    assert game.knight_on("SE", 0, -1) == (0, 1, 2) and not game.can("take_knight")


@pytest.mark.rule("cities_and_knights.knight_actions.2")
def test_knights_pass_own_pieces_and_nothing_else():
    game = march().knight(0, "NE", 0, -1, active=True).knight(0, "SE", 0, -1).on_turn(0).game()
    game.do("take_knight", game.corner("NE", 0, -1))
    assert set(game.legal("place_knight")) == {game.corner(c, 0, -1) for c in ("S", "SW")}
    held_up = march().knight(0, "NE", 0, -1, active=True).road(1, (1, -1, "NW")).knight(1, "SE", 0, -1).on_turn(0)
    assert not held_up.game().can("take_knight"), "one of the same strength stands in the way, and is not passed"
    built = march().knight(0, "NE", 0, -1, active=True).settlement(2, "SE", 0, -1).on_turn(0).game()
    assert not built.can("take_knight")


@pytest.mark.rule("cities_and_knights.knight_actions.3")
def test_a_stronger_knight_drives_a_weaker_one_out_whose_owner_sets_it_elsewhere():
    game = march().knight(0, "NE", 0, -1, strength=2, active=True).road(1, (1, -1, "SW"))
    game = game.knight(1, "SE", 0, -1, active=True).on_turn(0).game()
    game.do("take_knight", game.corner("NE", 0, -1))
    assert game.legal("place_knight") == [game.corner("SE", 0, -1)], "and not beyond it"
    game.do("place_knight", game.corner("SE", 0, -1))
    assert (game.decision, game.seat) == ("retreat", 1)
    assert game.legal("place_knight") == [game.corner("S", 1, -1)]
    game.do("place_knight", game.corner("S", 1, -1))
    assert game.knight_on("S", 1, -1) == (1, 1, 1) and game.knight_on("SE", 0, -1) == (0, 2, 0)
    assert game.decision == "play" and game.seat == 0


@pytest.mark.rule("cities_and_knights.knight_actions.4")
def test_a_knight_that_can_go_nowhere_leaves_the_board():
    game = march().knight(0, "NE", 0, -1, strength=3, active=True).knight(1, "SE", 0, -1, strength=2).on_turn(0).game()
    game.do("take_knight", game.corner("NE", 0, -1)).do("place_knight", game.corner("SE", 0, -1))
    assert game.decision == "play" and game.state["knights_left"][1].tolist() == [2, 2, 2]


@pytest.mark.rule("cities_and_knights.knight_actions.9")
def test_longest_road_and_victory_wait_for_the_retreat_of_a_displaced_knight():
    board = cut_line(victory_points=3).knight(0, "S", 0, 0, strength=2, active=True).on_turn(0)
    game = board.game()
    game.do("take_knight", game.corner("S", 0, 0)).do("place_knight", game.corner("SW", 0, 0))
    assert (game.decision, game.seat, game.over) == ("retreat", 1, False)
    game.do("place_knight", game.corner("SE", 0, 0))
    assert not game.over and game.state["longest_road"] == -1 and game.state["road_length"][0] == 4
    free = board.game()
    free.do("take_knight", free.corner("S", 0, 0)).do("place_knight", free.corner("SW", 0, 0))
    assert free.do("place_knight", free.corner("N", 0, 0)).winner == 0


@pytest.mark.rule("cities_and_knights.knight_actions.9")
def test_a_knight_that_frees_two_lines_at_once_leaves_longest_road_to_its_holder_in_a_tie():
    """Seat 0's knight leaves seat 1's line of seven, and drives a knight out of seat 0's own line of seven."""
    board = table(3).road(0, (-2, 0, "SE"), (-1, 0, "SW SE"), (0, 0, "SW SE E"), (1, 0, "SW SE"))
    board = board.road(1, (-1, 0, "NW NE"), (0, 0, "NW NE"), (1, 0, "NW NE"), (2, 0, "NW"))
    board = board.knight(0, "NE", 0, 0, strength=2, active=True).knight(2, "S", -1, 0).on_turn(0)
    game = board.game()
    assert game.state["road_length"].tolist()[:2] == [5, 4] and game.state["longest_road"] == 0
    game.do("take_knight", game.corner("NE", 0, 0)).do("place_knight", game.corner("S", -1, 0))
    assert game.state["road_length"].tolist()[:2] == [7, 7] and game.state["longest_road"] == 0


@pytest.mark.rule("cities_and_knights.knight_actions.5")
def test_a_knight_at_the_robber_chases_him_away():
    board = march().knight(0, "S", 0, -1, active=True).robber(0, 0).hand(1, coin=1)
    game = board.sailed(0, attacks=1).on_turn(0).game()
    game.do("take_knight", game.corner("S", 0, -1))
    assert game.can("place_knight") and game.hex(0, 0) not in game.legal("move_robber")
    game.do("move_robber", game.hex(0, 2)).theft("coin")
    assert game.state["robber"] == game.hex(0, 2) and game.knight_on("S", 0, -1) == (0, 1, 0)
    assert game.decision == "play" and game.hand(0) == {"coin": 1}
    away = march().knight(0, "NE", 0, -1, active=True).robber(0, 0).sailed(0, attacks=1).on_turn(0).game()
    away.do("take_knight", away.corner("NE", 0, -1))
    assert not away.can("move_robber")


@pytest.mark.rule("cities_and_knights.knight_actions.6")
def test_nobody_chases_the_robber_before_the_first_attack():
    game = march(robber_at_start="desert").knight(0, "S", 0, -1, active=True).robber(0, 0).on_turn(0).game()
    game.do("take_knight", game.corner("S", 0, -1))
    assert not game.can("move_robber")


@pytest.mark.rule("cities_and_knights.knight_actions.7")
def test_knights_act_in_the_own_turn_only_but_are_hired_in_the_special_building_phase():
    board = (
        KnightPosition("cities_and_knights_5_6", 5, {"extra_phase": "special_building"})
        .settlement(1, "N", 0, 0)
        .road(1, (0, 0, "NE"))
    )
    board = board.knight(1, "NE", 0, 0, active=True).hand(1, grain=1, wool=1, ore=1).progress(1, "encouragement")
    board = board.progress(0, "crane", "crane", "mining", "mining", "irrigation")
    game = board.on_turn(0).game().do("end_turn")
    assert (game.decision, game.seat) == ("leave_progress", 0), "before anybody else builds"
    game.do("discard_progress", "crane")
    assert game.decision == "build_specially" and game.seat == 1
    assert game.kinds() == {"promote_knight", "pass"}
