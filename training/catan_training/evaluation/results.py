"""Results of evaluations as people read them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from catan_training.evaluation.matches import Evaluation
from catan_training.tables import percent, print_table


def versus(result: Evaluation) -> str:
    """The opponents in few words."""
    names = list(dict.fromkeys(result.opponents))
    return ", ".join(f"{result.opponents.count(name)} {name}" for name in names) or "nobody"


def rows(results: Sequence[Evaluation]) -> list[tuple[str, ...]]:
    """Heading and one row of text per result; of several scenarios, the rows say which."""
    several = len({(r.scenario, r.num_players) for r in results}) > 1
    heading = (
        "agent",
        "against",
        "games",
        "win rate",
        "95% interval",
        "even share",
        "points",
        "theirs",
        "actions",
        "cut off",
    )
    lines: list[tuple[str, ...]] = [
        (
            r.agent,
            f"{versus(r)} in {r.scenario}" if several else versus(r),
            f"{r.games:,}",
            percent(r.win_rate),
            f"{percent(r.interval[0])} to {percent(r.interval[1])}",
            percent(1 / r.num_players),
            f"{r.mean_points:.2f}",
            f"{r.mean_opponent_points:.2f}",
            f"{r.mean_length:.0f}",
            str(r.truncated),
        )
        for r in results
    ]
    return [heading, *lines]


def print_evaluations(results: Sequence[Evaluation], title: str = "") -> None:
    """Prints results as a table."""
    scenarios = dict.fromkeys(f"{r.scenario}, {r.num_players} players" for r in results)
    title = title or f"{'; '.join(scenarios)}, seats rotated"
    print_table(rows(results), title, text_columns=2)


def evaluate_command(agent: str, result: Evaluation) -> str:
    """The command line that plays the games of an evaluation with one kind of opponent."""
    words = ["catan", "evaluate", "--agent", agent, "--scenario", result.scenario]
    words += ["--opponents", result.opponents[0]] if result.opponents else []
    words += ["--players", str(result.num_players), "--games", str(result.games), "--seed", str(result.seed)]
    if result.rules:
        words += ["--rules", *(f"{key}={value}" for key, value in result.rules.items())]
    return shlex.join(words)
