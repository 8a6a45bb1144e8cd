"""One network that learns several scenarios at once: what they share, what it learns from, runs and checkpoints."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.errors import CatanError
from catan_training.evaluation.matches import evaluate
from catan_training.learning.config import ConfigError, TrainConfig, as_command
from catan_training.learning.resolved import resolve

pytest.importorskip("torch")

import torch
from safetensors.torch import load_file

from catan_agents.learned import CheckpointError, LearnedAgent
from catan_agents.networks import is_network, network_of
from catan_agents.networks.shared import SharedNetwork
from catan_training.learning import run
from catan_training.learning.ppo import Learner, Samples

RULES = {"offers_per_turn": 0, "victory_points": 4}


def small(**options):
    """Base for four and for three: one program, other observations and values."""
    return TrainConfig().updated(
        {
            "name": "both",
            "num_players": 4,
            "also": ["base:3"],
            "encoder": "graph",
            "minutes": 0,
            "steps": 300,
            "num_games": 4,
            "rollout_steps": 16,
            "batch_size": 32,
            "hidden": [8, 8],
            "precision": "float32",
            "curve_points": 1,
            "curve_games": 4,
            "final_games": 4,
            "torch_threads": 1,
            "eval_opponents": ["random"],
            "auxiliary_targets": ["length"],
            "teacher": "weighted",
            "imitation_fraction": 0.4,
            "opponents": ["random"],
            "pool_share": 0.25,
            "pool_updates": 1,
            "pool_size": 1,
            "checkpoint_minutes": 0.0,
            "rules": RULES,
            **options,
        }
    )


# -- what is shared ------------------------------------------------------------------------------------------

ISLAND = {
    "places": {"intersections": 3, "paths": 2, "hexes": 1},
    "features": {
        "intersections": ["city"],
        "paths": ["road", "ship"],
        "hexes": ["robber"],
        "globals": ["hand", "gold"],
    },
    "heads": [["roll", "", ["0"]], ["build", "paths", []], ["take", "", ["wool", "gold"]]],
    "values": 3,
}
LAND = {
    "places": {"intersections": 2, "paths": 1, "hexes": 2},
    "features": {
        "intersections": ["city"],
        "paths": ["road"],
        "hexes": ["robber"],
        "globals": ["deck", "hand"],
    },
    "heads": [["take", "", ["ore", "wool"]], ["build", "paths", []], ["roll", "", ["0"]]],
    "values": 2,
}


def network_and_views():
    torch.manual_seed(0)
    network = SharedNetwork([ISLAND, LAND], 4, 2)
    views = []
    for game in (ISLAND, LAND):
        features = {part: len(names) for part, names in game["features"].items()}
        views.append(
            {
                part: torch.ones(5, *([game["places"][part]] if part != "globals" else []), count, dtype=torch.uint8)
                for part, count in features.items()
            }
        )
    return network, views


def test_every_game_has_its_own_logits_and_values():
    network, (island, land) = network_and_views()
    assert [tuple(found.shape) for found in network(island, game=0)] == [(5, 5), (5, 3), (5, 4)]
    assert [tuple(found.shape) for found in network(land, game=1)] == [(5, 4), (5, 2), (5, 4)]


def test_actions_of_one_name_have_one_weight():
    network, (island, land) = network_and_views()
    before = network(island, game=0)[0], network(land, game=1)[0]
    with torch.no_grad():
        roll, build, take = (network.shared.policy[number].bias for number in range(3))
        roll += 1
        build += 2
        take += torch.tensor([4.0, 8.0, 16.0])  # wool, gold, ore
    for game, view, old, moved in ((0, island, before[0], [1, 2, 2, 4, 8]), (1, land, before[1], [16, 4, 2, 1])):
        torch.testing.assert_close(network(view, game=game)[0] - old, torch.tensor([moved] * 5, dtype=torch.float32))


def test_what_only_one_game_knows_is_learned_in_it_alone():
    network, (island, land) = network_and_views()
    shared = network.shared
    for view, game, known in ((island, 0, [True, True, False]), (land, 1, [True, False, True])):
        network.zero_grad()
        logits, values, _ = network(view, game=game)
        (logits.square().sum() + values.square().sum()).backward()
        assert (shared.table.weight.grad.abs().sum(0) > 0).tolist() == known  # hand, gold, deck
        assert (shared.policy[2].bias.grad.abs() > 0).tolist() == known  # wool, gold, ore
        assert (shared.embed["paths"].weight.grad.abs().sum(0) > 0).tolist() == [True, game == 0]
        assert (shared.value.bias.grad.abs() > 0).tolist() == [True, True, game == 0]


def test_features_of_one_name_have_one_scale():
    network, _ = network_and_views()
    network.fit_to([encoder_of(ISLAND, hand=20, gold=4), encoder_of(LAND, hand=10, deck=25)])
    torch.testing.assert_close(network.games[0].scale_globals, torch.tensor([1 / 20, 1 / 4]))
    torch.testing.assert_close(network.games[1].scale_globals, torch.tensor([1 / 25, 1 / 20]))
    assert network.games[0].scale_paths.tolist() == [[1, 1]] * 2
    assert network.games[1].intersections_of_paths.tolist() == [[1], [1]]  # one path between two intersections


def encoder_of(game, **most):
    """What a network asks of the encoder of a game whose places touch as their numbers say."""
    places, features = game["places"], game["features"]
    space = {part: box((places[part], len(features[part]))) for part in places}
    space["globals"] = SimpleNamespace(high=np.array([most[name] for name in features["globals"]], np.uint8))
    ends = np.array([[number, number + 1] for number in range(places["paths"])])
    touched = np.full((places["intersections"], 3), -1)
    for path, (first, second) in enumerate(ends):
        touched[first, 0] = touched[second, 1] = path
    return SimpleNamespace(
        space=space,
        path_intersections=ends,
        intersection_paths=touched,
        intersection_neighbors=np.full_like(touched, -1),
        hex_intersections=np.zeros((places["hexes"], 6), int),
    )


def box(shape):
    return SimpleNamespace(high=np.ones(shape, np.uint8), shape=shape)


@pytest.mark.parametrize(
    "damage",
    [
        lambda about: about["games"].pop(),
        lambda about: about["games"][1].update(values=3),
        lambda about: about["games"][1]["features"].update(globals=["deck", "deck"]),
        lambda about: about["games"][1]["heads"].pop(),
        lambda about: about["games"][1]["heads"].append(["roll", "roads", []]),
        lambda about: about["games"][0]["places"].update(paths=-1),
        lambda about: about.update(width=10**9),
        lambda about: about.update(games=None),
    ],
)
def test_damaged_descriptions_are_none_of_networks(damage):
    about = json.loads(json.dumps({"kind": "shared", "width": 4, "rounds": 2, "games": [ISLAND, LAND]}))
    assert is_network(about, [(5, 3), (4, 2)])
    damage(about)
    assert not is_network(about, [(5, 3), (4, 2)])


# -- what is learned -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("imitating", "lookahead_features"), [(True, False), (False, False), (True, True)])
def test_every_step_learns_from_all_scenarios(imitating, lookahead_features):
    settings = small(
        lookahead_features=lookahead_features, batch_size=64, max_grad_norm=1e9, teacher_rate=0.0, learning_rate=0.0
    )
    learner = Learner(resolve(settings))
    weights = {name: tensor.clone() for name, tensor in learner.network.named_parameters()}
    rollouts = [
        games.play(lambda seen, legal, game=game: learner.choose(seen, legal, game), 1, imitating)
        for game, games in enumerate(learner.games)
    ]
    learner.optimizer.param_groups[0]["lr"] = 0.0
    alone, counts = [], []
    for game, rollout in enumerate(rollouts):
        sample = Samples(network_of(learner.network, game), rollout, imitating, learner.device)
        learner.network.zero_grad()
        learner._loss(sample, sample.picked, imitating, 0.01)[0].backward()
        alone.append(
            {
                name: torch.zeros_like(weight) if weight.grad is None else weight.grad.clone()
                for name, weight in learner.network.named_parameters()
            }
        )
        counts.append(len(sample.picked))
    learner.config = replace(learner.config, batch_size=256)  # one step
    learner._learn(rollouts, imitating, 0.01)
    assert learner.choices == sum(counts) and min(counts) > 16
    for name, weight in learner.network.named_parameters():
        mean = sum(count * found[name] for count, found in zip(counts, alone, strict=True)) / sum(counts)
        torch.testing.assert_close(weight.grad, mean, rtol=1e-3, atol=1e-6)
        torch.testing.assert_close(weight, weights[name])
    for name in (
        ("inner.shared.embed.paths.weight", "change.weight") if lookahead_features else ("shared.embed.paths.weight",)
    ):
        assert all(found[name].abs().sum() for found in alone) and not torch.equal(*(found[name] for found in alone))


# -- runs ----------------------------------------------------------------------------------------------------


class Stopped(Exception):
    """A run was stopped from outside."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return run.train(small(out=str(tmp_path_factory.mktemp("several"))))


