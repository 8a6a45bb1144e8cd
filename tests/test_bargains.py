"""Trades of search agents: they ignore hidden hands, complete only worthwhile offers, and win more by trading."""

from copy import copy
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from catan_agents.search import ExpectimaxAgent, GreedyAgent, MCTSAgent
from catan_agents.search.agent import Searcher
from catan_agents.search.bargains import bargain
from catan_agents.search.offers import GIVES, MOST_TRADED, WANTS, all_offers, gain_of_willing
from catan_env import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT

PLAYERS = 3
STAGES = ("play", "draft_offer", "draft_counter", "answer_offer", "choose_partner")
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)


class Game:
    """A game in progress in which seat 0 has rolled. Tests deal hands and query an agent's choice."""

    def __init__(self):
        engine = BatchEngine("base", 40, PLAYERS, seed=6)
        engine.random_rollout(400)
        ends_turn = engine.actions.id("end_turn")
        while not (found := np.flatnonzero((engine.seat_to_act == 0) & engine.action_mask[:, ends_turn])).size:
            engine.reset(games=engine.seat_to_act < 0)
            engine.random_rollout(1)
        self.engine = engine.clone(found[:1])

    def deal(self, *hands):
        state = self.engine.state[0]
        state["hands"][:PLAYERS] = hands
        state["bank"] = 19 - state["hands"].sum(axis=0)
        state["offers_left"] = 3
        self.engine.refresh()
        return self

    def do(self, *actions):
        for kind, argument in actions:
            self.engine.step(np.array([self.engine.actions.id(kind, argument)]))
        return self

    def choice(self, **options):
        action = GreedyAgent(worlds=4, seed=1, **options).act(self.engine, np.array([0]))[0]
        return self.engine.actions.pair(int(action))

    def offer(self, gives, wants):
        parts = [("offer_card", card) for card in gives] + [("ask_card", card) for card in wants]
        return self.do(("make_offer", 0), *parts, ("submit_offer", 0))


@pytest.fixture
def game():
    return Game()


def test_it_takes_what_it_lacks_for_what_it_has_too_much_of(game):
    game.deal([0, 0, 0, 2, 0], [4, 1, 1, 0, 0], [0, 0, 0, 0, 0]).offer([GRAIN], [LUMBER])
    assert game.engine.seat_to_act[0] == 1 and game.choice()[0] == "accept"
    assert game.choice(trade=False)[0] == "decline"


@pytest.mark.parametrize(("card", "weights"), [(GRAIN, None), (LUMBER, {"near_city": 1.0})])
def test_it_keeps_a_purchase_together(game, card, weights):
    hand = [3 * (kind == card) for kind in range(5)]
    game.deal(hand, [0, 0, 0, 2, 3], [0, 0, 0, 0, 0]).offer([card], [ORE])
    assert game.engine.seat_to_act[0] == 1 and game.choice(weights=weights)[0] in ("decline", "counter")


def test_it_declines_what_gains_it_next_to_nothing(game):
    game.deal([1, 2, 0, 3, 1], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]).offer([ORE], [BRICK])
    assert game.engine.seat_to_act[0] == 1 and game.choice()[0] == "decline"


@pytest.mark.parametrize(("gains", "mean"), [([3.0, -2.0, 0.0, 1.0], 2.0), ([-1.0, -2.0], 0.0)])
def test_a_partner_who_wants_an_exchange_gains_from_it(monkeypatch, gains, mean):
    """A partner that would lose in a world would not ask for the exchange there, so that world does not count."""
    assert gain_of_willing(worlds_with_gains(monkeypatch, gains, range(len(gains))), None, 0, 0, 1, None) == mean


def test_worlds_that_a_partner_cannot_tell_apart_give_it_the_same_gain(monkeypatch):
    assert (
        gain_of_willing(worlds_with_gains(monkeypatch, [3.0, np.nan, 5.0, np.nan], [0, 0, 2, 0]), None, 0, 0, 1, None)
        == 3.5
    )


def worlds_with_gains(monkeypatch, gains, alike):
    """Return a trade space with a world per gain of seat 0; `alike` has the first world that looks the same to it."""
    monkeypatch.setattr("catan_agents.search.offers.gain", lambda world, *_: world)
    worlds = np.array(gains)
    return SimpleNamespace(
        deals=worlds, partner_gains=np.zeros((len(worlds), 1)), alike=np.array([*alike])[:, None], cache=None
    )


def drafted(game, agent):
    """Play seat 0's choices until it submits an offer, and return the numbers of cards it gives and asks for."""
    kind = ""
    while kind != "submit_offer":
        choice = agent.act(game.engine, np.array([0]))
        kind = game.engine.actions.pair(int(choice[0]))[0]
        assert kind in ("make_offer", "offer_card", "ask_card", "submit_offer")
        game.engine.step(choice)
    return game.engine.state["gives"][0, 0].tolist(), game.engine.state["wants"][0, 0].tolist()


