"""Every number that a scenario accepts is played: games with another value go another way."""

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
    """`shuffle_harbors` is about printed boards, and those of these scenarios are drawn, or have no harbors; along the
    official spirals no red numbers meet."""
    return True


def on_maps_of_countries(engine: BatchEngine) -> bool:
    """They have no harbors, their certificates have rates of their own, and on the reconstructed ones no two sites or
    crossings are one road apart."""
    return "distance_rule" in engine.rules


def in_the_dice_game(engine: BatchEngine) -> bool:
    """Points win for a player alone; random players do not come to the joker for any side."""
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
    """Values that a number accepts: every other choice of words, or a few near this one and at its bounds."""
    if number.choices:
        return [choice for choice in number.choices if choice != value]
    array = np.array(value)
    first = np.zeros_like(array)
    first[(0,) * array.ndim] = 1
    others = (array + 1, array - 1, array + first, array - first, array * 0 + number.low, array * 0 + number.high)
    within = [np.clip(other, number.low, number.high) for other in others]
    return [other.tolist() for other in within if (other != array).any()]


class RandomGames:
    """Games of a scenario by random players, by board and rules: how they look as they go on."""

    def __init__(self, scenario: str, players: int):
        self.scenario, self.players = scenario, players
        self.usual: dict[tuple[Any, str], list[bytes] | None] = {}

    def played(self, board: Any, rules: dict[str, Any]) -> list[bytes] | None:
        """Records, masks and visible points now and then; None where these rules cannot be played on this board."""
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
        """What a number of another value does, on the scenario's own board or else on one of the published ones."""
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
    """A number by some other value, a choice of words by every one that a board serves."""
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
