"""Frenemies: the tokens, what they are redeemed for, swapping, chips, winning."""

import numpy as np
import pytest

import catan_env
from catan_env.engine.binding import rule_functions
from catan_env.games.frenemies.favor_tokens import GUILDS
from tests.games.frenemies.favor_positions import favors, frenemies, held, numbers_held, receives, stock, tokens_in_play
from tests.strategies import play

PLENTY = {"lumber": 2, "brick": 2, "wool": 2, "grain": 2, "ore": 2}
ONE_EACH = dict.fromkeys(GUILDS, 2)


def holder(players=4, decision="play", stock=None, new=None, rules=None, **tokens):
    """Seat 0 at its turn with a road, some cards and these tokens."""
    place = frenemies(players, **(rules or {})).settlement(0, "N", 0, 0).road(0, (0, 0, "NE")).hand(0, **PLENTY)
    return favors(place, {0: tokens}, stock, new, players).on_turn(0, decision)


def redeem(guild, game=None, **tokens):
    game = game or holder(**(tokens or {guild: 2})).game()
    return game.do("redeem_favor", guild)


def next_own_turn(game):
    """Everybody rolls a 4 and ends the turn, until seat 0 has rolled again."""
    game.do("end_turn")
    while game.seat != 0:
        game.roll(4).do("end_turn")
    return game.roll(4)


# -- tokens --------------------------------------------------------------------------------------------------


@pytest.mark.rule("frenemies.favor_tokens.1")
@pytest.mark.parametrize("players, each", [(3, (6, 6, 6, 12, 12)), (4, (8, 8, 8, 16, 16)), (5, (10, 10, 10, 20, 20)),
                                           (6, (12, 12, 12, 24, 24))])  # fmt: skip
def test_the_stock_by_number_of_players(players, each):
    engine = catan_env.BatchEngine("frenemies" if players < 5 else "frenemies_5_6", num_players=players)
    assert engine.state["favor_stock"][0].tolist() == [*each]
    assert engine.state["chips_left"][0] == 12 and engine.rules["victory_points"] == 11


@pytest.mark.rule("frenemies.favor_tokens.2")
def test_the_set_of_2012_if_asked_for():
    engine = catan_env.BatchEngine("frenemies", num_players=4, rules={"favor_set": "of_2012"})
    assert engine.state["favor_stock"][0].tolist() == [8, 8, 8, 17, 17] and engine.state["chips_left"][0] == 8
    engine.random_rollout(300)
    assert not engine.broken_invariants()


@pytest.mark.rule("frenemies.favor_tokens.10")
def test_with_three_players_the_fourteen_dotted_tokens_of_2012_leave():
    rules = {"favor_set": "of_2012"}
    engine = catan_env.BatchEngine("frenemies", num_players=3, rules=rules)
    assert engine.state["favor_stock"][0].tolist() == [6, 6, 6, 13, 13] and engine.state["chips_left"][0] == 8
    engine = catan_env.BatchEngine(
        "frenemies", num_players=3, rules=rules | {"favor_tokens_of_2012": (8, 8, 8, 17, 17)}
    )
    assert engine.state["favor_stock"][0].sum() == 58


@pytest.mark.rule("frenemies.favor_tokens.1")
def test_all_eighty_four_tokens_are_in_play_with_six():
    assert tokens_in_play(6).sum() == 84


@pytest.mark.rule("frenemies.favor_tokens.3")
def test_tokens_are_drawn_blind():
    game = holder(traders=1, stock={"traders": 1, "scholars": 3, "master_builders": 4}).game().do("swap_favor")
    assert game.chances() == {"traders": 1 / 8, "scholars": 3 / 8, "master_builders": 4 / 8}


def views(guild, seat):
    """What a seat sees after seat 0 has drawn a token of this guild."""
    game = holder(traders=1).game().do("swap_favor").draw("draw_favor", guild).do("return_favor", guild)
    game.do("end_turn")
    return game.engine.observe(seat=seat)[0], game.engine.action_mask[0].copy()


