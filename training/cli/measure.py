"""`catan measure`."""

from __future__ import annotations

import argparse
from pathlib import Path

SUMMARY = "measure what a scenario's page says of it: games of the heuristic agent, learning, soundness"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from training.checking.measure import PARTS

    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="default: every registered one")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="default: all parts")
    parser.add_argument(
        "--games", type=int, default=10_000, help="of heuristic agents, for each number of players (default: 10000)"
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="of training (default: 5)")
    parser.add_argument(
        "--actions", type=int, default=10_000_000, help="at random, for each number of players (default: 10000000)"
    )
    parser.add_argument("--workers", type=int, help="processes that play games (default: one a core)")
    parser.add_argument(
        "--out", default="docs/measurements/scenarios", metavar="FOLDER",
        help="where NAME.json is written (default: docs/measurements/scenarios)",
    )


def run(options: argparse.Namespace) -> int:
    """Measures one part after the other; each is kept as soon as it is known."""
    import catan_env
    from training.checking.measure import keep, measure_learning, measure_play, measure_soak
    from training.cli.tournament import games_bar

    folder = Path(options.out)
    for name in options.scenarios or sorted(catan_env.scenarios()):
        path = folder / f"{name}.json"
        for part in options.only:
            if part == "play":
                with games_bar() as tell:
                    keep(path, part, measure_play(name, options.games, options.workers, tell))
            elif part == "learning":
                keep(path, part, measure_learning(name, minutes=options.minutes))
            else:
                keep(path, part, measure_soak(name, options.actions))
            print(f"{path}: {part}", flush=True)
    return 0
