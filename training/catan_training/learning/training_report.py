"""The report and learning curve of a training run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from catan_env.whole_files import write_whole
from catan_training.evaluation.intervals import wilson_interval
from catan_training.evaluation.matches import Evaluation
from catan_training.evaluation.results import evaluate_command, rows
from catan_training.learning.config import TrainConfig, as_command
from catan_training.machine import machine, versions
from catan_training.tables import listed, markdown_table

PACKAGES = ("catan-env", "numpy", "numba", "torch", "safetensors", "gymnasium", "pettingzoo")
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
"""Colorblind-safe palette (Okabe and Ito, 2008)."""


def among(opponent: str) -> str:
    """Describe the opponents in an evaluation: one agent in all other seats, or nobody."""
    return f"against {opponent}" if opponent else "alone"


def draw_learning_curve(curve: Sequence[dict[str, Any]], path: Path) -> None:
    """Plot win rates with 95% bands against the number of decisions made by the learner.

    Args:
        curve: points with the keys `steps`, `scenario`, `players`, `opponent`, `wins` and `games`.
        path: PNG file to write.
    """
    from matplotlib.figure import Figure  # pyplot would need a window system and keep global state

    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    scenario, players = curve[0]["scenario"], curve[0]["players"]
    for color, opponent in zip(COLORS * 3, dict.fromkeys(point["opponent"] for point in curve), strict=False):
        points = [point for point in curve if point["opponent"] == opponent]
        steps = [point["steps"] for point in points]
        bands = [wilson_interval(point["wins"], point["games"]) for point in points]
        lows, highs = [low for low, _ in bands], [high for _, high in bands]
        axes.fill_between(steps, lows, highs, color=color, alpha=0.18, lw=0)
        rates = [point["wins"] / point["games"] for point in points]
        axes.plot(steps, rates, color=color, marker="o", ms=4, label=among(opponent))
    axes.axhline(1 / players, color="0.35", ls="--", lw=1, label=f"even share, 1/{players}")
    title = f"{scenario}, {players} players"
    axes.set(xlabel="decisions", ylabel="win rate, with 95% interval (Wilson)", title=title, ylim=(0, 1))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}" if value < 1e3 else f"{value / 1e3:,.0f} k")
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    axes.legend(loc="best", framealpha=0.8, edgecolor="none")
    figure.savefig(path, dpi=150)


def write_report(
    run: Path,
    settings: TrainConfig,
    facts: Mapping[str, Any],
    curve: Sequence[dict[str, Any]],
    results: Sequence[Evaluation],
) -> None:
    """Write learning_curve.png, report.json and report.md.

    Args:
        run: the run folder.
        settings: resolved settings.
        facts: the number of `steps`, the training time in `minutes`, whether the agent is `deterministic`, and which
            device it `learns on`.
        curve: points of the learning curve.
        results: the final evaluations.
    """
    summary = {
        "run": run.as_posix(),
        "command": as_command(settings),
        "steps": facts["steps"],
        "minutes": facts["minutes"],
        "steps_per_second": facts["steps"] / max(60 * facts["minutes"], 1e-9),
        "deterministic": facts["deterministic"],
        "results": [result.to_dict() for result in results],
        "learning_curve": list(curve),
        "settings": settings.to_dict(),
        "versions": versions(*PACKAGES),
        "machine": machine() | {"learns on": facts["learns on"]},
    }
    draw_learning_curve(curve, run / "learning_curve.png")
    write_whole(run / "report.json", json.dumps(summary, indent=2) + "\n")
    write_whole(run / "report.md", training_report(summary, results))


def training_report(summary: dict[str, Any], results: Sequence[Evaluation]) -> str:
    """Return the text of `report.md`."""
    settings, package_versions = summary["settings"], summary["versions"]
    imitation_share = settings["imitation_fraction"] if settings["teacher"] else 0
    phases = [f"imitation of `{settings['teacher']}`"] * (imitation_share > 0) + ["self-play"] * (imitation_share < 1)
    return "\n".join(
        [
            f"# Training run {summary['run']}",
            "",
            f"Trained on `{settings['scenario']}` with {settings['num_players']} players by {listed(phases)}: "
            f"{summary['steps']:,} decisions in "
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
