"""The ladder: its agents, the games that `catan ladder` plays and records, and its page."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

import catan_env
from catan_agents import agent_names, pretrained_names
from catan_agents.bundled import PRETRAINED
from catan_agents.registry import SOLVERS
from catan_agents.search.value_network import load_value_network, save_value_network
from catan_env.engine import registry
from catan_training import cli
from tests.coin_toy import toy
from tools import ladder, measurements
from tools.ladder import entrants, fixtures_of, is_kept, part_of
from tools.pages.ladder import LEFT_OUT, ladder_page


def test_every_agent_is_on_the_ladder_or_left_out_for_a_reason():
    entered = {name for scenario in catan_env.scenarios() for name in entrants(scenario)}
    assert entered | set(LEFT_OUT) == {*agent_names(), *SOLVERS, *pretrained_names()} and not entered & set(LEFT_OUT)
    assert {"expectimax", "base-strong"} <= set(entrants("base")) and "base-strong" not in entrants("base_5_6")


@pytest.mark.parametrize("scenario", ["base", "base_5_6", "two_player"])
def test_everybody_sits_everywhere_equally_often(scenario):
    fixtures = fixtures_of(scenario, 3)
    (table,) = fixtures.tables
    assert table.num_players == catan_env.find_scenario(scenario).players[-1]
    assert fixtures.games == 3 * len(table.seating) and len(table.entrants) == len(fixtures.agents)
    for entrant in table.entrants:
        assert len(set((table.seating == entrant).sum(axis=0).tolist())) == 1


def test_other_numbers_of_players_and_rules_are_recorded_apart():
    """The default game has the short name. Trained agents play only with their number of players."""
    fixtures = [
        fixtures_of("base", 1, players, rules) for players, rules in ((None, {}), (2, {}), (2, {"victory_points": 15}))
    ]
    assert [part_of(one) for one in fixtures] == ["ladder", "ladder 2", "ladder 2 victory_points=15"]
    assert part_of(fixtures_of("two_player", 1, 2)) == "ladder"  # the default number of players
    assert all(one.rules["offers_per_turn"] == 0 for one in fixtures) and fixtures[1].tables[0].num_players == 2
    names = [[entrant.agent for entrant in one.agents] for one in fixtures]
    assert "base-value" in names[0] and "base-2-value" in names[1] and "base-value" not in names[1]


def page_of(file):
    return ladder_page(measurements.read(file))


@pytest.fixture
def coins(monkeypatch):
    """A game without a board, registered as the only scenario."""
    made = toy(name="coins_of_the_ladder")
    monkeypatch.setattr(registry, "_scenarios", {made.name: made})
    return made.name


def test_it_is_played_once_recorded_and_shown(coins, tmp_path, capsys, monkeypatch):
    out = tmp_path / "out"
    command = ["ladder", "--paired-seeds", "16", "--workers", "1", "--runs", str(tmp_path / "runs"), "--out", str(out)]
    file = out / measurements.LADDER.name
    assert "have no results for the current versions" in (before := page_of(file)) and "## Ratings" not in before
    assert cli.main(command) == 0
    found = measurements.read(file)[coins]["ladder"]["figures"]
    assert found["paired_seeds"] == 16 and found["games"] == 16 * 20 and found["over"]
    page = page_of(file)
    assert "have no results for the current versions" not in page and "| 2 | 16 | 320 |" in page
    for row in found["agents"]:
        assert f"{100 * row['win_rate']:.1f}% (" in page and f"| {row['rating']:.1f} ± " in page
    monkeypatch.setattr(
        "catan_training.evaluation.tournaments.play_paired_seeds", None
    )  # so that playing another paired seed fails
    capsys.readouterr()
    assert cli.main(command) == 0 and "is up to date" in capsys.readouterr().out
    file.unlink()
    assert cli.main(command) == 0  # reads the journal
    assert measurements.read(file)[coins]["ladder"]["figures"] == found


def test_other_weights_are_noticed_and_play_in_a_new_folder(coins, tmp_path, capsys, monkeypatch):
    """Old results without digests of the agents' weights count as current, except with `--again`."""
    file, runs = tmp_path / measurements.LADDER.name, tmp_path / "runs"
    command = ["ladder", "--paired-seeds", "1", "--workers", "1", "--runs", str(runs), "--out", str(tmp_path)]

    def plays(*options):
        capsys.readouterr()
        assert cli.main([*command, *options]) == 0
        return "is up to date" not in capsys.readouterr().out

    assert plays() and not plays() and not plays("--again")
    held = measurements.read(file)
    kept = held[coins]["ladder"]["figures"]
    assert set(kept["digests"]) == {"greedy", "expectimax"}
    monkeypatch.setattr("tools.ladder.weights_for", lambda *game, depth: np.full(3, depth))
    assert plays() and not plays() and len(list(runs.iterdir())) == 2
    del kept["digests"]
    measurements.write(file, held)
    (runs / coins / "digests.json").unlink()
    assert not plays() and plays("--again") and not plays("--again") and len(list(runs.iterdir())) == 3


