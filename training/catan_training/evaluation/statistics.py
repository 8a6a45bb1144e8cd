"""Estimates with simultaneous intervals, based on independent paired seeds.

Games within a paired seed are not independent, nor are seats within a game. Each estimate therefore stores every paired
seed's contribution to its error. The contributions give the correlations within any set of estimates and, by
subtraction, paired differences between conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import stats

from catan_training.evaluation.confidence_sequences import ConfidenceSequence
from catan_training.tables import percent

ERROR = 0.05
"""Maximum probability that any interval in a table misses the true value."""
DRAWS = 20_000
"""Number of simulated sets of estimates from which interval widths are computed, with an error below 1%."""
FEW = 15
"""Minimum number of paired seeds both for and against a share for its error to be treated as normal."""
TINY = 1e-9
SMALLEST = 1e-12
"""Smallest p-value that is printed exactly."""
MEAN, SHARE, DIFFERENCE, EFFECT = "mean", "share", "difference of shares", "effect"


@dataclass(frozen=True)
class Estimates:
    """K quantities estimated from the same C paired seeds.

    Attributes:
        names: (K,) names of the estimates.
        values: (K,) float64.
        errors: (C, K) float64, each paired seed's contribution to each estimate's error. The mean is 0; paired seeds
            without data contribute 0.
        kind: MEAN, SHARE (0 to 1), DIFFERENCE (of shares) or EFFECT (in standard deviations).
        speaking: (K,) number of paired seeds with data for each estimate; None if all have data.
    """

    names: tuple[str, ...]
    values: np.ndarray
    errors: np.ndarray
    kind: str = MEAN
    speaking: np.ndarray | None = None

    @property
    def standard_errors(self) -> np.ndarray:
        """Standard errors of the values, shape (K,); infinite if there is only one paired seed."""
        paired_seeds = len(self.errors)
        if paired_seeds < 2:
            return np.full(len(self.values), np.inf)
        return np.sqrt((self.errors**2).sum(0) / (paired_seeds - 1) / paired_seeds)

    def intervals(self, error: float = ERROR) -> np.ndarray:
        """Return simultaneous (low, high) intervals, shape (K, 2). All hold with probability at least 1 - `error`.

        Shares with few paired seeds for or against get exact intervals with a Bonferroni correction. Differences of
        shares with few differing paired seeds combine exact intervals for both directions. Sources: Hothorn, Bretz and
        Westfall, Simultaneous inference in general parametric models, Biometrical Journal 50 (2008), for the maximum of
        correlated t values; Clopper and Pearson, Biometrika 26 (1934).
        """
        spread = self.standard_errors
        half_widths = np.where(spread > 0, spread * self._widths(error), 0.0)
        bounds = np.stack([self.values - half_widths, self.values + half_widths], axis=1)
        if self.kind == SHARE:
            bounds = np.clip(bounds, 0, 1)
            speaking = np.full(len(self.values), len(self.errors)) if self.speaking is None else self.speaking
            for k, (share, paired_seeds) in enumerate(zip(self.values, speaking, strict=True)):
                if min(share, 1 - share) * paired_seeds < FEW:
                    bounds[k] = exact_share(share * paired_seeds, paired_seeds, error / len(self.values))
        if self.kind == DIFFERENCE:
            paired_seeds, error_each = self.values + self.errors, error / max(1, 2 * len(self.values))
            for k in np.flatnonzero(np.count_nonzero(np.abs(paired_seeds) > TINY, axis=0) < FEW).tolist():
                directions = paired_seeds[:, k], -paired_seeds[:, k]
                up_bounds, down_bounds = (
                    exact_share(np.maximum(direction, 0).sum(), len(direction), error_each) for direction in directions
                )
                bounds[k] = up_bounds[0] - down_bounds[1], up_bounds[1] - down_bounds[0]
        return bounds

    def _widths(self, error: float) -> float:
        """Return the intervals' half-width in standard errors."""
        paired_seeds = len(self.errors)
        if paired_seeds < 2:
            return 1.0
        moving = self.standard_errors > 0
        if moving.sum() < 2:
            return float(stats.t.ppf(1 - error / 2, paired_seeds - 1))
        with np.errstate(all="ignore"):
            correlation = np.corrcoef(self.errors[:, moving], rowvar=False)
        values, vectors = np.linalg.eigh(correlation)
        draws, scale = _draws(int(moving.sum()), paired_seeds - 1)
        simulated = draws @ (vectors * np.sqrt(np.clip(values, 0, None))).T / scale
        return float(np.quantile(np.abs(simulated).max(1), 1 - error))

    def __sub__(self, other: Estimates) -> Estimates:
        """Return differences within paired seeds for the estimates that both operands have."""
        names = tuple(name for name in self.names if name in other.names)
        own_columns, other_columns = ([estimates.names.index(name) for name in names] for estimates in (self, other))
        kind = DIFFERENCE if self.kind == SHARE else self.kind
        errors = self.errors[:, own_columns] - other.errors[:, other_columns]
        return Estimates(names, self.values[own_columns] - other.values[other_columns], errors, kind)

    def combined(self, names: Sequence[str], weights: np.ndarray) -> Estimates:
        """Return J weighted sums of the estimates, such as contrasts.

        Args:
            names: (J,) names of the sums.
            weights: (J, K) weight of each estimate in each sum; for a contrast of shares, the weights add up to 0.
        """
        kind = DIFFERENCE if self.kind == SHARE else self.kind
        return Estimates(tuple(names), weights @ self.values, self.errors @ weights.T, kind)

    def take(self, names: Sequence[str]) -> Estimates:
        """Return the estimates with the given names."""
        columns = [self.names.index(name) for name in names]
        speaking = None if self.speaking is None else self.speaking[columns]
        return Estimates(tuple(names), self.values[columns], self.errors[:, columns], self.kind, speaking)


