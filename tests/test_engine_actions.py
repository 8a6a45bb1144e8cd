"""The engine applies legal actions. It rejects all others, and any action in a finished game, without changes."""

import re
from collections import Counter

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.decision_stack import CHANCE, NO_SEAT_TO_ACT
from catan_env.errors import ActionFormatError, CatanError, GameOverError, IllegalActionError
from tests.strategies import (
    LARGEST,
    PLAIN_PYTHON,
    Chooser,
    assert_same,
    every_game,
    every_game_and_optional_rule,
    every_scenario,
    look,
    play_on,
    play_until,
    quick,
)

OFTEN = 1 if PLAIN_PYTHON else 2
"""How many states of each kind of decision are tried out in full."""


def states_of_every_kind(engine, steps, seed=0):
    """Play on and yield at the first few states of each decision, so that the caller can inspect them."""
    seen, choose = Counter(), Chooser(seed)
    for _ in range(steps):
        decision = engine.decision(0)
        seen[decision] += 1
        if seen[decision] <= OFTEN:
            yield decision
        if decision == "over":
            return
        engine.step(choose(engine))


def all_of(engine):
    """Return everything that tests compare: the look and the snapshot."""
    return look(engine), engine.save()


def assert_unchanged(engine, before):
    assert_same(before[0], look(engine))
    assert before[1] == engine.save()


# -- every state -----------------------------------------------------------------------------------------------


@pytest.mark.core
@every_game_and_optional_rule
def test_every_legal_action_applies(scenario, players):
    """Each action is applied to its own copy of the game. The copy stays valid and is over or offers an action."""
    engine = BatchEngine(scenario, 1, players, seed=2, rules=quick(scenario))
    for decision in states_of_every_kind(engine, 400):
        if decision == "over":
            break
        legal = np.flatnonzero(engine.action_mask[0])
        assert legal.size, f"nothing is legal at {decision}"
        copies = engine.clone(np.zeros(legal.size, int))
        copies.step(legal)
        assert not copies.broken_invariants()
        running = copies.seat_to_act >= 0
        assert (copies.action_mask.any(axis=1) == running).all()
        assert (running | copies.terminated | copies.truncated).all()


@pytest.mark.core
@every_game_and_optional_rule
def test_every_possible_outcome_applies_and_no_other(scenario, players):
    engine = BatchEngine(scenario, 1, players, seed=2, chance="explicit", rules=quick(scenario))
    for decision in states_of_every_kind(engine, 400):
        probabilities = engine.chance_probabilities[0]
        if engine.seat_to_act[0] != CHANCE:
            assert not probabilities.any()
            continue
        assert not engine.action_mask.any()
        assert probabilities.sum() == pytest.approx(1.0)
        assert {engine.outcomes.pair(int(k))[0] for k in np.flatnonzero(probabilities)} == {decision}
        possible = np.flatnonzero(engine.chance_mask[0])
        copies = engine.clone([0] * possible.size)
        copies.step(possible)
        assert not copies.broken_invariants()
        assert ((copies.seat_to_act != NO_SEAT_TO_ACT) | copies.terminated | copies.truncated).all()
        before = all_of(engine)
        for outcome in set(range(-2, engine.outcomes.n + 2)) - set(possible.tolist()) - {-1}:
            with pytest.raises(IllegalActionError, match=f"game 0, where chance draws '{decision}'"):
                engine.step([outcome])
        assert_unchanged(engine, before)


@pytest.mark.core
@every_game_and_optional_rule
def test_every_other_action_is_refused_and_changes_nothing(scenario, players):
    """The error names the game, the seat, the action, the decision and the reason."""
    engine = BatchEngine(scenario, 1, players, seed=3, rules=quick(scenario), record=True)
    for decision in states_of_every_kind(engine, 300):
        if decision == "over":
            break
        before = all_of(engine)
        seat = int(engine.seat_to_act[0])
        where = f"seat {seat} in game 0 at decision {decision!r}: "
        for action in np.flatnonzero(~engine.action_mask[0]).tolist():
            with pytest.raises(IllegalActionError) as refusal:
                engine.step([action])
            begins = f"Illegal action {action} ({engine.actions.describe(action)}) for {where}"
            reasons = "it is not possible in this state", "the current decision does not offer it"
            assert str(refusal.value).startswith(tuple(begins + reason for reason in reasons))
            assert " Legal: " in str(refusal.value)
            assert "Nothing was changed" in str(refusal.value)
        for action in (engine.actions.n, -2, 2**40, -(2**40)):
            with pytest.raises(IllegalActionError) as refusal:
                engine.step([action])
            assert str(refusal.value).startswith(f"Illegal action {action} for {where}ids run from 0 to")
        assert_unchanged(engine, before)


