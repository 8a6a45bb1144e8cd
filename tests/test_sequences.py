"""Confidence sequences stay valid when checked after every value, and are narrow enough to be useful."""

import numpy as np
import pytest

from catan_training.evaluation.confidence_sequences import CELLS, ConfidenceSequence, interval_of_difference


def sequence(values):
    made = ConfidenceSequence()
    made.extend(values)
    return made


@pytest.mark.parametrize(("seats", "share"), [(1, 0.25), (4, 0.25), (4, 0.02), (1, 0.5), (24, 0.97)])
def test_the_mean_is_hardly_ever_out_at_any_time(seats, share):
    """Intervals only become narrower, so the last interval reveals every earlier miss."""
    rng = np.random.default_rng(7)
    missed = sum(
        not low <= share <= high
        for low, high in (sequence(rng.binomial(seats, share, 150) / seats).interval for _ in range(150))
    )
    assert missed <= 12  # at most 7.5 misses are expected, so more than 12 are unlikely


def test_an_interval_looked_at_too_often_misses():
    """The usual 95 % interval, checked after every value, misses far more often. Confidence sequences prevent this."""
    rng = np.random.default_rng(7)
    missed = 0
    for _ in range(150):
        values = rng.random(150) < 0.25
        counts = np.arange(1, 151)
        means = np.cumsum(values) / counts
        half = 1.96 * np.sqrt(means * (1 - means) / counts)
        missed += bool((np.abs(means - 0.25) > half)[20:].any())
    assert missed > 30


def test_intervals_shrink_as_those_of_a_fixed_number_of_values_do():
    values = np.random.default_rng(3).binomial(4, 0.25, 4000) / 4
    few, many = sequence(values[:1000]), sequence(values)
    assert many.high - many.low < 0.7 * (few.high - few.low)
    assert many.high - many.low < 2.5 * 2 * 1.96 * values.std() / np.sqrt(4000)
    assert many.low < values.mean() < many.high and many.mean == pytest.approx(values.mean())


def test_values_may_come_in_any_portions_and_extremes_are_known():
    values = np.random.default_rng(3).random(60)
    parts = ConfidenceSequence()
    for part in np.split(values, [1, 7, 40]):
        parts.extend(part)
    assert parts.interval == sequence(values).interval
    assert ConfidenceSequence().interval == (0.0, 1.0)
    low, high = sequence(np.zeros(300)).interval
    assert low == 0 and 1 / CELLS <= high < 0.05
    low, high = sequence(np.ones(300)).interval
    assert high == 1 and 0.95 < low < 1


def test_the_interval_stays_where_no_mean_is_left():
    """If no single mean explains the values, the last interval remains."""
    made = sequence(np.concatenate([np.zeros(200), np.ones(2000)]))
    low, high = made.interval
    assert 0 <= low < high <= 1


def test_differences():
    assert interval_of_difference(sequence([0.5] * 400)) == pytest.approx((0, 0, 0), abs=0.06)
