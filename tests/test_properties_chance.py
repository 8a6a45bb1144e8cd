"""Sampled outcomes follow the probabilities that explicit chance reports, for every draw of every scenario."""

from collections import defaultdict

import numpy as np

import catan_env
from catan_env import BatchEngine
from catan_env.engine.decision_stack import CHANCE
from tests.strategies import PLAIN_PYTHON, every_scenario, play_on

NUM_GAMES, STEPS = (4, 60) if PLAIN_PYTHON else (24, 300)
FURTHEST = 5.0
"""Standard deviations that a count may be off: less than one time in a million for each outcome."""


@every_scenario
def test_outcomes_come_as_often_as_they_should(scenario, players):
    """Counts and expected counts are summed over all states with a draw; each state has its own probabilities."""
    sampled = play_on(BatchEngine(scenario, NUM_GAMES, players, seed=21, record=True), STEPS, seed=2)
    seen = np.zeros(sampled.outcomes.n)
    expected, variance = np.zeros_like(seen), np.zeros_like(seen)
    draws = defaultdict(int)
    for game in range(NUM_GAMES):
        log = sampled.replay_log(game)
        for (kind, argument, *who), engine in zip(log["moves"], catan_env.replay_steps(log)):
            assert bool(who) == (engine.seat_to_act[0] == CHANCE)
            if who:
                chances = engine.chance_probabilities[0]
                outcome = engine.outcomes.id(kind, argument)
                assert chances[outcome] > 0
                seen[outcome] += 1
                expected += chances
                variance += chances * (1 - chances)
                draws[kind] += 1
    assert draws["dice"] + draws["die"] > 3 * NUM_GAMES
    often = variance > 3
    off = np.abs(seen - expected)[often] / np.sqrt(variance[often])
    wrong = [sampled.outcomes.describe(int(k)) for k in np.flatnonzero(often)[off > FURTHEST]]
    assert not wrong, f"too often or too seldom: {wrong}"
    certain = variance == 0
    assert np.array_equal(seen[certain], expected[certain].round())
