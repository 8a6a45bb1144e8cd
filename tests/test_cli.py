"""The command line: its output, the files that it writes, and its exit status after errors."""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import catan_env
from catan_env import BatchEngine
from catan_training import cli
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent


def test_scenarios_lists_all(capsys):
    assert cli.main(["scenarios"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["name", "version", "players", "title"]
    assert [line.split()[0] for line in lines] == sorted(catan_env.scenarios())


def options_of(parser, command="catan"):
    """Yield each option of each command, together with the command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, part in action.choices.items():
                yield from options_of(part, f"{command} {name}")
        elif not isinstance(action, argparse._HelpAction):
            yield command, action


def test_every_option_says_what_it_sets_and_its_default():
    options = list(options_of(cli.make_parser()))
    assert len(options) > 250 and not [(command, option.dest) for command, option in options if not option.help]
    with_value = [(c, o) for c, o in options if o.option_strings and o.nargs != 0 and not o.required]
    silent = [(command, o.dest) for command, o in with_value if "default" not in o.help]
    assert len(with_value) > 200 and not silent


def test_an_unknown_option_shows_the_usage_of_its_command(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["evaluate", "--agent", "greedy", "--agnet", "greedy"])
    error = capsys.readouterr().err
    assert error.startswith("usage: catan evaluate") and "unrecognized arguments: --agnet greedy" in error


def test_it_runs_as_a_process():
    command = [sys.executable, "-m", "catan_training.cli", "scenarios"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("name ")


def test_a_program_may_stop_reading_its_output():
    command = [sys.executable, "-m", "catan_training.cli", "scenarios"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait(PATIENCE) == 0


def test_it_runs_without_any_extra():
    """Commands that need no extra work, and a command that needs one names it."""
    extras = "torch safetensors stable_baselines3 tensorboard matplotlib tqdm rich openskill polars scipy markdown_it"
    code = f"import sys; sys.modules.update(dict.fromkeys({extras.split()})); from catan_training.cli import main; "
    for command, status, shown in ((["scenarios"], 0, ""), (["measure", "base"], 2, "pip install 'catan-env[train]'")):
        run = [sys.executable, "-c", f"{code}sys.exit(main({command}))"]
        done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == status and shown in done.stderr, done.stderr


def test_errors_leave_the_process_with_status_2():
    command = [sys.executable, "-m", "catan_training.cli", "evaluate", "--agent", "nobody"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert re.fullmatch(r"catan evaluate: Unknown agent 'nobody'\..*random.*weighted.*\n", done.stderr)


def test_evaluate_prints_and_writes(capsys, tmp_path):
    file = tmp_path / "new" / "result.json"
    status = cli.main(
        [
            "evaluate",
            "--agent",
            "weighted",
            "--opponents",
            "random",
            "--players",
            "3",
            "--games",
            "7",
            "--seed",
            "2",
            "--rules",
            "offers_per_turn=0",
            "victory_points=5",
            "--json",
            str(file),
        ]
    )
    assert status == 0
    assert re.search(r"weighted .* 2 random .* 9 .*% \(.* to .*\)", capsys.readouterr().out)
    result = json.loads(file.read_text())
    assert result["games"] == 9 and result["rules"] == {"offers_per_turn": 0, "victory_points": 5}
    assert result["opponents"] == ["random", "random"] and 0 <= result["interval"][0] <= result["win_rate"]


def test_agents_take_their_options_as_in_tournaments(capsys, tmp_path):
    game = ["--players", "2", "--games", "2", "--rules", "offers_per_turn=0", "victory_points=3"]
    agents = ["--agent", "weighted:seed=3", "--opponents", "weighted:seed=4"]
    assert cli.main(["evaluate", *agents, *game, "--json", str(tmp_path / "e.json")]) == 0
    found = json.loads((tmp_path / "e.json").read_text())
    assert (found["agent"], found["opponents"]) == ("weighted:seed=3", ["weighted:seed=4"])
    assert (
        cli.main(
            [
                "bench",
                "agents",
                "--agents",
                "random",
                "weighted:seed=3",
                *game,
                "--repeats",
                "1",
                "--json",
                str(tmp_path / "b.json"),
            ]
        )
        == 0
    )
    figures = [figure["name"] for figure in json.loads((tmp_path / "b.json").read_text())["figures"]]
    assert figures == [f"{name}-{unit}" for name in ("random", "weighted:seed=3") for unit in ("games/s", "us")]
    capsys.readouterr()
    for command in (["evaluate", "--agent"], ["bench", "agents", "--agents"]):
        assert cli.main([*command, "weighted:depth=2"]) == 2
        assert "cannot be created with {'depth': 2}" in capsys.readouterr().err


def test_bench_prints_and_writes(capsys, tmp_path):
    assert cli.main(["bench", "--only", "bytes", "--repeats", "1", "--json", str(tmp_path / "b.json")]) == 0
    assert str(BatchEngine("base").state.itemsize) in capsys.readouterr().out
    assert json.loads((tmp_path / "b.json").read_text())["figures"][0]["name"] == "bytes"


def test_soak_reports_success(capsys, tmp_path):
    arguments = ["soak", "--scenario", "base", "--players", "2", "3", "--games", "4", "--out", str(tmp_path)]
    assert cli.main([*arguments, "--steps", "3000", "--rules", "victory_points=3"]) == 0
    assert capsys.readouterr().out.count(": ok") == 2
    assert cli.main([*arguments, "--steps", "40"]) == 1
    said = capsys.readouterr()
    assert said.out.count("INCOMPLETE") == 2 and "no game ended: raise --steps" in said.err


def test_soak_fails_with_status_1(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(BatchEngine, "broken_invariants", lambda engine: [(0, "cards_conserved")])
    arguments = ["soak", "--steps", "500", "--scenario", "base", "--players", "2", "--games", "4", "--seed", "8"]
    assert cli.main([*arguments, "--out", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert "FAILED" in said.out
    assert "seed 8" in said.err and "cards_conserved" in said.err
    (log,) = tmp_path.iterdir()
    assert str(log) in said.err and catan_env.replay(json.loads(log.read_text())).num_players == 2


def test_train_and_evaluate_the_checkpoint(capsys, tmp_path):
    (tmp_path / "train.toml").write_text(
        "name = 'tiny'\nteacher = 'weighted'\nminutes = 0\nsteps = 64\nnum_games = 4\nrollout_steps = 8\n"
        "batch_size = 16\nepochs = 1\n"
        "hidden = [8]\nnum_players = 2\ncurve_points = 1\ncurve_games = 2\nfinal_games = 2\ntorch_threads = 1\n"
        "[rules]\noffers_per_turn = 0\nvictory_points = 4\n"
    )
    status = cli.main(
        [
            "train",
            str(tmp_path / "train.toml"),
            "--out",
            str(tmp_path / "runs"),
            "--eval-opponents",
            "random",
            "--hidden",
            "8",
            "4",
        ]
    )
    assert status == 0
    assert "1 random" in capsys.readouterr().out
    (run,) = (tmp_path / "runs").iterdir()
    assert json.loads((run / "report.json").read_text())["settings"]["hidden"] == [8, 4]
    game = ["--players", "2", "--games", "2", "--rules", "victory_points=4"]
    assert cli.main(["evaluate", "--agent", str(run), "--opponents", str(run), *game]) == 0
    assert cli.main(["evaluate", "--agent", str(run), "--players", "3", "--games", "3"]) == 2
    assert "number of players is 3, not 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "--epochs", "0"], "'epochs' is 0"),
        (["train", "--config", "no-such-file.toml"], "no-such-file.toml"),
        (["train", "one.toml", "--config", "other.toml"], "Name one settings file, not both"),
        (["train", "one.toml", "--resume", "runs/none"], "takes no other settings"),
        (["bench", "train", "--config", "no-such-file.toml"], "no-such-file.toml"),
        (["train", "--scenario", "bsae"], "Did you mean 'base'"),
        (["train", "--rules", "ofers_per_turn=1"], "Did you mean 'offers_per_turn'"),
        (["train", "--opponents", "nobody"], "nobody"),
        (["train", "--eval-opponents", "nobody"], "nobody"),
        (["train", "--encoder", "flt"], "flt"),
        (["evaluate", "--agent", "random", "--players", "7"], "num_players is 7"),
        (["evaluate", "--agent", "random", "--games", "0"], "it must be at least 1"),
        (["evaluate", "--agent", "random", "--opponents", *["random"] * 4], "4 agents for 3 seats"),
        (["evaluate", "--agent", "random", "--rules", "victory_points=1"], "victory_points"),
        (["evaluate", "--agent", "random", "--games", "4", "--json", "."], "directory"),
        (["bench", "--only", "speed"], "Unknown figure 'speed'"),
        (["bench", "--repeats", "0"], "repeats is 0"),
        (["soak", "--scenario", "nowhere"], "nowhere"),
        (["soak", "--games", "0"], "num_games"),
    ],
)
def test_wrong_requests_get_one_line_and_status_2(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and said[0].startswith(f"catan {arguments[0]}: ") and message in said[0]
    assert not list(tmp_path.iterdir())  # the command leaves no run folder


@pytest.mark.parametrize(
    "arguments", [[], ["fly"], ["train", "--epochs", "many"], ["evaluate"], ["soak", "--rules", "x"]]
)
def test_misspelt_commands_show_the_usage(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)
    assert stopped.value.code == 2
    assert "usage: catan" in capsys.readouterr().err


def test_a_missing_library_is_named(capsys, monkeypatch):
    def missing(options):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("catan_training.cli.scenarios.run", missing)
    assert cli.main(["scenarios"]) == 2
    assert "needs 'torch'" in capsys.readouterr().err
