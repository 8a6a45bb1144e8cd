"""Evaluation with rotated seats, training settings, soak runs and the benchmark."""

import json
import re
import shlex
from dataclasses import fields
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

import catan_env
from catan_agents.heuristic import HeuristicAgent
from catan_agents.random import RandomAgent
from catan_agents.weighted import WeightedRandomAgent
from catan_env import BatchEngine
from catan_env.errors import (
    CatanError,
    OptionError,
    PlayerCountError,
    RuleValueError,
    UnknownAgentError,
    UnknownRuleError,
)
from catan_training import cli
from catan_training.benchmarks import against, bench, quick
from catan_training.benchmarks.soak import Soak
from catan_training.cli.train import from_options
from catan_training.evaluation.intervals import wilson_interval
from catan_training.evaluation.matches import evaluate, lineup, play, seatings
from catan_training.learning.config import ConfigError, TrainConfig, as_command, read_config, resolve
from catan_training.machine import machine

ROOT = Path(__file__).resolve().parent.parent
NO_TRADE = {"offers_per_turn": 0}


# -- evaluation ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (3, 10), (10, 10), (250, 1000), (999, 1000), (1, 1)])
def test_wilson_interval_equals_scipy(wins, games):
    expected = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert wilson_interval(wins, games) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_interval_without_games_is_everything():
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_every_order_of_seats_once():
    a, b, c = RandomAgent(), RandomAgent(), WeightedRandomAgent()
    assert seatings([a, b, b, b]).tolist() == [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    assert len(seatings([a, b, c, c])) == 12
    assert len(seatings([a, b, c, RandomAgent()])) == 24
    assert seatings([a, a]).tolist() == [[0, 1], [1, 0]]  # an agent against itself


def test_equal_names_are_one_agent():
    agents = lineup("random", ["weighted", "random", "weighted"], 4)
    assert agents[1] is agents[3] and agents[0] is not agents[2]
    assert [agent.name for agent in lineup("random", ["weighted", "random"], 4)[2:]] == ["random", "random"]
    with pytest.raises(OptionError, match="4 agents for 3 seats"):
        lineup("random", ["weighted"] * 4, 4)


@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_equal_agents_win_equally_often(scenario):
    result = evaluate("random", "random", scenario, games=240, seed=3)
    n = result.num_players
    assert result.games % n == 0 and result.games >= 240
    assert sum(result.wins_by_seat) == result.wins <= result.games - result.truncated
    low, high = wilson_interval(result.wins - result.shared_wins / 2, result.games, 4.0)  # two players share such a win
    assert low < (1 - result.truncated / result.games) / n < high
    assert result.interval[0] <= result.win_rate <= result.interval[1]
    assert abs(result.mean_points - result.mean_opponent_points) < 1.5
    assert result.mean_length > 100
    json.dumps(result.to_dict())


def test_seats_share_seeds_and_every_seat_is_played_equally_often(monkeypatch):
    seen = {}

    def spy(engine, agents, owner, tell):
        seen.update(seeds=engine.seeds.copy(), owner=owner, terrain=engine.state["terrain"].copy())
        return play(engine, agents, owner, tell)

    monkeypatch.setattr("catan_training.evaluation.matches.play", spy)
    result = evaluate("weighted", "random", "base", 3, games=10, seed=1, rules=NO_TRADE)
    assert result.games == 12
    seeds = seen["seeds"].reshape(3, 4)
    assert (seeds == seeds[0]).all() and len(set(seeds[0].tolist())) == 4
    assert (seen["terrain"].reshape(3, 4, -1) == seen["terrain"][:4]).all()
    assert ((seen["owner"] == 0).sum(axis=0) == 4).all()


def test_the_same_call_gives_the_same_result():
    results = [evaluate("weighted", "random", "base", 4, 40, seed=s, rules=NO_TRADE) for s in (2, 2, 3)]
    assert results[0] == results[1] != results[2]


def test_better_agents_win_more():
    assert evaluate("weighted", "random", "base", 4, 400, 1, NO_TRADE).interval[0] > 0.25
    assert evaluate(HeuristicAgent(), "weighted", "base", 4, 200, 1, NO_TRADE).interval[0] > 0.8
    assert evaluate(HeuristicAgent(), "weighted", "base", 2, 100, 1).interval[0] > 0.6


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"agent": "nobody"}, UnknownAgentError),
        ({"num_players": 9}, PlayerCountError),
        ({"games": 0}, OptionError),
        ({"scenario": "nowhere"}, CatanError),
        ({"rules": {"no_such_rule": 1}}, CatanError),
    ],
)
def test_wrong_arguments_are_refused(arguments, error):
    with pytest.raises(error):
        evaluate(**{"agent": "random", **arguments})


