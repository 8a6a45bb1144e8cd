"""Damaged, incomplete and foreign replay logs are rejected with a reason."""

import copy
import dataclasses
import json

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.replay import _checksum
from catan_env.errors import ReplayError
from tests.strategies import (
    Chooser,
    assert_same,
    every_scenario,
    fields_of,
    look,
    play_on,
)


@pytest.fixture(scope="module")
def log():
    """Return the log of a game in progress."""
    return play_on(BatchEngine("base", 1, 3, seed=4, record=True, rules={"victory_points": 8}), 60, 1).replay_log()


def changed(log, **changes):
    """Return a copy of a log with changes and a matching checksum."""
    new = {**copy.deepcopy(log), **changes}
    return {**new, "checksum": _checksum(new)}


def with_move(log, number, move):
    return changed(log, moves=[*log["moves"][:number], move, *log["moves"][number + 1 :]])


@pytest.mark.core
def test_a_log_is_json_and_names_what_it_is(log):
    again = json.loads(json.dumps(log))
    assert again == log
    assert (log["scenario"], log["num_players"], log["rules"]) == ("base", 3, {"victory_points": 8})
    assert catan_env.replay(again).rules["victory_points"] == 8
    assert catan_env.replay(changed(log)).replay_log() == log


@pytest.mark.core
def test_tampered_logs_are_refused(log):
    for key in set(log) - {"checksum"}:
        with pytest.raises(ReplayError, match="checksum does not match|Not a replay log"):
            catan_env.replay({**log, key: "something else"})
    with pytest.raises(ReplayError, match="checksum does not match"):
        catan_env.replay({**log, "moves": log["moves"][:-1]})
    with pytest.raises(ReplayError, match="checksum does not match"):
        catan_env.replay({**log, "checksum": "0" * 20})
    text = json.dumps(log)
    for at in range(0, len(text), 97):
        flipped = text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
        try:
            damaged = json.loads(flipped)
        except json.JSONDecodeError:
            continue
        with pytest.raises(ReplayError):
            catan_env.replay(damaged)


@pytest.mark.parametrize("thing", [None, 5, [], {}, {"format": "catan-replay/1"}, b"log"], ids=repr)
def test_other_things_are_no_logs(thing):
    with pytest.raises(ReplayError, match="Not a replay log"):
        catan_env.replay(thing)


def test_a_log_is_played_from_its_file(log, tmp_path):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8-sig")
    for given in (path, str(path)):
        assert catan_env.replay(given).replay_log() == catan_env.replay(log).replay_log()
        assert len(list(catan_env.replay_steps(given))) == len(log["moves"]) + 1
    assert "<svg" in catan_env.render.replay_page(path)
    with pytest.raises(ReplayError, match=r"There is no replay log at .*none\.json"):
        catan_env.replay(tmp_path / "none.json")
    path.write_text('{"format": \n', encoding="utf-8")
    with pytest.raises(ReplayError, match=r"log\.json, line 2, column 1: this is not JSON"):
        catan_env.replay(str(path))


@pytest.mark.parametrize("key", ["scenario", "version", "layout", "num_players", "rules", "moves", "checksum"])
def test_incomplete_logs_are_refused(log, key):
    with pytest.raises(ReplayError, match="Not a replay log"):
        catan_env.replay({k: v for k, v in log.items() if k != key})


def test_logs_with_what_json_cannot_hold(log):
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    for value in (np.int64(3), {1, 2}, object(), deep):
        with pytest.raises(ReplayError, match="damaged"):
            catan_env.replay({**log, "num_players": value})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "catan-replay/99"}, "Not a replay log"),
        ({"scenario": "bass"}, "Unknown scenario 'bass'"),
        ({"scenario": "base_5_6"}, "num_players is 3"),
        ({"scenario": "base+card_counting"}, "layout"),
        ({"scenario": None}, "Unknown scenario"),
        ({"version": 99}, "version 99"),
        ({"layout": "0"}, "layout 0"),
        ({"num_players": 9}, "num_players is 9"),
        ({"num_players": "3"}, "num_players is '3'"),
        ({"num_players": None}, "Move"),
        ({"rules": {"victory_point": 8}}, "Did you mean 'victory_points'"),
        ({"rules": {"victory_points": 1000}}, "2 to 100"),
        ({"rules": 5}, "rules"),
        ({"board": "beginer"}, "beginer"),
        ({"board": 5}, "board"),
        ({"moves": 5}, "moves"),
        ({"moves": None}, "moves"),
        ({"moves": {"a": 1}}, "moves|Move 0"),
        ({"moves": "abc"}, "moves|Move 0"),
        ({"seed": "x"}, "seed"),
    ],
    ids=repr,
)
def test_logs_that_do_not_fit_are_refused(log, changes, words):
    with pytest.raises(ReplayError, match=words):
        catan_env.replay(changed(log, **changes))


