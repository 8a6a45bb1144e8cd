"""Study results as numbers, and their presentation in reports and pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from catan_training.balance.measures import Measure
from catan_training.evaluation.statistics import ERROR, Estimates, probability, written
from catan_training.tables import markdown_table

DIGITS = 6
Row = tuple[str, float, float, float]
"""Name, value, and the low and high ends of the interval."""


@dataclass(frozen=True)
class MeasureFinding:
    """One measure's estimates and intervals, as plain numbers.

    Attributes:
        kind: the kind of value, as in `Estimates`.
        rows: name, value and interval of each estimate.
        par: the value that corresponds to no advantage.
        chance: p-value for the hypothesis that all values equal `par`; None if not tested.
        quantiles: quantiles of the number of turns, named after the share of games.
        ratings: agent ratings from `rated_games` games; interval ends are NaN if there are too few paired seeds.
    """

    kind: str
    rows: tuple[Row, ...]
    par: float | None = None
    chance: float | None = None
    quantiles: tuple[Row, ...] = ()
    ratings: tuple[Row, ...] = ()
    rated_games: int = 0

    @classmethod
    def of(cls, estimates: Estimates, bounds: np.ndarray, **more: Any) -> MeasureFinding:
        """Create a finding from estimates and their bounds, shape (K, 2)."""
        return cls(estimates.kind, rows_of(estimates.names, estimates.values, bounds), **more)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> MeasureFinding:
        """Create a finding from the output of `to_dict`."""
        tables = {key: tuple(map(tuple, given[key])) for key in ("rows", "quantiles", "ratings") if key in given}
        return cls(**{**given, **tables})

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable mapping, with numbers rounded to six digits and default values omitted."""
        default = MeasureFinding(self.kind, self.rows)
        return {
            key: _short(value)
            for key, value in asdict(self).items()
            if key in ("kind", "rows") or value != getattr(default, key)
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the estimates."""
        return tuple(row[0] for row in self.rows)

    @property
    def values(self) -> np.ndarray:
        """Values of the estimates, shape (K,), float64."""
        return np.array([row[1] for row in self.rows], np.float64)

    @property
    def bounds(self) -> np.ndarray:
        """Ends of the intervals, shape (K, 2), float64."""
        return np.array([row[2:] for row in self.rows], np.float64).reshape(-1, 2)

    def value_text(self, name: str) -> str:
        """Format the value with the given name and its interval, or return a dash if there is no such value."""
        for row in self.rows:
            if row[0] == name:
                value, low, high = (written(number, self.kind) for number in row[1:])
                return f"{value} ({low} to {high})"
        return "-"


def rows_of(names: Iterable[str], values: Iterable[float], bounds: Iterable[Iterable[float]]) -> tuple[Row, ...]:
    """Build rows from names, values and (low, high) pairs."""
    return tuple(
        (name, float(value), float(low), float(high))
        for name, value, (low, high) in zip(names, values, bounds, strict=True)
    )


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    return [_short(item) for item in value] if isinstance(value, (tuple, list)) else value


def finding_parts(measure: Measure, finding: MeasureFinding, picture: str = "") -> Iterable[str]:
    """Yield the section on a measure in Markdown."""
    yield f"### {measure.title}"
    yield measure.about
    yield estimates_table(finding)
    if finding.chance is not None:
        yield (
            "If all places were even, results at least this uneven would occur with probability "
            f"p {probability(finding.chance)} (Wald's test)."
        )
    if finding.quantiles:
        yield _quantiles_table(finding.quantiles)
    if finding.ratings:
        yield _ratings_table(finding.ratings, finding.rated_games)
    if picture:
        yield picture


def estimates_table(finding: MeasureFinding) -> str:
    """Format estimates and their intervals as a Markdown table."""
    lines = [("", "estimate", f"{100 * (1 - ERROR):.0f}% interval, simultaneous")]
    for name, *numbers in finding.rows:
        value, low, high = (written(number, finding.kind) for number in numbers)
        lines.append((name, value, f"{low} to {high}"))
    return markdown_table(lines)


def _quantiles_table(rows: Iterable[Row]) -> str:
    lines = [("turns", "estimate", "95% interval, simultaneous")]
    for share, value, low, high in rows:
        lines.append((f"{share} quantile", f"{value:.0f}", f"{low:.0f} to {high:.0f}"))
    return markdown_table(lines)


def _ratings_table(rows: Iterable[Row], games: int) -> str:
    lines = [("rating", f"from {games:,} games", "95% interval")]
    for label, rating, low, high in rows:
        lines.append((label, f"{rating:.1f}", "too few paired seeds" if np.isnan(low) else f"{low:.1f} to {high:.1f}"))
    return markdown_table(lines)
