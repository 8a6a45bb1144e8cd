"""`catan measure`: the figures it records for a scenario, and the pages that show them."""

import pytest

from catan_env.errors import OptionError
from catan_training import cli
from catan_training.benchmarks import bench
from tools import measure, measurements
from tools.measure import measure_learning, measure_play
from tools.pages.benchmarks import benchmarks_page
from tools.pages.measured import measured

pytestmark = pytest.mark.xdist_group("base")  # the tests play with the compiled programs of `base`


def test_play_and_checks_are_recorded_and_shown(tmp_path, capsys):
    out = ["--out", str(tmp_path)]
    few = ["--games", "6", "--actions", "300"]
    assert cli.main(["measure", "base", "--only", "play", "strength", "soak", *few, *out]) == 0
    file = tmp_path / measurements.SCENARIOS.name
    assert f"{file}: base, play" in capsys.readouterr().out
    found = measurements.read(file)["base"]
    tables = found["play"]["figures"]
    assert [t["players"] for t in tables] == [2, 3, 4] and all(t["games"] >= 6 for t in tables)
    for table in tables:
        shares = [row[1] for row in table["measures"]["seats"]["rows"]]
        assert len(shares) == table["players"] and sum(shares) == pytest.approx(1)
        rows = (row for estimates in table["measures"].values() for row in estimates["rows"])
        assert all(low <= value <= high for _, value, low, high in rows)
    assert [(e["num_players"], e["opponents"][0]) for e in found["strength"]["figures"]] == [
        (players, rival) for players in (2, 3, 4) for rival in ("random", "weighted")
    ]
    assert all(run["actions"] >= 300 and not run["failure"] for run in found["soak"]["figures"])
    page = "\n".join(measured(found))
    assert "| 1st to place |" in page and "None failed" in page and "Learning" not in page
    assert "| Players | random | weighted |" in page


def test_a_curve_shows_learning(tmp_path):
    pytest.importorskip("torch")
    run = measure_learning(
        "base", minutes=0, steps=64, num_games=4, rollout_steps=8, batch_size=16, hidden=[8], teacher="weighted",
        opponents=["random"], curve_points=1, curve_games=4, final_games=4, torch_threads=1,
        rules={"offers_per_turn": 0, "victory_points": 4},
    )  # fmt: skip
    assert run["players"] == 4 and "--final-games 4" in run["command"]
    measurements.keep(tmp_path / "scenarios.json.xz", "base", "learning", run)
    page = "\n".join(measured(measurements.read(tmp_path / "scenarios.json.xz")["base"]))
    assert "| Decisions | random | weighted |" in page and "| final |" in page
    assert page.count("%") >= 2 * (len(run["learning_curve"]) + 2) - 2


def test_value_networks_are_listed_with_win_rates(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr(measure, "LEARNED_GAMES", 8)
    few = ["--rounds", "1", "--round-games", "8", "--out", str(tmp_path)]
    assert cli.main(["measure", "base", "--only", "values", *few]) == 0
    found = measurements.read(tmp_path / measurements.SCENARIOS.name)["base"]
    run = found["values"]["figures"]
    assert [r["opponents"] for r in run["results"]] == [["weighted"] * 3, ["heuristic"] * 3]
    assert all(r["rules"] == {"offers_per_turn": 0} and r["games"] == 8 for r in run["results"])
    page = "\n".join(measured(found))
    assert "learned from 16 games with 4 players" in page and "against `heuristic` on all other seats" in page


def test_speed_is_relative_to_the_base_game(monkeypatch):
    monkeypatch.setattr(measure, "SLICES", 2)
    monkeypatch.setattr(measure, "BATCH", 8)
    monkeypatch.setattr(measure.bench, "measure", lambda *given, only: [])
    figures = measure.measure_speed("base")
    assert [f["name"] for f in figures] == ["step-2", "step-3", "step-4"]
    assert all(0.2 < f["median"] < 5 for f in figures)
    page = "\n".join(measured({"speed": {"figures": figures, "written": "2026-01-01"}}))
    assert "| step and legal actions with 4 players, relative to base with 4 |" in page


def test_nothing_measured_is_nothing_said():
    assert list(measured({})) == []
    with pytest.raises(OptionError, match="must be at least 1"):
        measure_play("base", 0)


def test_parts_of_scenarios_are_kept_beside_each_other_in_one_file(tmp_path):
    file = tmp_path / "a" / "scenarios.json.xz"
    assert measurements.read(file) == {}
    measurements.keep(file, "base", "soak", [1])
    measurements.keep(file, "troy", "soak", [2])
    measurements.keep(file, "base", "play", [3])
    measurements.keep(file, "base", "soak", [4])
    held = measurements.read(file)
    assert {name: {part: kept["figures"] for part, kept in parts.items()} for name, parts in held.items()} == {
        "base": {"soak": [4], "play": [3]},
        "troy": {"soak": [2]},
    }
    assert all(kept["command"] and kept["versions"] and kept["machine"] for kept in held["base"].values())
    content = file.read_bytes()
    measurements.write(file, held)
    assert file.read_bytes() == content and [path.name for path in file.parent.iterdir()] == [file.name]


def test_benchmarks_are_recorded_and_shown(tmp_path, monkeypatch):
    figure = bench.Figure.of("step", "step and legal actions", "actions/s", [3.0, 1.0, 2.0])
    monkeypatch.setattr(bench, "measure", lambda **given: [figure])
    assert cli.main(["measure", "base", "--only", "benchmarks", "--out", str(tmp_path)]) == 0
    page = benchmarks_page(measurements.read(tmp_path / measurements.BENCHMARKS.name))
    assert "## base, 4,096 games in the batch" in page and "| step and legal actions | 2.00 | 1.00 | 3.00 |" in page
