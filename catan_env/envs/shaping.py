"""Potential-based reward shaping (Ng, Harada and Russell, 1999), on each seat's own clock."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError


class Shaping:
    """Rewards visible victory points without changing which policies are best.

    Between two decisions of a seat lie any number of actions of others. For the sum to telescope along the seat's
    own trajectory, whoever decides again gets `discount * potential(now) - potential(its last decision)`, once.
    The potential is `weight * visible points / victory points needed`, and 0 once somebody has won.
    """

    def __init__(self, engine: BatchEngine, weight: Any, discount: Any):
        check_number("shaping", weight)
        check_number("discount", discount, high=1.0)
        self.weight, self.discount = float(weight), float(discount)
        self._last = np.zeros((engine.num_games, engine.num_players))

    def __bool__(self) -> bool:
        return self.weight > 0

    def start(self, engine: BatchEngine, games: np.ndarray) -> None:
        """Notes the potential of every seat in games that begin."""
        if self:
            self._last[games] = self._potentials(engine)[games]

    def rewards(self, engine: BatchEngine, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """(n,) float64: what seats (n,) get in games (n,), where each decides again or the game has ended."""
        now = self._potentials(engine)[games, seats]
        rewards = self.discount * now - self._last[games, seats]
        self._last[games, seats] = now
        return rewards

    def _potentials(self, engine: BatchEngine) -> np.ndarray:
        potentials = self.weight * engine.visible_points / engine.rules["victory_points"]
        potentials[engine.terminated] = 0.0
        return potentials


def check_number(name: str, value: Any, high: float = np.inf) -> None:
    """Raises OptionError unless the value is a number from 0 to `high`."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 <= value <= high:
        limits = "of at least 0" if high == np.inf else f"from 0 to {high:g}"
        raise OptionError(f"{name} is {value!r}; it must be a number {limits}.")