@pytest.mark.rule("frenemies.favor_tokens.5")
def test_only_their_owner_sees_the_kinds_of_tokens_everybody_their_number():
    for other in (1, 2, 3):
        games = [favors(frenemies(), {0: {guild: 2}}).on_turn(1).game() for guild in ("scholars", "traders")]
        seen = [game.engine.observe(seat=other)[0] for game in games]
        assert np.array_equal(*seen)
        names = games[0].engine.feature_names()
        assert seen[0][names.index(f"favors/left_{4 - other}/total")] > 0
        assert np.array_equal(games[0].engine.action_mask, games[1].engine.action_mask)
    own = [game.engine.observe(seat=0)[0] for game in games]
    assert own[0][names.index("favors/me/scholars")] > 0 == own[1][names.index("favors/me/scholars")]


@pytest.mark.rule("frenemies.favor_tokens.5")
def test_a_swap_shows_others_nothing():
    for seat in (1, 2, 3):
        assert all(map(np.array_equal, views("scholars", seat), views("traders", seat)))


@pytest.mark.rule("frenemies.favor_tokens.5")
@pytest.mark.slow
def test_tokens_of_others_change_nothing_that_a_seat_sees_or_may_do():
    """In random games, tokens of the others change places with those in the stock, as unseen as before."""
    engine = catan_env.BatchEngine("frenemies", 4, seed=3, chance="explicit")
    changed = 0
    for _ in play(engine, 600):
        seats = engine.seat_to_act
        twin = engine.clone()
        for game in np.flatnonzero(seats >= 0):
            tokens, left = twin.state["favors"][game], twin.state["favor_stock"][game]
            for seat in {0, 1, 2, 3} - {int(seats[game])}:
                mine, other = np.argmax(tokens[seat]), np.argmax(left)
                if tokens[seat, mine] > 0 and left[other] > 0 and mine != other:
                    tokens[seat, mine] -= 1
                    tokens[seat, other] += 1
                    left[mine] += 1
                    left[other] -= 1
                    changed += 1
        twin.refresh()
        assert np.array_equal(engine.observe(), twin.observe())
        assert np.array_equal(engine.action_mask, twin.action_mask)
    assert changed > 1000


@pytest.mark.rule("frenemies.favor_tokens.6")
def test_redeemed_tokens_stay_out_of_play_face_up():
    game = redeem("scholars").draw("draw_card", "knight")
    assert held(game, 0) == {} and game.state["favors_redeemed"].tolist() == [0, 0, 0, 2, 0]
    assert stock(game)["scholars"] == 14
    seen = dict(zip(game.engine.feature_names(), game.engine.observe(seat=3)[0], strict=True))
    assert seen["favors_redeemed/scholars"] > 0 == seen["favors_redeemed/traders"]


# -- when ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("frenemies.guild_favors.2")
def test_favors_may_be_used_in_the_whole_own_turn_if_asked_for():
    place = holder(decision="pre_roll", rules={"spend_time": "whole_turn"}, **ONE_EACH)
    game = place.game()
    assert len(game.legal("redeem_favor")) == 5 and game.can("swap_favor")
    game.do("redeem_favor", "traders").do("exchange", "lumber for 1 ore")
    assert (game.seat, game.decision) == (0, "pre_roll") and game.refuses("redeem_favor", "merchants")
    game.roll(4).do("exchange", "lumber for 1 ore")
    assert not game.can("exchange") and game.refuses("swap_favor")
    game = place.game().do("swap_favor").draw("draw_favor", "traders").do("return_favor", "traders")
    assert game.decision == "pre_roll" and game.do("roll").decision == "dice"


@pytest.mark.rule("frenemies.guild_favors.1")
def test_favors_are_used_after_the_roll():
    game = holder(decision="pre_roll", **ONE_EACH).game()
    assert not game.can("redeem_favor") and game.refuses("swap_favor")
    game.roll(4)
    assert game.legal("redeem_favor") == list(GUILDS) and game.can("swap_favor")


@pytest.mark.rule("frenemies.guild_favors.1")
@pytest.mark.parametrize("decision", ["trade", "build"])
def test_the_strict_order_of_phases_allows_favors_after_the_roll(decision):
    place = favors(frenemies(phases="strict").hand(0, ore=1), {0: ONE_EACH}).on_turn(0, decision)
    game = redeem("traders", place.game())
    assert game.can("exchange") and not game.can("redeem_favor")


