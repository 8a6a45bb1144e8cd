"""Training runs of a few hundred decisions: their files, reproducibility, and resuming after a kill."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import catan_env
from catan_agents import make_agent
from catan_env.encoders import ENCODERS, FlatEncoder
from catan_env.engine.compiler.progress import compiling
from catan_env.errors import CatanError, OptionError
from catan_training import cli
from catan_training.evaluation.matches import Evaluation, evaluate
from catan_training.evaluation.results import print_evaluations, rows
from catan_training.learning.config import TrainConfig, as_command, resolve

pytest.importorskip("torch")

from rich.console import Console
from safetensors.torch import load_file

from catan_agents.learned import LearnedAgent
from catan_training.learning import curve as curves
from catan_training.learning.budget import Budget
from catan_training.learning.checkpoints import STATE_FILE, load_state
from catan_training.learning.curve import LearningCurve, evaluate_against
from catan_training.learning.ppo import TrainingRun, resume, train
from catan_training.learning.training_report import among

ROOT = Path(__file__).resolve().parent.parent


def small(folder, **options):
    return TrainConfig().updated(
        {
            "name": "smoke",
            "minutes": 0,
            "steps": 600,
            "num_games": 8,
            "rollout_steps": 16,
            "batch_size": 64,
            "hidden": [16],
            "num_players": 4,
            "curve_points": 2,
            "curve_games": 4,
            "final_games": 4,
            "torch_threads": 1,
            "teacher": "weighted",
            "imitation_fraction": 0.4,
            "opponents": ["random"],
            "pool_share": 0.25,
            "pool_updates": 1,
            "pool_size": 1,
            "rules": {"offers_per_turn": 0, "victory_points": 4},
            "out": str(folder),
            **options,
        }
    )


def weights_of(run):
    return {name: tensor.numpy() for name, tensor in load_file(run / "checkpoint" / "network.safetensors").items()}


def curve_of(run):
    """Return a run's learning curve without the times."""
    points = json.loads((run / "report.json").read_text())["learning_curve"]
    return [{name: value for name, value in point.items() if name != "seconds"} for point in points]


def assert_same(run, other):
    assert curve_of(run) == curve_of(other)
    for name, weights in weights_of(run).items():
        np.testing.assert_array_equal(weights, weights_of(other)[name])


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(small(tmp_path_factory.mktemp("runs")))


