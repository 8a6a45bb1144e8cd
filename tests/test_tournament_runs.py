"""Tournament runs: kills, resuming, stopping, worker processes, and the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from catan_env.errors import CatanError, OptionError, UnknownAgentError
from catan_training import cli
from catan_training.evaluation import tournaments
from catan_training.evaluation.fixtures import Fixtures
from catan_training.evaluation.journal import LINES, Journal
from catan_training.evaluation.standings import standings
from catan_training.evaluation.tournaments import counted, run_tournament
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
GIVEN = {
    "agents": ["random", "weighted"],
    "players": [2, 3],
    "rules": {"offers_per_turn": 0, "victory_points": 3},
    "games": 40,
    "batch": 4,
    "seed": 5,
}


def fixtures(**changes):
    return Fixtures.read({**GIVEN, **changes})


def said(tables):
    return [standings(table, ["random", "weighted"]) for table in tables]


def lines(folder):
    """Return the jobs in the journal, in the order in which they were written."""
    path = Path(folder) / LINES
    return (
        [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        if (path.exists())
        else []
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder and standings of an uninterrupted tournament."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, said(run_tournament(fixtures(), folder, 1))


def test_a_tournament_plays_each_deal_of_each_table_once(whole):
    folder, found = whole
    assert [(table["players"], table["games"], table["over"]) for table in found] == [(2, 40, True), (3, 42, True)]
    jobs = [(line["table"], line["first"]) for line in lines(folder)]
    assert len(set(jobs)) == len(jobs)
    assert sorted(jobs) == [*((0, k) for k in range(0, 20, 2)), *((1, k) for k in range(7))]


def test_a_killed_tournament_goes_on_and_loses_and_repeats_nothing(whole, tmp_path):
    """The run is killed with its worker processes. Then the test adds an incomplete line to the journal."""
    config, folder = tmp_path / "tournament.toml", tmp_path / "killed"
    config.write_text(
        "agents = ['random', 'weighted']\nplayers = [2, 3]\ngames = 40\nbatch = 4\nseed = 5\n"
        "[rules]\noffers_per_turn = 0\nvictory_points = 3\n"
    )
    code = (  # after the third line it waits for the kill
        "import sys, time; from catan_training import cli; from catan_training.evaluation import journal; "
        "add = journal.Lines.add; journal.Lines.add = lambda self, line: (add(self, line), "
        "time.sleep(600 * (self.path.read_bytes().count(b'\\n') > 2))); sys.exit(cli.main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "tournament", "run", str(folder), "--config", str(config), "--workers", "2"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    until = time.monotonic() + PATIENCE
    while len(lines(folder)) < 3 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    process.kill()
    reports = process.communicate(timeout=PATIENCE)[0]  # returns once no process holds the pipe, not even a worker
    assert process.returncode == -signal.SIGKILL, reports
    kept = lines(folder)
    assert 3 <= len(kept) < len(lines(whole[0])), "the kill came too late to say anything"
    with (folder / LINES).open("ab") as file:
        file.write(b'{"table":0,"first":18,"count":2,"won":[[0]')
    assert said(run_tournament(fixtures(), folder, 1)) == whole[1]
    after = lines(folder)
    assert after[: len(kept)] == kept
    jobs = [(line["table"], line["first"]) for line in after]
    assert len(set(jobs)) == len(jobs) == len(lines(whole[0]))
    assert all(line in lines(whole[0]) for line in after)


def test_nothing_is_played_again_and_more_games_may_be_asked_for(tmp_path, monkeypatch):
    few = run_tournament(fixtures(players=[2], games=8), tmp_path, 1)
    monkeypatch.setattr(tournaments, "play_jobs", lambda *given: pytest.fail("plays") if list(given[1]) else iter(()))
    assert said(counted(Journal(tmp_path))) == said(few)
    monkeypatch.undo()
    more = run_tournament(fixtures(players=[2], games=16), tmp_path, 1)
    assert said(more)[0]["games"] == 16 and lines(tmp_path)[:2] == lines(tmp_path)[:2]
    assert said(more) == said(counted(Journal(tmp_path)))


def test_it_stops_when_the_intervals_are_narrow_enough(tmp_path):
    tables = run_tournament(fixtures(players=[2], games=4000, precision=0.15), tmp_path, 1)
    (table,) = tables
    assert table.widest <= 0.15 and 4 < standings(table, ["a", "b"])["games"] < 4000
    before = len(table.counted) - 1
    again = type(table)(fixtures(players=[2], games=4000, precision=0.15), 0)
    for done in reversed(table.counted[:before]):
        again.take(done)
    assert not again.over and len(again.counted) == before  # it needs the same jobs in whatever order they end
    again.take(table.counted[before])
    again.take(table.counted[0])
    assert again.over and len(again.counted) == before + 1


def test_the_folder_is_kept_for_one_tournament(tmp_path):
    run_tournament(fixtures(players=[2], games=4), tmp_path, 1)
    with pytest.raises(OptionError, match="Choose another folder"):
        run_tournament(fixtures(players=[2], games=4, seed=6), tmp_path, 1)
    with Journal(tmp_path), pytest.raises(OptionError, match="Another process"):
        run_tournament(fixtures(players=[2], games=8), tmp_path, 1)
    (tmp_path / LINES).write_bytes(b"{\n")
    with pytest.raises(CatanError, match="line 1, column 2: this is not JSON"):
        Journal(tmp_path)
    with pytest.raises(OptionError, match="holds no tournament"):
        Journal(tmp_path / "other")
    with pytest.raises(UnknownAgentError):
        run_tournament(fixtures(agents=["random", "nobody"]), tmp_path / "none", 1)
    with pytest.raises(OptionError, match="cannot be created"):
        run_tournament(fixtures(agents=["random", {"agent": "weighted", "depth": 2}]), tmp_path / "none", 1)
    assert not (tmp_path / "none").exists()


def test_the_command_line(capsys, tmp_path):
    folder = tmp_path / "cup"
    rules = ["--rules", "offers_per_turn=0", "victory_points=3"]
    settings = ["--agents", "random", "weighted:seed=3", "--lineups", "duels", "--players", "3", "--seed", "1"]
    assert (
        cli.main(
            ["tournament", "run", str(folder), *settings, *rules, "--games", "6", "--batch", "6", "--workers", "1"]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert (
        "base, 3 players: 6 games, 1 paired seeds" in out and "weighted:seed=3" in out and "Win rates by lineup" in out
    )
    frame = pl.read_parquet(folder / "seats.parquet")
    assert frame.height == 18 and frame["won"].sum() == 6 and set(frame["agent"]) == {"random", "weighted:seed=3"}
    assert (frame.select(pl.sum_horizontal("^points_.*$")).to_series() == frame["points"]).all()
    written = json.loads((folder / "results.json").read_text())
    assert written["tables"][0]["games"] == 6 and (folder / "results.png").stat().st_size > 1000
    assert cli.main(["tournament", "run", str(folder), "--games", "12", "--workers", "1"]) == 0
    assert "12 games" in capsys.readouterr().out
    assert cli.main(["tournament", "show", str(folder)]) == 0
    assert "12 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "nowhere"], "holds no tournament"),
        (["show", "nowhere", "--games", "3"], "takes no settings"),
        (["run", "new"], "at least two agents"),
        (["run", "new", "--agents", "random", "nobody"], "nobody"),
        (["run", "new", "--agents", "random", "weighted", "--workers", "0"], "workers is 0"),
        (["run", "new", "--config", "none.toml"], "none.toml"),
    ],
)
def test_wrong_requests_get_one_line_and_leave_nothing(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["tournament", *arguments]) == 2
    reports = [line for line in capsys.readouterr().err.splitlines() if line.startswith("catan tournament: ")]
    assert len(reports) == 1 and message in reports[0]
    assert not list(tmp_path.iterdir()) and os.getcwd() == str(tmp_path)
