"""The agent `best` uses the strongest agent of each game, plays legally and ignores hidden information."""

import pickle

import numpy as np
import pytest

import catan_env
from catan_agents import agent_names, best, make_agent, pretrained_names
from catan_agents.best import BestAgent, Ranking, rankings, strongest
from catan_agents.bundled import PRETRAINED, STRENGTH
from catan_agents.registry import pretrained_for
from catan_env import BatchEngine
from catan_env.errors import MissingExtraError, OptionError
from tools import measurements
from tools.strength import strength_text

SCENARIOS = sorted(catan_env.scenarios())
FIRST = np.zeros(1, np.int64)


def ranked(monkeypatch, *games):
    monkeypatch.setattr(best, "rankings", lambda: tuple(Ranking(*game) for game in games))


def test_every_measured_agent_plays_its_game():
    for ranking in rankings():
        assert ranking.players in catan_env.find_scenario(ranking.scenario).players
        trained = set(pretrained_for(ranking.scenario, ranking.players))
        assert set(ranking.agents) <= {*agent_names(), *trained} and len(ranking.agents) > 3
    assert {ranking.scenario for ranking in rankings()} == set(SCENARIOS)
    games = [(ranking.scenario, ranking.players, *ranking.rules.items()) for ranking in rankings()]
    assert len(set(games)) == len(games)


def test_rankings_are_those_of_the_ladder(tmp_path, monkeypatch):
    """Ratings define the order. Rules, except those of trade offers, are part of the ranked game."""
    rows = [
        {"agent": name, "rating": rating, "win_rate": 0.5, "interval": [0.4, 0.6]}
        for name, rating in (("random", 1.0), ("greedy", 30.0), ("heuristic", 20.0))
    ]
    rules = {"offers_per_turn": 0, "victory_points": 15}
    figures = {
        "scenario": "base",
        "version": 2,
        "players": 2,
        "games": 10,
        "agents": rows,
        "settings": {"rules": rules},
    }
    (tmp_path / "strength.json").write_text(
        strength_text({"base": {"ladder 2": {"figures": figures, "written": "2026-11-27T00:00"}}})
    )
    monkeypatch.setattr(best, "STRENGTH", tmp_path / "strength.json")
    expected = Ranking("base", 2, {"victory_points": 15}, ("greedy", "heuristic", "random"))
    assert rankings.__wrapped__() == (expected,)
    assert strength_text(measurements.read(measurements.LADDER)).count("\n") == STRENGTH.read_text().count("\n")


def test_the_closest_measurements_count(monkeypatch):
    four, two = ("base", 4, {}, ("base-value", "base-strong", "expectimax")), ("base", 2, {}, ("greedy",))
    long = ("base", 2, {"victory_points": 15}, ("base-2-value", "greedy"))
    ranked(monkeypatch, four, two, long)
    all_three = ["base-value", "base-strong", "expectimax"]
    assert strongest("base", 4) == strongest("base+card_counting", 4) == all_three
    assert strongest("base", 2) == strongest("base", 2, {"victory_points": 10}) == ["greedy"]
    assert strongest("base", 2, {"victory_points": 15}) == ["base-2-value", "greedy"]
    assert strongest("troy", 4) == ["heuristic"]
    ranked(monkeypatch, four)
    assert strongest("base", 3) == ["base-value", "expectimax"]
    assert strongest("base", 2) == ["expectimax"]  # base-value plays only with three or four players
    ranked(monkeypatch, two, four)
    assert strongest("base", 3) == ["base-value", "expectimax"]


def test_it_plays_as_the_strongest_agent_of_each_game(monkeypatch):
    pytest.importorskip("safetensors")
    ranked(monkeypatch, ("base", 4, {}, ("base-value", "greedy")), ("helpers_5_6", 6, {}, ("base-value", "greedy")))
    agent = BestAgent()
    four, six, troy = (BatchEngine(name, 1, seed=1) for name in ("base", "helpers_5_6", "troy"))
    assert [agent.agent_for(engine).name for engine in (four, six, troy)] == ["base-value", "greedy", "heuristic"]
    assert agent.agent_for(four) is agent.agent_for(four.clone())


def test_without_the_extra_for_networks_the_next_agent_plays(monkeypatch):
    def bare(name):
        if name in pretrained_names():
            raise MissingExtraError("Value networks need safetensors.")
        return make_agent(name)

    ranked(monkeypatch, ("base", 4, {}, ("base-value", "expectimax")))
    monkeypatch.setattr(best, "make_agent", bare)
    assert BestAgent().agent_for(BatchEngine("base", 1)).name == "expectimax"


def test_seeds_are_passed_on_and_checked(monkeypatch):
    ranked(monkeypatch, ("base", 2, {}, ("random",)))
    engine, games = BatchEngine("base", 8, 2, seed=1), np.arange(8)
    first, second = make_agent("best", seed=3), BestAgent()
    second.reset(3)
    chosen = first.act(engine, games)
    np.testing.assert_array_equal(second.act(engine, games), chosen)
    twin = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(twin.act(engine, games), first.act(engine, games))
    first.reset(3)
    np.testing.assert_array_equal(first.act(engine, games), chosen)
    with pytest.raises(OptionError):
        BestAgent(seed="three")


def test_networks_are_small():
    assert sum(file.stat().st_size for file in PRETRAINED.rglob("*.safetensors")) < 5_000_000


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_plays_every_scenario_and_knows_only_what_the_seat_knows(scenario, plain_python):
    """The choice is legal and does not change when hidden cards are redealt."""
    engine = BatchEngine(scenario, 1, seed=5)
    engine.random_rollout(40)
    while np.count_nonzero(engine.action_mask[0]) == 1:
        engine.step(engine.action_mask.argmax(axis=1))
    other = engine.clone()
    other.state[:] = engine.determinise(seed=9)
    other.refresh()
    chosen, again = (make_agent("best", seed=2).act(played, FIRST) for played in (engine, other))
    assert engine.action_mask[0, chosen[0]] and chosen == again
