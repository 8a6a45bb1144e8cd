"""Games with changed rules keep their invariants: every named choice, and any numbers within their bounds."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import catan_env
from catan_env import BatchEngine
from tests.strategies import (
    PLAIN_PYTHON,
    WITH_OPTIONAL_RULES,
    assert_sound,
    every_scenario,
    over,
    play_on,
    published,
)


def choices(scenario):
    """Yield rules with each named choice that is not the scenario's own."""
    engine = BatchEngine(scenario)
    for number in engine.program.composition.numbers.values():
        for choice in number.choices:
            if choice != engine.rules[number.name]:
                yield {number.name: choice}


@over(
    [(name, players) for name, players in WITH_OPTIONAL_RULES if players == catan_env.find_scenario(name).players[-1]]
)
def test_other_rules_are_sound(scenario, players):
    """Test each named choice alone. If a choice needs another board, use the first published one that fits."""
    for rules in choices(scenario):
        boards = [None, *published(scenario)]
        engine = next((made for board in boards if (made := attempt(scenario, players, rules, board))), None)
        if engine is None:
            continue  # no board supports this choice for this many players
        for _ in range(6):
            play_on(engine, 20, seed=1)
            engine.random_rollout(10 if PLAIN_PYTHON else 300)
            assert_sound(engine)


def attempt(scenario, players, rules, board):
    """Return an engine, or None if these rules need another board."""
    try:
        return BatchEngine(scenario, 8, players, rules=rules, board=board)
    except catan_env.errors.BoardError:
        return None


@st.composite
def numbers(draw, declared):
    """Draw values for some rule numbers, at their bounds or near their defaults."""
    chosen = draw(st.lists(st.sampled_from(declared), max_size=8, unique=True))
    rules = {}
    for number in chosen:
        most = int(np.max(number.default))
        near = st.integers(number.low, max(number.low, min(number.high, 2 * most + 3)))
        value = st.one_of(near, st.sampled_from((number.low, number.high)))
        size = np.size(number.default)
        values = draw(st.lists(value, min_size=size, max_size=size))
        rules[number.name] = np.reshape(values, np.shape(number.default)).tolist()
    if "turn_limit" in rules:
        rules["turn_limit"] = min(rules["turn_limit"], 100)
    return rules


@every_scenario
def test_any_numbers_within_their_bounds_are_sound(scenario, players):
    """All values that `rules=` accepts are playable: no card or piece is lost, and no value overflows."""
    engine = BatchEngine(scenario, 1, players)
    declared = [n for n in engine.program.composition.numbers.values() if not n.choices and n.name != "num_players"]
    declared.sort(key=lambda number: number.name)

    @settings(max_examples=5 if PLAIN_PYTHON else 30)
    @given(numbers(declared), st.integers(0, 2**32))
    def plays(rules, seed):
        engine = BatchEngine(scenario, 2 if PLAIN_PYTHON else 8, players, rules=rules, seed=seed)
        for _ in range(5):
            engine.random_rollout(20 if PLAIN_PYTHON else 200)
            assert_sound(engine)

    plays()
