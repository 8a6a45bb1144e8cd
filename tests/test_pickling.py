"""Pickled engines and agents continue in other processes as they would have in this one."""

import concurrent.futures
import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import catan_env
from catan_agents import agent_names, make_agent, pretrained_names
from catan_agents.registry import pretrained_games
from catan_env.engine.batch import BatchEngine
from catan_env.errors import SnapshotError
from tests.patience import PATIENCE

SLOW = {"expectimax": {"worlds": 1, "width": 2}, "greedy": {"worlds": 1}, "mcts": {"simulations": 4, "turns": 0}}
"""Options that make agents quick, in plain Python too."""
ENGINES = {
    "plain": {},
    "shaped": {"shaping": 0.5, "reward": "zero_sum", "rules": {"victory_points": 4}},
    "recorded": {"record": True, "forced_moves": "play", "autoreset": True},
    "explicit": {"chance": "explicit", "threads": 2},
}


def first_choice(prompt):
    return "1"


def nothing(text):
    pass


def agent_named(name):
    return (
        make_agent(name, ask=first_choice, tell=nothing) if name == "human" else make_agent(name, **SLOW.get(name, {}))
    )


def play(engine, agent, steps):
    """Let an agent play, and return the engine's states, rewards and log lengths afterwards."""
    for _ in range(steps):
        actions = np.full(engine.num_games, -1)
        games = np.flatnonzero(engine.seat_to_act >= 0)
        if len(games):
            actions[games] = agent.act(engine, games)
        for game in np.flatnonzero(engine.seat_to_act == -1):  # games that wait for a chance outcome
            actions[game] = engine.chance_mask[game].argmax()
        engine.step(actions)
    return engine.state.tobytes(), engine.rewards.tobytes(), engine.batch.log_length.tobytes()


@pytest.mark.parametrize("options", ENGINES.values(), ids=ENGINES)
@pytest.mark.parametrize("scenario", ["base", "dice_game"])
def test_a_pickled_engine_goes_on_alike_and_apart(scenario, options):
    rules = {key: value for key, value in options.get("rules", {}).items() if scenario == "base"}
    engine, agent = BatchEngine(scenario, 3, 2, seed=1, **(options | {"rules": rules})), agent_named("random")
    play(engine, agent, 12)
    twin, twin_agent = pickle.loads(pickle.dumps((engine, agent)))
    assert type(twin) is BatchEngine and not np.shares_memory(engine.state, twin.state)
    settings, twin_settings = engine.settings, twin.settings
    assert twin_settings.pop("scenario").reference == settings.pop("scenario").reference
    assert twin_settings == settings and twin.save() == engine.save()
    np.testing.assert_array_equal(twin.action_mask, engine.action_mask)
    assert play(twin, twin_agent, 40) == play(engine, agent, 40)
    assert twin.save() == engine.save()


@pytest.mark.parametrize("name", [*agent_names(), *pretrained_names()])
def test_every_agent_goes_on_alike(name):
    if name in pretrained_names():
        pytest.importorskip("torch")
    scenario, players = pretrained_games(name)[0] if name in pretrained_names() else ("base", 2)
    engine, fresh_agent = BatchEngine(scenario, 2, players, seed=3), agent_named(name)
    fresh_agent.reset(5)
    agent = copy.deepcopy(fresh_agent)
    other = engine.clone()
    assert play(engine, agent, 6) == play(other, fresh_agent, 6)
    twin = pickle.loads(pickle.dumps(agent))  # an agent that has played
    assert play(engine.clone(), twin, 12) == play(engine, agent, 12)


@pytest.mark.slow
def test_an_agent_that_asks_a_network_goes_on_alike():
    pytest.importorskip("torch")
    engine = BatchEngine("base", 2, 4, seed=3)
    agent = make_agent("mcts", network="base-strong", simulations=3)
    play(engine, agent, 3)
    twin = pickle.loads(pickle.dumps(agent))
    assert play(engine.clone(), twin, 5) == play(engine, agent, 5)


def test_encoders_travel_with_their_engines():
    engine = BatchEngine("base", 2, seed=1)
    for name in ("flat", "graph", "planes"):
        twin = pickle.loads(pickle.dumps(engine.encoder(name, "uint8")))
        assert twin.hash == engine.encoder(name, "uint8").hash
        np.testing.assert_equal(twin.encode(0), engine.encoder(name, "uint8").encode(0))


@pytest.mark.parametrize("kind", ["gymnasium", "vector"])
def test_environments_travel_with_opponents_that_search(kind):
    env = catan_env.make("base", kind, opponents=agent_named("mcts"))
    env.reset(seed=0)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.engine.save() == env.engine.save()


def test_what_other_objects_hold_travels():
    engine = BatchEngine("base", 1, seed=1, record=True)
    for whole in (
        engine.outcomes,
        engine.topology,
        engine.rules,
        engine.replay_log(),
        engine.scenario,
        engine.render(),
    ):
        pickle.loads(pickle.dumps(whole))
    table = pickle.loads(pickle.dumps(engine.actions))
    sentences = [engine.actions.describe(action) for action in range(table.n)]
    assert [table.describe(action) for action in range(table.n)] == sentences
    assert table.hash == engine.actions.hash and table.parse(sentences[-1]) == table.n - 1


def test_a_pickle_of_other_rules_is_refused(monkeypatch):
    pickled = pickle.dumps(BatchEngine("base", 2, seed=1))
    monkeypatch.setattr(BatchEngine, "layout_hash", "another")
    with pytest.raises(SnapshotError, match="layout"):
        pickle.loads(pickled)


@pytest.mark.slow
def test_engines_and_agents_travel_to_spawned_workers():
    engine, agent = BatchEngine("base", 2, 2, seed=3), agent_named("mcts")
    play(engine, agent, 3)
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, spawn) as workers:
        there = workers.submit(play, engine, agent, 6)
        assert there.result(timeout=PATIENCE) == play(engine, agent, 6)