@lru_cache(maxsize=64)
def _draws(number: int, freedom: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(number)
    return rng.standard_normal((DRAWS, number)), np.sqrt(rng.chisquare(freedom, (DRAWS, 1)) / freedom)


def ratios(names: Sequence[str], sums: np.ndarray, counts: np.ndarray, kind: str = MEAN) -> Estimates:
    """Divide sums by counts, both of shape (C, K) with one row per paired seed. Estimates without counts are dropped.

    Standard errors are those of a ratio of two means. Source: Cochran, Sampling techniques (1977), chapter 6.
    """
    sums, counts = np.broadcast_arrays(np.asarray(sums, np.float64), np.asarray(counts, np.float64))
    mean_counts = counts.mean(0)
    with np.errstate(all="ignore"):
        values = np.where(mean_counts > 0, sums.mean(0) / mean_counts, np.nan)
        errors = np.where(mean_counts > 0, (sums - values * counts) / mean_counts, np.nan)
    has_counts = mean_counts > 0
    speaking = (counts > 0).sum(0)
    return Estimates(
        tuple(np.array(names, object)[has_counts]),
        values[has_counts],
        errors[:, has_counts],
        kind,
        speaking[has_counts],
    )


def exact_share(hits: float, number: int, error: float = ERROR) -> tuple[float, float]:
    """Return the Clopper-Pearson interval for `hits` out of `number` independent trials; `hits` may be fractional."""
    low = stats.beta.ppf(error / 2, hits, number - hits + 1) if hits > 0 else 0.0
    high = stats.beta.ppf(1 - error / 2, hits + 1, number - hits) if hits < number else 1.0
    return float(low), float(high)


def always_valid(estimates: Estimates, error: float = ERROR) -> np.ndarray:
    """Return anytime-valid confidence intervals, shape (K, 2), for the shares in an unfinished study.

    These are confidence sequences with a Bonferroni correction; see `catan_training.evaluation.confidence_sequences`.
    """
    speaking = estimates.errors.any(axis=1)  # paired seeds with data
    intervals = []
    for value, errors in zip(estimates.values, estimates.errors[speaking].T, strict=True):
        sequence = ConfidenceSequence(error / len(estimates.values))
        sequence.extend(np.clip(value + errors * speaking.mean(), 0, 1))
        intervals.append(sequence.interval)
    return np.array(intervals)


def quantile_interval(values: np.ndarray, share: float, error: float = ERROR) -> tuple[float, float, float]:
    """Return a quantile of independent values, shape (n,), and both ends of its order-statistics interval.

    Source: Conover, Practical nonparametric statistics (1999), section 3.2, as in `scipy.stats.quantile_test`.
    """
    quantile = float(np.quantile(values, share))
    interval = stats.quantile_test(values, q=quantile, p=share).confidence_interval(1 - error)
    low, high = float(interval.low), float(interval.high)
    low, high = low if np.isfinite(low) else float(values.min()), high if np.isfinite(high) else float(values.max())
    return quantile, low, high


def chance_of_even(estimates: Estimates, share: float) -> float:
    """Return the p-value for the hypothesis that all values equal `share`. Shares may add up to one.

    Source: Wald's test (1943).
    """
    paired_seeds = len(estimates.errors)
    if paired_seeds < 2:
        return 1.0
    covariance = np.atleast_2d(np.cov(estimates.errors, rowvar=False)) / paired_seeds
    deviations = estimates.values - share
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    return (
        float(stats.chi2.sf(deviations @ np.linalg.pinv(covariance, hermitian=True) @ deviations, rank))
        if rank
        else 1.0
    )


def written(value: float, kind: str) -> str:
    """Format a value for display."""
    if kind == SHARE:
        return percent(value)
    if kind == DIFFERENCE:
        return f"{100 * value:+z.1f} points"
    return f"{value:z.2f}"


def probability(chance: float) -> str:
    """Format a p-value with its relation sign, such as "= 0.03" or "< 1e-12"."""
    return f"= {chance:.2g}" if chance >= SMALLEST else f"< {SMALLEST:g}"
