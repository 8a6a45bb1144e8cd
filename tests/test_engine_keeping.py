"""Snapshots, clones and replays bring a game back exactly, wherever it stood; damaged ones are refused."""

import copy
import dataclasses
import hashlib
import json

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.replay import _checksum
from catan_env.engine.snapshot import MAGIC
from catan_env.errors import CatanError, ReplayError, SnapshotError
from tests.strategies import (
    PLAIN_PYTHON,
    Chooser,
    assert_same,
    every_game,
    every_game_and_extra,
    every_scenario,
    fields_of,
    look,
    play,
    play_on,
    quick,
)

STEPS, FURTHER = (150, 10) if PLAIN_PYTHON else (600, 25)


def stations(engine, steps, seed=0):
    """Plays game 0 of an engine on; yields each decision the first time it comes up, and the end."""
    seen, choose = set(), Chooser(seed)
    for _ in range(steps):
        decision = engine.decision(0)
        if decision not in seen:
            seen.add(decision)
            yield decision
        if decision == "over":
            return
        engine.step(choose(engine))


def go_on_alike(one, other, steps=FURTHER, rng=True):
    """Plays both engines on by the same actions; they must stay the same."""
    choose = Chooser(5)
    assert_same(look(one, rng=rng), look(other, rng=rng), besides=("engine.rewards",))
    for _ in range(steps):
        actions = choose(one)
        one.step(actions)
        other.step(actions)
        assert_same(look(one, rng=rng), look(other, rng=rng))


# -- wherever a game stands ----------------------------------------------------------------------------------------


@pytest.mark.core
@every_game_and_extra
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_snapshots_and_clones_at_every_kind_of_decision(scenario, players, chance):
    """In the midst of a trade, of discarding, of a theft, of the set-up; and when the game is over."""
    options = {"num_players": players, "chance": chance, "rules": quick(scenario), "record": True}
    engine, found = BatchEngine(scenario, 2, seed=4, **options), set()
    for decision in stations(engine, STEPS):
        found.add(decision)
        twin, loaded = engine.clone(), BatchEngine(scenario, 2, seed=77, **options)
        play_on(loaded, 3)
        loaded.load(engine.save())
        assert loaded.save() == engine.save() == twin.save()
        before = look(engine)
        go_on_alike(twin, loaded)
        assert_same(before, look(engine))  # what a clone does is nothing to the original
        assert twin.replay_log(1) == loaded.replay_log(1)
    assert len(found) > 5


@pytest.mark.core
@every_game
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_replays_at_every_kind_of_decision(scenario, players, chance):
    """The log of an unfinished game leads to the very position; playing on leads to the very log."""
    options = {"num_players": players, "rules": quick(scenario), "record": True}
    engine = BatchEngine(scenario, 1, seed=4, chance=chance, **options)
    for _ in stations(engine, STEPS, seed=1):
        log = json.loads(json.dumps(engine.replay_log()))
        again = catan_env.replay(log)
        assert_same(look(engine, rng=False), look(again, rng=False), besides=("engine.rewards",))
        assert again.replay_log() == engine.replay_log()
        if chance == "explicit":
            go_on_alike(engine.clone(), again, rng=False)


@every_game
def test_replays_yield_every_state_on_the_way(scenario, players):
    engine = BatchEngine(scenario, 1, players, seed=4, chance="explicit", record=True)
    looks = [look(engine, rng=False), *(look(engine, rng=False) for _ in play(engine, 80, seed=2))]
    steps = catan_env.replay_steps(engine.replay_log())
    for one, other in zip(looks, steps, strict=True):
        assert_same(one, look(other, rng=False))


