"""The `catan ladder` command."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_training.cli.checkout import tool
from catan_training.cli.options import add_rules, add_workers, scenario, workers_of

SUMMARY = (
    "rate the bundled agents on every scenario for the documentation; resumes after an "
    "interruption (in a checkout of the repository)"
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
        "--paired-seeds",
        type=int,
        default=200,
        help="minimum number of paired seeds; each is played in all lineups and seats (default: 200)",
    )
    parser.add_argument("--players", type=int, help="number of players (default: the maximum of each scenario)")
    add_rules(parser)
    parser.add_argument(
        "--again",
        action="store_true",
        help="also replay games whose results do not say with which weights and networks agents played",
    )
    add_workers(parser)
    parser.add_argument(
        "--runs", default="runs/ladder", metavar="FOLDER", help="folder for the games (default: runs/ladder)"
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="folder for ladder.json.xz (default: docs/measurements of the repository)",
    )


def run(options: argparse.Namespace) -> int:
    """Rate the agents in one scenario after another, saving each result immediately."""
    import catan_env
    from catan_env.engine.registry import short_name
    from catan_training.cli.games_bar import games_bar, mover
    from catan_training.evaluation.published import show

    ladder, measurements = tool("ladder"), tool("measurements")
    file = Path(options.out or measurements.FOLDER) / measurements.LADDER.name
    workers = workers_of(options)
    for name in options.scenarios or sorted(catan_env.scenarios()):
        fixtures = ladder.fixtures_of(name, options.paired_seeds, options.players, dict(options.rules))
        part = ladder.part_of(fixtures)
        if ladder.is_kept(file, fixtures, options.again):
            print(f"{file}: {name} is up to date")
            continue
        with games_bar() as move:
            standings = ladder.climb(
                fixtures,
                Path(options.runs) / f"{short_name(name)}{part.removeprefix(ladder.PART)}",
                workers,
                mover(move),
                options.again,
            )
        show([standings])
        measurements.keep(file, short_name(name), part, standings)
        print(f"{file}: {name}", flush=True)
    return 0
