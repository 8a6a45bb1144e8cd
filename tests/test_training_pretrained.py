"""Pretrained agents: they load by name, describe their training, and stay strong."""

import json

import numpy as np
import pytest

import catan_env
from catan_agents import make_agent, pretrained_names
from catan_agents.bundled import CHECKPOINT_FILE, PRETRAINED, VALUE_FILE
from catan_agents.registry import pretrained_for, pretrained_games
from catan_agents.search.value_network import load_value_network
from catan_env import BatchEngine
from catan_env.envs.opponents import opponent_names
from catan_training.evaluation.matches import evaluate

pytest.importorskip("torch")


def test_there_are_some():
    kinds = "base", "base-2", "two-player", "partners", "country", "sea", "knights", "tasks", "friends"
    assert {"base-strong", *(f"{kind}-value" for kind in kinds)} <= set(pretrained_names())


@pytest.mark.parametrize("name", pretrained_names())
def test_a_trained_agent_comes_small_with_a_card(name):
    folder = PRETRAINED / name
    assert sum(file.stat().st_size for file in folder.iterdir()) < 4_000_000
    card = (folder / "README.md").read_text()
    if (folder / VALUE_FILE).exists():
        network = load_value_network(folder / VALUE_FILE)
        facts = network.games[0].scenario, f"{len(network.inputs)} features", "catan train-value"
    else:
        about = json.loads((folder / CHECKPOINT_FILE).read_text())
        facts = about["scenario"], about["action_layout"], about["observation_layout"], "catan train"
    for fact in facts:
        assert fact in card, fact


@pytest.mark.parametrize("name", pretrained_names())
def test_what_a_trained_agent_says_of_its_making_names_no_folder_of_one_machine(name):
    folder = PRETRAINED / name
    if (folder / VALUE_FILE).exists():
        texts = [json.dumps(network.made) for network in load_value_network(folder / VALUE_FILE).networks]
    else:
        texts = [(folder / CHECKPOINT_FILE).read_text()]
    assert not [text for text in texts if '"/' in text]


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("base-strong", 0.7),
        ("base-value", 0.9),
        ("base-2-value", 0.9),
        ("two-player-value", 0.9),
        ("partners-value", 0.9),
        ("country-value", 0.9),
        ("sea-value", 0.9),
        ("knights-value", 0.9),
        ("tasks-value", 0.9),
        ("friends-value", 0.9),
    ],
)
def test_the_strong_ones_beat_weighted_players(name, least):
    scenario, players = pretrained_games(name)[0]
    assert evaluate(name, "weighted", scenario, players, 200, 5, {"offers_per_turn": 0}).interval[0] > least


def test_bundled_networks_play_with_one_player_less():
    with_fewer = 0
    for scenario, about in catan_env.scenarios().items():
        for players in about.players:
            engine = BatchEngine(scenario, 1, players, compiled=False)
            for name in set(pretrained_for(scenario, players)) & set(pretrained_names()):
                if (scenario, players) not in pretrained_games(name):
                    make_agent(name).check_engine(engine)
                    with_fewer += 1
    assert with_fewer > 15


def test_it_is_an_opponent():
    assert set(pretrained_names()) <= set(opponent_names())
    envs = catan_env.make("base", "gymnasium", opponents="base-strong", rules={"victory_points": 3})
    _, info = envs.reset(seed=0)
    for _ in range(20):
        _, _, terminated, truncated, info = envs.step(int(np.flatnonzero(info["action_mask"])[0]))
        if terminated or truncated:
            break
    assert make_agent("base-strong").name == "base-strong"
    assert make_agent("base-strong").deterministic and not make_agent("base-strong", deterministic=False).deterministic
