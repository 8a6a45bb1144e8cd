"""Hidden information never changes a seat's observations or legal actions."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.testing.hidden import disguise, leaks, odd_declarations, shown_by_encoders, shown_differences, unseen
from tests.strategies import PLAIN_PYTHON, every_game_and_optional_rule, every_scenario, play, play_on

STEPS = 20 if PLAIN_PYTHON else 300


def assert_nothing_shows(engine, rng):
    """Assert that no seat sees hidden information, whichever seat is to act."""
    for compare in (shown_differences, shown_by_encoders):
        assert [fault.message for fault in leaks(engine, rng, compare)] == []


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
    """These positions have large hands and unfinished trades, discards and thefts."""
    engine, rng = BatchEngine(scenario, 32, players, seed=8), np.random.default_rng(3)
    for _ in range(1 if PLAIN_PYTHON else 8):
        engine.random_rollout(20 if PLAIN_PYTHON else 211)
        assert_nothing_shows(engine, rng)


@every_scenario
def test_what_is_one_s_own_does_show(scenario, players):
    """The converse: observations include every field that a seat may see."""
    engine = play_on(BatchEngine(scenario, 1, players, seed=8), 80)
    assert [fault.message for fault in unseen(engine)] == []


def test_a_leak_is_noticed():
    """`disguise` changes hidden values and keeps totals, so that a leak shows up as a difference."""
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
    assert [fault.message for fault in odd_declarations(BatchEngine(scenario, 1, players))] == []