@pytest.mark.rule("frenemies.guild_favors.3")
@pytest.mark.parametrize("guild", GUILDS)
def test_once_a_turn_one_favor_or_one_swap(guild):
    game = redeem(guild, **dict.fromkeys(GUILDS, 4))
    while game.decision != "play":
        game.draw("draw_card", "knight") if game.seat < 0 else game.do(*game_choice(game))
    assert not game.can("redeem_favor") and game.refuses("swap_favor")
    next_own_turn(game)
    assert game.can("redeem_favor") and game.can("swap_favor")


def game_choice(game):
    """Some legal action, as kind and argument."""
    return game.engine.actions.pair(int(np.flatnonzero(game.engine.action_mask[0])[0]))


@pytest.mark.rule("frenemies.guild_favors.3")
def test_after_a_swap_nothing_is_redeemed():
    game = holder(**ONE_EACH).game().do("swap_favor").draw("draw_favor", "scholars").do("return_favor", "traders")
    assert game.decision == "play" and not game.can("redeem_favor") and game.refuses("swap_favor")


@pytest.mark.rule("frenemies.favor_tokens.8")
def test_tokens_received_in_this_turn_are_not_redeemed():
    game = holder(traders=1, scholars=3, new={0: {"traders": 1, "scholars": 2}}).game()
    assert not game.can("redeem_favor")
    assert next_own_turn(game).legal("redeem_favor") == ["traders", "scholars"]


@pytest.mark.rule("frenemies.favor_tokens.8")
def test_an_older_token_of_the_same_guild_is():
    game = holder(traders=2, new={0: {"traders": 1}}).game()
    assert redeem("traders", game) and held(game, 0) == {"traders": 1}


@pytest.mark.rule("frenemies.favor_tokens.8")
def test_tokens_received_in_turns_of_others_are_redeemed_in_the_own_turn():
    game = frenemies().settlement(1, "N", 0, 0).cards(0, knight=1).robber(-2, 0).on_turn(0, "pre_roll").game()
    receives(game.do("play_knight").do("move_robber", game.hex(1, 1)), (0, "merchants"))
    assert not game.roll(4).can("redeem_favor")
    assert next_own_turn(game).legal("redeem_favor") == ["merchants"]


@pytest.mark.rule("frenemies.guild_favors.4")
@pytest.mark.parametrize("players", [5, 6])
def test_no_favors_in_the_special_building_phase(players):
    place = frenemies(players).settlement(1, "N", 0, 0).hand(1, **PLENTY)
    game = favors(place, {1: ONE_EACH}, players=players).on_turn(0).game().do("end_turn")
    assert (game.seat, game.decision) == (1, "build_specially")
    assert not game.kinds() & {"redeem_favor", "swap_favor", "exchange", "offer_gift"}
    assert game.can("build_road")


@pytest.mark.rule("frenemies.guild_favors.4")
def test_tokens_won_in_the_special_building_phase_are_used_in_the_next_own_turn():
    place = frenemies(5).settlement(1, "N", 0, 0).road(1, (0, 0, "NE")).hand(1, lumber=1, brick=1)
    place.settlement(2, "S", 0, 0).road(2, (0, 0, "SE")).on_turn(0)
    game = place.game().do("end_turn")
    game.do("build_road", game.path(0, 0, "E"))
    receives(game, (2, "traders"), *[(1, "master_builders")] * 3)
    while game.decision == "build_specially":
        game.do("pass")
    assert game.seat == 1 and game.roll(4).legal("redeem_favor") == ["master_builders"]


@pytest.mark.rule("frenemies.guild_favors.4")
def test_no_favors_in_the_phase_of_paired_players():
    place = favors(frenemies(6, extra_phase="paired_players"), {3: ONE_EACH}, players=6).hand(3, **PLENTY)
    game = place.on_turn(0).game().do("end_turn")
    assert (game.seat, game.decision) == (3, "paired_phase")
    assert not game.kinds() & {"redeem_favor", "swap_favor", "exchange", "offer_gift"}


