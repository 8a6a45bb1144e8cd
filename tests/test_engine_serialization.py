"""Snapshots, clones and replays restore a game exactly, at any point; engines reject damaged snapshots."""

import copy
import hashlib
import json

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.kernels import LOG_MARGIN
from catan_env.engine.snapshot import MAGIC
from catan_env.errors import CatanError, SnapshotError
from tests.strategies import (
    PLAIN_PYTHON,
    Chooser,
    assert_same,
    every_game,
    every_game_and_optional_rule,
    every_scenario,
    look,
    play,
    play_on,
    quick,
)

STEPS, FURTHER = (150, 10) if PLAIN_PYTHON else (600, 25)


def stations(engine, steps, seed=0):
    """Continue the games of an engine. Yield each decision when game 0 first reaches it, and the end of game 0."""
    seen, choose = set(), Chooser(seed)
    for _ in range(steps):
        decision = engine.decision(0)
        if decision not in seen:
            seen.add(decision)
            yield decision
        if decision == "over":
            return
        engine.step(choose(engine))


def continue_alike(one, other, steps=FURTHER, rng=True):
    """Continue both engines with the same actions, and assert that they stay equal."""
    choose = Chooser(5)
    assert_same(look(one, rng=rng), look(other, rng=rng), except_for=("rewards",))
    for _ in range(steps):
        actions = choose(one)
        one.step(actions)
        other.step(actions)
        assert_same(look(one, rng=rng), look(other, rng=rng))


# -- at any point of a game ----------------------------------------------------------------------------------------


