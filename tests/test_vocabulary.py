"""A made-up variant with new edge pieces, sites and cards, a color that never acts, and games with several winners."""

import numpy as np
import pytest

import catan_env
from catan_agents import make_agent
from catan_env import BatchEngine
from catan_env.engine import registry
from catan_env.engine.decision_stack import RUNNING, finish
from catan_env.errors import RuleValueError, ScenarioFileError
from catan_env.testing.positions import position
from tests.coin_toy import BET, apply, toy
from tests.strategies import play
from tests.wide_toy import WIDE_CONFIG, WIDE_MODULES

BASE_MODULES = catan_env.find_scenario("base").modules
NAME = WIDE_CONFIG["name"]
RESOURCES = ("lumber", "brick", "wool", "grain", "ore")
STEWARD = 3

pytestmark = [pytest.mark.core, pytest.mark.xdist_group(NAME)]


@pytest.fixture(scope="module", autouse=True)
def wide():
    yield catan_env.scenario_from(WIDE_CONFIG, (*BASE_MODULES, *WIDE_MODULES))
    del registry._scenarios[NAME]


def test_random_games_keep_every_invariant():
    engine = BatchEngine(NAME, 3, 3, seed=1, rules={"offers_per_turn": 0})
    seen = np.zeros(2, bool)
    for _ in play(engine, 250, seed=2):
        assert engine.broken_invariants() == []
        seen |= engine.state["is_barge"].any(), (engine.state["tower"] >= 0).any()
        engine.reset(games=engine.terminated | engine.truncated)
    assert seen.all()


def test_the_heuristic_agent_plays_with_more_kinds_of_cards_than_resources():
    engine = BatchEngine(NAME, 2, 3, seed=4, rules={"offers_per_turn": 0})
    agent = make_agent("heuristic")
    commodities = np.zeros(2, np.int64)
    for _ in range(400):
        games = np.flatnonzero(engine.seat_to_act >= 0)
        actions = np.full(2, -1)
        actions[games] = agent.act(engine, games)
        engine.step(actions)
        commodities = np.maximum(commodities, engine.state["hands"][:, :3, 5:].sum(axis=(1, 2)))
    assert commodities.all()


def test_pictures_show_kinds_of_cards_beyond_the_resources():
    engine = BatchEngine(NAME, 1, 3, seed=1)
    engine.random_rollout(10)
    before = engine.render(0).svg
    engine.state["hands"][0, 1, 6] += 2
    engine.state["trade_rate"][0, 1, 6] = 1
    after, covered = engine.render(0).svg, engine.render(0, viewer=0).svg
    assert "2 cards" in after and "cloth" in after and "2 cards" not in before and "cloth" not in before
    assert "2 cards" in covered


@pytest.mark.parametrize("number", ["first_card", "second_card_of_city"])
def test_terrain_brings_no_card_that_there_is_not(number):
    BatchEngine(NAME, 1, rules={number: (0, 1, 2, 3, 7)})
    with pytest.raises(RuleValueError, match=f"{number}.*allowed are 0 to 7"):
        BatchEngine(NAME, 1, rules={number: (0, 1, 2, 3, 8)})
    with pytest.raises(RuleValueError, match="allowed are 0 to 4"):
        BatchEngine("base", 1, rules={number: (0, 1, 2, 3, 5)})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"title": None}, "'wide_toy': it lacks title; it needs title, modules and facts.players"),
        ({"numbres": {}}, "unknown key 'numbres'. Did you mean 'numbers'?"),
        ({"neutrals": {"traits": ["holds_card"]}}, "unknown trait 'holds_card'. Did you mean 'holds_cards'?"),
    ],
)
def test_a_description_with_a_slip_is_refused(change, words):
    config = {key: value for key, value in {**WIDE_CONFIG, **change}.items() if value is not None}
    with pytest.raises(ScenarioFileError) as caught:
        catan_env.scenario_from(config, (*BASE_MODULES, *WIDE_MODULES))
    assert words in str(caught.value)


def test_ways_of_two_kinds_have_sites_pieces_and_prices_of_their_own():
    place = position(NAME, 3).settlement(0, "N", 0, -2).hand(0, lumber=1, wool=1).on_turn(0)
    game = place.game()
    assert game.legal("build_barge") == [game.path(0, -2, "NW"), game.path(0, -2, "NE")]  # not inland
    game.do("build_barge", game.path(0, -2, "NW"))
    assert game.state["edge_pieces_left"][0].tolist() == [15, 7] and game.state["is_barge"].sum() == 1
    assert game.hand(0) == {}


