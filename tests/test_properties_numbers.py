"""Every number that a scenario accepts is played: games with another value go another way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.declare import Number
from catan_env.errors import BoardError, RuleValueError
from tests.strategies import PLAIN_PYTHON, every_scenario
from tests.test_properties_rules import published

WITHOUT_EFFECT = {
    "shuffle_harbors": "harbors that are drawn lie at random, and those of a board given as `board=` lie as it says",
}
"""Numbers that need not change any game of a scenario, and why."""
GIVEN = {
    "favor_tokens_of_2012": {"favor_set": "of_2012"},
    "victory_chips_of_2012": {"favor_set": "of_2012"},
    "largest_army_points": {"largest_army_minimum": 1},
}
"""Rules under which numbers matter, or matter to random players."""
NUM_GAMES, STEPS = 32, 3000
"""Enough for random players to play every card of the base game."""

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
        for _ in range(3):
            engine.random_rollout(STEPS, restart=False)
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
@every_scenario
def test_every_number_changes_the_game(scenario, players):
    """A number by some other value, a choice of words by every one that a board serves."""
    engine, games, without_effect = BatchEngine(scenario, 1, players), RandomGames(scenario, players), []
    for name, number in engine.program.composition.numbers.items():
        if name == "num_players" or name in WITHOUT_EFFECT:
            continue
        effects = []
        for value in other_values(number, engine.rules[name]):
            effects.append(games.effect(name, value))
            if effects[-1] == CHANGES and not number.choices:
                break
        if SAME in effects if number.choices else CHANGES not in effects:
            without_effect.append((name, list(zip(other_values(number, engine.rules[name]), effects, strict=False))))
    assert not without_effect
