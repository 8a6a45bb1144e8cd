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
    """Return a heading and one row of text per result.

    Rows include the scenario if there are several, and the number of truncated games if there are any.
    """
    several = len({(result.scenario, result.num_players) for result in results}) > 1
    truncated = any(result.truncated for result in results)
    heading = "agent", "against", "games", "wins", "points", "others'", "actions"
    lines: list[tuple[str, ...]] = [
        (
            result.agent,
            f"{versus(result)} in {result.scenario}" if several else versus(result),
            f"{result.games:,}",
            "{:.1%} ({:.1f} to {:.1f})".format(result.win_rate, *(100 * bound for bound in result.interval)),
            f"{result.mean_points:.2f}",
            f"{result.mean_opponent_points:.2f}",
            f"{result.mean_length:.0f}",
            *([str(result.truncated)] if truncated else []),
        )
        for result in results
    ]
    return [(*heading, "truncated") if truncated else heading, *lines]


def print_evaluations(results: Sequence[Evaluation], title: str = "") -> None:
    """Print evaluation results as a table."""
    scenarios = dict.fromkeys(
        f"{result.scenario}, {result.num_players} players (even share {percent(1 / result.num_players)})"
        for result in results
    )
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