@pytest.mark.parametrize("others", [([0, 0, 0, 0, 4], [0, 0, 0, 0, 0]), ([0, 0, 0, 0, 0], [0, 0, 0, 0, 4])])
def test_it_offers_what_it_can_spare_for_what_completes_a_purchase(game, others):
    gives, wants = drafted(game.deal([0, 0, 2, 2, 2], *others), GreedyAgent(seed=1))
    assert wants[ORE] >= 1 and gives[WOOL] >= 1 and gives[GRAIN] == gives[ORE] == 0


@pytest.mark.parametrize("card_kinds", [5, 8])
def test_offers_are_few_and_small(card_kinds):
    offers = all_offers(card_kinds)
    assert len(offers) <= card_kinds**3 and len(np.unique(offers, axis=0)) == len(offers)
    assert (offers >= 0).all() and (offers.sum(axis=2) >= 1).all() and (offers.sum(axis=(1, 2)) <= MOST_TRADED).all()
    assert not (offers[:, GIVES] * offers[:, WANTS]).any()


def test_it_bargains_about_an_offer_that_gives_it_little(game):
    """The player on turn lacks one ore for a city and has much to give in return."""
    game.deal([3, 0, 3, 2, 2], [0, 0, 0, 0, 4], [0, 0, 0, 0, 0]).offer([LUMBER], [ORE])
    assert game.engine.seat_to_act[0] == 1 and game.choice()[0] == "counter"


def test_it_repeats_no_offer_unless_its_hand_has_changed(game):
    """Only one opponent holds cards, all of one kind, so the agent need not guess."""
    agent, others = GreedyAgent(seed=1), ([0, 0, 0, 0, 4], [0, 0, 0, 0, 0])
    first_offer = drafted(game.deal([2, 2, 2, 2, 2], *others), agent)
    assert drafted(game.do(("decline", 0)), agent) != first_offer
    game.do(("decline", 0)).deal([2, 2, 3, 2, 2], *others)
    fresh_game = copy(game)
    fresh_game.engine = game.engine.clone()
    game.engine.state["offers_left"] = 1
    game.engine.refresh()
    assert drafted(game, agent) == drafted(fresh_game, GreedyAgent(seed=2))


def test_it_remembers_the_offers_of_each_engine_apart(game):
    """Another engine's game has the same index, turn and hand, but one offer fewer left: another agent made it."""
    agent, other_game = GreedyAgent(seed=1), copy(game.deal([2, 2, 2, 2, 2], [0, 0, 0, 0, 4], [0, 0, 0, 0, 0]))
    other_game.engine = game.engine.clone()
    other_game.engine.state["offers_left"] -= 1
    other_game.engine.refresh()
    assert drafted(game, agent) == drafted(other_game, agent)


def test_a_plan_that_others_actions_have_overtaken_is_given_up(game):
    """The agent plans to ask for two cards. Another agent declines for it and later starts a smaller counter-offer."""
    agent, hands = GreedyAgent(seed=1), ([0, 1, 0, 3, 1], [0, 0, 0, 0, 0])
    game.deal([1, 0, 2, 2, 2], *hands).offer([GRAIN], [BRICK])
    choice = agent.act(game.engine, np.array([0]))
    assert game.engine.actions.pair(int(choice[0]))[0] == "counter"
    game.do(("decline", 0)).deal([0, 0, 1, 0, 0], *hands).offer([WOOL], [BRICK]).do(("counter", 0))
    while game.engine.decision(0) == "draft_counter":
        game.engine.step(agent.act(game.engine, np.array([0])))


@pytest.mark.parametrize("kind", [GreedyAgent, MCTSAgent])
def test_it_offers_what_its_next_purchase_is_worth(game, monkeypatch, kind):
    """The evaluation prefers wool. It does not know that a city, which lacks only ore, is worth more."""
    hands, options = ([2, 2, 0, 2, 2], [0, 0, 3, 0, 3], [0, 0, 0, 0, 0]), {"seed": 1, "weights": {"near_card": 0.5}}
    unsearched = copy(game.deal(*hands))
    unsearched.engine = game.engine.clone()
    assert drafted(game, kind(**options))[WANTS][ORE] == 1
    monkeypatch.setattr(Searcher, "_search_trades", lambda *_: None)
    assert drafted(unsearched, kind(**options))[WANTS][WOOL] == 1