# -- the favors ----------------------------------------------------------------------------------------------


@pytest.mark.rule("frenemies.guild_favors.5")
def test_traders_exchange_up_to_two_cards_one_for_one():
    game = redeem("traders", traders=1)
    assert held(game, 0) == {} and len(game.legal("exchange")) == 20
    game.do("exchange", "ore for 1 wool").do("build_road", game.legal("build_road")[0])
    game.do("exchange", "ore for 1 grain")
    assert game.hand(0) == {"lumber": 1, "brick": 1, "wool": 3, "grain": 3}
    assert not game.can("exchange") and game.refuses("exchange", "wool for 1 ore")


@pytest.mark.rule("frenemies.guild_favors.5")
def test_exchanges_are_for_cards_there_are():
    place = holder(traders=1).bank(1, wool=0)
    game = redeem("traders", place.game())
    assert "ore for 1 wool" not in game.legal("exchange") and "ore for 1 grain" in game.legal("exchange")
    game.do("exchange", "ore for 1 lumber").do("exchange", "ore for 1 lumber")
    assert game.bank()["ore"] == 19


@pytest.mark.rule("frenemies.guild_favors.5")
def test_exchanges_not_used_are_lost():
    game = redeem("traders", traders=2)
    assert game.state["exchanges_left"] == 2
    next_own_turn(game)
    assert game.state["exchanges_left"] == 0 and not game.can("exchange")


@pytest.mark.rule("frenemies.guild_favors.6")
def test_merchants_give_one_resource_of_choice():
    game = redeem("merchants", merchants=1)
    assert game.kinds() == {"take_card"} and len(game.legal("take_card")) == 5
    assert game.do("take_card", "ore").hand(0)["ore"] == 3
    assert game.decision == "play" and held(game, 0) == {}


@pytest.mark.rule("frenemies.guild_favors.7")
def test_road_builders_build_one_road_free():
    game = redeem("road_builders", road_builders=1)
    hand = game.hand(0)
    assert game.kinds() == {"build_road", "forgo_free_roads"}
    game.do("build_road", game.legal("build_road")[0])
    assert game.decision == "play" and game.hand(0) == hand and held(game, 0) == {}


@pytest.mark.rule("frenemies.guild_favors.8")
def test_scholars_give_a_development_card_for_two_tokens_not_playable_in_this_turn():
    game = redeem("scholars", scholars=3)
    assert held(game, 0) == {"scholars": 1} and game.chances()["knight"] == 14 / 25
    game.draw("draw_card", "knight")
    assert game.cards(0) == {"knight": 1} and game.refuses("play_knight")
    game.do("end_turn")
    while game.seat != 0:
        game.roll(4).do("end_turn")
    assert game.can("play_knight")


@pytest.mark.rule("frenemies.guild_favors.9")
def test_master_builders_give_a_chip_for_two_tokens():
    game = holder(master_builders=2).game()
    points = game.visible_points(0)
    redeem("master_builders", game)
    assert game.visible_points(0) == points + 1 and game.state["chips_left"] == 11 and held(game, 0) == {}
    seen = dict(zip(game.engine.feature_names(), game.engine.observe(seat=1)[0], strict=True))
    assert seen["chips/left_3"] > 0 == seen["chips/me"]


@pytest.mark.rule("frenemies.guild_favors.8", "frenemies.guild_favors.9")
@pytest.mark.parametrize("guild", ["scholars", "master_builders"])
def test_one_token_is_not_enough_for_scholars_and_master_builders(guild):
    assert holder(**{guild: 1}).game().refuses("redeem_favor", guild)
    assert holder(**{guild: 2}).game().can("redeem_favor", guild)


