"""Cases side by side: differences paired by deal, and how measures respond to numbers of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from training.balance.measures import MEASURES, Games
from training.balance.plan import ERROR, Plan
from training.balance.statistics import DIFFERENCE, SHARE, Estimates
from training.tables import markdown_table, percent

COMPARED = ("seats", "length", "endings", "lead")
"""Measures whose differences are told: those that say the same thing in every case."""
FOLLOWED = (
    ("length", "turns"), ("length", "minutes"), ("seats", "1st to found"), ("lead", "ahead at half"),
    ("endings", "cut off"),
)
"""What response curves are drawn of."""
Draw = Callable[..., str]


def paired(found: Mapping[int, Games]) -> dict[int, Games]:
    """The same cases, each with the deals that all of them have, so that errors line up."""
    shared = sorted(set.intersection(*(set(games.table["deal"]) for games in found.values())))
    keep = pl.col("deal").is_in(shared)
    return {k: Games(games.table.filter(keep), games.rows.filter(keep)) for k, games in found.items()} if shared else {}


def differences(plan: Plan, found: Mapping[int, Games], picture: Draw) -> Iterable[str]:
    """Every further case against the first one."""
    cases = paired(found)
    first, *others = cases
    yield "## Differences"
    yield (
        f"Each case less *{plan.cases[first].label}*, paired by deal: all cases have the same seeds, hence the same "
        "boards where their maps are drawn alike, and the same random numbers for chance in the same order. Shares "
        "differ by points of a hundred. All intervals of this part hold at once: within a measure by the largest t "
        "value, over measures and cases by Bonferroni's inequality."
    )
    error = ERROR / max(1, len(others) * len(COMPARED))
    for k in others:
        yield f"### {plan.cases[k].label} less {plan.cases[first].label}"
        rows: list[tuple[str, ...]] = [("", "difference", "interval", "")]
        parts = []
        for measure in MEASURES:
            if measure.key in COMPARED:
                mine, theirs = measure.made(cases[k]), measure.made(cases[first])
                if mine is not None and theirs is not None:
                    parts.append(mine - theirs)
        for part in parts:
            for name, value, (low, high) in zip(part.names, part.values, part.intervals(error), strict=True):
                rows.append((name, _told(value, part.kind), f"{_told(low, part.kind)} to {_told(high, part.kind)}",
                             "differs" if low > 0 or high < 0 else ""))
        yield markdown_table(rows)


def curves(plan: Plan, found: Mapping[int, Games], picture: Draw) -> Iterable[str]:
    """What the measures are at every value of the rules that were varied."""
    cases = paired(found)
    varied = [rule for rule in plan.cases[0].rules if len({repr(case.rules[rule]) for case in plan.cases}) > 1]
    yield "## Response to the rules"
    yield f"What was varied: {', '.join(varied)}. The intervals of a row of the table below hold for all cases at once."
    rows: list[tuple[str, ...]] = [("", *(plan.cases[k].label for k in cases))]
    for key, name in FOLLOWED:
        joined = along(cases, key, name)
        if joined is None:
            continue
        bounds = joined.intervals()
        cells = [f"{_plain(v, joined.kind)} ({_plain(low, joined.kind)} to {_plain(high, joined.kind)})"
                 for v, (low, high) in zip(joined.values, bounds, strict=True)]
        rows.append((name, *cells))
        settings = [plan.cases[k].rules for k in cases]
        yield picture(f"curve_{key}_{name.replace(' ', '_')}", name, joined, bounds, settings, varied)
    yield markdown_table(rows)


def along(cases: Mapping[int, Games], key: str, name: str) -> Estimates | None:
    """One number in all cases, as estimates from the deals that they share; None where a case has not got it."""
    measure = next(measure for measure in MEASURES if measure.key == key)
    made = [measure.made(games) for games in cases.values()]
    if any(one is None or name not in one.names for one in made):
        return None
    taken = [one.take([name]) for one in made]
    names = tuple(f"{k}" for k in cases)
    return Estimates(
        names, np.concatenate([one.values for one in taken]), np.concatenate([one.errors for one in taken], axis=1),
        taken[0].kind, np.concatenate([one.speaking for one in taken]),
    )


def _plain(value: float, kind: str) -> str:
    return percent(value) if kind == SHARE else f"{value:.1f}"


def _told(value: float, kind: str) -> str:
    return f"{100 * value:+.1f}" if kind == DIFFERENCE else f"{value:+.2f}"


def grid(rules: Sequence[tuple[str, Sequence[Any]]]) -> list[dict[str, Any]]:
    """All combinations of values of some rules."""
    found: list[dict[str, Any]] = [{}]
    for name, values in rules:
        found = [one | {name: value} for one in found for value in values]
    return found