def test_mcts_values_exchanges_by_its_network_for_chances(monkeypatch):
    engine, games, which, weights = BatchEngine("base", 1, 4), np.array([0]), np.array([0]), np.zeros((1, 3))
    monkeypatch.setattr(Searcher, "_bargain", lambda _self, _engine, _games, used, _which: used)
    network, _ = GreedyAgent(weights="base-value")._weights_of(engine, games)
    np.testing.assert_array_equal(MCTSAgent(chances="base-value")._bargain(engine, games, weights, which), network)
    assert MCTSAgent()._bargain(engine, games, weights, which) is weights


def test_trade_does_not_depend_on_the_batch():
    """This applies to every stage of an offer, including what the agent remembers from earlier stages."""
    engine = BatchEngine("base", 12, PLAYERS, seed=5)
    engine.random_rollout(200)
    engine.reset(games=engine.seat_to_act < 0)
    whole, parts = GreedyAgent(seed=3), GreedyAgent(seed=3)
    for _ in range(60):
        where = np.flatnonzero(engine.seat_to_act >= 0)
        actions = np.full(12, -1)
        actions[where] = whole.act(engine, where)
        np.testing.assert_array_equal(
            actions[where], np.concatenate([parts.act(engine, where[:5]), parts.act(engine, where[5:])])
        )
        engine.step(actions)


@pytest.mark.parametrize("make", [GreedyAgent, ExpectimaxAgent, partial(MCTSAgent, simulations=2, turns=0)])
def test_what_others_hold_in_truth_changes_nothing(make):
    """This applies to every stage of an offer."""
    engine, stages = BatchEngine("base", 60, PLAYERS, seed=2, rules={"offers_per_turn": 5}), set()
    engine.random_rollout(300)
    for step in range(40):
        engine.reset(games=engine.seat_to_act < 0)
        where = np.array([i for i in range(60) if engine.decision(i) in STAGES])
        other = engine.clone()
        other.state[:] = engine.determinise(seed=step)
        other.refresh()
        np.testing.assert_array_equal(make(seed=step).act(engine, where), make(seed=step).act(other, where))
        stages |= {engine.decision(int(i)) for i in where}
        engine.random_rollout(1)
    assert stages == set(STAGES)


def test_offers_are_legal_finished_and_come_to_an_end():
    engine, agent, done = BatchEngine("base", 12, PLAYERS, seed=4), GreedyAgent(worlds=2, seed=3), []
    for _ in range(2500):
        running = np.flatnonzero(engine.seat_to_act >= 0)
        if not len(running):
            break
        actions = np.full(12, -1)
        actions[running] = agent.act(engine, running)
        done += [engine.actions.pair(int(k))[0] for k in actions[running]]
        engine.step(actions)
    assert engine.terminated.all()
    for kind in ("make_offer", "submit_offer", "accept", "decline", "counter", "confirm"):
        assert kind in done, kind
    assert done.count("cancel_offer") < done.count("make_offer") / 20


def test_trade_is_not_compiled_before_someone_may_offer(monkeypatch):
    engine, agent, templates = BatchEngine("base", 2, PLAYERS, seed=3), GreedyAgent(), set()
    kernel = Searcher._kernel
    monkeypatch.setattr(Searcher, "_kernel", lambda self, *given: templates.add(given[1]) or kernel(self, *given))
    while not engine.action_mask[:, engine.actions.id("make_offer")].any():
        assert bargain not in templates
        engine.step(agent.act(engine, np.arange(engine.num_games)))
    agent.act(engine, np.arange(engine.num_games))
    assert bargain in templates


def test_who_does_not_trade_makes_and_takes_no_offers():
    engine, agent = BatchEngine("base", 12, PLAYERS, seed=4), GreedyAgent(seed=3, trade=False)
    engine.random_rollout(200)
    for _ in range(60):
        engine.reset(games=engine.seat_to_act < 0)
        where = np.array([i for i in range(12) if engine.decision(i) in ("play", "answer_offer")], int)
        kinds = {engine.actions.pair(int(k))[0] for k in agent.act(engine, where)} if len(where) else set()
        assert not kinds & {"make_offer", "accept", "counter"}
        engine.random_rollout(1)


@pytest.mark.skipif(DISABLE_JIT, reason="many games")
def test_trading_pays():
    """A player who does not trade wins less than its share of games against players who do."""
    number, players = 240, 4
    engine = BatchEngine("base", number, players, seed=8)
    agents, apart = [GreedyAgent(worlds=2, seed=1), GreedyAgent(seed=1, trade=False)], np.arange(number) % players
    while (running := np.flatnonzero(engine.seat_to_act >= 0)).size:
        actions, alone = np.full(number, -1), engine.seat_to_act[running] == apart[running]
        for agent, games in zip(agents, (running[~alone], running[alone]), strict=True):
            if len(games):
                actions[games] = agent.act(engine, games)
        engine.step(actions)
    assert (engine.winner == apart).mean() < 0.2
