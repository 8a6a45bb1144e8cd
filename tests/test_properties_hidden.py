"""What a seat cannot see never changes what it observes, nor what it may do."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.encoders import encoders_of
from catan_env.engine import decision_stack
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.declare import ALL, HIDDEN, OWNER, PLAYERS
from tests.strategies import PLAIN_PYTHON, every_game_and_optional_rule, every_scenario, play, play_on

STEPS = 20 if PLAIN_PYTHON else 300
MACHINE = {field.name for field in decision_stack.FIELDS} - {"rng"}
"""What the engine itself keeps: that it is a seat's turn to discard is no secret, though no feature shows the decision
stack."""


def fields_of(engine):
    """The declared fields, but for the engine's own."""
    return [f for f in engine.program.composition.fields.values() if f.name not in MACHINE]


def dealt_anew(row, field, rng):
    """A row of the same sum, dealt anew within the field's bounds."""
    rest, dealt = int(row.sum()), np.zeros(row.size, np.int64)
    while rest:
        k = rng.integers(row.size)
        if dealt[k] < field.high:
            dealt[k] += 1
            rest -= 1
    return dealt.reshape(row.shape)


def disguise(engine, seat, rng):
    """Changes everything that a seat cannot see.

    Rows of other owners: dealt anew where their total is public, any values otherwise. What nobody sees is put into
    another order, for its total may be public (such as the cards left in a stack); the random stream is another.
    Games stay as they are whose new hands leave whoever is asked nothing to do: no game comes to that.
    """
    state = engine.state
    before, asked = state.copy(), engine.seat_to_act.copy()
    for field in fields_of(engine):
        values = state[field.name]
        if field.name == "rng":
            values[:] = rng.integers(1, 2**32, values.shape, np.uint32)
        elif field.visible == HIDDEN and field.shape:
            values[:] = rng.permuted(values, axis=-1)
        elif field.visible == HIDDEN:
            values[:] = rng.integers(field.low, field.high + 1, values.shape)
        elif field.visible == OWNER:
            assert field.shape[0] == PLAYERS
            for other in set(range(engine.num_players)) - {seat}:
                if field.total:
                    for row in values[:, other]:
                        row[...] = dealt_anew(row, field, rng)
                else:
                    values[:, other] = rng.integers(field.low, field.high + 1, values[:, other].shape)
    engine.refresh()
    impossible = (asked != NO_SEAT_TO_ACT) & (engine.seat_to_act == NO_SEAT_TO_ACT)
    state[impossible] = before[impossible]
    engine.refresh()


def parts(observation):
    """An observation as arrays by name."""
    return observation if isinstance(observation, dict) else {"": observation}


def assert_nothing_shows(engine, rng):
    """For every seat, whoever is to act."""
    for seat in range(engine.num_players):
        seen = engine.observe("flat", seat=seat, dtype="uint8")
        twin = engine.clone()
        disguise(twin, seat, rng)
        for encoder in encoders_of(engine):
            one, other = (parts(each.observe(encoder, seat=seat)) for each in (engine, twin))
            assert all(np.array_equal(one[name], other[name]) for name in one)
        changed = np.flatnonzero((seen != twin.observe("flat", seat=seat, dtype="uint8")).any(axis=0))
        names = [engine.feature_names("flat")[k] for k in changed[:5]]
        assert not names, f"seat {seat} sees what it should not in {names}"
        assert np.array_equal(engine.seat_to_act, twin.seat_to_act)
        acting = engine.seat_to_act == seat
        tells = np.flatnonzero((engine.action_mask[acting] != twin.action_mask[acting]).any(axis=0))
        actions = [engine.actions.describe(int(k)) for k in tells[:5]]
        assert not actions, f"whether seat {seat} may {actions} depends on what it does not see"
        assert np.array_equal(engine.visible_points, twin.visible_points)


@pytest.mark.core
@every_game_and_optional_rule
def test_nothing_hidden_shows(scenario, players):
    engine, rng = BatchEngine(scenario, 4, players, seed=8), np.random.default_rng(3)
    assert_nothing_shows(engine, rng)
    for k, _ in enumerate(play(engine, STEPS, seed=3)):
        if k % (5 if PLAIN_PYTHON else 7) == 0:
            assert_nothing_shows(engine, rng)


@every_game_and_optional_rule
def test_nothing_hidden_shows_late_in_the_game(scenario, players):
    """With many cards in hand, and in the midst of trades, discards and thefts."""
    engine, rng = BatchEngine(scenario, 32, players, seed=8), np.random.default_rng(3)
    for _ in range(1 if PLAIN_PYTHON else 8):
        engine.random_rollout(20 if PLAIN_PYTHON else 211)
        assert_nothing_shows(engine, rng)


def some_values(field):
    """The extremes of a field and its lowest values, among which every category has one."""
    return sorted({field.high, *range(field.low, min(field.low + 16, field.high))})


@every_scenario
def test_what_is_one_s_own_does_show(scenario, players):
    """The other side: no field that a seat may see is left out by mistake."""
    engine = play_on(BatchEngine(scenario, 1, players, seed=8), 80)
    for field in fields_of(engine):
        if field.show is None or field.visible == HIDDEN or not engine.state[field.name].size:
            continue
        shown = engine.observe("flat", seat=0, dtype="uint8")
        per_seat = field.shape[:1] == (PLAYERS,)
        before = engine.state[field.name].copy()
        for value in some_values(field):
            engine.state[field.name][(0, 0) if per_seat else 0] = value
            if not np.array_equal(shown, engine.observe("flat", seat=0, dtype="uint8")):
                break
        else:
            pytest.fail(f"seat 0 does not see {field.name}")
        engine.state[field.name][:] = before
        if per_seat and field.visible == ALL and players > 1:
            for value in some_values(field):
                engine.state[field.name][0, 1] = value
                if not np.array_equal(shown, engine.observe("flat", seat=0, dtype="uint8")):
                    break
            else:
                pytest.fail(f"seat 0 does not see {field.name} of seat 1")
            engine.state[field.name][:] = before


def test_a_leak_is_noticed():
    """The disguise itself: what it changes differs from what was there, and totals stay."""
    engine, rng = BatchEngine("base", 512, seed=8), np.random.default_rng(3)
    engine.random_rollout(500)
    twin = engine.clone()
    disguise(twin, 1, rng)
    for name in ("hands", "development_cards", "new_development_cards", "discards", "rng", "deck"):
        assert not np.array_equal(engine.state[name], twin.state[name])
    for name in ("hands", "development_cards"):
        assert np.array_equal(engine.state[name].sum(axis=2), twin.state[name].sum(axis=2))
        assert np.array_equal(engine.state[name][:, 1], twin.state[name][:, 1])
    seen = engine.observe("flat", seat=0), twin.observe("flat", seat=0)
    assert not np.array_equal(*seen), "seat 0's own hand was changed, and it does not see that"


@every_scenario
def test_fields_say_who_sees_them(scenario, players):
    engine = BatchEngine(scenario, 1, players)
    for field in engine.program.composition.fields.values():
        assert field.visible in (ALL, OWNER, HIDDEN)
        assert field.visible != OWNER or field.shape[:1] == (PLAYERS,), f"{field.name} has no owner"
        assert field.visible != HIDDEN or field.show is None, f"nobody sees {field.name}, and it is shown"
        assert not field.total or field.visible == OWNER, f"{field.name} is no owner's, and has a public total"
        assert len(field.meaning) > 3