# -- settings ------------------------------------------------------------------------------------------------


def test_the_file_of_settings_holds_the_defaults():
    path = ROOT / "configs" / "train_base.toml"
    assert read_config(path) == TrainConfig()
    missing = [item.name for item in fields(TrainConfig) if f"\n{item.name} = " not in path.read_text()]
    assert missing == ["rules"]  # the file has a separate table for rules


def test_every_system_has_a_file_of_settings():
    systems = ROOT / "catan_env" / "games"
    found = {path.stem.removeprefix("train_"): read_config(path) for path in (ROOT / "configs").glob("*.toml")}
    hour = found.pop("base_1h")
    assert hour.scenario == "base" and hour.minutes == 60 and hour.lookahead_features
    assert found.pop("gpu").device == "cuda"
    assert found.keys() == {path.parts[-3] for path in systems.glob("*/scenarios/*.toml")}
    for system, settings in found.items():
        assert (systems / system / "scenarios" / f"{settings.scenario}.toml").exists(), system
        catan_env.find_scenario(settings.scenario).check_players(settings.num_players or None)
        assert system == "base" or settings.minutes == 15


def test_every_setting_is_used():
    code = "".join(path.read_text() for path in (ROOT / "training" / "catan_training" / "learning").glob("*.py"))
    for item in fields(TrainConfig):
        assert re.search(rf"\b(config|settings)\.{item.name}\b", code), item.name


@pytest.mark.parametrize(
    ("settings", "curve", "final"),
    [
        ({}, 200, 2000),
        ({"minutes": 1.0}, 200, 2000),
        ({"minutes": 0.0, "steps": 100}, 200, 2000),
        ({"minutes": 0.3}, 60, 600),
        ({"minutes": 0.0001}, 1, 1),
        ({"minutes": 0.3, "curve_games": 7, "final_games": 3000}, 7, 3000),
    ],
)
def test_short_training_is_followed_by_fewer_games(settings, curve, final):
    config = resolve(TrainConfig(**settings))
    assert (config.curve_games, config.final_games) == (curve, final)
    assert resolve(config) == config


