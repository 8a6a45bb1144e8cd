"""Replay pages and the commands that write them. test_render_browser.py tests the pages in a browser."""

import json
import re

import numpy as np
import pytest
from env_helpers import TABLES
from render_helpers import new_game, play_on, played, stages, table_ids

import catan_env
from catan_agents.human import HumanAgent
from catan_env import BatchEngine
from catan_env.engine.replay import annotated
from catan_env.errors import CatanError, OptionError, ReplayError
from catan_env.render import chart, page
from catan_env.render.view import Reading
from catan_training import cli
from catan_training.evaluation import single_games as games

MOST = 3_000_000
"""Bytes of the page of a long game."""


def data_of(text):
    """Return the data that the script of a page uses."""
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)[1])


@pytest.mark.parametrize(("scenario", "players"), TABLES, ids=table_ids())
def test_a_page_holds_every_picture_of_a_game(scenario, players):
    log = played(scenario, players).replay_log()
    data = data_of(page.replay_page(log))
    frames, engine = page.frames_of(log)
    assert len(data["frames"]) == len(frames) == len(data["moves"]) == len(data["turns"]) == len(data["toAct"])
    assert sum(len(moves) for moves in data["moves"]) == len(log["moves"])
    shown = {}
    reading = Reading(page.engine_of_frames(engine, frames), range(len(frames)))
    names = [""] * players
    for number, changes in enumerate(data["frames"]):
        shown |= dict(zip(changes[::2], changes[1::2], strict=True))
        if number % 40 and number != len(frames) - 1:
            continue
        parts = page._Painter(names).parts(reading.game(number), frames[number])
        assert [data["strings"][shown[k]] for k in range(len(parts))] == [part.content for part in parts.values()]
    first = page._Painter(names).parts(reading.game(0), frames[0])
    where = [part._replace(content="") for part in first.values()]
    assert where == [part._replace(content="") for part in parts.values()], "parts stay where they are"
    assert [list(line) for line in data["points"][0]] and data["ended"]


