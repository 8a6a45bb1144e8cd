"""Advantages and value targets of a rollout.

A seat's rewards accumulate until its next decision, including those for other seats' decisions. The -1 of a lost game
therefore goes to the loser's last decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catan_agents.seats import from_seats


@dataclass(frozen=True)
class Returns:
    """Results of T steps in N games, float32.

    Attributes:
        advantages: (T, N) advantage of the seat that acted.
        targets: (T, N, players) value targets: the seat that acted, then the seats to its left.
    """

    advantages: np.ndarray
    targets: np.ndarray


def returns_of(
    seats: np.ndarray,
    chose: np.ndarray,
    rewards: np.ndarray,
    over: np.ndarray,
    values: np.ndarray,
    last_values: np.ndarray,
    discount: float,
    gae_lambda: float,
) -> Returns:
    """Compute generalized advantage estimates (Schulman et al., 2016) for all seats, backward through time.

    Args:
        seats: (T, N) seat to act.
        chose: (T, N) bool: the learner made the decision.
        rewards: (T, N, players) rewards of each seat for the step.
        over: (T, N) bool: the step ended the game.
        values: (T, N, players) predicted values before the step, by seat.
        last_values: (N, players) predicted values after the last step; 0 in finished games.
        discount, gae_lambda: discount and lambda per decision of a seat.
    """
    steps, games = seats.shape
    pending = np.zeros_like(last_values)  # rewards until the seat's next decision
    next_values = last_values.astype(np.float32)  # predicted value at that decision
    surplus = np.zeros_like(last_values)  # advantage of that decision
    advantages = np.zeros((steps, games), np.float32)
    targets = np.zeros_like(values)
    for t in range(steps - 1, -1, -1):
        running = ~over[t][:, None]
        pending, next_values, surplus = pending * running + rewards[t], next_values * running, surplus * running
        targets[t] = pending + next_values + surplus
        own_games = np.flatnonzero(chose[t])
        seat = seats[t, own_games]
        values_before = values[t, own_games, seat]
        advantage = pending[own_games, seat] + discount * next_values[own_games, seat] - values_before
        advantage += discount * gae_lambda * surplus[own_games, seat]
        advantages[t, own_games] = advantage
        targets[t, own_games, seat] = values_before + advantage
        pending[own_games, seat], next_values[own_games, seat], surplus[own_games, seat] = 0.0, values_before, advantage
    return Returns(advantages, from_seats(targets, seats))