@every_scenario
def test_logs_grow_with_the_game(scenario, players):
    """Beyond the room they start with, while other games of the batch are short."""
    engine = BatchEngine(scenario, 2, players, seed=4, record=True)
    for k, actions in enumerate(play(engine, 2500, seed=1)):
        if k % 500 == 499:
            engine.reset(games=[1])
        assert (actions >= -1).all()
    long, short = engine.replay_log(0), engine.replay_log(1)
    assert len(long["moves"]) > 1500 > len(short["moves"])
    for game, log in ((0, long), (1, short)):
        assert_same(look(catan_env.replay(log), rng=False), look(engine, slice(game, game + 1), rng=False),
                    besides=("engine.rewards",))  # fmt: skip


@every_scenario
def test_clones_of_some_games(scenario, players):
    engine = play_on(BatchEngine(scenario, 4, players, seed=4, record=True), 60)
    for games, indices in (([2, 0, 2], [2, 0, 2]), (np.array([False, True, True, False]), [1, 2]), (3, [3])):
        twin = engine.clone(games)
        assert_same(look(twin), look(engine, indices))
        assert twin.seeds.tolist() == engine.seeds[indices].tolist()
        assert [twin.replay_log(k) for k in range(len(indices))] == [engine.replay_log(i) for i in indices]
    twin = engine.clone([2, 2])
    for actions in play(twin, 40, seed=1):
        if actions[0] == actions[1]:
            continue
        break
    else:
        pytest.fail("clones of one game never took different actions")


@every_scenario
def test_clones_keep_what_an_engine_was_made_with(scenario, players):
    options = {"chance": "explicit", "reward": "zero_sum", "shaping": 0.5, "discount": 0.9}
    engine = BatchEngine(scenario, 3, players, rules=quick(scenario), record=True, **options)
    for twin in (engine.clone(), copy.copy(engine), copy.deepcopy(engine)):
        assert {name: getattr(twin, name) for name in options} == options
        assert (twin.rules, twin.num_players) == (engine.rules, players)
        go_on_alike(engine.clone(), twin)


@every_scenario
def test_a_loaded_game_can_be_reset_and_recorded(scenario, players):
    engine = play_on(BatchEngine(scenario, 2, players, seed=4, record=True), 60)
    other = BatchEngine(scenario, 2, players, seed=5, record=True)
    other.load(engine.save())
    assert other.seeds.tolist() == engine.seeds.tolist()
    engine.reset(), other.reset()
    go_on_alike(engine, other)
    assert engine.replay_log(1) == other.replay_log(1)


def test_snapshots_and_clones_do_not_depend_on_threads():
    one = play_on(BatchEngine("base", 5, seed=4, record=True), 200)
    two = BatchEngine("base", 5, seed=5, record=True, threads=2)
    two.load(one.save())
    assert (one.save(), one.clone().threads, two.clone([1, 3]).threads) == (two.save(), 1, 2)
    go_on_alike(one, two)
    go_on_alike(one.clone([1, 3]), two.clone([1, 3]))


@every_scenario
def test_snapshots_are_the_same_bytes_every_time(scenario, players):
    one, other = (play_on(BatchEngine(scenario, 3, players, seed=4), 50) for _ in range(2))
    assert one.save() == other.save() == one.clone().save()
    one.step(Chooser(1)(one))
    assert one.save() != other.save()


def test_a_snapshot_crosses_chance_modes():
    """Search takes games out of sampled play and looks at each outcome."""
    sampled = play_on(BatchEngine("base", 2, seed=4), 60)
    explicit = BatchEngine("base", 2, chance="explicit")
    explicit.load(sampled.save())
    assert_same(look(sampled), look(explicit))
    for _ in play(explicit, 200, seed=1):
        if (explicit.seat_to_act == -1).any():
            break
    sampled.load(explicit.save())
    assert_same(look(sampled), look(explicit))
    play_on(sampled, 50)  # outcomes are given until chance has acted; from then on it is sampled
    assert not sampled.broken_invariants()


# -- damaged snapshots ---------------------------------------------------------------------------------------------


