"""Confidence sequences: intervals for a mean that are simultaneously valid at all times."""

from __future__ import annotations

import numpy as np

CELLS = 1000
"""Resolution of candidate means: intervals are rounded outwards to multiples of 1 / CELLS."""
CAUTION = 0.75
"""Maximum fraction of the capital placed on one bet."""


class ConfidenceSequence:
    """A sequence of intervals for the mean of independent values in [0, 1], all simultaneously valid.

    For every candidate mean, one bettor wagers that the mean is higher and another that it is lower. If the candidate
    is the true mean, their combined capital is unlikely ever to grow by a factor of 1 / `error`. Once it does, the
    candidate is permanently excluded. With probability at least 1 - `error`, the true mean is never excluded. You may
    therefore check the interval after every value and stop once it is narrow enough.

    Sources: Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, Journal of the Royal
    Statistical Society B 86 (2024), theorem 3 (hedged capital with predictable plug-in bets), with the running
    intersection; Ville's inequality.

    Attributes:
        error: maximum probability that the true mean is ever excluded.
        count: number of values so far.
        low, high: ends of the interval.
    """

    def __init__(self, error: float = 0.05):
        self.error = error
        self.count = 0
        self.low, self.high = 0.0, 1.0
        self._means = np.arange(1, CELLS) / CELLS
        self._log_up = np.zeros(CELLS - 1)
        self._log_down = np.zeros(CELLS - 1)
        self._possible = np.ones(CELLS - 1, bool)
        self._sum = 0.5  # a prior value of 0.5 with a fair coin's variance keeps early bets small
        self._squares = 0.25

    @property
    def mean(self) -> float:
        """Mean of the values, or 0.5 if there are none."""
        return (self._sum - 0.5) / self.count if self.count else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval based on all values so far. It never widens."""
        return self.low, self.high

    def extend(self, values: np.ndarray) -> None:
        """Add values in [0, 1], shape (n,), float64. The result does not depend on how they are split across calls."""
        for value in np.asarray(values, np.float64).tolist():
            self._take(value)

    def _take(self, value: float) -> None:
        variance = self._squares / (self.count + 1)
        self.count += 1
        bet = np.sqrt(2 * np.log(2 / self.error) / (variance * self.count * np.log(1 + self.count)))
        gain = value - self._means
        self._log_up += np.log1p(np.minimum(bet, CAUTION / self._means) * gain)
        self._log_down += np.log1p(-np.minimum(bet, CAUTION / (1 - self._means)) * gain)
        self._sum += value
        self._squares += (value - self._sum / (self.count + 1)) ** 2
        capital = np.maximum(self._log_up, self._log_down) - np.log(2)  # each bettor starts with half the capital
        possible = self._possible & (capital < np.log(1 / self.error))
        if possible.any():  # otherwise the true mean was excluded earlier, which has probability at most `error`
            self._possible = possible
            first, last = np.flatnonzero(possible)[[0, -1]].tolist()
            self.low, self.high = first / CELLS, (last + 2) / CELLS


def interval_of_difference(sequence: ConfidenceSequence) -> tuple[float, float, float]:
    """Return the mean, low end and high end for differences in [-1, 1], given a sequence for (1 + difference) / 2."""
    return 2 * sequence.mean - 1, 2 * sequence.low - 1, 2 * sequence.high - 1
