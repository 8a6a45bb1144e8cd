"""Confidence intervals for win rates, without SciPy. All other intervals are in `evaluation.statistics`."""

from __future__ import annotations

import math

Z95 = 1.959963984540054
"""The 97.5% quantile of the normal distribution."""


def wilson_interval(wins: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Return the Wilson score interval (Wilson, 1927) of a proportion; (0, 1) without games."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    center = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, center - half), min(1.0, center + half)
