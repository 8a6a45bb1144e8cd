"""Convert between values indexed by seat number and values indexed by relative seat.

Relative seats are counted from the seat itself, continuing to its left.
"""

from __future__ import annotations

import numpy as np


def to_seats(values: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Convert values (..., players) from relative seats to seat numbers. A negative seat is treated as 0."""
    players = values.shape[-1]
    return np.take_along_axis(values, (np.arange(players) - np.maximum(seats, 0)[..., None]) % players, axis=-1)


def from_seats(values: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Convert values (..., players) from seat numbers to relative seats: the inverse of `to_seats`."""
    players = values.shape[-1]
    return np.take_along_axis(values, (np.arange(players) + np.maximum(seats, 0)[..., None]) % players, axis=-1)