@pytest.mark.rule("frenemies.guild_favors.10")
def test_favors_that_would_bring_nothing_are_not_redeemed():
    assert holder(scholars=2).deck().game().refuses("redeem_favor", "scholars")
    no_chips = holder(master_builders=2).field("chips", (0, 5, 7, 0)).field("chips_left", 0)
    assert no_chips.game().refuses("redeem_favor", "master_builders")
    assert favors(frenemies(), {0: {"traders": 1}}).on_turn(0).game().refuses("redeem_favor", "traders")
    nowhere = favors(frenemies().hand(0, ore=1), {0: {"road_builders": 1}}).on_turn(0)
    assert nowhere.game().refuses("redeem_favor", "road_builders")
    empty = dict.fromkeys(PLENTY, 0)
    game = holder(merchants=1, traders=1).bank(1, **empty).game()
    assert game.refuses("redeem_favor", "merchants") and game.refuses("redeem_favor", "traders")


# -- swapping ------------------------------------------------------------------------------------------------


@pytest.mark.rule("frenemies.guild_favors.11")
def test_a_swap_draws_first_then_any_token_goes_back():
    game = holder(traders=1).game().do("swap_favor").draw("draw_favor", "scholars")
    assert (game.seat, game.decision) == (0, "choose_return")
    assert game.legal("return_favor") == ["traders", "scholars"] and game.refuses("return_favor", "merchants")
    game.do("return_favor", "traders")
    assert held(game, 0) == {"scholars": 1} and stock(game)["traders"] == 8 and stock(game)["scholars"] == 15
    assert game.decision == "play" and game.state["favors_redeemed"].sum() == 0


@pytest.mark.rule("frenemies.guild_favors.11")
def test_the_token_just_drawn_may_go_back():
    game = holder(traders=1).game().do("swap_favor").draw("draw_favor", "scholars").do("return_favor", "scholars")
    assert held(game, 0) == {"traders": 1} and numbers_held(game) == [1, 0, 0, 0]
    assert game.state["new_favors"].sum() == 0


@pytest.mark.rule("frenemies.guild_favors.11")
def test_tokens_received_in_this_turn_may_be_swapped():
    assert holder(traders=1, new={0: {"traders": 1}}).game().can("swap_favor")


@pytest.mark.rule("frenemies.guild_favors.11")
def test_a_swap_takes_a_token_in_hand_and_one_in_the_stock():
    assert holder().game().refuses("swap_favor")
    assert holder(traders=1, stock={}).game().refuses("swap_favor")
    game = holder(traders=1, stock={"scholars": 1}).game().do("swap_favor").draw("draw_favor", "scholars")
    assert game.do("return_favor", "traders").decision == "play" and stock(game) == {"traders": 1}


# -- winning, and how the scenario is made -------------------------------------------------------------------


def nearly_there(seat, points):
    """A seat with so many points, most of them chips."""
    place = favors(frenemies().settlement(0, "N", 0, 0).settlement(1, "S", 0, 0), {0: {"master_builders": 2}})
    chips = [0] * 4
    chips[seat] = points - 1
    return place.field("chips", chips).field("chips_left", 13 - points)


@pytest.mark.rule("frenemies.guild_favors.12")
def test_eleven_points_win_chips_included():
    game = nearly_there(0, 10).on_turn(0).game()
    assert not game.over
    assert redeem("master_builders", game).winner == 0


@pytest.mark.rule("frenemies.guild_favors.12")
def test_eleven_points_win_on_the_own_turn_only():
    game = nearly_there(1, 11).on_turn(0).game()
    game.do("redeem_favor", "master_builders")
    assert not game.over and game.do("end_turn").winner == 1


@pytest.mark.rule("frenemies.favor_tokens.7")
@pytest.mark.parametrize("scenario, base", [("frenemies", "base"), ("frenemies_5_6", "base_5_6")])
def test_the_scenario_is_the_base_game_and_new_modules(scenario, base):
    known, plain = catan_env.find_scenario(scenario), catan_env.find_scenario(base)
    assert known.modules[: len(plain.modules)] == plain.modules
    assert known.board.topology is plain.board.topology or known.sizes == plain.sizes
    assert all(rule_functions(module) for module in known.modules[len(plain.modules) :])
    engine, actions = catan_env.BatchEngine(scenario), catan_env.BatchEngine(base).actions
    ids = [engine.actions.id(*actions.pair(k)) for k in range(actions.n)]
    assert ids == list(range(actions.n)), "the base game's actions keep their ids"
