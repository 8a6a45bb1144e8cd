"""The benchmarks page: recorded speed and size of each scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catan_training.tables import number
from tools.pages.markdown import page, table


def benchmarks_page(benchmarks: Mapping[str, Any]) -> str:
    """Return the benchmarks page. `benchmarks` holds the figures of each scenario."""
    parts = [
        "Recorded with `catan measure NAME --only benchmarks`. Each figure is the median of several measurements, with "
        "the lowest and the highest. The games are at different stages, and actions are uniformly random among the "
        'legal ones. "No trade" sets `offers_per_turn=0`.',
    ]
    for record in benchmarks.values():
        machine, versions = record["machine"], record["versions"]
        parts += [
            f"## {record['scenario']}, {record['games']:,} games in the batch",
            f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; "
            + ", ".join(f"{package} {version}" for package, version in versions.items())
            + f"; {record['written'][:10]}.",
            table(
                ("Task", "Median", "Lowest", "Highest", "Unit", "Target"),
                (_figure(figure) for figure in record["figures"]),
            ),
        ]
    if len(parts) == 1:
        parts.append("No measurement has been recorded yet.")
    return page("Measurements", " from recorded measurements", *parts)


def _figure(figure: Mapping[str, Any]) -> tuple[str, ...]:
    target = figure["target"]
    bound = "" if target is None else ("at most " if figure["smaller_is_better"] else "at least ") + number(target)
    return figure["what"], *(number(figure[key]) for key in ("median", "low", "high")), figure["unit"], bound
