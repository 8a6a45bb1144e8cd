"""SVG pictures for reports (intervals, response curves and histograms) that adapt to light or dark pages."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np

from catan_training.balance.findings import MeasureFinding
from catan_training.evaluation.statistics import DIFFERENCE, SHARE, Estimates

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
COLOR = COLORS[0]
INK = "#010203"
"""Placeholder color for text and axes in matplotlib. `themed` replaces it with the page's text color."""
THEME = "<style>svg{color:#1f2328}@media(prefers-color-scheme:dark){svg{color:#d8dee4}}</style>"
WIDTH = 4.2
"""Width of pictures in inches, chosen so that the text is legible on a phone."""
LABEL = 24
"""Number of characters after which labels are wrapped."""
MOST_BINS = 30
Unit = Callable[[str], str]
"""Maps an estimate's name to the unit of its axis."""


@dataclass(frozen=True)
class Panel:
    """One quantity across all conditions of a sweep.

    Attributes:
        name: the quantity's name.
        unit: the unit of its axis; panels with the same unit share an axis range.
        estimates: the estimates, shape (conditions,).
        bounds: the ends of the intervals, shape (conditions, 2).
    """

    name: str
    unit: str
    estimates: Estimates
    bounds: np.ndarray


def forest(estimates: Estimates | MeasureFinding, bounds: np.ndarray, unit: Unit, par: float | None = None) -> str:
    """Draw a row per estimate with its interval, a dashed line at `par`, and a separate axis for each unit."""
    rows_of_unit: dict[str, list[int]] = {}
    for k, name in enumerate(estimates.names):
        rows_of_unit.setdefault(unit(name), []).append(k)
    row_counts = [len(rows) for rows in rows_of_unit.values()]
    height = 0.34 * sum(row_counts) + 0.65 * len(row_counts)
    with _style():
        figure = _figure(height)
        all_axes = figure.subplots(len(row_counts), squeeze=False, height_ratios=row_counts).ravel()
        for axes, (title, rows) in zip(all_axes, rows_of_unit.items(), strict=True):
            for position, k in enumerate(rows):
                axes.plot(bounds[k], [position, position], color=COLOR, lw=2)
                axes.plot(estimates.values[k], position, "o", color=COLOR, ms=5)
            if par is not None:
                axes.axvline(par, color=INK, alpha=0.6, ls="--", lw=1)
            axes.set_yticks(range(len(rows)), [fill(estimates.names[k], LABEL) for k in rows])
            axes.set_ylim(len(rows) - 0.5, -0.5)
            axes.set_xlabel(title)
            axes.grid(axis="x", alpha=0.2)
            _round_ticks(axes.xaxis, estimates.kind)
        return _svg(figure)