def test_ways_of_different_kinds_join_at_own_buildings_only():
    place = position(NAME, 3).settlement(0, "N", 0, -2).hand(0, lumber=3, wool=3, brick=1).on_turn(0)
    game = place.game().do("build_barge", game_path := place.game().path(0, -2, "NW"))
    assert game.state["edge_owner"][game_path] == 0
    game.do("build_road", game.path(0, -2, "NE"))
    assert game.state["road_length"][0] == 2  # through the settlement
    west = game.path(0, -2, "W")
    assert west in game.legal("build_barge")  # continues from the barge
    place = position(NAME, 3).settlement(0, "N", 0, -2).hand(0, lumber=3, wool=3, brick=3).on_turn(0)
    game = place.game().do("build_barge", game_path)
    assert west not in game.legal("build_road") and west in game.legal("build_barge")


def test_a_tower_takes_a_site_and_lets_nobody_else_pass():
    place = position(NAME, 3).settlement(0, "N", 0, 0).road(0, (0, 0, "NE E")).hand(0, brick=1, ore=1).on_turn(0)
    game = place.game()
    corner = game.corner("SE", 0, 0)
    assert corner in game.legal("build_tower")
    before = game.points(0)
    game.do("build_tower", corner)
    assert game.points(0) == before + 1
    assert not game.state["settlement_sites"][corner]
    assert not any(game.state["edge_piece_sites"][0][path] & 0b110 for path in game.paths_at("SE", 0, 0))


def test_eight_kinds_of_cards_are_produced_traded_and_conserved():
    engine = BatchEngine(NAME, 1, 3)
    assert engine.state["hands"].shape == (1, 4, 8) and engine.state["bank"][0].tolist() == [19] * 5 + [12] * 3
    assert len(engine.actions.ids("trade_with_bank")) == 8 * 7
    assert engine.actions.describe(engine.actions.id("discard_card", "coin")) == "discard 1 coin"
    assert "hands/me/cloth" in engine.feature_names()
    assert engine.rules["road_cost"] == (1, 1, 0, 0, 0, 0, 0, 0)
    place = position(NAME, 3).city(0, "NE", 0, 0).beginner_board().on_turn(0, "pre_roll")
    game = place.game().roll(3)
    assert game.hand(0) == {"lumber": 1, "paper": 1}


def test_two_seats_choose_cards_at_once_without_disturbing_one_another():
    game = position(NAME, 2).on_turn(0, "pre_roll").game().roll(7)
    first = game.seat
    assert game.decision == "choose_card" and game.argument == 2
    game.do("take_card", "ore").do("take_card", "ore")
    assert (game.seat, game.decision, game.argument) == (1 - first, "choose_card", 2)
    game.do("take_card", "wool")
    assert game.argument == 1 and game.hand(first) == {"ore": 2} and game.hand(1 - first) == {"wool": 1}


def test_a_color_that_holds_cards_but_never_acts():
    engine = BatchEngine(NAME, 6, 3, seed=4, rules={"offers_per_turn": 0})
    held = 0
    for _ in play(engine, 150, seed=5):
        assert (engine.seat_to_act < STEWARD).all()
        held = max(held, engine.state["hands"][:, STEWARD].sum())
        engine.reset(games=engine.terminated | engine.truncated)
    assert held > 0 and (engine.visible_points.shape[1]) == 3


def test_an_offer_reaches_decisions_that_no_rule_names():
    game = position(NAME, 3).on_turn(0).game().do("end_turn")
    assert game.decision == "feast" and game.kinds() == {"leave_feast"} and game.argument == 0
    seen = dict(zip(game.engine.feature_names(), game.engine.observe(seat=1)[0].tolist(), strict=True))
    assert seen["argument/seat/left_2"] == 1  # seat 0 has ended its turn


@apply(BET)
def both_win(game, params, seat, side):
    if game.ended == RUNNING:
        finish(game, 0b11 if side == 0 else 0)


ENDS = toy(without=("fair", "fall", "end", "pay_out"), bet=both_win, name="ends")


@pytest.mark.parametrize(
    ("reward", "side", "expected"),
    [
        ("win_loss", "heads", [0.5, 0.5]),
        ("zero_sum", "heads", [0.0, 0.0]),
        ("win_loss", "tails", [-1.0, -1.0]),
        ("zero_sum", "tails", [0.0, 0.0]),
    ],
)
def test_all_may_win_together_or_nobody(reward, side, expected):
    engine = BatchEngine(ENDS, 1, reward=reward)
    engine.step(np.array([engine.actions.id("bet", side)]))
    assert engine.terminated[0] and engine.winner[0] == -1
    assert engine.winners[0].tolist() == [side == "heads"] * 2
    assert engine.rewards[0].tolist() == expected