@pytest.mark.parametrize(("scenario", "players"), LARGEST[:1])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_illegal_action_stops_the_whole_batch(scenario, players, threads):
    engine = play_on(BatchEngine(scenario, 5, players, seed=3, threads=threads, record=True), 60)
    choose, rng = Chooser(1), np.random.default_rng(2)
    for _ in range(20):
        before = all_of(engine)
        actions = choose(engine)
        game = int(rng.integers(5))
        actions[game] = rng.choice(np.flatnonzero(~engine.action_mask[game]))
        with pytest.raises(IllegalActionError, match=f"seat {engine.seat_to_act[game]} in game {game} at decision"):
            engine.step(actions)
        assert_unchanged(engine, before)
        engine.step(choose(engine))


@every_scenario
def test_the_reason_says_what_the_action_needs(scenario, players):
    engine = BatchEngine(scenario, 1, players, seed=3)
    for action in np.flatnonzero(~engine.action_mask[0]).tolist():
        if needs := engine.actions.needs(action):
            with pytest.raises(IllegalActionError, match=re.escape(f"it needs {needs}.")):
                engine.step([action])


@every_scenario
def test_every_kind_of_action_says_what_it_needs(scenario, players):
    actions = BatchEngine(scenario, 1, players).actions
    silent = [kind for kind in actions.kinds if not actions.needs(actions.id(kind))]
    assert not silent, f"actions of {scenario} without `needs`: {silent}"


# -- the end ---------------------------------------------------------------------------------------------------


@pytest.mark.core
@every_scenario
def test_a_finished_game_takes_no_action(scenario, players):
    engine = BatchEngine(scenario, 2, players, seed=1, rules=quick(scenario))
    play_until(engine, lambda: (engine.seat_to_act == NO_SEAT_TO_ACT).all())
    assert (engine.terminated | engine.truncated).all()
    assert not engine.action_mask.any() and not engine.chance_probabilities.any()
    assert engine.decision(0) == "over"
    engine.step([-1, -1])
    before = all_of(engine)
    for action in (0, 5, engine.actions.n, -2):
        with pytest.raises(GameOverError, match=f"Game 1 is over .*was given action {action}.*-1 to leave"):
            engine.step([-1, action])
    assert_unchanged(engine, before)
    engine.step([-1, -1])
    assert_unchanged(engine, before)
    engine.reset(games=[1])
    assert engine.seat_to_act[0] == NO_SEAT_TO_ACT and engine.seat_to_act[1] >= 0
    engine.step([-1, np.flatnonzero(engine.action_mask[1])[0]])


@pytest.mark.core
@every_game
@pytest.mark.parametrize("reward", ["win_loss", "zero_sum"])
def test_rewards_come_once_at_the_end(scenario, players, reward):
    engine = BatchEngine(scenario, 6, players, seed=1, rules=quick(scenario), reward=reward)
    over_before, choose = np.zeros(6, bool), Chooser(2)
    assert not engine.rewards.any()
    while not over_before.all():
        engine.step(choose(engine))
        now = engine.terminated | engine.truncated
        ended = now & ~over_before
        assert not engine.rewards[~ended].any(), "a reward without an end"
        for game in np.flatnonzero(ended):
            expected = np.zeros(players, np.float32)
            won = engine.winners[game]
            if engine.terminated[game] and (reward == "win_loss" or 0 < won.sum() < players):
                expected[:] = -1.0 if reward == "win_loss" else -1.0 / (~won).sum()
                expected[won] = 1.0 / max(won.sum(), 1)
            assert np.array_equal(engine.rewards[game], expected)
        over_before = now
    assert not engine.winners[~engine.terminated].any()
    rewards = engine.rewards.copy()
    with pytest.raises(GameOverError):
        engine.step(np.zeros(6, int))
    assert np.array_equal(engine.rewards, rewards)
    engine.step(np.full(6, -1))
    assert not engine.rewards.any()


# -- the form of actions -----------------------------------------------------------------------------------------


def legal_actions(engine):
    return np.array([np.flatnonzero(row)[-1] for row in engine.action_mask])


def strided(actions):
    wide = np.full(2 * len(actions), 7)
    wide[::2] = actions
    return wide[::2]


def unaligned(actions):
    raw = np.zeros(8 * len(actions) + 1, np.uint8)
    view = raw[1:].view(np.int64)
    view[:] = actions
    return view


def read_only(actions):
    copy = actions.copy()
    copy.flags.writeable = False
    return copy