def curves(panels: Sequence[Panel], settings: Sequence[Mapping[str, Any]], varied: Sequence[str]) -> str:
    """Draw one panel per quantity, plotted against the first varied rule. Panels with the same unit have equal axes.

    Each combination of the other rules' values is drawn as a separate line.
    """
    column_count = min(2, len(panels))
    row_count = -(-len(panels) // column_count)
    first_rule = varied[0]
    values = sorted({repr(setting[first_rule]): setting[first_rule] for setting in settings}.values(), key=_order)
    others = [", ".join(f"{rule}={setting[rule]}" for rule in varied[1:]) for setting in settings]
    lines = list(dict.fromkeys(others))
    with _style():
        figure = _figure(1.8 * row_count + 0.25 + 0.22 * (len(lines) if len(lines) > 1 else 0))
        all_axes = figure.subplots(row_count, column_count, squeeze=False).ravel()
        for axes, panel in zip(all_axes, panels, strict=False):
            for line_index, line in enumerate(lines):
                indices = [k for k in range(len(settings)) if others[k] == line]
                x_positions = [values.index(settings[k][first_rule]) + 0.06 * line_index for k in indices]
                color = COLORS[line_index % len(COLORS)]
                axes.plot(x_positions, panel.estimates.values[indices], "-o", color=color, ms=4, label=line or None)
                axes.vlines(x_positions, panel.bounds[indices, 0], panel.bounds[indices, 1], color=color, lw=2)
            axes.set_ylim(*_limits([other.bounds for other in panels if other.unit == panel.unit]))
            _value_ticks(axes, [str(value) for value in values])
            axes.set_title(fill(panel.name, LABEL), loc="left", fontsize=9)
            axes.set_ylabel(panel.unit)
            axes.grid(alpha=0.2)
            _round_ticks(axes.yaxis, panel.estimates.kind)
        for axes in all_axes[len(panels) :]:
            axes.set_visible(False)
        for axes in all_axes[: len(panels)][-column_count:]:
            axes.set_xlabel(first_rule)
        if len(lines) > 1:
            figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside lower center", frameon=False)
        return _svg(figure)


def histogram(values: np.ndarray, edges: np.ndarray, highest: float, unit: str) -> str:
    """Draw a histogram of relative frequencies, marking the median and the middle 80%.

    Args:
        values: the values, shape (n,).
        edges: the bin edges, shape (bins + 1,).
        highest: upper end of the vertical axis. Histograms with the same edges and upper end are comparable.
        unit: title of the horizontal axis.
    """
    low, median, high = np.quantile(values, (0.1, 0.5, 0.9))
    with _style():
        figure = _figure(2.1)
        axes = figure.subplots()
        axes.axvspan(low, high, color=INK, alpha=0.08, lw=0)
        axes.hist(values, edges, weights=np.full(len(values), 1 / len(values)), color=COLOR)
        axes.axvline(median, color=INK, ls="--", lw=1)
        axes.set_xlim(edges[0], edges[-1])
        axes.set_ylim(0, highest)
        axes.set_xlabel(f"{unit} (dashed: median; shaded: middle 80%)")
        axes.set_ylabel("share of games")
        _round_ticks(axes.yaxis, SHARE)
        return _svg(figure)


def common_bins(samples: Sequence[np.ndarray]) -> tuple[np.ndarray, float]:
    """Return bin edges, at round numbers, and an upper limit of the shares, shared by all samples' histograms."""
    from matplotlib.ticker import MaxNLocator

    low, high = min(sample.min() for sample in samples), max(sample.max() for sample in samples)
    edges = np.asarray(MaxNLocator(MOST_BINS, integer=True, steps=[1, 2, 5, 10]).tick_values(low, high + 1))
    highest = max(np.histogram(sample, edges)[0].max() / len(sample) for sample in samples)
    return edges, 1.1 * float(highest)


def themed(svg: str) -> str:
    """Make an SVG document take its text color from the page, or from the system theme if it is viewed on its own."""
    body = svg[svg.index("<svg") :].replace(INK, "currentColor")
    head, end, rest = body.partition(">")
    return f"{head}{end}{THEME}{rest}"


@contextmanager
def _style() -> Iterator[None]:
    """Set the style for all figures inside the `with` block."""
    import matplotlib

    colors = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "grid.color")
    style: Any = dict.fromkeys(colors, INK) | {
        "font.size": 9,
        "svg.fonttype": "none",
        "svg.hashsalt": "catan-env",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.facecolor": "none",
    }
    with matplotlib.rc_context(style):
        yield


def _figure(height: float) -> Any:
    from matplotlib.figure import Figure  # pyplot would need a window system and keep global state

    return Figure(figsize=(WIDTH, height), layout="constrained", facecolor="none")


def _svg(figure: Any) -> str:
    """Convert a figure to an SVG document without a date, so that equal figures produce identical files."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    return themed(re.sub(r"<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL))


def _limits(bounds: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return axis limits that include all intervals plus a margin."""
    ends = np.concatenate([array.ravel() for array in bounds])
    margin = 0.05 * float(np.ptp(ends)) or 0.05
    return float(ends.min()) - margin, float(ends.max()) + margin


def _value_ticks(axes: Any, labels: Sequence[str]) -> None:
    """Label a rule's values on the horizontal axis, at an angle if space is tight."""
    crowded = sum(map(len, labels)) > LABEL
    axes.set_xticks(range(len(labels)), labels, rotation=25 if crowded else 0, ha="right" if crowded else "center")


def _order(value: Any) -> tuple[bool, Any]:
    return (False, value) if isinstance(value, (int, float)) else (True, str(value))


def _round_ticks(axis: Any, kind: str) -> None:
    """Use only a few ticks, at round numbers, and format shares as percentages."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10], min_n_ticks=3))
    if kind in (SHARE, DIFFERENCE):
        axis.set_major_formatter(lambda value, _: f"{100 * value:.10g}%")
