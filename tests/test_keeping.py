"""Replays, snapshots and clones: damaged or foreign ones are refused, and the engine stays as it was."""

import copy
import json

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.replay import _checksum
from catan_env.errors import ReplayError, SnapshotError
from tests.strategies import assert_same, every_game, look, play_on, play_until, quick


@pytest.fixture(scope="module")
def engine():
    return play_on(BatchEngine("base", 4, seed=1, record=True, rules={"turn_limit": 60}), 150)


def refused(engine, data, words=None):
    before = look(engine)
    with pytest.raises(SnapshotError, match=words):
        engine.load(data)
    assert_same(before, look(engine))


def test_damaged_snapshots_are_refused(engine):
    saved = engine.save()
    rng = np.random.default_rng(0)
    for at in rng.integers(20, len(saved), 25):
        broken = bytearray(saved)
        broken[at] ^= 1 << int(rng.integers(8))
        refused(engine, bytes(broken))
    for size in (0, 5, 40, len(saved) // 2, len(saved) - 1):
        refused(engine, saved[:size])
    refused(engine, saved + b"more")
    refused(engine, "text")
    refused(engine, None)


@pytest.mark.parametrize(
    "other",
    [
        {"num_games": 5},
        {"num_players": 3},
        {"rules": {"turn_limit": 61}},
        {"board": "beginner"},
        {"record": False},
    ],
    ids=str,
)
def test_snapshots_of_other_engines_are_refused(engine, other):
    options = {"num_games": 4, "rules": {"turn_limit": 60}, "record": True} | other
    foreign = BatchEngine("base", seed=1, **options)
    refused(engine, foreign.save(), "does not fit")


@every_game
def test_a_log_replays_to_the_same_game(scenario, players):
    engine = BatchEngine(scenario, 2, players, seed=3, record=True, rules=quick(scenario))
    play_until(engine, lambda: (engine.seat_to_act == -2).all(), seed=4)
    for game in range(2):
        log = json.loads(json.dumps(engine.replay_log(game)))
        again = catan_env.replay(log)
        assert_same(look(engine, [game], rng=False), look(again, [0], rng=False), ("engine.rewards",))
        assert again.replay_log()["moves"] == log["moves"]


def test_a_log_needs_a_recording_engine():
    with pytest.raises(ReplayError, match="record=True"):
        BatchEngine("base").replay_log()


def sealed(log):
    return {**log, "checksum": _checksum(log)}


def test_tampered_logs_are_refused(engine):
    log = engine.replay_log(0)
    for key in log:
        broken = copy.deepcopy(log)
        del broken[key]
        with pytest.raises(ReplayError):
            catan_env.replay(broken)
    moves = copy.deepcopy(log)
    moves["moves"][-1][1] += 1
    with pytest.raises(ReplayError, match="checksum"):
        catan_env.replay(moves)
    for number, move in ((40, ["end_turn", 0]), (3, ["no_such_kind", 0]), (5, ["terrain_of_hex", 99, "chance"]), (2, None)):
        wrong = copy.deepcopy(log)
        wrong["moves"][number] = move
        with pytest.raises(ReplayError, match=f"Move {number}"):
            catan_env.replay(sealed(wrong))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scenario": "nowhere"}, "Unknown scenario"),
        ({"num_players": 9}, "not played by"),
        ({"rules": {"nothing": 1}}, "no rule number"),
        ({"board": "nowhere"}, "no layout"),
        ({"layout": "0" * 20, "version": -1}, "version"),
        ({"format": "catan-replay/0"}, "not a replay log"),
    ],
)
def test_logs_that_do_not_fit_are_refused(engine, change, words):
    with pytest.raises(ReplayError, match=words):
        catan_env.replay(sealed({**engine.replay_log(0), **change}))


@pytest.mark.parametrize("log", [None, [], "text", {}, {"format": "catan-replay/1"}], ids=repr)
def test_what_is_no_log_is_refused(log):
    with pytest.raises(ReplayError):
        catan_env.replay(log)


def test_a_snapshot_in_the_middle_of_a_trade_and_of_discarding():
    for decision in ("draft_offer", "answer_offer", "discard", "place_robber"):
        engine = BatchEngine("base", 1, 3, seed=8, record=True)
        play_until(engine, lambda e=engine, d=decision: e.decision(0) == d)
        saved, before = engine.save(), look(engine)
        play_on(engine, 30)
        engine.load(saved)
        assert_same(before, look(engine))


def test_steps_of_a_replay_show_every_position(engine):
    log = engine.replay_log(1)
    seen = [e.decision(0) for e in catan_env.replay_steps(log)]
    assert len(seen) == len(log["moves"]) + 1
    assert seen[0] == "terrain_of_hex" and "found_settlement" in seen