ACCEPTED = {
    "list": list,
    "tuple": tuple,
    "list of NumPy integers": lambda actions: [np.int16(action) for action in actions],
    "int8": None,
    "int16": lambda actions: actions.astype(np.int16),
    "int32": lambda actions: actions.astype(np.int32),
    "uint16": lambda actions: actions.astype(np.uint16),
    "uint64": lambda actions: actions.astype(np.uint64),
    "big endian": lambda actions: actions.astype(">i8"),
    "strided": strided,
    "reversed": lambda actions: actions[::-1].copy()[::-1],
    "column": lambda actions: np.stack([actions, actions], axis=1)[:, 0],
    "unaligned": unaligned,
    "read-only": read_only,
    "masked array": np.ma.masked_array,
    "range": None,
}


@pytest.mark.core
@pytest.mark.parametrize("form", [name for name, make in ACCEPTED.items() if make])
def test_integers_of_any_form_are_taken(form):
    engine, plain = (play_on(BatchEngine("base", 5, seed=1), 20, seed=1) for _ in range(2))
    for _ in range(10):
        actions = legal_actions(engine)
        given = ACCEPTED[form](actions)
        kept = np.array(given)
        engine.step(given)
        plain.step(actions)
        assert np.array_equal(np.array(given), kept), "the caller's array was changed"
        assert_same(look(engine), look(plain))


REFUSED = {
    "floats": lambda actions: actions.astype(float),
    "NaN": lambda actions: np.full(len(actions), np.nan),
    "one NaN": lambda actions: [*actions[:-1].tolist(), float("nan")],
    "booleans": lambda actions: np.ones(len(actions), bool),
    "complex": lambda actions: actions.astype(complex),
    "objects": lambda actions: actions.astype(object),
    "strings": lambda actions: [str(action) for action in actions],
    "None": lambda actions: None,
    "list of None": lambda actions: [None] * len(actions),
    "a number": lambda actions: 3,
    "a string": lambda actions: "3",
    "a mapping": lambda actions: dict(enumerate(actions)),
    "too few": lambda actions: actions[:-1],
    "too many": lambda actions: np.append(actions, 0),
    "none at all": lambda actions: [],
    "a row": lambda actions: actions[None],
    "a column": lambda actions: actions[:, None],
    "ragged": lambda actions: [[1], *actions[1:].tolist()],
    "a huge integer": lambda actions: [2**70, *actions[1:].tolist()],
    "an unsigned integer that wraps to -1": lambda actions: np.full(len(actions), 2**64 - 1, np.uint64),
    "dates": lambda actions: actions.astype("datetime64[s]"),
    "records": lambda actions: np.zeros(len(actions), [("a", int)]),
    "a generator": lambda actions: (action for action in actions),
    "a set": lambda actions: set(actions.tolist()),
}


@pytest.mark.core
@pytest.mark.parametrize("form", REFUSED)
def test_anything_else_is_refused_and_changes_nothing(form):
    engine = play_on(BatchEngine("base", 5, seed=1, record=True), 20, seed=1)
    before = all_of(engine)
    with pytest.raises(ActionFormatError, match=r"shape \(5,\)|64 bits") as caught:
        engine.step(REFUSED[form](legal_actions(engine)))
    assert isinstance(caught.value, CatanError) and isinstance(caught.value, ValueError)
    assert_unchanged(engine, before)


# -- names of actions --------------------------------------------------------------------------------------------


@every_scenario
def test_sentences_and_pairs_name_actions(scenario, players):
    engine = BatchEngine(scenario, 1, players)
    for table in (engine.actions, engine.outcomes):
        sentences = [table.describe(action) for action in range(table.n)]
        assert len(set(sentences)) == table.n == len(table)
        assert [table.parse(sentence) for sentence in sentences] == list(range(table.n))
        assert [table.id(*table.pair(action)) for action in range(table.n)] == list(range(table.n))
        assert [action for kind in table.kinds for action in table.ids(kind)] == list(range(table.n))
        for bad in (-1, table.n, 10**9):
            with pytest.raises(ActionFormatError, match=f"from 0 to {table.n - 1}"):
                table.describe(bad)
            with pytest.raises(ActionFormatError):
                table.pair(bad)
        with pytest.raises(ActionFormatError, match="Unknown action kind 'fly'; allowed: "):
            table.id("fly")
        with pytest.raises(ActionFormatError, match="allowed: 0 to"):
            table.id(table.kinds[0], 10_000)
        with pytest.raises(ActionFormatError):
            table.id(table.kinds[0], "nowhere at all")
        with pytest.raises(ActionFormatError, match="No action has the description"):
            table.parse("fly away")
