"""Every rule number of a scenario has an effect: another value leads to different games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.declare import Number
from catan_env.engine.registry import find_scenario
from catan_env.errors import BoardError, RuleValueError
from tests.strategies import LARGEST, PLAIN_PYTHON, over, published

OTHER_SYSTEMS = ("cities_and_knights", "seafarers", "sea_robbers", "troy")
"""Random players hardly come to what many numbers of these say: each has tests of its own, and
`test_numbers_at_sea.py`."""
PLAYED = [
    (name, players)
    for name, players in LARGEST
    if not any(f".{system}." in module.__name__ for module in find_scenario(name).modules for system in OTHER_SYSTEMS)
]


def everywhere(engine: BatchEngine) -> bool:
    """`shuffle_harbors` applies to printed boards, but these scenarios draw their boards or have no harbors.
    `red_apart` changes nothing because red numbers are never adjacent along the official spirals."""
    return True


def on_maps_of_countries(engine: BatchEngine) -> bool:
    """These maps have no harbors, their certificates set the trade rates, and on the reconstructed maps no two sites or
    crossings are one road apart."""
    return "distance_rule" in engine.rules


def in_the_dice_game(engine: BatchEngine) -> bool:
    """Only single players win by victory points; random players never reach the joker that turns a die to any side."""
    return "turns_each" in engine.rules


WITHOUT_EFFECT: dict[str, Callable[[BatchEngine], bool]] = {
    "num_players": everywhere,
    "shuffle_harbors": everywhere,
    "red_apart": everywhere,
    "harbors": on_maps_of_countries,
    "generic_harbor_rate": on_maps_of_countries,
    "special_harbor_rate": on_maps_of_countries,
    "distance_rule": on_maps_of_countries,
    "chips_by_roads": on_maps_of_countries,
    "victory_points": in_the_dice_game,
    "gold_by_joker": in_the_dice_game,
}
"""Numbers that change no random game of some scenarios; the functions say where and why."""
GIVEN = {
    "favor_tokens_of_2012": {"favor_set": "of_2012"},
    "victory_chips_of_2012": {"favor_set": "of_2012"},
    "largest_army_points": {"largest_army_minimum": 1},
    "points_of_chip": {"crossings": "chips"},
}
"""Rules under which numbers matter, or matter to random players."""
NUM_GAMES, STEPS = 32, (100, 1000, 3000, 5000)
"""How far random games are looked at: enough to play every card of the base game."""

CHANGES, SAME, REFUSED = "changes games", "changes nothing", "is refused"


def other_values(number: Number, value: Any) -> list[Any]:
    """Return other values that a number accepts: all other choices, or values near this one and at the bounds."""
    if number.choices:
        return [choice for choice in number.choices if choice != value]
    array = np.array(value)
    first = np.zeros_like(array)
    first[(0,) * array.ndim] = 1
    others = (array + 1, array - 1, array + first, array - first, array * 0 + number.low, array * 0 + number.high)
    within = [np.clip(other, number.low, number.high) for other in others]
    return [other.tolist() for other in within if (other != array).any()]


class RandomGames:
    """Random games of a scenario, sampled at several points, by board and rules."""

    def __init__(self, scenario: str, players: int):
        self.scenario, self.players = scenario, players
        self.usual: dict[tuple[Any, str], list[bytes] | None] = {}

    def played(self, board: Any, rules: dict[str, Any]) -> list[bytes] | None:
        """Return records, masks and visible points at several steps, or None if board and rules conflict."""
        try:
            engine = BatchEngine(self.scenario, NUM_GAMES, self.players, seed=11, board=board, rules=rules)
        except (BoardError, RuleValueError):
            return None
        looks = []
        for step_count in STEPS:
            engine.random_rollout(step_count, restart=False)
            looks += [engine.state.tobytes(), engine.action_mask.tobytes(), engine.visible_points.tobytes()]
        return looks

    def effect(self, name: str, value: Any) -> str:
        """Return the effect of another value of a number, on the scenario's own board or on a published one."""
        effect, given = REFUSED, GIVEN.get(name, {})
        for board in (None, *published(self.scenario)):
            if (games := self.played(board, {**given, name: value})) is not None:
                usual_key = board, str(given)
                if usual_key not in self.usual:
                    self.usual[usual_key] = self.played(board, given)
                if games != self.usual[usual_key]:
                    return CHANGES
                effect = SAME
        return effect


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="plays thousands of games")
@over(PLAYED)
def test_every_number_changes_the_game(scenario, players):
    """A number must change games for some other value, a choice for every other option that some board allows."""
    engine, games, without_effect = BatchEngine(scenario, 1, players), RandomGames(scenario, players), []
    for name, number in engine.program.composition.numbers.items():
        if name in WITHOUT_EFFECT and WITHOUT_EFFECT[name](engine):
            continue
        effects = []
        for value in other_values(number, engine.rules[name]):
            effects.append(games.effect(name, value))
            if effects[-1] == CHANGES and not number.choices:
                break
        if SAME in effects if number.choices else CHANGES not in effects:
            without_effect.append((name, list(zip(other_values(number, engine.rules[name]), effects, strict=False))))
    assert not without_effect
