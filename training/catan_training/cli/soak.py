"""The `catan soak` command."""

from __future__ import annotations

import argparse
import sys

from catan_training.cli.options import add_rules, add_scenario

SUMMARY = "play random games and check all invariants after every step"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--steps",
        type=int,
        default=100_000,
        help="actions per scenario and number of players, enough for games to end (default: 100000)",
    )
    add_scenario(
        parser, nargs="+", default=None, help="names or files of scenarios (default: all registered scenarios)"
    )
    parser.add_argument(
        "--players", type=int, nargs="+", metavar="N", help="numbers of players (default: all that the scenario allows)"
    )
    parser.add_argument("--games", type=int, default=64, help="games in the batch (default: 64)")
    parser.add_argument("--seed", type=int, default=0, help="seed of games and actions (default: 0)")
    add_rules(parser)
    parser.add_argument(
        "--out", default=".", metavar="FOLDER", help="folder for replay logs of failures (default: current folder)"
    )


def run(options: argparse.Namespace) -> int:
    """Play random games with checks. The exit status is 1 if a check fails or no game finishes."""
    import catan_env
    from catan_env.engine.registry import find_scenario
    from catan_training.benchmarks.soak import Soak

    failed = 0
    for name in options.scenario or sorted(catan_env.scenarios()):
        for players in options.players or find_scenario(name).players:
            run = Soak(name, players, options.games, options.seed, dict(options.rules))
            result = run.run(options.steps, options.out)
            print(
                f"{name}, {players} players: {result.actions:,} actions, {result.ended} games ended "
                f"({result.truncated} truncated), {result.replayed} replayed, {result.copied} copied, "
                f"{result.seconds:.0f} s: {result.verdict}",
                flush=True,
            )
            failed += result.verdict != "ok"
            if result.verdict == "INCOMPLETE":
                print("  no game ended: raise --steps, or lower --games", file=sys.stderr, flush=True)
            if result.failure:
                print(f"  {result.failure}\n  replay log: {result.replay_file}", file=sys.stderr, flush=True)
    return 1 if failed else 0
