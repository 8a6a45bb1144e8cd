"""Potential-based reward shaping (Ng, Harada and Russell, 1999), per seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine.arguments import check_number
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT, WON

UNASKED = np.iinfo(np.int64).min  # never a valid number of points, which can be negative


class Shaping:
    """A reward for visible victory points that leaves the optimal policies unchanged.

    Between two decisions of a seat, other seats act and the engine may play forced moves. To make the sum telescope
    along each seat's trajectory, a seat receives `discount * potential(now) - potential(last decision)` once, at its
    next decision. At the end of a game, every seat receives it. The potential is `weight * visible points / victory
    points needed`, or 0 once somebody has won.
    """

    def __init__(self, engine: Any, weight: Any, discount: Any):
        check_number("shaping", weight)
        check_number("discount", discount, 1.0)
        self.engine, self.weight, self.discount = engine, float(weight), float(discount)
        self.points = np.full((engine.num_games, engine.num_players), UNASKED, np.int64)
        """Each seat's visible points at its last decision."""

    def reset(self, games: np.ndarray | slice) -> None:
        """Forget the last decisions of all seats in these games."""
        self.points[games] = UNASKED

    def reward(self, games: np.ndarray) -> None:
        """Add any shaping that has come due after a step in these games to the engine's rewards."""
        seats_to_act = self.engine.seat_to_act[games]
        seats = np.arange(self.engine.num_players)
        game_positions, seats = np.nonzero((seats_to_act[:, None] == seats) | (seats_to_act[:, None] == NO_SEAT_TO_ACT))
        self.engine.batch.rewards[games[game_positions], seats] += self.due(games[game_positions], seats)

    def due(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Return the shaping, float64 of shape (n,), for `seats` that act next in `games` or whose game has ended."""
        points_now = self.engine.visible_points[games, seats]
        points_before = self.points[games, seats]
        self.points[games, seats] = points_now
        point_value = self.weight / self.engine.rules["victory_points"]
        points_after = np.where(self.engine.batch.ended[games] == WON, 0, points_now)
        return np.where(points_before == UNASKED, 0.0, point_value * (self.discount * points_after - points_before))
