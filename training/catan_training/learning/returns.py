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
    length, games = seats.shape
    pending = np.zeros_like(last_values)  # rewards since the seat's next choice, looking back
    ahead = last_values.astype(np.float32)  # its value there
    surplus = np.zeros_like(last_values)  # and by how much the return exceeded it
    advantages = np.zeros((length, games), np.float32)
    targets = np.zeros_like(values)
    for t in range(length - 1, -1, -1):
        running = ~over[t][:, None]
        pending, ahead, surplus = pending * running + rewards[t], ahead * running, surplus * running
        targets[t] = pending + ahead + surplus
        own = np.flatnonzero(chose[t])
        seat = seats[t, own]
        value = values[t, own, seat]
        gained = pending[own, seat] + discount * ahead[own, seat] - value
        gained += discount * gae_lambda * surplus[own, seat]
        advantages[t, own] = gained
        targets[t, own, seat] = value + gained
        pending[own, seat], ahead[own, seat], surplus[own, seat] = 0.0, value, gained
    return Returns(advantages, from_seats(targets, seats))
