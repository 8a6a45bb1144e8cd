"""Imported catanlog games have the file's public moves, and sampled hidden cards that agree with them."""

import re

import numpy as np
import pytest

import catan_env
from catan_env.errors import GameImportError
from catan_training import cli
from catan_training.evaluation.single_games import play
from catan_training.importing.catanlog import CatanlogGame
from catan_training.importing.files import import_game, output_of
from tests.catanlog_files import UnwritableError, Writer
from tests.strategies import PLAIN_PYTHON

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="many worlds are slow in plain Python")
PUBLIC = (
    "terrain", "number", "harbor", "building", "building_owner", "edge_owner", "robber", "cards_used",
    "knights_played", "longest_road", "largest_army",
)  # fmt: skip


def written(seed, points, players=3, rolls=True):
    """Return the text of a game of ours and the engine at its end, skipping games that the format cannot express."""
    rules = {"victory_points": points, "start_player": "seat_0"}
    for number in range(seed, seed + 30):
        log = play(["random"] * players, "base", players, number, rules)
        try:
            return Writer(log, rolls).text, catan_env.replay(log)
        except UnwritableError:
            continue
    raise AssertionError


@pytest.mark.parametrize(("seed", "points", "rolls"), [(1, 5, True), (31, 3, False)])
def test_the_public_part_is_that_of_the_game_that_was_written(seed, points, rolls):
    text, truth = written(seed, points, rolls=rolls)
    reader = CatanlogGame(text, "game", {"victory_points": points})
    *_, worlds = reader.play()
    end = catan_env.replay(worlds.log(source=reader.notes()))
    for name in PUBLIC:
        assert np.array_equal(end.state[0][name], truth.state[0][name]), name
    assert int(end.winner[0]) == int(truth.winner[0])
    if rolls:
        assert (end.state[0]["hands"].sum(axis=1) == truth.state[0]["hands"].sum(axis=1)).all()
    filled = reader.notes()["filled"]
    assert filled.get("drawn cards", 0) == text.count("buys dev card") and ("rolls" in filled) == (not rolls)
    assert filled.get("stolen cards", 0) <= len(re.findall("steals from (?!nobody)", text))


def test_every_world_agrees_with_the_file():
    text, truth = written(1, 3)
    *_, worlds = CatanlogGame(text, "game", {"victory_points": 3}).play()
    states = worlds.engine.state
    assert len(states) == 64 and (states["building"] == truth.state[0]["building"]).all()
    assert (states["hands"].sum(axis=(1, 2)) + states["bank"].sum(axis=1) == 95).all()
    assert (worlds.engine.winner == truth.winner[0]).all()


def test_a_file_becomes_a_log_that_lists_the_filled_facts(tmp_path, capsys):
    text, _ = written(1, 3)
    path = tmp_path / "game.catan"
    path.write_text(text)
    assert cli.main(["import", str(tmp_path), "--rules", "victory_points=3", "--seed", "4"]) == 0
    log = catan_env.replay(str(output_of(path, None)))
    assert int(log.winner[0]) >= 0
    found = import_game(path, {"victory_points": 3}, seed=4)
    assert found.log["players"] == ["green", "blue", "orange"] and found.records == len(text.splitlines()) - 10
    assert found.log["moves"] == import_game(path, {"victory_points": 3}, seed=4).log["moves"]
    assert "player0" not in str(found.log)


def test_lines_that_cannot_be_played_are_named():
    text, _ = written(1, 3)
    lines = text.splitlines()
    first = lines.index("...CATAN!") + 1
    roll = next(k for k, line in enumerate(lines) if "rolls" in line)

    def refused(message, changed, rules=None):
        with pytest.raises(GameImportError, match=message):
            list(CatanlogGame("\n".join(changed), "game.catan", rules or {"victory_points": 3}).play())

    refused(
        rf"game.catan, line {first + 1}: .* is not a catanlog line",
        [*lines[:first], "green buys settlement, builds at 137"],
    )
    refused(rf"line {first + 1}: nobody plays 'pink'", [*lines[:first], "pink rolls 5"])
    refused(
        rf"line {roll + 2}: green may not build a city",
        [*lines[: roll + 1], "green buys city, builds at (19 N)", *lines[roll + 1 :]],
    )
    refused(
        rf"line {roll + 2}: green plays monopoly, but has bought no card",
        [*lines[: roll + 1], "green plays monopoly on ore", *lines[roll + 1 :]],
    )
    refused("has not enough points", lines, {"victory_points": 9})
    refused("its header is not that", [line for line in lines if not line.startswith("terrain")])
    refused("no move follows", lines[:first])
