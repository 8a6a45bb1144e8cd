"""The `catan measure` command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_training.cli.checkout import tool
from catan_training.cli.options import add_workers, scenario, workers_of

PARTS = ("play", "strength", "learning", "values", "soak", "speed")
BENCHMARKS = "benchmarks"
SUMMARY = (
    "measure the figures of a scenario's page: games of the heuristic agent, learning, soundness, "
    "speed (in a checkout of the repository)"
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "scenarios",
        nargs="*",
        type=scenario,
        metavar="SCENARIO",
        help="names or files of scenarios (default: all registered scenarios)",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=(*PARTS, BENCHMARKS),
        default=list(PARTS),
        help=("parts to measure; benchmarks: the figures of `catan bench` (default: all parts of a scenario's page)"),
    )
    parser.add_argument(
        "--games",
        type=int,
        default=10_000,
        help=("games of heuristic agents per number of players; a tenth of them against others (default: 10000)"),
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="minutes of training (default: 5)")
    parser.add_argument("--rounds", type=int, default=4, help="rounds of value learning (default: 4)")
    parser.add_argument(
        "--round-games", type=int, default=1500, help="games per round of value learning (default: 1500)"
    )
    parser.add_argument(
        "--actions", type=int, default=10_000_000, help="random actions per number of players (default: 10000000)"
    )
    add_workers(parser)
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help=("folder for scenarios.json.xz and benchmarks.json.xz (default: docs/measurements of the repository)"),
    )


def run(options: argparse.Namespace) -> int:
    """Measure one part after another, saving each result immediately."""
    import catan_env
    from catan_env.engine.registry import short_name
    from catan_training.cli.games_bar import games_bar

    measure, measurements, workers = tool("measure"), tool("measurements"), workers_of(options)
    folder = Path(options.out or measurements.FOLDER)
    pages, benchmarks = folder / measurements.SCENARIOS.name, folder / measurements.BENCHMARKS.name
    for name in options.scenarios or sorted(catan_env.scenarios()):
        title = short_name(name)
        for part in options.only:
            if part == BENCHMARKS:
                measurements.write(
                    benchmarks, measurements.read(benchmarks) | {title: measure.measure_benchmarks(name)}
                )
                print(f"{benchmarks}: {title}", flush=True)
                continue
            figures: dict[str, Any] | list[dict[str, Any]]
            if part == "play":
                with games_bar() as tell:
                    figures = measure.measure_play(name, options.games, workers, tell)
            elif part == "strength":
                figures = measure.measure_strength(name, max(options.games // 10, 1))
            elif part == "learning":
                figures = measure.measure_learning(name, minutes=options.minutes)
            elif part == "values":
                figures = measure.measure_values(name, options.rounds, options.round_games)
            elif part == "soak":
                figures = measure.measure_soak(name, options.actions)
            else:
                figures = measure.measure_speed(name)
            measurements.keep(pages, title, part, figures)
            print(f"{pages}: {title}, {part}", flush=True)
    return 0