def test_a_run_leaves_everything(trained):
    assert trained.name.startswith("smoke-")
    files = "checkpoint/network.safetensors checkpoint/checkpoint.json learning_curve.png report.md report.json"
    for name in files.split():
        assert (trained / name).stat().st_size > 100, name
    assert list((trained / "tensorboard").glob("events*"))
    assert (trained / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    written = json.loads((trained / "report.json").read_text())
    assert written["steps"] >= 600 and written["settings"]["hidden"] == [16] and "torch" in written["versions"]
    assert [point["opponent"] for point in written["learning_curve"]] == ["random", "weighted"] * 3
    assert written["learning_curve"][0]["steps"] == 0
    assert [r["opponents"][0] for r in written["results"]] == ["random", "weighted"]
    text = (trained / "report.md").read_text()
    assert written["command"] in text and "learning_curve.png" in text and "imitation of `weighted`" in text
    commands = [line for line in text.splitlines() if line.startswith("catan evaluate")]
    options = vars(cli.make_parser().parse_args(shlex.split(commands[1])[1:]))
    again = evaluate(
        options["agent"],
        options["opponents"][0],
        options["scenario"],
        options["players"],
        options["games"],
        options["seed"],
        dict(options["rules"]),
    )
    assert again.to_dict() | {"agent": "smoke"} == {
        **written["results"][1],
        "opponents": again.opponents,
        "interval": again.interval,
        "wins_by_seat": again.wins_by_seat,
    }


def test_the_trained_agent_plays_by_its_folder(trained):
    result = evaluate(str(trained), "random", "base", 4, 8, rules={"victory_points": 4})
    assert result.agent == trained.name and result.games == 8
    with pytest.raises(CatanError, match="number of players"):
        evaluate(str(trained), "random", "base", 3, 6)


def test_the_agent_chooses_as_wins_more(tmp_path, monkeypatch):
    """A run tries both ways of choosing actions and keeps the better one, also in its checkpoint."""
    training_run = TrainingRun(resolve(small(tmp_path)), tmp_path, Console(quiet=True))
    player, chances = training_run.learner.player, {True: 0.25, False: 0.75}

    def judged(player, rivals, config, games, seed):
        assert [rival.name for rival in rivals] == ["weighted"]
        yield SimpleNamespace(win_rate=chances[player.deterministic], mean_points=5.0)

    monkeypatch.setattr(curves, "evaluate_against", judged)
    for better in (False, True):
        chances[True] = 1.0 - chances[False]
        training_run.curve.try_choices()
        assert player.deterministic is player.description["deterministic"] is better
        chances[False] = 0.25
    training_run.save()
    resumed = TrainingRun(resolve(small(tmp_path)), tmp_path, Console(quiet=True))
    resumed.load(load_state(tmp_path))
    assert resumed.learner.player.deterministic and LearnedAgent.load(tmp_path / "checkpoint").deterministic


def test_training_by_steps_is_repeatable(trained, tmp_path):
    assert_same(trained, train(small(tmp_path)))


def test_a_run_killed_twice_ends_as_one_that_was_not(trained, tmp_path):
    settings = small(tmp_path, checkpoint_minutes=0.0)
    command = [sys.executable, "-m", "catan_training.cli", *shlex.split(as_command(settings))[1:]]
    places = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "env": dict(os.environ)}
    for _ in range(2):
        process = subprocess.Popen(command, **places)
        before = stamp_of(tmp_path)
        while stamp_of(tmp_path) == before and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, process.stderr.read().decode()
        process.stderr.close()
        (run,) = tmp_path.iterdir()
        assert not (run / "report.json").exists()
        command = [sys.executable, "-m", "catan_training.cli", "train", "--resume", str(run)]
    assert_same(trained, resume(run))


def stamp_of(folder):
    """Return when the runs in a folder last wrote their state. The list is empty if none has."""
    return [file.stat().st_mtime_ns for file in folder.glob(f"*/{STATE_FILE}")]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda run: (run / STATE_FILE).write_bytes(b"x"), "is damaged"),
        (lambda run: (run / STATE_FILE).unlink(), "no training run to resume"),
    ],
)
def test_a_run_that_cannot_resume_says_why(trained, tmp_path, damage, message):
    (tmp_path / STATE_FILE).write_bytes((trained / STATE_FILE).read_bytes())
    damage(tmp_path)
    with pytest.raises(CatanError, match=message):
        resume(tmp_path)


def test_a_run_begins_with_a_trained_agent(trained, tmp_path):
    """With a learning rate of 0, the run ends with the weights that it started with."""
    again = train(small(tmp_path, start=str(trained), teacher_rate=0, teacher_rate_end=0, learning_rate=0, steps=100))
    for name, weights in weights_of(trained).items():
        np.testing.assert_array_equal(weights, weights_of(again)[name])


def test_a_run_goes_on_without_the_agent_that_it_began_with(trained, tmp_path):
    begun = tmp_path / "agent"
    shutil.copytree(trained, begun)
    run = train(small(tmp_path, start=str(begun), steps=100))
    shutil.rmtree(begun)
    assert_same(run, resume(run))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": "greedy"}, "it has no network"),
        ({"hidden": [32]}, r"hidden = \[16\], and this run needs \[32\]"),
        ({"num_players": 3}, "num_players = 4, and this run needs 3"),
        ({"lookahead_features": True}, "lookahead_features = False, and this run needs True"),
        ({"start": "nobody"}, "Unknown agent 'nobody'"),
    ],
)
def test_an_agent_that_a_run_cannot_begin_with_is_refused(trained, tmp_path, options, message):
    with pytest.raises(CatanError, match=message):
        train(small(tmp_path, **{"start": str(trained), **options}))


