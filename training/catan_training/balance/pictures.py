"""Pictures of a report as PNG: estimates with intervals, and response curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from catan_training.balance.findings import Finding
from catan_training.evaluation.statistics import DIFFERENCE, SHARE, Estimates

COLOR = "#0072B2"
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")


def forest(
    path: Path | BinaryIO, title: str, estimates: Estimates | Finding, bounds: np.ndarray, par: float | None = None
) -> None:
    """Draw one row per estimate with its interval, and a dashed line at `par`."""
    from matplotlib.figure import Figure  # without pyplot: no window system, no global state

    estimate_count = len(estimates.names)
    figure = Figure(figsize=(7.5, 0.32 * estimate_count + 1.1), layout="constrained")
    axes = figure.subplots()
    for position, (value, (low, high)) in enumerate(zip(estimates.values, bounds, strict=True)):
        axes.plot([low, high], [position, position], color=COLOR, lw=2)
        axes.plot(value, position, "o", color=COLOR, ms=5)
    if par is not None:
        axes.axvline(par, color="0.35", ls="--", lw=1)
    axes.set_yticks(range(estimate_count), estimates.names)
    axes.set_ylim(estimate_count - 0.5, -0.5)
    axes.set_title(title, loc="left", fontsize=10)
    axes.grid(axis="x", alpha=0.25)
    _percents(axes.xaxis, estimates.kind)
    figure.savefig(path, dpi=110, format="png")


def curves(
    path: Path,
    title: str,
    panels: Sequence[tuple[str, Estimates, np.ndarray]],
    settings: Sequence[Mapping[str, Any]],
    varied: Sequence[str],
) -> None:
    """Draw one panel per estimate, over the values of the first varied rule.

    Each combination of the other rules has its own line.
    """
    from matplotlib.figure import Figure

    column_count = min(3, len(panels))
    row_count = -(-len(panels) // column_count)
    figure = Figure(figsize=(3.6 * column_count, 2.5 * row_count + 0.4), layout="constrained")
    first_rule = varied[0]
    values = sorted({repr(setting[first_rule]): setting[first_rule] for setting in settings}.values(), key=_order)
    other_settings = [tuple((rule, str(setting[rule])) for rule in varied[1:]) for setting in settings]
    all_axes = figure.subplots(row_count, column_count, squeeze=False).ravel()
    for axes, (name, estimates, bounds) in zip(all_axes, panels, strict=False):
        for line_index, other_setting in enumerate(dict.fromkeys(other_settings)):
            indices = [k for k in range(len(settings)) if other_settings[k] == other_setting]
            x_positions = np.array([values.index(settings[k][first_rule]) for k in indices], float) + 0.06 * line_index
            label = ", ".join(f"{rule} {value}" for rule, value in other_setting)
            color = COLORS[line_index % len(COLORS)]
            axes.plot(x_positions, estimates.values[indices], "-o", color=color, ms=4, label=label or None)
            axes.vlines(x_positions, bounds[indices, 0], bounds[indices, 1], color=color, lw=2)
        axes.set_xticks(range(len(values)), map(str, values))
        axes.set_title(name, loc="left", fontsize=9)
        axes.grid(alpha=0.25)
        _percents(axes.yaxis, estimates.kind)
    for axes in all_axes[len(panels) :]:
        axes.set_visible(False)
    figure.suptitle(f"{title} (over {first_rule})", fontsize=10)
    if len(varied) > 1:
        figure.legend(
            *all_axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=column_count, fontsize=8
        )
    figure.savefig(path, dpi=110)


def _order(value: Any) -> tuple[bool, Any]:
    return (False, value) if isinstance(value, (int, float)) else (True, str(value))


def _percents(axis: Any, kind: str) -> None:
    if kind in (SHARE, DIFFERENCE):
        axis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