def test_a_page_needs_nothing_from_elsewhere():
    text = page.replay_page(played("base", 4).replay_log())
    addresses = set(re.findall(r"https?://[^\s\"'<>\\]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<link|<img|src=|@import|url\(|fetch\(|XMLHttp", text)
    assert not re.search("@[A-Z]+@", text)


def test_a_long_game_makes_a_small_page():
    """The game has 400 turns of random play with offers, and up to ten recorded probabilities per decision."""
    rules = {"victory_points": 30, "turn_limit": 400}
    log = play_on(BatchEngine("base", 1, 4, seed=1, rules=rules, record=True), 20_000).replay_log()
    assert len(log["moves"]) > 1000
    rng, policies = np.random.default_rng(0), []
    for move, engine in zip(log["moves"], catan_env.replay_steps(log), strict=False):
        legal = np.flatnonzero(engine.action_mask[0])
        shares = rng.dirichlet(np.ones(max(len(legal), 1)))
        policies.append(None if len(move) == 3 else [[int(k), float(p)] for k, p in zip(legal[:10], shares)])
    assert len(page.replay_page(annotated(log, probabilities=policies)).encode()) < MOST


def test_names_cannot_break_out_of_the_page():
    log = annotated(played("base", 3).replay_log(), players=["</script><b>", "'\"&", "<!--"])
    text = page.replay_page(log)
    assert "</script><b>" not in text and "<!--" not in text
    assert data_of(text)["players"][0]["name"] == "Seat 0 (</script><b>)"
    with pytest.raises(OptionError, match="3 seats"):
        page.replay_page(log, names=["just one"])


def test_notes_are_checked():
    log = played("base", 3).replay_log()
    for bad in ([], [None], "x", [[[0, 2.0]]] * len(log["moves"]), [[[-5, 0.1]]] * len(log["moves"])):
        if bad:
            with pytest.raises(ReplayError):
                page.replay_page(annotated(log, probabilities=bad))
    with pytest.raises(ReplayError, match="have the name 'moves'"):
        annotated(log, moves=[])
    with pytest.raises(ReplayError, match="checksum"):
        page.replay_page({**log, "players": ["a", "b", "c"]})
    assert catan_env.replay(annotated(log, players=list("abc"), note=1)).terminated[0]


def test_logs_tell_their_seed():
    engine = new_game("base", 3, seed=5)
    log = engine.replay_log()
    assert log["seed"] == int(engine.seeds[0])
    assert catan_env.replay(log).replay_log() == log


def test_expected_production_is_that_of_the_rules():
    """The expected income over all rolls from one position is close to it."""
    engine = stages("base", 4)[3]
    while engine.seat_to_act[0] < 0 or engine.decision(0) != "pre_roll":
        legal = engine.chance_mask if engine.seat_to_act[0] == -1 else engine.action_mask
        engine.step(np.array([np.flatnonzero(legal[0])[0]]))
    expected = [line[0] for line in chart.production_of(engine)]
    engine.step(np.array([engine.actions.id("roll")]))
    mean = np.zeros(4)
    for outcome in np.flatnonzero(engine.chance_mask[0]):
        twin = engine.clone()
        twin.step(np.array([outcome]))
        if twin.state["dice"][0] != 7:
            mean += engine.chance_probabilities[0, outcome] * twin.state["income"][0].sum(axis=1)
    assert np.allclose(mean, expected, atol=0.006), "short of a shortage in the bank"


def test_series_keep_changes_only():
    assert chart.changes([1, 1, 2, 2, 1]) == [0, 1, 2, 2, 4, 1]
    assert chart.changes([]) == []


# -- commands ------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch):
    """Return the list of addresses that the browser is asked to open."""
    found = []
    monkeypatch.setattr(games.webbrowser, "open", lambda address: found.append(address) or True)
    return found


def test_watching_and_replaying(tmp_path, opened, capsys):
    out = tmp_path / "games" / "one.html"
    rules = ["--rules", "victory_points=3", "offers_per_turn=0"]
    command = ["watch", "--agents", "random", "weighted", "random", "--players", "3", "--seed", "4", *rules]
    assert cli.main([*command, "--out", str(out)]) == 0
    assert opened == [out.resolve().as_uri()] and str(out) in capsys.readouterr().out
    log = json.loads(out.with_suffix(".json").read_text())
    assert log["players"] == ["random", "weighted", "random"]
    assert [policy is not None for policy in log["probabilities"]].count(True) > 5
    again = tmp_path / "again.html"
    assert cli.main(["replay", str(out.with_suffix(".json")), "--out", str(again), "--no-open"]) == 0
    assert again.read_bytes() == out.read_bytes() and len(opened) == 1
    named = tmp_path / "named.html"
    names = ["--names", "ann", "bob", "carl", "--no-open"]
    assert cli.main(["replay", str(out.with_suffix(".json")), "--out", str(named), *names]) == 0
    assert "Seat 2 (carl)" in named.read_text()
    moving = tmp_path / "game.SVG"
    assert cli.main(["replay", str(out.with_suffix(".json")), "--out", str(moving)]) == 0
    assert "@keyframes" in moving.read_text("utf-8")


def test_watching_shows_the_points_at_a_terminal_unless_a_person_plays(tmp_path, capsys, monkeypatch):
    command = ["watch", "--no-open", "--players", "2", "--rules", "victory_points=3", "offers_per_turn=0"]
    command += ["--out", str(tmp_path / "game.html"), "--agents", "random"]
    assert cli.main(command) == 0 and "Points" not in capsys.readouterr().err
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert cli.main(command) == 0 and re.search(r"Points: \d, \d", capsys.readouterr().err)
    monkeypatch.setattr(HumanAgent.__init__, "__defaults__", (lambda prompt: "1", print, 0))
    assert cli.main([*command, "human"]) == 0 and "Points" not in capsys.readouterr().err


def test_what_cannot_be_watched_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["replay", str(tmp_path / "none.json")]) == 2
    (tmp_path / "bad.json").write_text("[1, 2")
    assert cli.main(["replay", str(tmp_path / "bad.json")]) == 2
    assert cli.main(["watch", "--agents", *["random"] * 4, "--players", "3"]) == 2
    said = capsys.readouterr().err
    assert "There is no replay log at" in said and "this is not JSON" in said and "4 agents for 3 seats" in said


def test_pictures_for_the_readme(tmp_path, capsys):
    pytest.importorskip("resvg_py", reason="the extra 'render' is not installed")
    rules = ["--rules", "victory_points=3", "offers_per_turn=0"]
    assert cli.main(["picture", str(tmp_path), "--agents", "weighted", "--players", "3", *rules]) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"base_{what}{end}" for what in ("game", "seat", "end", "policy") for end in (".svg", ".png")}


def test_agents_that_refuse_are_not_hidden(monkeypatch):
    with pytest.raises(CatanError):
        games.play(["nobody"], "base", 3, 0, {})
