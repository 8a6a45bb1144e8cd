"""What came of every choice: advantages and returns, each seat on its own clock.

What a seat is rewarded for a choice is all it gets until it chooses again, whoever moves meanwhile, or until the game
ends: a lost game's -1 reaches the loser's last choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catan_agents.seats import from_seats


@dataclass(frozen=True)
class Returns:
    """Of T choices in each of N games: advantages (T, N) of those who chose, and `targets` (T, N, players) for the
    values of all seats, the one that chose first, then the others to its left. All float32."""

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
    """Generalised advantage estimation (Schulman et al., 2016) for all seats at once, backward through the choices.

    Args:
        seats: (T, N) who was to act.
        chose: (T, N) bool: whether that was a choice of the learner.
        rewards: (T, N, players) that every seat got for what followed.
        over: (T, N) bool: whether the game ended with it.
        values: (T, N, players) expected before it, by seat number.
        last_values: (N, players) expected in the end; 0 where the game was over.
        discount, gae_lambda: from one choice of a seat to its next.
    """
    steps, games = seats.shape
    pending = np.zeros_like(last_values)  # rewards since the seat's next choice, looking back
    next_values = last_values.astype(np.float32)  # its value there
    surplus = np.zeros_like(last_values)  # and by how much the return exceeded it
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
