"""`catan train-value`."""

from __future__ import annotations

import argparse

from catan_training.cli.options import add_game_options

SUMMARY = "learn by self-play how likely a seat is to win, for agents that look ahead"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_game_options(parser)
    parser.add_argument(
        "--also", nargs="*", default=(), metavar="SCENARIO[:PLAYERS]", help="scenarios that the network learns beside"
    )
    parser.add_argument("--out", required=True, metavar="FOLDER", help="what is kept; a training there goes on")
    parser.add_argument("--rounds", type=int, default=40, help="in all (default: 40)")
    parser.add_argument("--games", type=int, default=10_000, help="of a round, of each scenario (default: 10000)")
    parser.add_argument("--hidden", type=int, nargs=2, default=(64, 32), help="units of both layers (default: 64 32)")
    parser.add_argument("--replay-rounds", type=int, default=4, help="rounds that are learned from (default: 4)")
    parser.add_argument(
        "--state-sample-rate", type=float, default=0.15, help="of states that are looked at (default: 0.15)"
    )
    parser.add_argument("--epsilon", type=float, default=0.01, help="share of random actions (default: 0.01)")
    parser.add_argument(
        "--temperature",
        type=float,
        default=0.02,
        help="victory points within which worse actions are drawn (default: 0.02)",
    )
    parser.add_argument(
        "--opponent-fraction", type=float, default=0.3, help="share of seats that greedy plays (default: 0.3)"
    )
    parser.add_argument("--td-lambda", type=float, default=0.9, help="lambda of TD(lambda) (default: 0.9)")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at first (default: 0.001)")
    parser.add_argument("--rate-end", type=float, default=1e-4, help="and in the last round (default: 0.0001)")
    parser.add_argument("--batch", type=int, default=4096, help="states of a gradient step (default: 4096)")
    parser.add_argument("--check", type=int, default=5, help="rounds between two evaluations; 0: none (default: 5)")
    parser.add_argument("--check-games", type=int, default=1000, help="of an evaluation (default: 1000)")
    parser.add_argument(
        "--start",
        nargs="+",
        default=(),
        metavar="FILE",
        help="value network to begin with, of several the mean (default: games of greedy)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of everything (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Learns, and says what came out."""
    from dataclasses import fields

    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_agents.bundled import VALUE_FILE
    from catan_training.learning.value_learning import ValueTraining, learn_values

    values = {field.name: getattr(options, field.name) for field in fields(ValueTraining)}
    values |= {key: tuple(values[key]) for key in ("hidden", "also", "start")} | {"rules": dict(options.rules)}
    about = ValueTraining(**values)
    learn_values(about, options.out, options.rounds, tell=lambda line: print(line, flush=True))
    print(f"wrote {options.out}/{VALUE_FILE}")
    return 0