@pytest.mark.core
@pytest.mark.parametrize(
    "move",
    [
        *(["fly", 0], ["roll", 0], ["dice", 3, "chance"], ["terrain_of_hex", 99, "chance"], ["terrain_of_hex", 1]),
        *(["build_road", -1], [], None, 7, "roll", ["roll"], ["roll", "x"], ["roll", None], ["roll", 0, None]),
        *([["roll"], 0], {"kind": "roll"}, ["build_city", 10**30], ["terrain_of_hex", 1.5, "chance"]),
        *(["terrain_of_hex", 0, "seat 3"], ["terrain_of_hex", 0, "chance", 1]),
    ],
    ids=repr,
)
def test_moves_that_cannot_be_played_are_named(log, move):
    with pytest.raises(ReplayError, match="Move 1 of the log, .* cannot be played"):
        catan_env.replay(with_move(log, 1, move))


@every_scenario
def test_a_game_with_one_other_move_is_another_game_or_none(scenario, players):
    engine = play_on(BatchEngine(scenario, 1, players, seed=4, record=True), 80)
    log, rng = engine.replay_log(), np.random.default_rng(1)
    for number in rng.integers(0, len(log["moves"]), 25).tolist():
        kind, argument, *who = log["moves"][number]
        ids = engine.outcomes if who else engine.actions
        others = [k for k in range(len(ids.ids(kind))) if k != argument]
        if not others:
            continue
        try:
            other = catan_env.replay(with_move(log, number, [kind, int(rng.choice(others)), *who]))
        except ReplayError as error:
            assert "cannot be played" in str(error)
        else:
            assert other.replay_log() != log
            assert not other.broken_invariants()


def test_moves_after_the_end_are_refused():
    engine = BatchEngine("base", 1, 2, seed=1, record=True, rules={"turn_limit": 1})
    while not engine.truncated[0]:
        engine.step(Chooser(1)(engine))
    log = engine.replay_log()
    assert catan_env.replay(log).truncated[0]
    with pytest.raises(ReplayError, match="is over"):
        catan_env.replay(changed(log, moves=[*log["moves"], ["roll", 0]]))


def test_an_engine_without_logs_says_so():
    engine = BatchEngine("base")
    with pytest.raises(ReplayError, match="record=True"):
        engine.replay_log()
    recorded = BatchEngine("base", record=True)
    recorded.random_rollout(10)
    with pytest.raises(ReplayError, match="random_rollout has ended"):
        recorded.replay_log()


def test_boards_and_rules_are_in_the_log():
    by_coordinates = catan_env.find_scenario("base").board.laid("beginner", 4).save()
    by_coordinates["hexes"][0][2:] = ["fields", 12]
    options = {"seed": 4, "record": True, "rules": {"initial_placement": "printed"}}
    for board in ("beginner", by_coordinates):
        engine = play_on(BatchEngine("base", 1, 4, board=board, **options), 60)
        log = json.loads(json.dumps(engine.replay_log()))
        assert_same(look(engine, rng=False), look(catan_env.replay(log), rng=False))
    assert engine.state["terrain"][0, 0] == 3
    by_coordinates["hexes"][0][2:] = ["forest", 2]  # later changes by the caller do not affect the engine
    engine.reset()
    assert engine.clone().state["terrain"][0, 0] == 3
    assert engine.replay_log()["board"]["hexes"][0][2:] == ["fields", 12]


def test_another_version_of_a_scenario_is_refused(log):
    """The layout includes the version, so it differs even if the rules are the same."""
    older = dataclasses.replace(catan_env.find_scenario("base"), version=98)
    assert older.version != log["version"]
    assert "rng" in fields_of(BatchEngine("base"))
    with pytest.raises(ReplayError, match="recorded with version 98"):
        catan_env.replay(changed(log, version=98, layout="another"))