def test_a_run_measures_every_scenario(trained):
    written = json.loads((trained / "report.json").read_text())
    played = [("base", 4), ("base", 3)]
    assert [(r["scenario"], r["num_players"]) for r in written["results"]] == played
    assert {(p["scenario"], p["players"]) for p in written["learning_curve"]} == set(played)
    assert "--also base:3" in written["command"]
    text = (trained / "report.md").read_text()
    assert "Trained on `base` with 4 players, `base` with 3 players by" in text


def test_the_checkpoint_plays_every_scenario_it_was_trained_on(trained):
    agent = LearnedAgent.load(trained, deterministic=True)
    for players in (4, 3, 4):
        engine = BatchEngine("base", 3, players, seed=7, rules=RULES)
        games, encoder = np.arange(3), engine.encoder("graph", "uint8")
        view = {part: torch.from_numpy(rows) for part, rows in encoder.encode().items()}
        with torch.no_grad():
            logits = agent.network(view, game=[4, 3].index(players))[0]
        legal = torch.from_numpy(engine.action_mask.copy())
        np.testing.assert_array_equal(agent.act(engine, games), logits.masked_fill(~legal, -torch.inf).argmax(1))
        assert agent.evaluate(engine, games)[1].shape == (3, players)
        assert evaluate(str(trained), "random", "base", players, players, rules=RULES).games == players
    with pytest.raises(CatanError, match="with 4 players, 'base' version . with 3 players; this game differs"):
        evaluate(str(trained), "random", "base", 2, 2)


