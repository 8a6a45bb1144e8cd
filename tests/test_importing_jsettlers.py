"""Import of JSettlers game logs, which are written from games played here, read back, and compared."""

import json
import re

import numpy as np
import pytest

import catan_env
from catan_env.errors import GameImportError
from catan_training import cli
from catan_training.evaluation.single_games import play
from catan_training.importing.files import import_game, output_of
from catan_training.importing.jsettlers import HEX_IDS, JSettlersGame, cell_of, edge_id, hex_id
from tests.jsettlers_files import Writer, as_seen_by
from tests.strategies import PLAIN_PYTHON


def written(seed, players, points):
    """Return the JSettlers log of a game played here, and the engine at its end."""
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
    theft = "p0:SOCRobberyResult:game=g|perp=0|victim=2|resType=6|amount=1|isGainLose=true"
    refused(rf"line {roll + 1}: this theft follows no move of the robber", [*lines[:roll], theft])
    discard = "all:SOCDiscard:game=g|playerNum=2|resources=clay=0|ore=0|sheep=0|wheat=0|wood=0|unknown=4"
    refused(rf"line {roll + 1}: this discard follows no roll", [*lines[:roll], discard])
    refused(rf"line {roll + 1}: it has another form", [*lines[:roll], "p0:SOCDevCardAction:game=g|playerNum=0"])


PUBLIC = (
    "terrain", "number", "harbor", "building", "building_owner", "edge_owner", "robber", "knights_played",
    "longest_road", "largest_army", "cards_used",
)  # fmt: skip
OF_CLIENTS = [(2, 3, 6, 0), (3, 4, 7, 0), (7, 3, 6, 2)]


@pytest.mark.skipif(PLAIN_PYTHON, reason="many worlds are slow in plain Python")
@pytest.mark.parametrize(("seed", "players", "points", "number"), OF_CLIENTS)
def test_the_log_of_a_client_is_filled_in(seed, players, points, number):
    text, truth = written(seed, players, points)
    seen = as_seen_by(number, text)
    reader = JSettlersGame(seen, "game", {}, seed=1)
    *_, worlds = reader.play()
    end = catan_env.replay(worlds.log(source=reader.notes()))
    for name in PUBLIC:
        assert np.array_equal(end.state[0][name], truth.state[0][name]), name
    assert int(end.winner[0]) == int(truth.winner[0])
    own = reader.numbers.index(number)
    states, cards = worlds.engine.state, truth.state[0]
    assert (states["hands"][:, own] == cards["hands"][own]).all()
    assert (states["hands"].sum(axis=2) == cards["hands"].sum(axis=1)).all()
    discards = sum(map(int, re.findall("SOCDiscard.*unknown=([1-9]+)", seen)))
    hidden = {
        "discarded cards": discards,
        "stolen cards": seen.count("resType=6"),
        "drawn cards": seen.count("DRAW|cardType=0"),
    }
    assert reader.notes()["filled"] == {kind: count for kind, count in hidden.items() if count}


@pytest.mark.skipif(PLAIN_PYTHON, reason="many worlds are slow in plain Python")
def test_only_hidden_discards_of_a_full_log_are_sampled_and_the_log_says_so(tmp_path, capsys):
    text, truth = written(2, 3, 6)
    path = tmp_path / "game.soclog"
    discard = next(line for line in text.splitlines() if "SOCDiscard" in line)
    total = sum(map(int, re.findall(r"(?:clay|ore|sheep|wheat|wood)=(\d+)", discard)))
    blank = re.sub("resources=.*", f"resources=clay=0|ore=0|sheep=0|wheat=0|wood=0|unknown={total}", discard)
    path.write_text(text.replace(discard, blank))
    assert cli.main(["import", str(path)]) == 0
    assert f"filled in: discarded cards {total}" in capsys.readouterr().out
    found = import_game(path)
    assert found.kind == "filled" and found.source["filled"] == {"discarded cards": total}
    assert np.array_equal(catan_env.replay(found.log).state[0]["hands"], truth.state[0]["hands"])


@pytest.mark.skipif(PLAIN_PYTHON, reason="many worlds are slow in plain Python")
def test_what_no_hidden_cards_can_explain_is_refused_by_line():
    text, _ = written(2, 3, 6)
    lines = as_seen_by(0, text).splitlines()
    roll = next(k for k, line in enumerate(lines) if "DiceResult" in line)
    play = "all:SOCDevCardAction:game=g|playerNum=2|actionType=PLAY|cardType=9"
    with pytest.raises(GameImportError, match=rf"line {roll + 1}: player 2 plays knight, but has bought no card"):
        list(JSettlersGame("\n".join([*lines[:roll], play, *lines[roll:]]), "game", {}).play())
    city = "all:SOCPutPiece:game=g|playerNumber=2|pieceType=2|coord=0"
    with pytest.raises(GameImportError, match=rf"line {roll + 1}: it has another form than JSettlers writes"):
        list(JSettlersGame("\n".join([*lines[:roll], city, *lines[roll:]]), "game", {}).play())


@pytest.mark.skipif(PLAIN_PYTHON, reason="many worlds are slow in plain Python")
def test_weights_follow_the_worlds_that_replace_impossible_ones():
    text, _ = written(2, 3, 6)
    played = JSettlersGame(as_seen_by(0, text), "game", {}).play()
    worlds = next(worlds for worlds in played if worlds.decision == "pre_roll")
    worlds.act(int(worlds.engine.seat_to_act[0]), "roll")
    weights = np.tile(np.eye(11)[4], (64, 1))
    weights[:10] = 0.0  # no outcome is possible in these worlds
    worlds._sample("dice", weights)
    assert not (worlds.decisions == "dice").any()
