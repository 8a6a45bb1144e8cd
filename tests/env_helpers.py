"""Helpers for environment tests: all scenarios and player counts, short-game rules, a reproducible opponent."""

import functools

import numpy as np

import catan_env
from catan_env.envs import register_opponent
from catan_env.errors import CatanError
from tests.strategies import GAMES

TABLES = GAMES
"""(scenario, player count) of everything registered."""

SMALLEST = [(name, scenario.players[0]) for name, scenario in catan_env.scenarios().items()]


@functools.cache
def quick_rules(scenario, players):
    """Return rule overrides that shorten games, for those rules that the scenario has."""
    rules = {}
    for name, value in (("victory_points", 4), ("offers_per_turn", 0)):
        try:
            catan_env.BatchEngine(scenario, 1, players, rules={name: value})
        except CatanError:
            continue
        rules[name] = value
    return rules


class ByMask:
    """An opponent that uses the game's random stream to pick a legal action: reproducible, and equal in any batch."""

    name = "by_mask"

    def act(self, engine, games):
        legal, streams = engine.action_mask[games], engine.state["rng"][games].sum(axis=1).tolist()
        ids = [np.flatnonzero(row) for row in legal]
        return np.array([own[(k + int(own.sum())) % own.size] for own, k in zip(ids, streams, strict=True)])


register_opponent("by_mask", ByMask)


def same_games(one, other):
    """Return whether all fields of two engines are equal. Padding bytes between fields may differ."""
    return all(np.array_equal(one.state[name], other.state[name]) for name in one.state.dtype.names)


def choose(masks, rng):
    """Return a random legal action for each row of masks, or 0 if a row has none."""
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])


def arrays_in(tree):
    """Return every array in nested dicts, lists and tuples."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, np.ndarray) and tree.dtype == object:
        tree = tree.tolist()
    if isinstance(tree, (list, tuple)):
        return [array for item in tree for array in arrays_in(item)]
    return [tree] if isinstance(tree, np.ndarray) else []


def assert_fresh(results, *engine_arrays):
    """Assert that result arrays are writable and share no memory with other results or with the engine."""
    found = [arrays_in(result) for result in results]
    for k, arrays in enumerate(found):
        others = [array for later in found[k + 1 :] for array in later]
        for array in arrays:
            assert array.flags.writeable
            assert not any(np.shares_memory(array, other) for other in [*others, *engine_arrays])