@pytest.mark.core
@every_game_and_optional_rule
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_snapshots_and_clones_at_every_kind_of_decision(scenario, players, chance):
    """This includes unfinished trades, discards, thefts and initial placements, and finished games."""
    options = {"num_players": players, "chance": chance, "rules": quick(scenario), "record": True}
    engine, found = BatchEngine(scenario, 2, seed=4, **options), set()
    for decision in stations(engine, STEPS):
        found.add(decision)
        twin, loaded = engine.clone(), BatchEngine(scenario, 2, seed=77, **options)
        play_on(loaded, 3)
        loaded.load(engine.save())
        assert loaded.save() == engine.save() == twin.save()
        before = look(engine)
        continue_alike(twin, loaded)
        assert_same(before, look(engine))  # stepping a clone does not change the original
        assert twin.replay_log(1) == loaded.replay_log(1)
    assert len(found) > min(5, len(engine.program.composition.decisions) // 2)


@pytest.mark.core
@every_game
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_replays_at_every_kind_of_decision(scenario, players, chance):
    """The log of an unfinished game reproduces the position and the log. With explicit chance, play continues alike."""
    options = {"num_players": players, "rules": quick(scenario), "record": True}
    engine = BatchEngine(scenario, 1, seed=4, chance=chance, **options)
    for _ in stations(engine, STEPS, seed=1):
        log = json.loads(json.dumps(engine.replay_log()))
        again = catan_env.replay(log)
        assert_same(look(engine, rng=False), look(again, rng=False), except_for=("rewards",))
        assert again.replay_log() == engine.replay_log()
        if chance == "explicit":
            continue_alike(engine.clone(), again, rng=False)


@every_game
def test_replays_yield_every_state_on_the_way(scenario, players):
    engine = BatchEngine(scenario, 1, players, seed=4, chance="explicit", record=True)
    looks = [look(engine, rng=False), *(look(engine, rng=False) for _ in play(engine, 80, seed=2))]
    steps = catan_env.replay_steps(engine.replay_log())
    for one, other in zip(looks, steps, strict=True):
        assert_same(one, look(other, rng=False))


@every_scenario
def test_logs_grow_with_the_game(scenario, players):
    """Logs outgrow their initial capacity, even if other games of the batch are short."""
    engine = BatchEngine(scenario, 8, players, seed=4, record=True)
    room = engine.batch.log.shape[1]
    for k, actions in enumerate(play(engine, 2500, seed=1)):
        if k % 500 == 499:
            engine.reset(games=[1])
        assert (actions >= -1).all()
    longest = int(engine.batch.log_length.argmax())
    assert engine.batch.log.shape[1] > room and engine.batch.log_length[longest] > room - LOG_MARGIN
    assert len(engine.replay_log(1)["moves"]) < 1500
    for game in (longest, 1):
        played = look(engine, slice(game, game + 1), rng=False)
        assert_same(look(catan_env.replay(engine.replay_log(game)), rng=False), played, except_for=("rewards",))


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
        continue_alike(engine.clone(), twin)


@every_scenario
def test_a_loaded_game_can_be_reset_and_recorded(scenario, players):
    engine = play_on(BatchEngine(scenario, 2, players, seed=4, record=True), 60)
    other = BatchEngine(scenario, 2, players, seed=5, record=True)
    other.load(engine.save())
    assert other.seeds.tolist() == engine.seeds.tolist()
    engine.reset(), other.reset()
    continue_alike(engine, other)
    assert engine.replay_log(1) == other.replay_log(1)


def test_snapshots_and_clones_do_not_depend_on_threads():
    one = play_on(BatchEngine("base", 5, seed=4, record=True), 200)
    two = BatchEngine("base", 5, seed=5, record=True, threads=2)
    two.load(one.save())
    assert (one.save(), one.clone().threads, two.clone([1, 3]).threads) == (two.save(), 1, 2)
    continue_alike(one, two)
    continue_alike(one.clone([1, 3]), two.clone([1, 3]))


@every_scenario
def test_snapshots_are_the_same_bytes_every_time(scenario, players):
    one, other = (play_on(BatchEngine(scenario, 3, players, seed=4), 50) for _ in range(2))
    assert one.save() == other.save() == one.clone().save()
    one.step(Chooser(1)(one))
    assert one.save() != other.save()


def test_a_snapshot_crosses_chance_modes():
    """Search needs this: it takes games from sampled play and examines each outcome."""
    sampled = play_on(BatchEngine("base", 2, seed=4), 60)
    explicit = BatchEngine("base", 2, chance="explicit")
    explicit.load(sampled.save())
    assert_same(look(sampled), look(explicit))
    for _ in play(explicit, 200, seed=1):
        if (explicit.seat_to_act == -1).any():
            break
    sampled.load(explicit.save())
    assert_same(look(sampled), look(explicit))
    play_on(sampled, 50)  # pending outcomes are given as actions; after that, chance is sampled
    assert not sampled.broken_invariants()


@pytest.mark.core
@pytest.mark.parametrize("forced_moves", ["ask", "play"])
@pytest.mark.parametrize("autoreset", [False, True])
def test_rewards_and_shaping_continue_as_if_nothing_had_been_loaded(forced_moves, autoreset):
    options = {"rules": quick("base"), "shaping": 0.7, "discount": 0.9, "reward": "zero_sum"}
    options |= {"forced_moves": forced_moves, "autoreset": autoreset}
    engine, choose, shaped = BatchEngine("base", 3, seed=4, **options), Chooser(2), 0
    for _ in range(4):
        for _ in range(STEPS // 4):
            engine.step(np.where(engine.seat_to_act == NO_SEAT_TO_ACT, 0 if autoreset else -1, choose(engine)))
        loaded = BatchEngine("base", 3, seed=77, **options)
        play_on(loaded, 9)
        loaded.load(engine.save())
        twin, others = engine.clone(), Chooser(8)
        for _ in range(FURTHER):
            assert_same(look(twin), look(loaded))
            actions = np.where(twin.seat_to_act == NO_SEAT_TO_ACT, 0 if autoreset else -1, others(twin))
            twin.step(actions), loaded.step(actions)
            shaped += np.count_nonzero(twin.rewards)
        assert twin.save() == loaded.save()
    assert shaped


def test_points_that_a_seat_won_since_it_was_last_asked_are_paid_after_loading():
    engine = BatchEngine("base", 1, 2, seed=4, shaping=1.0)
    first = int(engine.seat_to_act[0])

    def place_piece(one):
        one.step(one.action_mask.argmax(axis=1))
        return float(one.rewards[0, first])

    place_piece(engine), place_piece(engine)  # a settlement and a road; now the other seat places its settlement
    assert engine.seat_to_act[0] != first and engine.visible_points[0, first] == 1
    engine.shaper.points[0, first] = 0  # as if the seat had won the point while others acted
    loaded = BatchEngine("base", 1, 2, seed=5, shaping=1.0)
    loaded.load(engine.save())
    paid = {"engine": 0.0, "loaded": 0.0}
    while engine.visible_points[0, first] < 2 or engine.seat_to_act[0] != first:
        paid["engine"] += place_piece(engine)
        paid["loaded"] += place_piece(loaded)
    target = engine.rules["victory_points"]
    assert paid["engine"] == paid["loaded"] == pytest.approx(2 / target)


# -- damaged snapshots ---------------------------------------------------------------------------------------------


def sealed(data, change):
    """Return a snapshot with a changed header and a matching checksum."""
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


def test_snapshots_of_another_format_are_refused():
    engine = BatchEngine("base", 1, 2, seed=4)
    data = engine.save()
    body = data[:-32].replace(MAGIC, b"catan-snapshot/1\n", 1)
    refuses(engine, body + hashlib.sha256(body).digest(), "has format '1'; this version of catan_env reads '2'")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_rewards_that_are_no_numbers_are_refused(value):
    engine = BatchEngine("base", 2, 2, seed=4)
    twin = engine.clone()
    twin.rewards[1, 0] = value
    refuses(engine, twin.save(), "the reward of seat 0 in game 1 is")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"num_games": 3}, "number of games is 3, the engine's is 2"),
        ({"num_players": 3}, "num_players is 3, the engine's is 4"),
        ({"rules": {"victory_points": 9}}, "victory_points is 9, the engine's is 10"),
        ({"rules": {"friendly_robber": 2}}, "friendly_robber is 2, the engine's is 0"),
        ({"board": "beginner"}, "board differs from the engine's"),
        ({"record": False}, "recording of replay logs is False, the engine's is True"),
        ({"scenario": "base_5_6"}, "scenario is 'base_5_6', the engine's is 'base'"),
        ({"scenario": "base+card_counting"}, "scenario is 'base.card_counting', the engine's is 'base'"),
    ],
    ids=repr,
)
def test_snapshots_of_other_engines_are_refused(options, named):
    made = {"scenario": "base", "num_games": 2, "num_players": 4, "record": True}
    other = {**made, **options}
    if other["scenario"] == "base_5_6":
        other["num_players"] = 6
    engine = play_on(BatchEngine(**made), 20)
    refuses(engine, BatchEngine(**other).save(), match=f"its {named}")
    refuses(
        BatchEngine(**other), engine.save(), match=f"its {named.split(' is ')[0].split(' differs ')[0]} (is|differs) "
    )


