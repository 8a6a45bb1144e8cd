"""The report and learning curve of a training run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from catan_training.evaluation.intervals import wilson_interval
from catan_training.evaluation.matches import Evaluation
from catan_training.evaluation.results import evaluate_command, rows
from catan_training.tables import listed, markdown_table

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
"""Colorblind-safe palette (Okabe and Ito, 2008)."""
MARKERS = "os^Dv"


def among(opponent: str) -> str:
    """Describe the opponents in an evaluation: one agent in all other seats, or nobody."""
    return f"against {opponent}" if opponent else "alone"


def draw_learning_curve(curve: Sequence[dict[str, Any]], path: Path) -> None:
    """Plot win rates with 95% bands against the number of decisions made by the learner.

    Colors distinguish opponents, and markers distinguish scenarios.

    Args:
        curve: points with the keys `steps`, `scenario`, `players`, `opponent`, `wins` and `games`.
        path: PNG file to write.
    """
    from matplotlib.figure import Figure  # pyplot would need a window system and keep global state

    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    scenarios = list(dict.fromkeys((point["scenario"], point["players"]) for point in curve))
    titles = [f"{scenario}, {players} players" for scenario, players in scenarios]
    for color, opponent in zip(COLORS * 3, dict.fromkeys(point["opponent"] for point in curve), strict=False):
        for marker, scenario, title in zip(MARKERS * 3, scenarios, titles, strict=False):
            points = [
                point
                for point in curve
                if (point["opponent"], point["scenario"], point["players"]) == (opponent, *scenario)
            ]
            steps = [point["steps"] for point in points]
            bands = [wilson_interval(point["wins"], point["games"]) for point in points]
            lows, highs = [low for low, _ in bands], [high for _, high in bands]
            axes.fill_between(steps, lows, highs, color=color, alpha=0.18, lw=0)
            rates = [point["wins"] / point["games"] for point in points]
            label = among(opponent) + (f" in {title}" if len(scenarios) > 1 else "")
            axes.plot(steps, rates, color=color, marker=marker, ms=4, label=label)
    for players in dict.fromkeys(players for _, players in scenarios):
        axes.axhline(1 / players, color="0.35", ls="--", lw=1, label=f"even share, 1/{players}")
    title = "; ".join(titles)
    axes.set(xlabel="decisions", ylabel="win rate, with 95% interval (Wilson)", title=title, ylim=(0, 1))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}" if value < 1e3 else f"{value / 1e3:,.0f} k")
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    axes.legend(loc="best", framealpha=0.8, edgecolor="none")
    figure.savefig(path, dpi=150)


def training_report(summary: dict[str, Any], results: Sequence[Evaluation]) -> str:
    """Return the text of `report.md`."""
    settings, package_versions = summary["settings"], summary["versions"]
    imitation_share = settings["imitation_fraction"] if settings["teacher"] else 0
    phases = [f"imitation of `{settings['teacher']}`"] * (imitation_share > 0) + ["self-play"] * (imitation_share < 1)
    scenarios_text = ", ".join(
        dict.fromkeys(f"`{evaluation.scenario}` with {evaluation.num_players} players" for evaluation in results)
    )
    return "\n".join(
        [
            f"# Training run {summary['run']}",
            "",
            f"Trained on {scenarios_text} by {listed(phases)}: {summary['steps']:,} decisions in "
            f"{summary['minutes']:.1f} minutes ({summary['steps_per_second']:,.0f} per second, without evaluations), "
            f"seed {settings['seed']}.",
            "",
            "## Win rates",
            "",
            markdown_table(rows(results), 2),
            "",
            "Every order of seats was played equally often from the same seeds. The agent "
            f"{'takes its most probable action' if summary['deterministic'] else 'samples from its policy'}. "
            "The intervals are Wilson intervals. Nobody wins a truncated game.",
            "",
            "![Learning curve](learning_curve.png)",
            "",
            "## Reproduce",
            "",
            "```sh",
            summary["command"],
            *(evaluate_command(summary["run"], result) for result in results),
            "```",
            "",
            "A run limited by `minutes` depends on the speed of the machine. A run limited by `steps` alone is "
            "repeatable.",
            "",
            "## Settings",
            "",
            markdown_table([("setting", "value"), *((name, f"`{value}`") for name, value in settings.items())], 2),
            "",
            "## Machine",
            "",
            markdown_table(
                [
                    ("fact", "value"),
                    *((name, str(value)) for name, value in (summary["machine"] | package_versions).items()),
                ],
                2,
            ),
            "",
            f"Written {datetime.now().astimezone().isoformat(timespec='seconds')}.",
            "",
        ]
    )
