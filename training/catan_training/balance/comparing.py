"""Comparing conditions: differences on paired seeds, and response curves over rule numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from catan_training.balance.measures import MEASURES, ConditionGames, Measure
from catan_training.balance.pictures import Panel
from catan_training.balance.pictures import curves as draw_curves
from catan_training.balance.plan import Plan
from catan_training.evaluation.statistics import DIFFERENCE, ERROR, Estimates, written
from catan_training.tables import markdown_table

COMPARED = ("seats", "length", "endings", "lead")
"""Measures whose differences are reported. Their estimates have the same meaning in every condition."""
AT_MOST = 12
"""Maximum number of curves drawn per measure; the table lists all estimates."""
Keep = Callable[[str, str, str], str]
"""Takes a picture's name, title and SVG, stores the picture and returns Markdown for it."""


def paired(found: Mapping[int, ConditionGames]) -> dict[int, ConditionGames]:
    """Restrict the conditions to the paired seeds that all of them have, so that their errors line up."""
    shared = sorted(set.intersection(*(set(games.table["paired_seed"]) for games in found.values())))
    keep = pl.col("paired_seed").is_in(shared)
    if not shared:
        return {}
    return {k: ConditionGames(games.table.filter(keep), games.rows.filter(keep)) for k, games in found.items()}


def differences(plan: Plan, found: Mapping[int, ConditionGames]) -> Iterable[str]:
    """Yield the report section that compares every other condition with the first."""
    conditions = paired(found)
    first, *other_conditions = conditions
    yield "## Differences"
    yield (
        f"Each condition minus *{plan.conditions[first].label}*. All conditions play the same paired seeds: the same "
        "boards, where their maps are drawn in the same way, and the same random numbers for chance in the same order. "
        "Differences of shares are in percentage points. All intervals of this section hold simultaneously: by the "
        "maximum of t values within a measure, and by Bonferroni's inequality across measures and conditions."
    )
    error = ERROR / max(1, len(other_conditions) * len(COMPARED))
    for k in other_conditions:
        yield f"### {plan.conditions[k].label} minus {plan.conditions[first].label}"
        lines: list[tuple[str, ...]] = [("", "difference", "interval", "")]
        for measure in MEASURES:
            difference = differences_of(measure, conditions[k], conditions[first])
            if measure.key not in COMPARED or difference is None:
                continue
            for name, value, (low, high) in zip(
                difference.names, difference.values, difference.intervals(error), strict=True
            ):
                lines.append(
                    (
                        name,
                        _short(value, difference.kind),
                        f"{_short(low, difference.kind)} to {_short(high, difference.kind)}",
                        "differs" if low > 0 or high < 0 else "",
                    )
                )
        yield markdown_table(lines)


def differences_of(measure: Measure, games: ConditionGames, first: ConditionGames) -> Estimates | None:
    """Return one condition's estimates minus the first condition's, or None if either lacks the data."""
    estimates, first_estimates = measure.estimate(games), measure.estimate(first)
    return None if estimates is None or first_estimates is None else estimates - first_estimates


def curves(plan: Plan, found: Mapping[int, ConditionGames], picture: Keep) -> Iterable[str]:
    """Yield the report section that shows each measure at each value of the varied rules."""
    conditions = paired(found)
    varied = varied_rules(plan)
    settings = [plan.conditions[k].settings for k in conditions]
    yield "## Response to the rules"
    yield f"Varied rules: {', '.join(varied)}. The intervals of a row hold for all conditions simultaneously."
    for measure in MEASURES:
        estimates_by_condition = [measure.estimate(games) for games in conditions.values()]
        lines: list[tuple[str, ...]] = [("", *(plan.conditions[k].label for k in conditions))]
        panels = []
        for joined in along(estimates_by_condition):
            bounds = joined.intervals()
            lines.append(
                (
                    joined.names[0],
                    *(
                        f"{written(value, joined.kind)} ({written(low, joined.kind)} to {written(high, joined.kind)})"
                        for value, (low, high) in zip(joined.values, bounds, strict=True)
                    ),
                )
            )
            panels.append(Panel(joined.names[0], measure.unit(joined.names[0]), joined, bounds))
        if panels:
            yield f"### {measure.title}"
            yield picture(f"curve_{measure.key}", measure.title, draw_curves(panels[:AT_MOST], settings, varied))
            yield markdown_table(lines)


def varied_rules(plan: Plan) -> list[str]:
    """Return the names of the settings that differ between a sweep's conditions."""
    settings = [condition.settings for condition in plan.conditions]
    return [name for name in settings[0] if len({repr(setting[name]) for setting in settings}) > 1]


def along(estimates_by_condition: Sequence[Estimates | None]) -> Iterable[Estimates]:
    """Yield estimates, shape (conditions,), of each quantity that all conditions have, from the same paired seeds."""
    available = [estimates for estimates in estimates_by_condition if estimates is not None]
    if len(available) < len(estimates_by_condition):
        return
    for name in available[0].names:
        if all(name in estimates.names for estimates in available):
            selected = [estimates.take([name]) for estimates in available]
            yield Estimates(
                (name,) * len(selected),
                np.concatenate([estimates.values for estimates in selected]),
                np.concatenate([estimates.errors for estimates in selected], axis=1),
                selected[0].kind,
                np.concatenate([estimates.speaking for estimates in selected]),
            )


def signed(value: float, kind: str) -> str:
    """Format a difference with its sign and, for shares, its unit."""
    return written(value, kind) if kind == DIFFERENCE else f"{value:+z.2f}"


def _short(value: float, kind: str) -> str:
    return signed(value, kind).removesuffix(" points")


def grid(rules: Sequence[tuple[str, Sequence[Any]]]) -> list[dict[str, Any]]:
    """Return all combinations of rule values."""
    combinations: list[dict[str, Any]] = [{}]
    for name, values in rules:
        combinations = [combination | {name: value} for combination in combinations for value in values]
    return combinations
