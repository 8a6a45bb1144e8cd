"""Confidence sequences: intervals for a mean that hold at all times at once, however often one looks."""

from __future__ import annotations

import numpy as np

CELLS = 1000
"""Means told apart: intervals are rounded outwards to 1 / CELLS."""
CAUTION = 0.75
"""No bet stakes more than this share of the capital."""


class ConfidenceSequence:
    """Intervals for the mean of independent values in [0, 1], valid at every number of values simultaneously.

    For every candidate mean, two bettors wager on the values: one that the mean is higher, one that it is lower. Were
    the candidate true, neither would be likely ever to multiply the capital by 1 / `error`; so a candidate is out, for
    good, once one has. With probability at least 1 - `error` the true mean is never out. One may therefore
    look after every value, and stop when the interval is narrow enough.

    Sources: Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, Journal of the Royal
    Statistical Society B 86 (2024), theorem 3 (hedged capital with predictable plug-in bets), with the
    running intersection; Ville's inequality.
    """

    def __init__(self, error: float = 0.05):
        self.error = error
        self.count = 0
        self.low, self.high = 0.0, 1.0
        self._means = np.arange(1, CELLS) / CELLS
        self._log_up = np.zeros(CELLS - 1)
        self._log_down = np.zeros(CELLS - 1)
        self._possible = np.ones(CELLS - 1, bool)
        self._sum = 0.5  # half a value of 1, and of the variance of a fair coin: the first bets are cautious
        self._squares = 0.25

    @property
    def mean(self) -> float:
        """Mean of the values; 0.5 without any."""
        return (self._sum - 0.5) / self.count if self.count else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The interval after all values so far: it only ever becomes narrower."""
        return self.low, self.high

    def extend(self, values: np.ndarray) -> None:
        """Takes further values, (n,) float64 in [0, 1]; one call with all is the same as many calls."""
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
        capital = np.maximum(self._log_up, self._log_down) - np.log(2)  # each bettor has half of it
        possible = self._possible & (capital < np.log(1 / self.error))
        if possible.any():  # else the truth was missed before, as may happen with probability `error`
            self._possible = possible
            first, last = np.flatnonzero(possible)[[0, -1]].tolist()
            self.low, self.high = first / CELLS, (last + 2) / CELLS


def interval_of_difference(sequence: ConfidenceSequence) -> tuple[float, float, float]:
    """Mean and interval of differences in [-1, 1] that a sequence took as (1 + difference) / 2."""
    return 2 * sequence.mean - 1, 2 * sequence.low - 1, 2 * sequence.high - 1
