"""`catan measure`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_training.cli.checkout import tool
from catan_training.cli.options import add_workers, workers_of

PARTS = ("play", "strength", "learning", "values", "soak", "speed")
SUMMARY = "measure what a scenario's page says of it: games of the heuristic agent, learning, soundness, speed"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="default: every registered one")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="default: all parts")
    parser.add_argument(
        "--games",
        type=int,
        default=10_000,
        help="of heuristic agents, for each number of players; a tenth against others (default: 10000)",
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="of training (default: 5)")
    parser.add_argument("--rounds", type=int, default=4, help="in which a value network learns (default: 4)")
    parser.add_argument("--round-games", type=int, default=1500, help="of each of them (default: 1500)")
    parser.add_argument(
        "--actions", type=int, default=10_000_000, help="at random, for each number of players (default: 10000000)"
    )
    add_workers(parser)
    parser.add_argument(
        "--out",
        default="docs/measurements/scenarios",
        metavar="FOLDER",
        help="where NAME.json is written (default: docs/measurements/scenarios)",
    )


def run(options: argparse.Namespace) -> int:
    """Measures one part after the other; each is kept as soon as it is known."""
    import catan_env
    from catan_training.cli.tournament import games_bar

    measure = tool("measure")
    folder, workers = Path(options.out), workers_of(options)
    for name in options.scenarios or sorted(catan_env.scenarios()):
        path = folder / f"{name}.json"
        for part in options.only:
            found: dict[str, Any] | list[dict[str, Any]]
            if part == "play":
                with games_bar() as tell:
                    found = measure.measure_play(name, options.games, workers, tell)
            elif part == "strength":
                found = measure.measure_strength(name, max(options.games // 10, 1))
            elif part == "learning":
                found = measure.measure_learning(name, minutes=options.minutes)
            elif part == "values":
                found = measure.measure_values(name, options.rounds, options.round_games)
            elif part == "soak":
                found = measure.measure_soak(name, options.actions)
            else:
                found = measure.measure_speed(name)
            measure.keep(path, part, found)
            print(f"{path}: {part}", flush=True)
    return 0