def test_the_digest_of_a_trained_agent_is_that_of_its_files(tmp_path, monkeypatch):
    fixtures = fixtures_of("base", 1, 2)
    before = ladder.digests_of(fixtures)
    assert {"base-2-value", "greedy", "expectimax"} == set(before)
    shutil.copytree(PRETRAINED / "base-2-value", tmp_path / "base-2-value")
    monkeypatch.setattr(ladder, "PRETRAINED", tmp_path)
    monkeypatch.setattr(ladder, "pretrained_names", lambda: ["base-2-value"])
    assert ladder.digests_of(fixtures)["base-2-value"] == before["base-2-value"]
    file = tmp_path / "base-2-value" / "value.safetensors"
    save_value_network(file, replace(load_value_network(file), others=()))
    assert ladder.digests_of(fixtures)["base-2-value"] != before["base-2-value"]


def test_networks_for_other_games_do_not_change_the_digest_of_a_trained_agent(tmp_path, monkeypatch):
    mine, theirs = (
        load_value_network(PRETRAINED / name / "value.safetensors") for name in ("base-2-value", "base-value")
    )
    monkeypatch.setattr(ladder, "PRETRAINED", tmp_path)

    def digest(network, *others):
        save_value_network(tmp_path / "base-2-value" / "value.safetensors", replace(network, others=others))
        return ladder.digests_of(fixtures_of("base", 1, 2))["base-2-value"]

    third = replace(theirs, games=(replace(theirs.games[0], players=5),))
    assert digest(mine, theirs) == digest(mine, theirs, third)
    louder = replace(mine, layers=(*mine.layers[:2], tuple(2 * numbers for numbers in mine.layers[2])))
    assert len({digest(one, theirs) for one in (mine, louder, replace(mine, agent="greedy"))}) == 3


def test_games_with_other_settings_are_not_shown(coins, tmp_path):
    fixtures = fixtures_of(coins, 2)
    said = {
        "settings": fixtures.to_dict(),
        "scenario": coins,
        "version": catan_env.find_scenario(coins).version,
        "players": 2,
        "paired_seeds": 2,
        "games": 40,
        "agents": [
            {
                "agent": "random",
                "win_rate": 0.5,
                "interval": [0.25, 0.75],
                "rating": 25.0,
                "rating_interval": None,
            }
        ],
    }
    path = tmp_path / "ladder.json.xz"
    measurements.write(path, {coins: {ladder.PART: {"written": "2026-01-01T00:00:00", "figures": said}}})
    assert is_kept(path, fixtures) and is_kept(path, fixtures_of(coins, 1)) and not is_kept(path, fixtures_of(coins, 3))
    page = page_of(path)
    assert "50.0% (25.0% to 75.0%)" in page and "| 25.0 |" in page
    said["settings"]["seed"] = 1
    measurements.write(path, {coins: {ladder.PART: {"written": "2026-01-01T00:00:00", "figures": said}}})
    assert not is_kept(path, fixtures)
    said["version"] += 1
    measurements.write(path, {coins: {ladder.PART: {"written": "2026-01-01T00:00:00", "figures": said}}})
    assert "have no results for the current versions" in page_of(path)
