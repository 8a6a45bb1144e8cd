"""What people read: tables of results, the picture of the learning curve, the report of a training run."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from training.evaluate import Evaluation, wilson_interval

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
"""Colours that the colour-blind tell apart (Okabe and Ito, 2008)."""


def versions(*packages: str) -> dict[str, str]:
    """Installed versions of Python and packages."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def machine() -> dict[str, Any]:
    """The processor, how many cores this process may use, and the load of the last minute, this process included."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"cpu": model, "cores": cores, "load": load, "system": f"{platform.system()} {platform.machine()}"}


def versus(result: Evaluation) -> str:
    """The opponents in few words."""
    names = list(dict.fromkeys(result.opponents))
    return ", ".join(f"{result.opponents.count(name)} {name}" for name in names)


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{100 * share:.1f}%"


def rows(results: Sequence[Evaluation]) -> list[tuple[str, ...]]:
    """Heading and one row of text per result."""
    heading = (
        "agent", "against", "games", "win rate", "95% interval", "even share", "points", "theirs", "actions", "cut off"
    )
    return [heading] + [
        (
            r.agent, versus(r), f"{r.games:,}", percent(r.win_rate),
            f"{percent(r.interval[0])} to {percent(r.interval[1])}", percent(1 / r.num_players),
            f"{r.mean_points:.2f}", f"{r.mean_opponent_points:.2f}", f"{r.mean_length:.0f}", str(r.truncated),
        )
        for r in results
    ]


def print_evaluations(results: Sequence[Evaluation], title: str = "") -> None:
    """Prints results as a table."""
    title = title or f"{results[0].scenario}, {results[0].num_players} players, seats rotated"
    print_table(rows(results), title, text_columns=2)


def print_table(lines: Sequence[Sequence[str]], title: str, text_columns: int = 1) -> None:
    """Prints rows of text, the first being the heading; columns after the first few hold numbers."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for k, name in enumerate(lines[0]):
        table.add_column(name, justify="left" if k < text_columns else "right")
    for line in lines[1:]:
        table.add_row(*line)
    console = Console()
    if not console.is_terminal:  # a file or pipe has no width: never shorten what somebody may want to search
        console = Console(width=160)
    console.print(table)


def markdown_table(lines: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    """The same rows in Markdown."""
    marks = ["---" if k < text_columns else "---:" for k in range(len(lines[0]))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], marks, *lines[1:]])


def draw_learning_curve(curve: Sequence[dict[str, Any]], num_players: int, title: str, path: Path) -> None:
    """Draws win rates over choices of the learner with their 95% bands.

    Args:
        curve: points with `steps`, `opponent`, `wins` and `games`.
        num_players: an even share of wins is 1 / num_players.
        title: of the picture.
        path: PNG file to write.
    """
    from matplotlib.figure import Figure  # drawn without pyplot: no window system, no global state

    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for color, opponent in zip(COLORS * 3, dict.fromkeys(point["opponent"] for point in curve), strict=False):
        points = [point for point in curve if point["opponent"] == opponent]
        steps = [point["steps"] for point in points]
        bands = [wilson_interval(point["wins"], point["games"]) for point in points]
        axes.fill_between(steps, [low for low, _ in bands], [high for _, high in bands], color=color, alpha=0.18, lw=0)
        rates = [point["wins"] / point["games"] for point in points]
        axes.plot(steps, rates, color=color, marker="o", ms=4, label=f"against {opponent}")
    axes.axhline(1 / num_players, color="0.35", ls="--", lw=1, label=f"even share, 1/{num_players}")
    axes.set(xlabel="choices of the learner", ylabel="win rate, with 95% interval (Wilson)", title=title, ylim=(0, 1))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}" if value < 1e3 else f"{value / 1e3:,.0f} k")
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    axes.legend(loc="upper left", frameon=False)
    figure.savefig(path, dpi=150)


def evaluate_command(agent: str, result: Evaluation) -> str:
    """The command line that plays the games of an evaluation with one kind of opponent."""
    words = ["catan", "evaluate", "--agent", agent, "--opponents", result.opponents[0], "--scenario", result.scenario]
    words += ["--players", result.num_players, "--games", result.games, "--seed", result.seed]
    if result.rules:
        words += ["--rules", *(f"{key}={value}" for key, value in result.rules.items())]
    return shlex.join(map(str, words))


def training_report(summary: dict[str, Any], results: Sequence[Evaluation]) -> str:
    """The text of `report.md`."""
    settings, found = summary["settings"], summary["versions"]
    return "\n".join([
        f"# Training run {summary['run']}",
        "",
        f"MaskablePPO on scenario `{settings['scenario']}`, {settings['num_players']} players, trained against "
        f"{', '.join(settings['opponents'])} for {summary['steps']:,} choices of the learner in "
        f"{summary['minutes']:.1f} minutes ({summary['steps_per_second']:,.0f} a second, evaluations left out). "
        f"Seed {settings['seed']}.",
        "",
        "## Win rates",
        "",
        markdown_table(rows(results), 2),
        "",
        "Every order of seats was played equally often from the same seeds; the agent "
        f"{'takes its most probable action' if settings['deterministic'] else 'samples from its policy'}. "
        "Intervals are Wilson's. A game that a limit cuts off is won by nobody.",
        "",
        "![Learning curve](learning_curve.png)",
        "",
        "## Again",
        "",
        "```sh",
        summary["command"],
        *(evaluate_command(summary["run"], result) for result in results),
        "```",
        "",
        "With `minutes` set, how far training gets depends on the machine; with `steps` alone the run is repeatable.",
        "",
        "## Settings",
        "",
        markdown_table([("setting", "value"), *((k, f"`{v}`") for k, v in settings.items())], 2),
        "",
        "## Machine",
        "",
        markdown_table([("what", "value"), *((k, str(v)) for k, v in (summary["machine"] | found).items())], 2),
        "",
        f"Written {datetime.now().astimezone().isoformat(timespec='seconds')}.",
        "",
    ])
