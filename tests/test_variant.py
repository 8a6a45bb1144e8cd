"""A scenario outside the package: this file defines a rule module, registers it and plays it in every environment.

In the made-up variant Blessing, a player who builds a settlement on their own turn may choose a card from the bank, as
long as blessings are left. Every two blessings received are worth a point.
"""

from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

import catan_env
from catan_env import BatchEngine
from catan_env.board.terrain import RESOURCES
from catan_env.engine import registry
from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    set_up,
    when,
)
from catan_env.envs import CatanVectorEnv, SB3VecEnv, aec_env, parallel_env, register_environments
from catan_env.games.base.resources import take
from catan_env.games.vocabulary import HAND_CARDS, SETTLEMENT_BUILT
from tests.strategies import assert_same, look, play, play_until

NAME = "blessing"

BLESSINGS = Field("blessings", (PLAYERS,), "i1", 0, 30, "blessings each player has received", show=Count())
BLESSINGS_LEFT = Field("blessings_left", (), "i1", 0, 30, "blessings nobody has received", show=Count())
BLESSINGS_AT_START = Number("blessings_at_start", 6, "blessings in the game", 0, 30)
ASK_BLESSING = Action("ask_blessing", "ask for 1 {} as a blessing", RESOURCES, "such a card in the bank")
FORGO_BLESSING = Action("forgo_blessing", "ask for no blessing", needs="a blessing to be had")
CHOOSE_BLESSING = Decision("choose_blessing", "ask for a card as a blessing, or forgo it")
BLESSINGS_CONSERVED = Invariant("blessings_conserved", "blessings received and left are all there are")


@set_up
def lay_out_blessings(game, params):
    game.blessings_left = params.blessings_at_start


@when(SETTLEMENT_BUILT)
def offer_blessing(game, params, player, intersection):
    if player == game.on_turn and game.blessings_left > 0:
        push(game, CHOOSE_BLESSING, player)


@legal(CHOOSE_BLESSING)
def blessings_to_choose(game, params, seat, mask):
    mask[FORGO_BLESSING] = True
    for resource in range(HAND_CARDS):
        mask[ASK_BLESSING + resource] = game.bank[resource] > 0


@apply(ASK_BLESSING)
def ask_blessing(game, params, seat, resource):
    pop(game)
    take(game, seat, resource, 1)
    game.blessings[seat] += 1
    game.blessings_left -= 1


@apply(FORGO_BLESSING)
def forgo_blessing(game, params, seat, argument):
    pop(game)


@answers(PUBLIC_POINTS)
def points_of_blessings(game, params, player, where):
    return game.blessings[player] // 2


@checks(BLESSINGS_CONSERVED)
def blessings_conserved(game, params):
    received = int(game.blessings_left)
    for player in range(PLAYERS):
        received += game.blessings[player]
    return received == params.blessings_at_start


BLESSING = SimpleNamespace(
    __name__=NAME,
    __doc__="Blessings: a card of choice for every new settlement.",
    FIELDS=(BLESSINGS, BLESSINGS_LEFT),
    NUMBERS=(BLESSINGS_AT_START,),
    ACTIONS=(ASK_BLESSING, FORGO_BLESSING),
    lay_out_blessings=lay_out_blessings,
    offer_blessing=offer_blessing,
    blessings_to_choose=blessings_to_choose,
    ask_blessing=ask_blessing,
    forgo_blessing=forgo_blessing,
    points_of_blessings=points_of_blessings,
    blessings_conserved=blessings_conserved,
)

pytestmark = pytest.mark.xdist_group(NAME)


@pytest.fixture(scope="module", autouse=True)
def blessing():
    """Yield the variant, registered for the tests in this file."""
    config = {
        "name": NAME,
        "version": 0,
        "title": "Blessing",
        "summary": "A made-up variant.",
        "facts": {"players": [3, 4]},
        "board": {"map": "base"},
        "numbers": {"victory_points": 8},
    }
    scenario = catan_env.scenario_from(config, (*catan_env.find_scenario("base").modules, BLESSING))
    register_environments(scenario)
    yield scenario
    del registry._scenarios[NAME]


def test_it_is_the_base_game_and_more():
    engine, base = BatchEngine(NAME), BatchEngine("base")
    assert engine.actions.n == base.actions.n + 6
    assert engine.actions.kinds[: len(base.actions.kinds)] == base.actions.kinds
    assert engine.rules["victory_points"] == 8 and engine.rules["blessings_at_start"] == 6
    assert BatchEngine(NAME, rules={"blessings_at_start": 0}).rules["blessings_at_start"] == 0


@pytest.mark.parametrize("players", [3, 4])
def test_it_plays_by_its_rules(players):
    engine = BatchEngine(NAME, 24, players, seed=1, rules={"offers_per_turn": 0})
    chosen = 0
    for _ in play(engine, 600, seed=2):
        assert engine.broken_invariants() == []
        chosen += (engine.state["blessings_left"] < 6).sum()
        engine.reset(games=engine.terminated | engine.truncated)
    assert chosen


def test_a_blessing_is_a_card_and_half_a_point():
    engine = BatchEngine(NAME, 1, 3, seed=3)
    play_until(engine, lambda: engine.decision(0) == "choose_blessing" and engine.state["bank"][0, 2] > 0)
    seat = int(engine.seat_to_act[0])
    before = engine.state.copy()
    engine.step(np.array([engine.actions.id("ask_blessing", "wool")]))
    assert engine.state["hands"][0, seat, 2] == before["hands"][0, seat, 2] + 1
    assert engine.state["blessings"][0, seat] == before["blessings"][0, seat] + 1


def test_it_is_observed_replayed_and_kept():
    engine = BatchEngine(NAME, 2, 4, seed=4, record=True, rules={"victory_points": 5})
    assert {"blessings/me", "blessings/left_3", "blessings_left"} <= set(engine.feature_names())
    play_until(engine, lambda: (engine.seat_to_act == -2).all())
    again = catan_env.replay(engine.replay_log(1))
    assert_same(look(engine, [1], rng=False), look(again, [0], rng=False), ("rewards",))
    saved, before = engine.save(), look(engine)
    engine.reset()
    engine.load(saved)
    assert_same(before, look(engine), ("rewards",))


def test_every_environment_plays_it():
    rules = {"victory_points": 4, "offers_per_turn": 0}
    api_test(aec_env(NAME, num_players=3, rules=rules), num_cycles=60)
    parallel_api_test(parallel_env(NAME, num_players=3, rules=rules), num_cycles=60)
    env = gymnasium.make("catan/Blessing-v0", opponents="random", rules=rules)
    check_env(env.unwrapped, skip_render_check=True)
    for kind in (CatanVectorEnv, SB3VecEnv):
        vector = kind(4, scenario=NAME, opponents="random")
        vector.reset()
        rng = np.random.default_rng(0)
        for _ in range(30):
            mask = vector.action_masks()
            vector.step((rng.random(mask.shape) * mask).argmax(axis=1))
        vector.close()


def test_it_has_a_documentation_page(blessing):
    from tools.pages.scenario import scenario_page

    page = scenario_page(blessing)
    assert "`ask_blessing`" in page and "adds `blessing`" in page and "`victory_points` is `8`" in page
