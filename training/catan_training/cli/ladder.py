"""`catan ladder`."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_training.cli.checkout import tool
from catan_training.cli.options import add_workers, scenario, workers_of

SUMMARY = (
    "rate the agents that come along on every scenario, for the documentation's ladder; goes on after a kill; in a "
    "checkout of the repository"
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "scenarios", nargs="*", type=scenario, metavar="SCENARIO", help="names or files; default: every registered one"
    )
    parser.add_argument(
        "--paired-seeds",
        type=int,
        default=200,
        help="boards with their chance, at least so many, each played in all lineups and seats (default: 200)",
    )
    add_workers(parser)
    parser.add_argument(
        "--runs", default="runs/ladder", metavar="FOLDER", help="where games are noted (default: runs/ladder)"
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="where ladder.json.xz is kept (default: docs/measurements of the repository)",
    )


def run(options: argparse.Namespace) -> int:
    """Plays one scenario after the other; what came out is kept as soon as it is known."""
    import catan_env
    from catan_env.engine.registry import short_name
    from catan_training.cli.tournament import games_bar, mover
    from catan_training.evaluation.published import show

    ladder, measurements = tool("ladder"), tool("measurements")
    file = Path(options.out or measurements.FOLDER) / measurements.LADDER.name
    workers = workers_of(options)
    for name in options.scenarios or sorted(catan_env.scenarios()):
        fixtures = ladder.fixtures_of(name, options.paired_seeds)
        if ladder.is_kept(file, fixtures):
            print(f"{file}: {name} is kept already")
            continue
        with games_bar() as move:
            standings = ladder.climb(fixtures, Path(options.runs) / short_name(name), workers, mover(move))
        show([standings])
        measurements.keep(file, short_name(name), ladder.PART, standings)
        print(f"{file}: {name}", flush=True)
    return 0
