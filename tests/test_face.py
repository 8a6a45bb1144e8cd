"""The public names of `catan_env`, such as its errors and `make`."""

import inspect
import re
import sys

import numpy as np
import pytest
from env_helpers import SMALLEST

import catan_env
from catan_env import envs, errors


def test_all_errors_can_be_caught_from_the_package():
    declared = {name for name, thing in vars(errors).items() if inspect.isclass(thing)}
    assert {"CatanError", "IllegalActionError", "SnapshotError"} <= declared
    for name in declared:
        assert getattr(catan_env, name) is getattr(errors, name)
        assert name in catan_env.__all__
    with pytest.raises(catan_env.IllegalActionError):
        catan_env.BatchEngine("base").step(np.array([1]))


def test_everything_named_is_there():
    assert len(set(catan_env.__all__)) == len(catan_env.__all__)
    for name in catan_env.__all__:
        assert hasattr(catan_env, name), name


@pytest.mark.parametrize(("scenario", "players"), SMALLEST)
def test_make_gives_every_kind_of_environment(scenario, players):
    for kind, expected, options in (
        ("aec", envs.CatanAEC, {}),
        ("parallel", envs.CatanParallel, {}),
        ("gymnasium", envs.CatanEnv, {"opponents": "random"}),
        ("vector", envs.CatanVectorEnv, {"num_envs": 2, "opponents": "random"}),
    ):
        env = catan_env.make(scenario, kind, num_players=players, **options)
        assert type(env) is expected
        assert (env.engine.scenario.name, env.engine.num_players) == (scenario, players)
        assert env.reset(seed=1) is None if kind == "aec" else env.reset(seed=1)


def test_make_passes_options_on():
    assert isinstance(catan_env.make(), envs.CatanAEC)
    env = catan_env.make("base+card_counting", kind="parallel", rules={"victory_points": 5})
    assert (env.engine.scenario.name, env.engine.rules["victory_points"]) == ("base+card_counting", 5)
    assert catan_env.make(catan_env.find_scenario("base"), "parallel").engine.scenario.name == "base"


@pytest.mark.slow
def test_make_gives_stable_baselines_its_environment():
    pytest.importorskip("stable_baselines3")
    assert isinstance(catan_env.make("base", "sb3", num_envs=2, opponents="random"), envs.SB3VecEnv)


def test_a_missing_stable_baselines_is_reported_as_other_packages_are(monkeypatch):
    for name in {"stable_baselines3", *filter(re.compile("stable_baselines3").match, sys.modules)}:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "catan_env.envs.sb3", raising=False)
    with pytest.raises(catan_env.MissingExtraError, match=r"Stable-Baselines3.*pip install 'catan-env\[train\]'"):
        catan_env.make("base", "sb3")


def test_make_says_what_it_does_not_know():
    with pytest.raises(catan_env.OptionError, match="kind is 'gym'; allowed: 'aec', 'parallel', 'gymnasium'"):
        catan_env.make("base", "gym")
    with pytest.raises(catan_env.UnknownScenarioError, match="Did you mean 'base'"):
        catan_env.make("bass")