def sealed(data, change):
    """A snapshot whose header was changed and whose checksum was made anew."""
    body = data[:-32]
    end = body.index(b"\n", len(MAGIC)) + 1
    header = json.loads(body[len(MAGIC) : end])
    change(header)
    body = MAGIC + json.dumps(header, sort_keys=True).encode() + b"\n" + body[end:]
    return body + hashlib.sha256(body).digest()


def refuses(engine, data, match="snapshot"):
    before = look(engine)
    with pytest.raises(SnapshotError, match=match) as caught:
        engine.load(data)
    assert isinstance(caught.value, CatanError)
    assert_same(before, look(engine))


@pytest.mark.core
@every_scenario
def test_damaged_snapshots_are_refused(scenario, players):
    engine = play_on(BatchEngine(scenario, 2, players, seed=4, record=True), 40)
    data = engine.save()
    engine.step(Chooser(1)(engine))
    rng = np.random.default_rng(1)
    for at in [0, len(MAGIC), len(data) - 1, len(data) - 33, *rng.integers(0, len(data), 40).tolist()]:
        flipped = bytearray(data)
        flipped[at] ^= 1 << int(rng.integers(8))
        refuses(engine, bytes(flipped))
    for length in [0, 1, len(MAGIC), len(MAGIC) + 5, len(data) // 2, len(data) - 33, len(data) - 32, len(data) - 1]:
        refuses(engine, data[:length])
    refuses(engine, data + b"\0")
    refuses(engine, data + data)
    for thing in (None, 5, "a string", [data], np.zeros(3), {}, data.decode("latin-1")):
        refuses(engine, thing)
    for same in (data, bytearray(data), memoryview(data)):
        engine.load(same)
        assert engine.save() == data


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"num_games": 3}, "games"),
        ({"num_players": 3}, "table"),
        ({"rules": {"victory_points": 9}}, "table"),
        ({"rules": {"friendly_robber": 2}}, "table"),
        ({"board": "beginner"}, "table"),
        ({"record": False}, "recorded"),
        ({"scenario": "base_5_6"}, "scenario"),
        ({"scenario": "base+card_counting"}, "scenario"),
    ],
    ids=repr,
)
def test_snapshots_of_other_engines_are_refused(options, named):
    made = {"scenario": "base", "num_games": 2, "num_players": 4, "record": True}
    other = {**made, **options}
    if other["scenario"] == "base_5_6":
        other["num_players"] = 6
    engine = play_on(BatchEngine(**made), 20)
    refuses(engine, BatchEngine(**other).save(), match=f"its {named} is .*, the engine's is ")
    refuses(BatchEngine(**other), engine.save(), match=f"its {named} is ")


@every_scenario
def test_well_sealed_nonsense_is_refused(scenario, players):
    engine = play_on(BatchEngine(scenario, 2, players, record=True), 20)
    data = engine.save()
    engine.load(sealed(data, lambda header: None))
    refuses(engine, sealed(data, lambda h: h["identity"].update(version=99)), match="its version is 99")
    refuses(engine, sealed(data, lambda h: h["identity"].update(layout="0")), match="its layout is '0'")
    refuses(engine, sealed(data, lambda h: h["identity"].pop("table")), match="its table is None")
    refuses(engine, sealed(data, lambda h: h.pop("identity")))
    refuses(engine, sealed(data, lambda h: h.pop("shapes")))
    for shapes in ([], [[2]], [[2], [2], [2], [2]], [[3], [2], [2], [2, 1024]], [[2], [2], [2], [1024, 2]], "shapes"):
        refuses(engine, sealed(data, lambda h, shapes=shapes: h.update(shapes=shapes)))
    refuses(engine, sealed(data, lambda h: h["shapes"][3].__setitem__(1, 8)))
    no_header = MAGIC + b"no header\n"
    refuses(engine, no_header + hashlib.sha256(no_header).digest())
    no_line = MAGIC + b"no end of line"
    refuses(engine, no_line + hashlib.sha256(no_line).digest())
    refuses(engine, MAGIC + hashlib.sha256(MAGIC).digest())


