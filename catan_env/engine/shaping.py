"""Potential-based reward shaping (Ng, Harada and Russell, 1999), on each seat's own clock."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine.arguments import check_number
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT, WON

UNASKED = np.iinfo(np.int64).min  # no number of points: some games have negative ones


class Shaping:
    """Rewards visible victory points without changing which policies are best.

    Between two decisions of a seat lie any number of actions of others, and of its own that are forced and played by
    the engine. For the sum to telescope along the seat's own trajectory, whoever is asked again gets
    `discount * potential(now) - potential(when it was last asked)`, once; when a game ends, everybody does.
    The potential is `weight * visible points / victory points needed`, and 0 once somebody has won.
    """

    def __init__(self, engine: Any, weight: Any, discount: Any):
        check_number("shaping", weight)
        check_number("discount", discount, 1.0)
        self.engine, self.weight, self.discount = engine, float(weight), float(discount)
        self.points = np.full((engine.num_games, engine.num_players), UNASKED, np.int64)
        """Visible points of every seat when it was last asked."""

    def reset(self, games: np.ndarray | slice) -> None:
        """In these games nobody has been asked yet."""
        self.points[games] = UNASKED

    def reward(self, games: np.ndarray) -> None:
        """Adds to the engine's rewards what is due where something was played."""
        seats_to_act = self.engine.seat_to_act[games]
        seats = np.arange(self.engine.num_players)
        game_positions, seats = np.nonzero((seats_to_act[:, None] == seats) | (seats_to_act[:, None] == NO_SEAT_TO_ACT))
        self.engine.batch.rewards[games[game_positions], seats] += self.due(games[game_positions], seats)

    def due(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """(n,) float64: what seats (n,) get in games (n,) where each is asked now, or the game has ended."""
        points_now = self.engine.visible_points[games, seats]
        points_before = self.points[games, seats]
        self.points[games, seats] = points_now
        point_value = self.weight / self.engine.rules["victory_points"]
        points_after = np.where(self.engine.batch.ended[games] == WON, 0, points_now)
        return np.where(points_before == UNASKED, 0.0, point_value * (self.discount * points_after - points_before))
