"""Every rule number of the scenarios at sea and of Troy changes the game.

Some value other than the scenario's own must lead random play with the same seed to other positions. Other tests check
the effect of each number on hand-made positions.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.declare import Number
from catan_env.errors import CatanError
from tests.strategies import CHECKED, PLAIN_PYTHON

AT_SEA = [name for name in catan_env.scenarios() if name.startswith("seafarers_") or name == "sea_robbers"]
GAMES, ROUNDS, STEPS = 64, 12, 400

OF_DRAWN_BOARDS = "the boards of these scenarios are published: only drawn ones have harbors to lay, or a frame"
NO_HARBORS = "there are no harbors"
OF_PRINTED_PIECES = "these boards print no starting pieces, so that the engine refuses any other value"
NO_OTHER_ISLAND = "nobody can settle on an island that is neither home nor without points of its own"
WITHOUT_EFFECT = {
    "harbors": OF_DRAWN_BOARDS,
    "red_apart": OF_DRAWN_BOARDS,
    "initial_placement": OF_PRINTED_PIECES,
    ("seafarers_new_world", "shuffle_harbors"): "players place the harbors",
    ("troy", "shuffle_harbors"): NO_HARBORS,
    ("troy", "generic_harbor_rate"): NO_HARBORS,
    ("troy", "special_harbor_rate"): NO_HARBORS,
    ("troy", "frame_is_sea"): "ships lie in hexes, not on paths",
    ("seafarers_cloth", "island_points"): NO_OTHER_ISLAND,
    ("seafarers_fog_islands", "island_points"): NO_OTHER_ISLAND,
    ("seafarers_forgotten_tribe", "island_points"): NO_OTHER_ISLAND,
    ("seafarers_pirate_islands", "island_points"): NO_OTHER_ISLAND,
}
"""Why a number changes nothing, for all of these scenarios or for one."""
IN_RARE_POSITIONS = {
    ("troy", "last_battle_points"): "test_a_battle_is_a_point_for_each_supporter_and_the_fifth_is_two",
    ("troy", "players_per_trade_goods"): "test_two_players_at_most_choose_the_same_resource",
}
"""What random play seldom comes to, with the test that does."""


def other_values(number: Number, own: Any) -> Iterator[Any]:
    """Yield values that a number accepts, except the scenario's own, nearest first."""
    if number.choices:
        yield from (choice for choice in number.choices if choice != own)
        return
    values = np.asarray(own)
    for other in (values + 1, values - 1, 2 * values + 1, np.full_like(values, number.low), values + 1000):
        other = np.clip(other, number.low, number.high)
        if (other != values).any():
            yield other.tolist()


def leads_elsewhere(scenario: str, rules: dict[str, Any], positions: list[bytes]) -> bool:
    """Return whether random play with other rules reaches other positions; False if the engine rejects the rules."""
    try:
        engine = BatchEngine(scenario, GAMES, seed=5, rules=rules)
    except CatanError:
        return False
    return any(position != expected for position, expected in zip(play(engine), positions, strict=True))


def play(engine: BatchEngine) -> Iterator[bytes]:
    """Yield the positions of an engine during random play, from the start."""
    engine.reset()
    yield engine.state.tobytes()
    for _ in range(ROUNDS):
        engine.random_rollout(STEPS)
        yield engine.state.tobytes()


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON or CHECKED, reason="millions of steps")
@pytest.mark.parametrize("scenario", [*AT_SEA, "troy"])
def test_every_number_changes_the_game(scenario):
    engine = BatchEngine(scenario, GAMES, seed=5)
    positions, unchanged = list(play(engine)), set()
    for number in engine.program.composition.numbers.values():
        if number.name != "num_players":
            values = other_values(number, engine.rules[number.name])
            if not any(leads_elsewhere(scenario, {number.name: value}, positions) for value in values):
                unchanged.add(number.name)
    known = {name for name in unchanged if {name, (scenario, name)} & {*WITHOUT_EFFECT, *IN_RARE_POSITIONS}}
    assert unchanged == known, f"without effect in {scenario}: {sorted(unchanged - known)}"