def test_a_run_goes_on_with_its_own_settings_only(capsys):
    assert cli.main(["train", "--resume", "runs/some", "--minutes", "3"]) == 2
    assert "settings of the run" in capsys.readouterr().err


@pytest.mark.parametrize("encoder", ["graph", "planes"])
def test_every_encoder_trains_and_plays(encoder, tmp_path):
    run = train(small(tmp_path, encoder=encoder, steps=200, hidden=[8, 8], batch_size=32))
    assert json.loads((run / "checkpoint" / "checkpoint.json").read_text())["encoder"] == encoder
    assert evaluate(str(run), "random", "base", 4, 4, rules={"victory_points": 4}).games == 4


def test_encoders_that_no_network_takes_are_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(ENCODERS, "upside_down", upside_down)
    with pytest.raises(OptionError, match="no network for the encoder 'upside_down'"):
        train(small(tmp_path, encoder="upside_down"))
    assert not list(tmp_path.iterdir())


def upside_down(engine, dtype):
    encoder = FlatEncoder(engine, dtype)
    encoder.name = "upside_down"
    return encoder


@pytest.mark.slow
@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_every_scenario_trains_with_its_largest_number_of_players(scenario, tmp_path):
    options = {"name": "", "num_players": 0, "steps": 64, "curve_points": 0, "curve_games": 1, "final_games": 1}
    rules = TrainConfig().rules  # not every scenario has the rules that `small` sets
    run = train(small(tmp_path, scenario=scenario, rules=rules, teacher="", pool_share=0.0, shaping=1.0, **options))
    settings = json.loads((run / "report.json").read_text())["settings"]
    assert run.name.startswith(f"{scenario}-2")
    assert settings["num_players"] == catan_env.find_scenario(scenario).players[-1]


@pytest.mark.xdist_group("dice_game")
def test_who_plays_alone_is_measured_alone():
    agent = make_agent("random")
    results = list(
        evaluate_against(
            agent, [agent, make_agent("weighted")], resolve(TrainConfig(scenario="dice_game", num_players=1)), 4, 0
        )
    )
    assert [result.opponents for result in results] == [()]
    assert rows(results)[1][1] == "nobody" and among("") == "alone"


def test_an_evaluation_reports_how_many_games_have_ended():
    reports = []
    evaluate("random", games=8, rules={"victory_points": 3}, tell=lambda *numbers: reports.append(numbers))
    ended = [number for number, _ in reports]
    assert ended == sorted(ended) and (ended[0], ended[-1]) == (0, 8) and {games for _, games in reports} == {8}


def test_results_fit_a_terminal_of_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    print_evaluations([Evaluation("base-value", ("heuristic",) * 3, "base", 2, 4, 0, {}, 2000)])
    lines = re.sub("\x1b[^m]*m", "", capsys.readouterr().out).splitlines()
    assert len(lines) == 4 and max(map(len, lines)) <= 80


def test_the_compiler_does_not_use_up_the_training_time():
    for clock in ("wall", "processor"):
        settings = TrainConfig().updated({"minutes": 1.0, "clock": clock, "torch_threads": 1})
        budget = Budget(resolve(settings))
        budget.run()
        with compiling("a test"):
            until = time.process_time() + 0.1
            while time.process_time() < until:
                pass
        budget.pause()
        assert 0 <= budget.elapsed < 0.05


def test_short_runs_leave_points_of_the_curve_out():
    def worthwhile(steps=0, done=0.5, elapsed=10.0, evaluating=20.0, points=(1,)):
        budget = SimpleNamespace(steps=steps, done=done, elapsed=elapsed)
        return LearningCurve.is_worthwhile(SimpleNamespace(seconds=evaluating, points=list(points)), budget)

    assert not worthwhile()
    assert worthwhile(evaluating=5.0) and worthwhile(done=1.0) and worthwhile(points=()) and worthwhile(steps=100)