@every_scenario
def test_well_sealed_nonsense_is_refused(scenario, players):
    engine = play_on(BatchEngine(scenario, 2, players, record=True), 20)
    data = engine.save()
    engine.load(sealed(data, lambda header: None))
    refuses(engine, sealed(data, lambda h: h["identity"].update(version=99)), match="its version is 99")
    refuses(engine, sealed(data, lambda h: h["identity"].update(layout="0")), match="its layout of records")
    refuses(engine, sealed(data, lambda h: h["identity"].pop("params")), match="its board differs")
    refuses(engine, sealed(data, lambda h: h.pop("identity")))
    refuses(engine, sealed(data, lambda h: h.pop("shapes")))
    for shapes in ([], [[2]], [[2], [2], [2], [2]], [[3], [2], [2], [2, 1024]], [[2], [2], [2], [1024, 2]], "shapes"):
        refuses(engine, sealed(data, lambda h, shapes=shapes: h.update(shapes=shapes)))
    refuses(engine, sealed(data, lambda h: h["shapes"][3].__setitem__(1, 8)))
    n, room = engine.batch.log.shape
    flat = engine.batch.log.copy()
    for k, shape in ((5, [n, 0]), (5, [n * room, 1]), (5, [n, room, 1]), (2, [n * players, 1]), (3, [n, 0])):
        data_without = sealed(data, lambda h, k=k, shape=shape: h["shapes"].__setitem__(k, shape))
        if shape == [n, 0] and k == 5:  # shorten the data to the length that its shapes state
            data_without = data_without[: -32 - flat.nbytes]
            data_without += hashlib.sha256(data_without).digest()
        refuses(engine, data_without)
    assert engine.record and engine.load(data) is None
    no_header = MAGIC + b"[" * 100_000 + b"\n"
    refuses(engine, no_header + hashlib.sha256(no_header).digest())
    refuses(engine, sealed(data, lambda h: h["shapes"][0].__setitem__(0, 10**400)))
    no_header = MAGIC + b"no header\n"
    refuses(engine, no_header + hashlib.sha256(no_header).digest())
    no_line = MAGIC + b"no end of line"
    refuses(engine, no_line + hashlib.sha256(no_line).digest())
    refuses(engine, MAGIC + hashlib.sha256(MAGIC).digest())