def test_rules_that_a_scenario_has_not_are_refused_before_anything_is_played():
    assert resolve(TrainConfig(scenario="dice_game")).rules == {}
    with pytest.raises(UnknownRuleError, match="has no rule number 'offers'"):
        resolve(TrainConfig(rules={"offers": 3}))
    with pytest.raises(RuleValueError, match="victory_points"):
        resolve(TrainConfig(rules={"victory_points": -1}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("auxiliary_targets = ['points']", r"Unknown training setting 'auxiliary_targets'"),
        ("learning_rat = 1e-3", r"Unknown training setting 'learning_rat'\. Did you mean 'learning_rate'"),
        ("epochs = 0", "'epochs' is 0; it must be at least 1"),
        ("epochs = 2.5", "must be of type int"),
        ("epochs = true", "must be of type int"),
        ("choice = 1", "must be of type str"),
        ("torch_threads = 99999999999", "from 1 to 1024"),
        ("discount = 1.5", "from 0 to 1"),
        ("discount = nan", "from 0 to 1"),
        ("clock = 'sun'", "allowed: wall, processor"),
        ("hidden = []", "must be a list"),
        ("hidden = [64, 'x']", "must be of type int"),
        ("rules = 3", "must be a table"),
        ("minutes = 0", "has no limit"),
        ("num_games = 2", "size of a rollout"),
        ("epochs = ", "train.toml[:,] "),
    ],
)
def test_wrong_settings_are_refused(tmp_path, text, message):
    (tmp_path / "train.toml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        read_config(tmp_path / "train.toml")


def test_a_missing_file_of_settings_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no settings file"):
        read_config(tmp_path / "none.toml")


def test_settings_survive_the_command_line():
    settings = TrainConfig().updated(
        {
            "name": "my run",
            "minutes": 0.5,
            "hidden": [32],
            "opponents": ["random", "weighted"],
            "choice": "sampled",
            "rules": {"victory_points": 5, "phases": "strict"},
            "seed": 3,
        }
    )
    words = shlex.split(as_command(settings))[1:]
    parsed = from_options(TrainConfig(), vars(cli.make_parser().parse_args(words)))
    assert parsed == settings


# -- soak ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_soak_finds_nothing(scenario, tmp_path):
    run = Soak(scenario, catan_env.find_scenario(scenario).players[0], games=16, seed=1)
    found = run.run(20_000, tmp_path)
    assert not found.failure, found.failure
    assert found.actions >= 20_000 and found.copied >= 1
    assert not list(tmp_path.iterdir())


def test_soak_reports_what_is_wrong_and_how_to_reproduce_it(tmp_path, monkeypatch):
    run = Soak("base", 4, games=4, seed=5)
    broken = []

    def broken_invariants(engine):
        broken.append(0)
        return [(2, "pieces_conserved")] if len(broken) > 100 else []

    monkeypatch.setattr(BatchEngine, "broken_invariants", broken_invariants)
    found = run.run(10_000, tmp_path)
    assert "game 2 (seed 5, step 100 of the batch): invariant 'pieces_conserved'" in found.failure
    log = json.loads(Path(found.replay_file).read_text())
    again = catan_env.replay(log)
    for name in again.state.dtype.names:
        if name != "rng":
            np.testing.assert_array_equal(again.state[name][0], run.engine.state[name][2])


def test_soak_notices_replays_and_clones_that_differ(tmp_path, monkeypatch):
    run = Soak("base", 2, games=4, seed=5, rules=NO_TRADE)
    clone = BatchEngine.clone

    def bad_clone(engine, games=None):
        twin = clone(engine, games)
        twin.state["bank"][1, 0] ^= 1
        return twin

    monkeypatch.setattr(BatchEngine, "clone", bad_clone)
    found = run.run(100_000, tmp_path)
    assert "game 1" in found.failure and "after a clone" in found.failure


# -- benchmark -----------------------------------------------------------------------------------------------


def test_bench_measures():
    names = ["step", "rollout-trade", "observe-uint8", "games", "length", "single", "aec", "bytes"]
    reports = []
    found = bench.measure("base", 3, games=64, repeats=1, only=names, tell=reports.append)
    assert [f.name for f in found] == reports == names
    assert all(f.low <= f.median <= f.high and f.median > 0 for f in found)
    assert all(f.met is None for f in found)  # the targets apply to four players
    assert found[-1].median == BatchEngine("base").state.itemsize
    text = json.dumps(bench.to_dict(found, machine(), scenario="base"))
    assert json.loads(text)["machine"]["cores"] >= 1


def test_bench_refuses_unknown_figures():
    with pytest.raises(OptionError, match="Unknown figure 'speed'"):
        bench.measure(only=["speed"])


def test_bench_compares_with_a_peer():
    pytest.importorskip("fastcatan")
    rows = against.compare(games=64, slices=4)
    assert len(rows) >= 2 and all(0 < r.low <= r.ratio <= r.high and r.ours > 0 < r.theirs for r in rows)


def test_bench_says_which_peer_is_missing(monkeypatch):
    with pytest.raises(OptionError, match="fastcatan"):
        against.compare("another")

    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(against, "version", missing)
    with pytest.raises(OptionError, match="pip install fastcatan"):
        against.compare()


def test_quick_bench_compares_with_recorded_ratios(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(quick, "SLICE", 0.002)
    monkeypatch.setattr(quick, "GAMES", 64)
    found = quick.against_yardstick(2, lambda name: None)
    assert [row.name for row in found] == list(quick.RECORDED[quick.YARDSTICK]) and all(row.ratio > 0 for row in found)
    for speed, words, status in ((1.1, "As fast as recorded", 0), (0.5, "Slower than recorded: rollout (0.50).", 1)):
        rows = [quick.Ratio("step", "yardstick", 2.0, 2.0), quick.Ratio("rollout", "yardstick", 3.0 * speed, 3.0)]
        monkeypatch.setattr(quick, "measure", lambda tell, rows=rows: rows)
        assert cli.main(["bench", "--quick", "--json", str(tmp_path / "quick.json")]) == status
        assert words in capsys.readouterr().out
        written = json.loads((tmp_path / "quick.json").read_text())
        assert [row["slower"] for row in written["ratios"]] == [False, bool(status)]


def test_quick_bench_is_of_the_base_game(capsys):
    assert cli.main(["bench", "--quick", "--scenario", "troy"]) != 0
    assert "--quick measures the engine in the base game" in capsys.readouterr().err


def test_targets():
    (found,) = bench.measure("base", 4, games=1, repeats=1, only=["bytes"])
    assert found.target == 1024 and found.met
    assert bench.Figure("a", "", "", 3, 3, 3, 2).met
    assert not bench.Figure("a", "", "", 3, 3, 3, 2, smaller_is_better=True).met
    assert bench.Figure("a", "", "", 3, 3, 3).met is None
