"""Helpers for the drawing tests: short games of every scenario, at any stage."""

import functools

import numpy as np
from env_helpers import TABLES, quick_rules

import catan_env
from catan_env import BatchEngine

WEIGHTS = {"build_settlement": 30, "build_city": 60, "build_road": 5, "buy_development_card": 8, "cancel_offer": 0.2}


def table_ids():
    """Return an id for every registered scenario and number of players, for `parametrize`."""
    return [f"{name}-{players}p" for name, players in TABLES]


def tables_with_hands():
    """Return (scenario, players) of every game in which players hold cards."""
    return [
        (name, players)
        for name, players in TABLES
        if any(rules.__name__.endswith(".resources") for rules in catan_env.find_scenario(name).modules)
    ]


def play_on(engine, steps, seed=0):
    """Play an engine's only game at random, with a preference for building; return the engine."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if engine.seat_to_act[0] < 0:
            break
        legal = np.flatnonzero(engine.action_mask[0])
        weights = np.array([WEIGHTS.get(engine.actions.kind_of[action], 1.0) for action in legal])
        engine.step(np.array([rng.choice(legal, p=weights / weights.sum())]))
    return engine


def new_game(scenario, players, seed=0, **options):
    """Return an engine with a short game that records its log."""
    rules = dict(quick_rules(scenario, players))
    if "offers_per_turn" in rules:
        rules["offers_per_turn"] = 1
    return BatchEngine(scenario, 1, players, seed=seed, rules=rules, record=True, **options)


@functools.cache
def _log(scenario, players):
    return play_on(new_game(scenario, players), 20_000).replay_log()


def played(scenario, players):
    """Return an engine with a finished game."""
    return play_on(new_game(scenario, players), 20_000)


def stages(scenario, players):
    """Return copies of one game and its log: at the first decision, at some later decisions, and at the end."""
    log = _log(scenario, players)
    moves = len(log["moves"])
    wanted = [0, moves // 3, moves // 2, 2 * moves // 3, moves]
    found = []
    for number, engine in enumerate(catan_env.replay_steps(log)):
        if number >= wanted[len(found)] and (engine.seat_to_act[0] >= 0 or number == moves):
            found.append(engine.clone())
    return found
