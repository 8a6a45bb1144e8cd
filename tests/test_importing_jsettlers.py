"""Game logs of JSettlers as logs: written from games here, read back, and compared."""

import json

import numpy as np
import pytest

import catan_env
from catan_env.errors import GameImportError
from catan_training import cli
from catan_training.evaluation.single_games import play
from catan_training.importing.files import import_game, output_of
from catan_training.importing.jsettlers import HEX_IDS, JSettlersGame, cell_of, edge_id, hex_id
from tests.jsettlers_files import Writer
from tests.strategies import PLAIN_PYTHON


def written(seed, players, points):
    """A game of ours as text, and the engine at its end."""
    rules = {"victory_points": points, "start_player": "seat_0", "bank_per_resource": 30}
    rules |= {"hand_limit": 7, "friendly_robber": 0}
    log = play(["random"] * players, "base", players, seed, rules)
    return Writer(log).text, catan_env.replay(log)


GAMES = [(1, 2, 3)] if PLAIN_PYTHON else [(1, 2, 5), (2, 3, 6), (3, 4, 7)]


@pytest.mark.parametrize(("seed", "players", "points"), GAMES)
def test_a_game_comes_back_as_it_was_written(seed, players, points):
    text, truth = written(seed, players, points)
    reader = JSettlersGame(text, "game", {})
    hands = 0
    for message, _ in zip([None, *reader.messages], reader.play(), strict=True):
        hands += message is not None and message.kind == "SOCPlayerElements" and message.to != "all"
    end = catan_env.replay(import_log(reader)).state[0]
    unlike = {"rng", "offers_left", "frame", "decision_stack", "decision_seats", "decision_arguments"}
    names = set(end.dtype.names) - unlike
    assert not [name for name in names if not np.array_equal(end[name], truth.state[0][name])]
    assert hands > 20


def import_log(reader):
    *_, game = JSettlersGame.play(reader)
    return game.log(source=reader.notes())


def test_a_file_becomes_a_log_without_people(tmp_path):
    text, _ = written(1, 2, 3)
    path = tmp_path / "game.soclog"
    path.write_text(text)
    assert cli.main(["import", str(tmp_path)]) == 0
    log = json.loads(output_of(path, None).read_text())
    assert log["players"] == ["player 0", "player 2"] and "somebody" not in json.dumps(log)
    assert log["source"]["options"] == "BC=t4,N7=f7,VP=t3,PL=4" and log["rules"]["bank_per_resource"] == 30
    assert import_game(path).kind == "exact"


def test_a_saved_game_has_no_moves(tmp_path):
    path = tmp_path / "saved.game.json"
    path.write_text('{"modelVersion": 2400, "savedByVersion": 2400}')
    with pytest.raises(GameImportError, match="a position without its moves"):
        import_game(path)


def test_places_have_the_coordinates_of_jsettlers():
    assert [hex_id(*cell_of(coordinate)) for coordinate in HEX_IDS] == list(HEX_IDS)
    assert hex_id(0, 0) == 0x77 and len(set(HEX_IDS)) == 37
    assert edge_id(0x78, 0x89) == 0x78  # the side of the center hex between its north and north-east corners


def test_what_a_log_hides_or_contradicts_is_named():
    text, _ = written(1, 2, 3)
    lines = text.splitlines()

    def refused(message, changed):
        with pytest.raises(GameImportError, match=message):
            list(JSettlersGame("\n".join(changed), "game", {}).play())

    def first(text):
        return next(k for k, line in enumerate(lines) if text in line)

    hand = next(k for k, line in enumerate(lines) if "SET" in line and "e1=" in line and k > first("DiceResult"))
    number = lines[hand].split("e1=")[1].split(",")[0]
    wrong = lines[hand].replace(f"e1={number}", f"e1={int(number) + 1}")
    refused(rf"game, line {hand + 1}: the file has .* as hand of player", [*lines[:hand], wrong, *lines[hand + 1 :]])
    board = first("SOCBoardLayout")
    refused(
        "for the sea or for six players",
        [*lines[:board], lines[board].replace("Layout", "Layout2", 1), *lines[board + 1 :]],
    )
    refused("not a game log of JSettlers", lines[:board])
    refused("version 1119", [lines[0].replace("2500", "1119"), *lines[1:]])
    piece = first("all:SOCPutPiece")
    refused(
        rf"line {piece + 2}: player 0 does something that our rules forbid here", [*lines[: piece + 1], *lines[piece:]]
    )
    undo = "all:SOCCancelBuildRequest:game=g|pieceType=1"
    refused(rf"line {piece + 2}: a piece is taken back", [*lines[: piece + 1], undo, *lines[piece + 1 :]])
    roll = first("DiceResult")
    refused(
        rf"line {roll + 1}: there is no such outcome of 'dice'",
        [*lines[:roll], lines[roll].replace("param=", "param=9")],
    )
    hidden = "all:SOCRobberyResult:game=g|perp=0|victim=2|resType=6|amount=1|isGainLose=true".replace("all", "p0")
    refused(rf"line {roll + 1}: the stolen card is hidden", [*lines[:roll], hidden])
    bought = "all:SOCDevCardAction:game=g|playerNum=0|actionType=DRAW|cardType=0"
    of_one_client = lines[0].replace("type=F", "type=C")
    assert of_one_client != lines[0]
    refused(rf"line {roll + 1}: the development card is hidden", [of_one_client, *lines[1:roll], bought])
