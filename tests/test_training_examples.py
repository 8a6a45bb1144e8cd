"""The example scripts run, and learn where they are given a minute; each where its library is there."""

import importlib

import numpy as np
import pytest

pytest.importorskip("torch")

EXAMPLES = {
    "maskable_ppo": "sb3_contrib",
    "clean_ppo": "torch",
    "torchrl_ppo": "torchrl",
    "tianshou_ppo": "tianshou",
    "rllib_ppo": "ray.rllib",
    "agilerl_ppo": "agilerl",
}
QUICK = {"rules": {"offers_per_turn": 0, "victory_points": 4}}


def example(name):
    pytest.importorskip(EXAMPLES[name])
    return importlib.import_module(f"catan_training.examples.{name}")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name):
    _, wins = example(name).train(1.0, games=16, **QUICK)
    assert wins and set(wins) <= {False, True}


@pytest.mark.soak
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_learns_in_a_minute(name):
    _, wins = example(name).train(60.0, **QUICK)
    assert np.mean(wins[len(wins) // 2 :]) > 0.3  # against three random players
