"""Odd argument values either work or raise an error of the project that says what is allowed."""

import math
from pathlib import Path

import numpy as np
import pytest

import catan_env
from catan_agents import agent_names, make_agent
from catan_env import BatchEngine
from catan_env.errors import ActionFormatError, CatanError, OptionError

ODD = (
    None,
    True,
    -1,
    10**9,
    10**30,
    1.5,
    float("nan"),
    "x",
    "",
    b"x",
    [],
    [1],
    {},
    {"a": 1},
    (1, 2),
    np.array([1, 2]),
    np.array(3.5),
    np.zeros((2, 2)),
    object(),
    len,
    Path("none"),
)


@pytest.fixture(scope="module")
def engine():
    return BatchEngine("base", 2, 2, chance="explicit", record=True)


def odd_results(call):
    """Return the texts of exceptions that odd values raise and that are not errors of the project."""
    wrong = []
    for value in ODD:
        try:
            call(value)
        except CatanError as error:
            assert len(str(error)) > 15
        except Exception as error:
            wrong.append(f"{value!r}: {error!r}")
    return wrong


CALLS = {
    "actions.describe": lambda engine, odd: engine.actions.describe(odd),
    "actions.describe(names)": lambda engine, odd: engine.actions.describe(40, odd),
    "actions.describe(text)": lambda engine, odd: engine.actions.describe(40, None, odd),
    "actions.parse": lambda engine, odd: engine.actions.parse(odd),
    "actions.id": lambda engine, odd: engine.actions.id(odd),
    "actions.id(argument)": lambda engine, odd: engine.actions.id("build_road", odd),
    "actions.pair": lambda engine, odd: engine.actions.pair(odd),
    "actions.ids": lambda engine, odd: engine.actions.ids(odd),
    "actions.needs": lambda engine, odd: engine.actions.needs(odd),
    "actions.argument_names": lambda engine, odd: engine.actions.argument_names(odd),
    "actions.axis": lambda engine, odd: engine.actions.axis(odd),
    "outcomes.describe": lambda engine, odd: engine.outcomes.describe(odd),
    "outcomes.id": lambda engine, odd: engine.outcomes.id(odd),
    "outcomes.pair": lambda engine, odd: engine.outcomes.pair(odd),
    "outcomes.parse": lambda engine, odd: engine.outcomes.parse(odd),
    "describe(game)": lambda engine, odd: engine.describe(odd, 0),
    "describe(action)": lambda engine, odd: engine.describe(0, odd),
    "custom_text(game)": lambda engine, odd: engine.custom_text(odd, 0),
    "custom_text(action)": lambda engine, odd: engine.custom_text(0, odd),
    "explain": lambda engine, odd: engine.explain(odd),
    "decision": lambda engine, odd: engine.decision(odd),
    "place_names": lambda engine, odd: engine.place_names(odd),
    "replay_log": lambda engine, odd: engine.replay_log(odd),
    "determinise(count)": lambda engine, odd: engine.determinise(count=odd),
    "determinise(seed)": lambda engine, odd: engine.determinise(seed=odd),
    "determinise(games)": lambda engine, odd: engine.determinise(games=odd),
    "determinise(seats)": lambda engine, odd: engine.determinise(seats=odd),
    "determinise(out)": lambda engine, odd: engine.determinise(out=odd),
    "reset(games)": lambda engine, odd: engine.reset(games=odd),
    "step": lambda engine, odd: engine.step(odd),
    "load": lambda engine, odd: engine.load(odd),
    "replay": lambda engine, odd: catan_env.replay(odd),
}


@pytest.mark.parametrize("name", CALLS)
def test_odd_arguments_of_methods(engine, name):
    assert odd_results(lambda odd: CALLS[name](engine, odd)) == []


OPTIONS = ("scenario", "num_games", "num_players", "seed", "chance", "rules", "board", "reward", "shaping", "discount")
OPTIONS += ("forced_moves",)


@pytest.mark.parametrize("name", OPTIONS)
def test_odd_options_of_engines(name):
    assert odd_results(lambda odd: BatchEngine(**{"scenario": "base", name: odd})) == []


def test_more_games_than_memory_holds_are_refused_with_how_many_fit():
    for number in (10**9, 10**12, 10**30):
        for make in (
            lambda number=number: BatchEngine("base", number),
            lambda number=number: catan_env.make("base", "vector", num_envs=number),
        ):
            with pytest.raises(OptionError, match="num_games is .*(GB of memory. The limit is [0-9]+|an integer)"):
                make()
    with pytest.raises(OptionError, match=r"count is 1000000000; that needs .* GB"):
        BatchEngine("base").determinise(count=10**9)


AGENT_OPTIONS = [
    ("random", "seed"),
    ("weighted", "seed"),
    ("heuristic", "seed"),
    ("human", "ask"),
    ("human", "tell"),
    ("human", "seed"),
    *[("careless", name) for name in ("of", "epsilon", "initial_epsilon", "seed")],
    *[("greedy", name) for name in ("worlds", "seed", "weights", "trade")],
    *[("expectimax", name) for name in ("depth", "worlds", "width", "seed", "weights", "trade")],
    *[("mcts", name) for name in ("simulations", "seconds", "turns", "explore", "confidence", "inverse_temperature")],
    *[("mcts", name) for name in ("seed", "weights", "chances", "network", "trust", "trade")],
]


@pytest.mark.parametrize(("agent", "option"), AGENT_OPTIONS)
def test_odd_options_of_agents(agent, option):
    assert odd_results(lambda odd: make_agent(agent, **{option: odd})) == []
    for value in (math.nan, math.inf) if option in ("epsilon", "trust", "explore") else ():
        with pytest.raises(OptionError, match=f"{option} is {value}"):
            make_agent(agent, **{option: value})


def test_odd_names_of_agents():
    assert odd_results(make_agent) == []


@pytest.mark.parametrize("agent", agent_names())
def test_options_that_an_agent_does_not_take(agent):
    if agent == "careless":  # passes options on to another agent
        with pytest.raises(OptionError, match=r"'heuristic' cannot be created with .*wrong.* Allowed options: seed"):
            make_agent(agent, wrong=1)
        return
    with pytest.raises(OptionError, match=rf"'{agent}' cannot be created with .*wrong.* Allowed options: .*seed"):
        make_agent(agent, wrong=1)


def test_options_of_trained_agents():
    pytest.importorskip("torch")
    for option in ("seed", "deterministic"):
        assert odd_results(lambda odd, option=option: make_agent("base-strong", **{option: odd})) == []
    with pytest.raises(OptionError, match=r"takes no option 'folder'"):
        make_agent("base-strong", folder=1)
    with pytest.raises(OptionError, match="with its own network"):
        make_agent("base-2-value", weights=None)


def test_what_is_wrong_with_an_id_is_said(engine):
    with pytest.raises(ActionFormatError, match="An id must be an integer from 0 to .*given: 9999"):
        engine.actions.describe(9999)
    with pytest.raises(ActionFormatError, match="Unknown action kind 'fly'; allowed: "):
        engine.actions.axis("fly")
    with pytest.raises(ActionFormatError, match="'build_road' has no argument True; allowed: 0 to 71"):
        engine.actions.id("build_road", True)
