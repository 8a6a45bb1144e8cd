"""The page of results against other engines, and the README rows that quote it."""

import json
import re
from pathlib import Path

import pytest

from catan_training.machine import NOT_INSTALLED
from tools import matches, measurements
from tools.pages.matches import results_page, rows

ROOT = Path(__file__).resolve().parent.parent
KEPT = measurements.read(measurements.MATCHES)


def test_the_page_has_a_row_and_a_sight_for_every_match():
    page = results_page(KEPT)
    assert len(rows(KEPT)) == len(KEPT) + 1 > 5
    for entry in KEPT.values():
        figures = entry["figures"]
        assert figures["opponent_sees"] in page and entry["written"][:10] in page
        assert f"{figures['games']:,}" in page and f"{100 * figures['win_rate']:.1f}%" in page
        assert sum(figures["wins_by_seat"]) == figures["wins"] <= figures["games"] == figures["settings"]["games"]
        low, high = figures["interval"]
        assert low < figures["win_rate"] <= high + 1e-9 and entry["versions"][figures["settings"]["table"]]
    assert NOT_INSTALLED not in page
    assert "No match has been recorded" in results_page({})


def test_the_tracked_page_is_that_of_the_recorded_matches():
    page = matches.PAGE.read_text("utf-8")
    assert page == results_page(KEPT), "run `catan docs`, or `catan match FOLDER --record`"
    assert len(page) < 6000


def test_recorded_commands_name_no_folder_of_one_machine():
    texts = [json.dumps(measurements.read(file)) for file in measurements.FOLDER.iterdir()]
    commands = re.findall(r'"command": "([^"]*)"', "".join(texts))
    assert len(commands) > 100 and not [command for command in commands if " /" in command]


def test_the_readme_quotes_recorded_results():
    page = (ROOT / "README.md").read_text("utf-8")
    quoted = re.findall(
        r"^\| `(.+?)` \|.* `((?:catanatron:|fastcatan)[^`]*)`.* \| (\S+) \| (.+) \|$", page, re.MULTILINE
    )
    recorded = {(agent.strip("`"), games, wins) for agent, _, _, games, wins, *_ in rows(KEPT)}
    assert len(quoted) >= 4 and {(agent, games, wins) for agent, _, games, wins in quoted} <= recorded


def test_matches_are_recorded_under_the_name_of_their_folder(tmp_path):
    pytest.importorskip("catanatron")
    from catan_training.evaluation.outside import Match, play_match

    folder, file = tmp_path / "slow-and-steady", tmp_path / "matches.json.xz"
    play_match(Match({"agent": "weighted", "label": "weighted"}, "random", games=2, points=3), folder)
    matches.keep(file, folder)
    (entry,) = measurements.read(file).values()
    assert entry["command"].startswith("catan match runs/match --agent weighted --opponents catanatron:random")
    assert "| `weighted` | one `catanatron:random` | 2, 3 | 2 |" in results_page(measurements.read(file))
