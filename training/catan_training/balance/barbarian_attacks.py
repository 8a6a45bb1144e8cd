"""Statistics on barbarian attacks in Cities & Knights."""

from __future__ import annotations

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.games.base.network import CITY
from catan_env.games.cities_and_knights.knights import INACTIVE


class Attacks:
    """Counts the barbarian attacks in a batch of N games, and how many of them the knights repel.

    Attributes:
        counts: dict of (N,) int32, keyed by column of the games table.
    """

    def __init__(self, engine: BatchEngine):
        self.engine = engine
        self._near = self._attacks = self._strong = np.zeros(0, np.int64)
        self.counts = {name: np.zeros(engine.num_games, np.int32) for name in ("attacks", "attacks_beaten")}

    def before(self, rows: np.ndarray) -> None:
        """Record whether the knights are strong enough in games where the ship's next step triggers an attack.

        `rows` contains the indices of the games to check.
        """
        state = self.engine.state
        self._near = near = rows[state["barbarian_steps"][rows] + 1 >= self.engine.rules["steps_to_attack"]]
        self._attacks = state["attacks"][near]
        knights = (state["knight"][near] * (state["knight_state"][near] != INACTIVE)).sum(axis=1)
        cities = (state["building"][near] == CITY) & (state["building_owner"][near] < self.engine.num_players)
        self._strong = knights >= cities.sum(axis=1)

    def look(self) -> None:
        """Count the attacks in the last step."""
        attacked = self.engine.state["attacks"][self._near] > self._attacks
        self.counts["attacks"][self._near] += attacked
        self.counts["attacks_beaten"][self._near] += attacked * self._strong
