"""Evaluation and the search agents: no access to hidden cards, legal and reproducible actions, good moves."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest

import catan_env
from catan_agents import make_agent
from catan_agents.bundled import TUNED
from catan_agents.evaluation import Term, measures, terms_of
from catan_agents.random import RandomAgent
from catan_agents.search import (
    ExpectimaxAgent,
    GreedyAgent,
    MCTSAgent,
    chances_for,
    load_weights,
    save_weights,
    weights_for,
    weights_in,
)
from catan_agents.search.playout import play_on
from catan_agents.search.root import CHILD, PRIOR, ROOT, SIBLING
from catan_agents.search.streams import begin_stream, keep_in_step
from catan_agents.search.tree import Settings
from catan_agents.search.weights import CHANCES, FORESIGHT, WeightsError, _kept
from catan_agents.search.worlds import begin
from catan_env import BatchEngine
from catan_env.engine.arrays import as_records
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.program import composition_of
from catan_env.engine.registry import find_scenario
from catan_env.errors import CatanError, CompositionError, OptionError
from catan_env.text_files import read_toml
from catan_training.evaluation.matches import evaluate
from catan_training.learning.chances import fit, fit_chances, likelihoods, terms_in
from catan_training.learning.tuning import Tuning, contest, tune
from tests.patience import PATIENCE

SCENARIOS = sorted(catan_env.scenarios())


class Oracle:
    """A network for a search that expects the player with three cards of a `kind` to win.

    All actions are equally probable, except one that it `prefers`. `shown` records the worlds, the seats to act in
    them, and their observations.
    """

    def __init__(self, prefers=None, kind=None):
        self.prefers, self.kind, self.shown = prefers, kind, []

    def evaluate(self, engine, games):
        states, seats = engine.state[games], engine.seat_to_act[games]
        self.shown.append((states.copy(), seats.copy(), engine.observe(dtype="uint8", games=games)))
        probabilities = engine.action_mask[games] / 100
        if self.prefers is not None:
            probabilities[:, self.prefers] *= 100
        hands = states["hands"][:, : engine.num_players].astype(float)
        held = np.zeros(hands.shape[:2]) if self.kind is None else hands[:, :, self.kind]
        return probabilities, np.minimum(held / 3, 1.0)


AGENTS = {
    "greedy": lambda seed: GreedyAgent(worlds=2, seed=seed),
    "expectimax": lambda seed: ExpectimaxAgent(2, worlds=2, seed=seed),
    "mcts": lambda seed: MCTSAgent(12, seed=seed),
    "mcts that asks": lambda seed: MCTSAgent(12, seed=seed, network=Oracle(kind=4)),
}


def position(engine, *decisions, steps=400):
    """Play at random until every game of the engine is at one of these decisions."""
    for _ in range(steps):
        away = np.array([engine.decision(i) not in decisions for i in range(engine.num_games)])
        if not away.any():
            return engine
        engine.reset(games=engine.seat_to_act < 0)
        part = engine.clone(away)
        part.random_rollout(1)
        engine.state[away] = part.state
        engine.refresh()
    raise AssertionError("never reached")


@pytest.fixture(scope="module")
def games():
    """Return two-player games in progress. Most tests here share their composition."""
    engine = BatchEngine("base", 10, 2, seed=3, rules={"offers_per_turn": 0})
    engine.random_rollout(150)
    engine.reset(games=engine.seat_to_act < 0)
    return engine


def with_choices(games):
    """Return games in which the seat to act can build and trade, and the other seat holds hidden cards."""
    engine = position(games.clone(), "play")
    for game, seat in zip(engine.state, engine.seat_to_act, strict=True):
        game["hands"][seat] = [4, 4, 0, 0, 1]
        game["bank"] = 19 - game["hands"].sum(axis=0)
        game["development_cards"][1 - seat] += [3, 1, 0, 0, 1]
        game["deck"] -= [3, 1, 0, 0, 1]
    engine.refresh()
    return engine


def test_values_know_only_what_the_seat_knows(games):
    for seat in range(2):
        seats = np.full(games.num_games, seat)
        truth = terms_in(games, games.state.copy(), seats)
        worlds = games.determinise(seats=seats, seed=5)
        assert any((worlds[name] != games.state[name]).any() for name in ("hands", "development_cards", "deck"))
        np.testing.assert_array_equal(terms_in(games, worlds, seats), truth)
        assert np.isfinite(truth).all() and (np.ptp(truth, axis=0) > 0).sum() > 15


@pytest.mark.parametrize("agent", AGENTS)
def test_choices_do_not_depend_on_what_is_hidden(games, agent):
    """With equal seeds, an agent samples equal worlds, whatever the hidden cards really are."""
    engine = with_choices(games)
    where = np.arange(engine.num_games)
    other = engine.clone()
    other.state[:] = engine.determinise(seed=9)
    other.refresh()
    assert (other.state["development_cards"] != engine.state["development_cards"]).any()
    chosen = AGENTS[agent](1).act(engine, where)
    assert engine.action_mask[where, chosen].all()
    np.testing.assert_array_equal(chosen, AGENTS[agent](1).act(other, where))


@pytest.mark.parametrize("agent", AGENTS)
def test_a_game_does_not_depend_on_its_batch(games, agent):
    where = np.flatnonzero(games.seat_to_act >= 0)
    whole = AGENTS[agent](2).act(games, where)
    agent = AGENTS[agent](2)
    few = np.concatenate([agent.act(games, where[:5]), agent.act(games, where[5:])])
    np.testing.assert_array_equal(whole, few)


def test_it_builds_what_wins(games):
    engine = position(games.clone([0, 1, 2, 3]), "play")
    seats = engine.seat_to_act.copy()
    for game, seat in enumerate(seats):
        engine.state["hands"][game, seat] = [0, 0, 0, 2, 3]
        engine.state["bank"][game] = 19 - engine.state["hands"][game].sum(axis=0)
    engine.refresh()
    cities = engine.actions.ids("build_city")
    can = np.flatnonzero(engine.action_mask[:, cities.start : cities.stop].any(axis=1))
    assert len(can)
    for game in can:
        goal = engine.victory_points[game, seats[game]] + 1
        near = BatchEngine("base", 1, 2, rules={"offers_per_turn": 0, "victory_points": int(goal)})
        near.state[:] = engine.state[[game]]
        near.refresh()
        for agent in (GreedyAgent(), ExpectimaxAgent(2, worlds=1), MCTSAgent(30)):
            assert near.actions.kind_of[agent.act(near, np.array([0]))[0]] == "build_city"


def test_a_network_sees_imagined_worlds_as_the_seats_to_act_there(games):
    engine = with_choices(games)
    seat = engine.seat_to_act[0]
    where = np.flatnonzero(engine.seat_to_act == seat)
    oracle = Oracle(prefers=engine.actions.id("end_turn"))
    MCTSAgent(20, seed=4, network=oracle).act(engine, where)
    states, whose, seen = oracle.shown[0]  # the roots: visible facts are true, hidden cards are sampled
    assert (whose == seat).all() and len(whose) == len(where)
    np.testing.assert_array_equal(seen, engine.observe(dtype="uint8", games=where))
    assert (states["development_cards"] != engine.state["development_cards"][where]).any()
    spare, others = engine.clone([0]), 0
    for states, whose, seen in oracle.shown[1:]:
        others += (whose != seat).sum()
        for state, looking, row in zip(states, whose, seen, strict=True):
            spare.state[0] = state
            spare.refresh()
            assert spare.seat_to_act[0] == looking and np.count_nonzero(spare.action_mask[0]) > 1
            np.testing.assert_array_equal(spare.observe(dtype="uint8")[0], row)
    assert others  # the search looks beyond the seat's own turn


def test_a_search_uses_its_options(games):
    engine = with_choices(games)
    where, actions = np.arange(4), engine.actions
    ends = actions.id("end_turn")
    assert (MCTSAgent(10, network=Oracle(prefers=ends)).act(engine, where) == ends).all()
    for kind in (2, 3):  # by value: it trades for the cards that the oracle wants
        chosen = MCTSAgent(60, network=Oracle(kind=kind)).act(engine, where)
        described = [actions.describe(int(action)) for action in chosen]
        assert all(f"for 1 {('wool', 'grain')[kind - 2]}" in text for text in described), described
    by_terms = MCTSAgent(60, network=Oracle(kind=2), trust=0.0).act(engine, where)
    assert (by_terms != MCTSAgent(60, network=Oracle(kind=2)).act(engine, where)).any()


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_a_searching_agent_values_all_actions(name):
    engine = BatchEngine("base", 8, 4, seed=5, rules={"offers_per_turn": 0})
    engine.random_rollout(150)
    engine.reset(games=engine.seat_to_act < 0)
    where = np.flatnonzero(engine.action_mask.sum(axis=1) > 1)
    actions, action_values = AGENTS[name](7).evaluate_actions(engine, where)
    np.testing.assert_array_equal(actions, AGENTS[name](7).act(engine, where))
    rows = np.arange(len(where))
    assert (action_values[rows, actions] > action_values.max(axis=1) - 1e-9).all()
    assert (action_values[~engine.action_mask[where]] == -np.inf).all()
    if name.startswith("mcts"):
        shares = np.exp(action_values)
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        assert (shares > 0).sum() > len(where)


def test_a_trained_agent_may_be_asked():
    pytest.importorskip("torch")
    engine = BatchEngine("base", 6, 4, seed=3, rules={"offers_per_turn": 0})
    engine.random_rollout(150)
    engine.reset(games=engine.seat_to_act < 0)
    where = np.flatnonzero(engine.action_mask.sum(axis=1) > 1)
    agent = make_agent("mcts", network="base-strong", simulations=8)
    assert engine.action_mask[where, agent.act(engine, where)].all()
    probabilities, chances = agent.network.evaluate(engine, where)
    np.testing.assert_allclose(probabilities, agent.network.probabilities(engine, where), atol=1e-6)
    assert chances.shape == (len(where), 4) and 0.7 < chances.sum(axis=1).mean() < 1.3
    with pytest.raises(CatanError, match="number of players is 2, not 4"):
        agent.act(BatchEngine("base", 2, 2), np.arange(2))


@pytest.mark.parametrize(
    ("reward", "shaping", "values", "expected"),
    [
        ("win_loss", 0.0, [1.0, -1.0, 0.0, -0.5], [1.0, 0.0, 0.5, 0.25]),
        ("zero_sum", 0.0, [1.0, -1 / 3, 1 / 3, -1.0], [1.0, 0.0, 0.5, 0.0]),
        ("zero_sum", 1.0, [0.8, -8 / 15, 2 / 15, -1.0], [1.0, 0.0, 0.5, 0.0]),
    ],
)
def test_chances_stand_behind_the_rewards_that_values_expect(reward, shaping, values, expected):
    """Values start at the seat to act. Every seat has two of ten points, which shaping has already rewarded."""
    torch = pytest.importorskip("torch")
    from catan_agents.learned import LearnedAgent, describe

    engine = BatchEngine("base", 1, 4, seed=1, reward=reward, shaping=shaping)
    while engine.seat_to_act[0] != 2 or engine.decision(0) != "pre_roll":
        engine.random_rollout(1)
    assert engine.visible_points.tolist() == [[2, 2, 2, 2]]
    described = describe(engine, engine.encoder("flat", "uint8"), {"kind": "row"})
    network = torch.nn.Linear(1, 1)
    network.forward = lambda parts: (torch.zeros(1, engine.actions.n), torch.tensor([values]), None)
    agent = LearnedAgent(network, described)
    np.testing.assert_allclose(agent.evaluate(engine, np.array([0]))[1][0], np.roll(expected, 2), atol=1e-6)


def test_weights_come_from_the_first_source_that_has_them(tmp_path):
    terms = (Term("points", "", 1.0), Term("of_a_variant", "", 0.25))
    assert weights_for(terms, "base", 4, "untuned").tolist() == [1.0, 0.25]
    points, of_a_variant = weights_for(terms, "a_variant", 4)
    assert points == load_weights(TUNED / "base.toml")["points"]
    assert of_a_variant == 0.25 * points  # untuned terms scale with the weight of a point
    theirs = load_weights(TUNED / "cities_and_knights.toml")["points"]
    assert weights_for(terms, "a_variant_of_cities_and_knights", 4)[0] == theirs != points
    assert weights_for(terms, "base+card_counting", 4, {"points": 3.0})[0] == 3.0
    assert chances_for(terms, "a_variant", 4)[0] == chances_for(terms, "base", 4)[0] < 1
    assert 0 < chances_for(terms, "a_variant", 4)[1] < 0.25
    ahead = weights_for(terms, "base", 4, depth=2)
    assert ahead[0] == load_weights(FORESIGHT / "base.toml")["points"] == 4 * ahead[1]
    assert weights_for(terms, "base", 4, "untuned", 2).tolist() == [1.0, 0.25]
    assert weights_for(terms, "base", 4, {"points": 3.0}, 2)[0] == 3.0
    save_weights(tmp_path / "w.toml", terms, np.array([2.0, -0.5]), {"made": 'by "hand"', "games": 3})
    assert load_weights(tmp_path / "w.toml") == {"points": 2.0, "of_a_variant": -0.5}
    with pytest.raises(WeightsError, match="no terms nonsense"):
        weights_for(terms, "base", 4, {"nonsense": 1.0})
    (tmp_path / "bad.toml").write_text("[weights]\npoints = 'many'\n")
    for path in (tmp_path / "bad.toml", tmp_path / "none.toml"):
        with pytest.raises(WeightsError, match="file of weights"):
            load_weights(path)


def test_weights_come_from_the_closest_scenario(tmp_path, monkeypatch):
    monkeypatch.setattr("catan_agents.search.weights.TUNED", tmp_path)
    monkeypatch.setattr("catan_agents.search.weights._kept", _kept.__wrapped__)  # bypass the cache
    points = (Term("points", "", 1.0),)
    order = ["corsica_5_6-6", "corsica_5_6", "corsica-6", "corsica", "base-6", "base"]
    for weight, name in enumerate(reversed(order), 2):
        save_weights(tmp_path / f"{name}.toml", points, np.array([weight]), {})
        assert weights_for(points, "corsica_5_6", 6)[0] == weight, name
    save_weights(tmp_path / "trade_partners.toml", points, np.array([10.0]), {})
    save_weights(tmp_path / "cities_and_knights.toml", points, np.array([20.0]), {})
    for scenario, weight in (("trade_partners_3", 10), ("sea_cities_and_knights", 20), ("corsican", 2)):
        assert weights_for(points, scenario, 3)[0] == weight, scenario


@pytest.mark.parametrize(
    "file",
    [file for folder in (TUNED, FORESIGHT, CHANCES) for file in sorted(folder.glob("*.toml"))],
    ids=lambda file: f"{file.parent.name}/{file.stem}",
)
def test_bundled_weights_are_those_of_their_scenarios(file):
    """A file describes its origin, names a scenario and a version, has a weight for each term, and is small."""
    about = read_toml(file, "file of weights", WeightsError)
    scenario = find_scenario(about["scenario"])
    assert about["made"] and about["version"] in range(scenario.version + 1) and about["players"] in scenario.players
    assert file.stem in (scenario.name, f"{scenario.name}-{about['players']}")
    assert set(load_weights(file)) == {term.name for term in terms_of(composition_of(scenario))}
    assert file.stat().st_size < 900


def test_arguments_are_checked():
    with pytest.raises(OptionError, match="depth is 0"):
        ExpectimaxAgent(0)
    with pytest.raises(OptionError, match="simulations is 0"):
        MCTSAgent(0)
    with pytest.raises(OptionError, match="simulations is 0.5"):
        MCTSAgent(0.5)
    with pytest.raises(OptionError, match="depth is 0"):
        MCTSAgent(depth=0)
    with pytest.raises(OptionError, match="trust is 2"):
        MCTSAgent(trust=2)
    with pytest.raises(OptionError, match="'greedy'; it must be a trained agent"):
        MCTSAgent(network="greedy")
    with pytest.raises(CompositionError, match=r"parameters must be \(game, params, seat, pool\)"):
        measures(Term("a", "", 0.0))(lambda game, seat: 0)


@pytest.mark.skipif(DISABLE_JIT, reason="plays some eighty games: seconds when compiled, minutes in plain Python")
@pytest.mark.parametrize(("depth", "opponents"), [(1, ()), (2, ("greedy", "weighted"))])
def test_tuning_goes_on_where_it_stopped(tmp_path, depth, opponents):
    """A resumed run reaches the same weights as an uninterrupted one. Different settings are rejected."""
    rules = {"victory_points": 3}
    about = Tuning(players=2, rules=rules, depth=depth, opponents=opponents, pairs=1, paired_seeds=1, check=1)
    whole = tune(about, tmp_path / "whole", 2)
    with pytest.raises(OptionError, match="worlds is 0"):
        tune(replace(about, worlds=0), tmp_path / "parts", 1)
    tune(about, tmp_path / "parts", 1)
    parts = tune(about, tmp_path / "parts", 2)
    reached = [json.loads((tmp_path / name / "tuning.json").read_text())["weights"] for name in ("whole", "parts")]
    untuned = weights_in(BatchEngine("base", 1, 2), "untuned")
    assert reached[0] == reached[1] and not np.array_equal(reached[0], untuned)
    assert list(load_weights(tmp_path / "whole" / "weights.toml").values()) == pytest.approx(whole, rel=1e-3)
    assert len(parts) == len(whole) and (tmp_path / "parts" / "curve.csv").read_text().count("\n") == 3
    with pytest.raises(OptionError, match="different sigma"):
        tune(replace(about, sigma=0.1), tmp_path / "parts", 3)


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled")
def test_a_candidate_meets_the_opponents_in_all_other_seats():
    met = set()

    class Rival(RandomAgent):
        def act(self, engine, games):
            met.update(zip(games.tolist(), engine.seat_to_act[games].tolist(), strict=True))
            return super().act(engine, games)

    rows = np.tile(weights_in(BatchEngine("base", 1, 3)), (3, 1))
    wins, ahead = contest(Tuning(players=3), rows, np.array([7, 8], np.uint64), Rival())
    assert met == {(game, seat) for game in range(12) for seat in range(3) if seat != game % 3}
    assert wins.shape == ahead.shape == (2, 6) and wins.mean() > 0.8


def test_the_tree_is_as_deep_as_asked(games):
    """Only decisions give their actions priors, so a path through the tree passes as many as it has priors."""
    engine = with_choices(games)

    def decisions(links, counts, node):
        child, deepest = links[node, CHILD], 0
        while child:
            deepest = max(deepest, (counts[child, PRIOR] > 0) + decisions(links, counts, child))
            child = links[child, SIBLING]
        return deepest

    for depth in (1, 2, None):
        agent = MCTSAgent(60, depth=depth)
        agent.act(engine, np.array([0]))
        trees = agent._trees(engine)
        found = decisions(trees.links[0], trees.counts[0], ROOT)
        assert found == depth if depth else found > 2


def play_on_from(worlds, all_params, by_turn, origin, space, latest, chances, start, stop):  # noqa: PLR0913 (a kernel)
    """Kernel: play on from the games `start .. stop-1`, at once, or turn by turn to find the chances of each turn."""
    for i in range(start, stop):
        begin(space, worlds[i])
        game = space.stack[0, 0]
        begin_stream(game, origin, i)
        for turn in range(len(by_turn)):
            if turn > 0:
                keep_in_step(game, np.int64(-1), origin, i)
            play_on(space, all_params[0], by_turn[turn], origin, i, latest, chances[i, turn])


def test_chances_after_playing_on_are_means_over_the_later_half_of_the_turns(games):
    agent, count = MCTSAgent(1), 6
    space, weights, evaluation = agent._workspace(games).space, weights_in(games), agent._evaluation(games)
    origin, latest, kernel = np.array([1, 2, 3, 4]), np.zeros(2), games.kernel(play_on_from)

    def chances_after(*turns):
        chances = np.zeros((count, len(turns), 2))
        by_turn = tuple(Settings(weights, evaluation, 2.0, 1.0, 2.0, 1, number, False) for number in turns)
        worlds = as_records(games.state[:count].copy())
        kernel(worlds, games.batch.params, by_turn, origin, space, latest, chances, 0, count)
        return chances

    of_turns = chances_after(*[1] * 6)
    assert np.allclose(of_turns.sum(axis=2), 1) and not np.allclose(of_turns[:, 1:], of_turns[:, :-1])
    for turns, first in ((1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)):
        expected = of_turns[:, first - 1 : turns].mean(axis=1)
        assert np.allclose(chances_after(turns)[:, 0], expected), turns


def test_a_search_by_the_clock_ends_in_time(games):
    where = np.flatnonzero(games.action_mask.sum(axis=1) > 1)[:2]
    agent = MCTSAgent(seconds=0.1, seed=3)
    agent.act(games, where)  # compile first, outside the measured time
    start = time.perf_counter()
    chosen = agent.act(games, where)
    assert games.action_mask[where, chosen].all()
    assert 0.1 * len(where) <= time.perf_counter() - start < PATIENCE


def test_chances_are_those_that_make_the_winners_likely():
    """The fit recovers the weights with which the winners were drawn. A term that never changes gets weight 0."""
    rng = np.random.default_rng(1)
    weights = np.array([1.0, -0.5, 0.0, 0.0])
    positions = rng.normal(size=(20_000, 3, 4)) * [1, 3, 0.1, 0]
    chances = likelihoods(positions, weights)
    assert np.allclose(chances.sum(axis=1), 1)
    winners = (rng.random((len(positions), 1)) > chances.cumsum(axis=1)).sum(axis=1)
    found = fit(positions, winners)
    assert found == pytest.approx(weights, abs=0.2) and found[:2] == pytest.approx(weights[:2], abs=0.05)
    assert found[3] == 0


def test_chances_are_fitted_to_games(tmp_path):
    described = []
    found = fit_chances(tmp_path, players=2, games=40, rules={"victory_points": 4}, tell=described.append)
    assert list(load_weights(tmp_path / "chances.toml").values()) == pytest.approx(found, rel=1e-3)
    assert "positions" in described[0] and np.isfinite(found).all()
    with pytest.raises(OptionError, match="too few"):
        fit_chances(tmp_path, players=2, games=1, rules={"victory_points": 3})


@pytest.mark.soak
@pytest.mark.skipif(not DISABLE_JIT, reason="compiles a program for each scenario: run with NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_plays_every_scenario_and_knows_only_what_the_seat_knows(scenario):
    engine = BatchEngine(scenario, 1, seed=4)
    engine.random_rollout(80)
    for agent in (*[GreedyAgent(worlds=2)] * 8, MCTSAgent(1)):
        engine.reset(games=engine.seat_to_act < 0)
        engine.step(agent.act(engine, np.array([0])))  # raises an error for illegal actions
    seats = np.zeros(1, np.int64)
    worlds = engine.determinise(seats=seats, seed=1)
    np.testing.assert_array_equal(terms_in(engine, worlds, seats), terms_in(engine, engine.state.copy(), seats))


@pytest.mark.soak
@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: half a minute when compiled, hours in plain Python")
def test_a_tree_finds_more_than_one_step():
    """Equal players would win 50%; the measured win rate is above 65%."""
    rules = {"victory_points": 15, "offers_per_turn": 0}
    found = evaluate(MCTSAgent(60), GreedyAgent(), "base", 2, games=200, seed=3, rules=rules)
    assert found.interval[0] > 0.5
