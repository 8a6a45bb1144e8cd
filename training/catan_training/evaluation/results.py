"""Evaluation results as tables."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from catan_training.evaluation.matches import Evaluation
from catan_training.tables import percent, print_table


def versus(result: Evaluation) -> str:
    """Return a short text listing the opponents."""
    names = list(dict.fromkeys(result.opponents))
    return ", ".join(f"{result.opponents.count(name)} {name}" for name in names) or "nobody"


def rows(results: Sequence[Evaluation]) -> list[tuple[str, ...]]:
    """Return a heading and one row of text per result. Rows include the scenario if there are several."""
    several = len({(result.scenario, result.num_players) for result in results}) > 1
    heading = (
        "agent",
        "against",
        "games",
        "win rate",
        "95% interval",
        "even share",
        "points",
        "opponents' points",
        "actions",
        "truncated",
    )
    lines: list[tuple[str, ...]] = [
        (
            result.agent,
            f"{versus(result)} in {result.scenario}" if several else versus(result),
            f"{result.games:,}",
            percent(result.win_rate),
            f"{percent(result.interval[0])} to {percent(result.interval[1])}",
            percent(1 / result.num_players),
            f"{result.mean_points:.2f}",
            f"{result.mean_opponent_points:.2f}",
            f"{result.mean_length:.0f}",
            str(result.truncated),
        )
        for result in results
    ]
    return [heading, *lines]


def print_evaluations(results: Sequence[Evaluation], title: str = "") -> None:
    """Print evaluation results as a table."""
    scenarios = dict.fromkeys(f"{result.scenario}, {result.num_players} players" for result in results)
    title = title or f"{'; '.join(scenarios)}, seats rotated"
    print_table(rows(results), title, text_columns=2)


def evaluate_command(agent: str, result: Evaluation) -> str:
    """Return the command that reproduces an evaluation against a single kind of opponent."""
    words = ["catan", "evaluate", "--agent", agent, "--scenario", result.scenario]
    words += ["--opponents", result.opponents[0]] if result.opponents else []
    words += ["--players", str(result.num_players), "--games", str(result.games), "--seed", str(result.seed)]
    if result.rules:
        words += ["--rules", *(f"{key}={value}" for key, value in result.rules.items())]
    return shlex.join(words)