def test_a_run_that_was_stopped_ends_as_one_that_was_not(trained, tmp_path, monkeypatch):
    saves, save = [], run.TrainingRun.save

    def stopped_at_the_third(training_run):
        save(training_run)
        saves.append(training_run)
        if len(saves) == 3:
            raise Stopped

    monkeypatch.setattr(run.TrainingRun, "save", stopped_at_the_third)
    with pytest.raises(Stopped):
        run.train(small(out=str(tmp_path)))
    monkeypatch.setattr(run.TrainingRun, "save", save)
    resumed = run.resume(saves[0].folder)
    curves = []
    for folder in (trained, resumed):
        points = json.loads((folder / "report.json").read_text())["learning_curve"]
        curves.append([{name: value for name, value in point.items() if name != "seconds"} for point in points])
    assert curves[0] == curves[1]
    first, second = (load_file(folder / "checkpoint" / "network.safetensors") for folder in (trained, resumed))
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize(
    "damage",
    [
        lambda about: about.pop("also"),
        lambda about: about["also"].append(about["also"][0]),
        lambda about: about["also"][0].pop("actions"),
        lambda about: about.update(also={}),
    ],
)
def test_a_checkpoint_that_lacks_a_game_is_refused(trained, tmp_path, damage):
    for file in (trained / "checkpoint").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    about = json.loads((tmp_path / "checkpoint.json").read_text())
    damage(about)
    (tmp_path / "checkpoint.json").write_text(json.dumps(about))
    with pytest.raises(CheckpointError, match="also|network"):
        LearnedAgent.load(tmp_path)


# -- settings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoder": "flat"}, "must be 'graph'"),
        ({"also": ["base:three"]}, "after the colon it needs a number of players"),
        ({"also": ["base:4"]}, "'base' with 4 players is listed twice"),
        ({"also": ["base:3", "bass"]}, "bass"),
        ({"also": ["base:7"]}, "7"),
    ],
)
def test_what_cannot_be_learned_together_is_refused(options, message):
    with pytest.raises(CatanError, match=message):
        resolve(small(**options))


def test_the_settings_of_each_scenario_are_complete():
    config = resolve(small(name="", num_players=0, also=["base:3"], teacher="best"))
    settings = config.settings
    assert (settings.name, settings.num_players, settings.also) == ("base-base", 4, ("base:3",))
    assert resolve(settings) == config
    assert [(game.scenario, game.num_players) for game in config.scenarios] == [("base", 4), ("base", 3)]
    assert {game.teacher for game in config.scenarios} == {"greedy"}
    assert "--also base:3" in as_command(settings)
    with pytest.raises(ConfigError, match="must be a list"):
        small(also=3.5)
