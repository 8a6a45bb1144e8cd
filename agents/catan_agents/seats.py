"""Values of all seats, by seat number or as a seat at the table counts: itself first, then the others to its left."""

from __future__ import annotations

import numpy as np


def to_seats(values: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Values (..., players) as a seat of (...) sees them, by seat number; a negative seat counts as 0."""
    players = values.shape[-1]
    return np.take_along_axis(values, (np.arange(players) - np.maximum(seats, 0)[..., None]) % players, axis=-1)


def from_seats(values: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """The inverse of `to_seats`."""
    players = values.shape[-1]
    return np.take_along_axis(values, (np.arange(players) + np.maximum(seats, 0)[..., None]) % players, axis=-1)