# -- damaged replays -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def log():
    """The log of a game that has begun."""
    return play_on(BatchEngine("base", 1, 3, seed=4, record=True, rules={"victory_points": 8}), 60, 1).replay_log()


def changed(log, **changes):
    """A log with other contents under a fitting checksum."""
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
        with pytest.raises(ReplayError, match="checksum does not fit|not a replay log"):
            catan_env.replay({**log, key: "something else"})
    with pytest.raises(ReplayError, match="checksum does not fit"):
        catan_env.replay({**log, "moves": log["moves"][:-1]})
    with pytest.raises(ReplayError, match="checksum does not fit"):
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


@pytest.mark.parametrize("thing", [None, 5, "log", [], {}, {"format": "catan-replay/1"}, b"log"], ids=repr)
def test_other_things_are_no_logs(thing):
    with pytest.raises(ReplayError, match="not a replay log"):
        catan_env.replay(thing)


@pytest.mark.parametrize("key", ["scenario", "version", "layout", "num_players", "rules", "moves", "checksum"])
def test_incomplete_logs_are_refused(log, key):
    with pytest.raises(ReplayError, match="not a replay log"):
        catan_env.replay({k: v for k, v in log.items() if k != key})


def test_logs_with_what_json_cannot_hold(log):
    for value in (np.int64(3), {1, 2}, object()):
        with pytest.raises(ReplayError, match="damaged"):
            catan_env.replay({**log, "num_players": value})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "catan-replay/99"}, "not a replay log"),
        ({"scenario": "bass"}, "Unknown scenario 'bass'"),
        ({"scenario": "base_5_6"}, "not played by 3"),
        ({"scenario": "base+card_counting"}, "layout"),
        ({"scenario": None}, "Unknown scenario"),
        ({"version": 99}, "version 99"),
        ({"layout": "0"}, "layout 0"),
        ({"num_players": 9}, "not played by 9"),
        ({"num_players": "3"}, "not played by '3'"),
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
    [["fly", 0], ["roll", 0], ["dice", 3, "chance"], ["terrain_of_hex", 99, "chance"], ["terrain_of_hex", 1], ["build_road", -1], [], None, 7,
     "roll", ["roll"], ["roll", "x"], ["roll", None], ["roll", 0, None], [["roll"], 0], {"kind": "roll"}, ["build_city", 10**30],
     ["terrain_of_hex", 1.5, "chance"], ["terrain_of_hex", 0, "seat 3"], ["terrain_of_hex", 0, "chance", 1]],
    ids=repr,
)  # fmt: skip
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
    with pytest.raises(ReplayError, match="record=True"):
        recorded.replay_log()


def test_boards_and_rules_are_in_the_log():
    by_coordinates = catan_env.find_scenario("base").save_board("beginner")
    by_coordinates["hexes"][0][2:] = ["fields", 12]
    options = {"seed": 4, "record": True, "rules": {"founding": "printed"}}
    for board in ("beginner", by_coordinates):
        engine = play_on(BatchEngine("base", 1, 4, board=board, **options), 60)
        log = json.loads(json.dumps(engine.replay_log()))
        assert_same(look(engine, rng=False), look(catan_env.replay(log), rng=False))
    assert engine.state["terrain"][0, 0] == 3
    by_coordinates["hexes"][0][2:] = ["forest", 2]  # what the caller does to it later is nothing to the engine
    engine.reset()
    assert engine.clone().state["terrain"][0, 0] == 3
    assert engine.replay_log()["board"]["hexes"][0][2:] == ["fields", 12]


def test_another_version_of_a_scenario_is_refused(log):
    """By the layout, which holds the version, even where the rules are the same."""
    older = dataclasses.replace(catan_env.find_scenario("base"), version=98)
    assert older.version != log["version"]
    assert "rng" in fields_of(BatchEngine("base"))
    with pytest.raises(ReplayError, match="recorded with version 98"):
        catan_env.replay(changed(log, version=98, layout="another"))
