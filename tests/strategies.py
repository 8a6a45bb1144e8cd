"""Shared helpers of the property tests: lists of games, ways to play them, and comparisons of positions."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.registry import find_scenario, optional_rules
from catan_env.testing.looks import Look, differences, fields_of, look  # noqa: F401 (tests import them from here)
from catan_env.testing.playing import Chooser, kinds_of, play, play_on  # noqa: F401 (tests import them from here)
from catan_env.testing.soundness import unsound

PLAIN_PYTHON = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")


def with_every_module() -> Iterator[str]:
    """Yield the first scenario, then the one with the most missing rule modules, until every module is covered."""
    modules = {name: set(scenario.modules) for name, scenario in catan_env.scenarios().items()}
    missing = set().union(*modules.values())
    name = next(iter(modules))
    while missing:
        yield name
        missing -= modules[name]
        name = max(modules, key=lambda name: len(modules[name] & missing))


def played_here() -> Iterable[str]:
    """Return every registered scenario, or fewer where play is slow.

    With bounds checks, the scenarios cover every rule module. In plain Python, they are the first few of those: the
    compiled runs compare every scenario with plain Python anyway.
    """
    if PLAIN_PYTHON:
        return islice(with_every_module(), 4)
    return with_every_module() if CHECKED else catan_env.scenarios()


SCENARIOS = list(played_here())
ALL_GAMES = [(name, players) for name in SCENARIOS for players in find_scenario(name).players]
"""These with every number of players."""


def few_numbers() -> Iterator[tuple[str, int]]:
    """Yield all numbers of players of the first scenario and the largest number of each other one.

    Each number of players is a separate program. Where play is slow, yield only the largest number of each scenario.
    """
    for name in SCENARIOS:
        numbers = find_scenario(name).players
        if PLAIN_PYTHON or CHECKED or name != SCENARIOS[0]:
            numbers = numbers[-1:]
        yield from ((name, players) for players in numbers)


GAMES = ALL_GAMES if os.environ.get("EVERY_NUMBER_OF_PLAYERS") else list(few_numbers())
"""The games of most tests: not every number of players, but for `make soak`."""
WITH_OPTIONAL_RULES = GAMES + [
    (f"{SCENARIOS[0]}+{extra}", players)
    for extra in optional_rules()
    for players in find_scenario(SCENARIOS[0]).players[-1:]
]
"""The same, and every optional rule module on top of the first scenario."""
LARGEST = [(name, find_scenario(name).players[-1]) for name in SCENARIOS]


def over(games: list[tuple[str, int]]) -> pytest.MarkDecorator:
    """Return a mark that runs a test for each of these games, as its arguments `scenario` and `players`."""
    return pytest.mark.parametrize(("scenario", "players"), games, ids=[f"{name}-{n}p" for name, n in games])


every_game = over(GAMES)
every_number_of_players = over(GAMES if PLAIN_PYTHON or CHECKED else ALL_GAMES)
every_game_and_optional_rule = over(WITH_OPTIONAL_RULES)
every_scenario = over(LARGEST)


# -- playing ---------------------------------------------------------------------------------------------------


def play_until(engine: BatchEngine, wanted: Callable[[], bool], seed: int = 0, steps: int = 20_000) -> None:
    """Play at random until `wanted` is true; fail after `steps` steps."""
    if wanted():
        return
    for _ in play(engine, steps, seed):
        if wanted():
            return
    pytest.fail(f"{engine.scenario.name}: not reached in {steps} random steps")


def pending(engine: BatchEngine, game: int, decision: str) -> Callable[[], bool]:
    """Return a condition for `play_until`: the game waits for this decision."""
    return lambda: engine.decision(game) == decision


def quick(scenario: str) -> dict[str, int]:
    """Return rules that make games short, limited to those that the scenario has."""
    known = find_scenario(scenario)
    declared = catan_env.BatchEngine(known).rules
    short = {"turn_limit": 80, "victory_points": 4, "turns_each": 6}
    return {name: value for name, value in short.items() if name in declared}


def published(scenario: str) -> list[str]:
    """Return the names of the layouts of a scenario's map, if it has any."""
    board_map = getattr(find_scenario(scenario).board, "map", None)
    return list(getattr(board_map, "layouts", ()))


# -- comparing positions -----------------------------------------------------------------------------------------


def assert_same(one: Look, other: Look, except_for: tuple[str, ...] = ()) -> None:
    """Fail with the names of the entries that differ between two looks."""
    assert set(one) == set(other)
    different = differences(one, other, except_for)
    assert not different, f"these differ: {different}"


def fingerprint(engine: BatchEngine, game: int = 0, rng: bool = False, names: Mapping[str, str] | None = None) -> str:
    """Return a digest of a position: fields, mask, seat to act, points, and the random stream if `rng` is true.

    `names` maps names of fields to the names that the digest uses instead.
    """
    hashed = hashlib.sha256()
    names = names or {}
    for name in fields_of(engine, rng):
        hashed.update(names.get(name, name).encode() + np.ascontiguousarray(engine.state[name][game]).tobytes())
    hashed.update(np.packbits(engine.action_mask[game]).tobytes())
    hashed.update(int(engine.seat_to_act[game]).to_bytes(1, "little", signed=True))
    hashed.update(engine.victory_points[game].astype(np.int16).tobytes())
    return hashed.hexdigest()[:20]


def trajectory(scenario: str, players: int, num_games: int, steps: int, seed: int, compiled: bool = True) -> list[str]:
    """Return digests of a batch after each step of random play, then the result of a random rollout."""
    engine = BatchEngine(scenario, num_games, players, seed=seed, compiled=compiled)
    digests = []
    for actions in play(engine, steps, seed):
        parts = [fingerprint(engine, game, rng=True) for game in range(num_games)]
        digests.append(hashlib.sha256(repr((actions.tolist(), parts)).encode()).hexdigest()[:16])
    counts = engine.random_rollout(steps)
    return [*digests, repr(counts), *(fingerprint(engine, game, rng=True) for game in range(num_games))]


# -- invariants ----------------------------------------------------------------------------------------------------


def assert_sound(engine: BatchEngine) -> None:
    """Fail if a field is out of bounds, an invariant is broken, or a seat to act has no legal action."""
    assert [fault.message for fault in unsound(engine)] == []
