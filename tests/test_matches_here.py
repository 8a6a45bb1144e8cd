"""Matches between agents of this package, game by game."""

import dataclasses
import json

import pytest

import catan_env
from catan_env.errors import UnknownAgentError
from catan_training.cli import main
from catan_training.evaluation.outside import Match, play_match, read_games

MATCH = Match({"agent": "weighted", "label": "weighted"}, "random", {}, "catan_env", games=4, points=3, seed=2)


def test_a_resumed_match_is_the_whole_match(tmp_path):
    whole = play_match(MATCH, tmp_path / "whole")
    play_match(dataclasses.replace(MATCH, games=1), tmp_path / "resumed")
    resumed = play_match(MATCH, tmp_path / "resumed")
    untimed = [dataclasses.replace(game, seconds=0, agent_seconds=0) for game in [*whole, *resumed]]
    assert untimed[:4] == untimed[4:] and [game.seat for game in whole] == [0, 1, 0, 1]
    assert whole[0].seed == whole[1].seed != whole[2].seed
    assert read_games(tmp_path / "whole") == whole


def test_the_log_of_a_game_has_its_result_and_the_rules_of_the_match(tmp_path):
    game = play_match(dataclasses.replace(MATCH, games=1, friendly_robber=True), tmp_path)[0]
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["000000.catan_env.json"]
    engine = catan_env.replay(json.loads((tmp_path / "games" / "000000.catan_env.json").read_text(encoding="utf-8")))
    assert engine.winner[0] == game.winner and engine.victory_points[0].tolist() == game.points
    rules = {name: engine.rules[name] for name in ("victory_points", "friendly_robber", "offers_per_turn")}
    assert rules == {"victory_points": 3, "friendly_robber": 2, "offers_per_turn": 0}


def test_the_command_seats_an_agent_with_options_and_resumes(tmp_path, capsys):
    folder = str(tmp_path / "match")
    options = [
        "--agent",
        "random",
        "--opponents",
        "careless:of=weighted,epsilon=0.5",
        "--players",
        "3",
        "--points",
        "3",
    ]
    assert main(["match", folder, *options, "--games", "3"]) == 0
    first = capsys.readouterr().out
    assert "careless (of weighted, epsilon 0.5)" in first
    assert main(["match", folder]) == 0
    assert capsys.readouterr().out == first


def test_an_unknown_opponent_is_refused():
    with pytest.raises(UnknownAgentError, match="randon.*Did you mean 'random'"):
        dataclasses.replace(MATCH, opponent="randon")
