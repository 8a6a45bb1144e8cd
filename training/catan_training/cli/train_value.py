"""The `catan train-value` command."""

from __future__ import annotations

import argparse

from catan_training.cli.options import add_game_options, add_workers, workers_of

SUMMARY = "train a value network by TD(lambda) self-play, for the searching agents"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_game_options(parser)
    parser.add_argument(
        "--also",
        nargs="*",
        default=(),
        metavar="SCENARIO[:PLAYERS]",
        help="further scenarios for the same network (default: none)",
    )
    parser.add_argument(
        "--out", required=True, metavar="FOLDER", help="folder of the run; an interrupted run there resumes"
    )
    parser.add_argument("--rounds", type=int, default=40, help="total number of rounds (default: 40)")
    parser.add_argument("--games", type=int, default=10_000, help="games per round and scenario (default: 10000)")
    parser.add_argument(
        "--hidden", type=int, nargs=2, default=(64, 32), help="units of the two layers (default: 64 32)"
    )
    parser.add_argument(
        "--replay-rounds", type=int, default=4, help="number of recent rounds to learn from (default: 4)"
    )
    parser.add_argument(
        "--state-sample-rate", type=float, default=0.15, help="fraction of states used for training (default: 0.15)"
    )
    parser.add_argument("--epsilon", type=float, default=0.01, help="fraction of random actions (default: 0.01)")
    parser.add_argument(
        "--temperature",
        type=float,
        default=0.02,
        help="softmax temperature of action values in self-play, in victory points (default: 0.02)",
    )
    parser.add_argument(
        "--opponent-fraction", type=float, default=0.3, help="fraction of seats played by opponents (default: 0.3)"
    )
    parser.add_argument(
        "--opponents",
        nargs="+",
        default=("greedy",),
        metavar="AGENT",
        help="agents drawn evenly for these seats (default: greedy)",
    )
    parser.add_argument("--td-lambda", type=float, default=0.9, help="lambda of TD(lambda) (default: 0.9)")
    parser.add_argument(
        "--sibling-rate",
        type=float,
        default=0.0,
        help="fraction of decisions of which several actions are compared by playing on from each (default: 0)",
    )
    parser.add_argument(
        "--sibling-turns",
        type=int,
        nargs=2,
        default=(5, 8),
        metavar=("FIRST", "LAST"),
        help="turns after such a decision, of all players, at whose starts chances are estimated (default: 5 8)",
    )
    parser.add_argument(
        "--sibling-weight",
        type=float,
        default=60.0,
        help="weight of differences between compared actions in the loss (default: 60)",
    )
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate in the first round (default: 0.001)")
    parser.add_argument(
        "--rate-end", type=float, default=1e-4, help="learning rate in the last round (default: 0.0001)"
    )
    parser.add_argument("--batch", type=int, default=4096, help="states per gradient step (default: 4096)")
    parser.add_argument(
        "--check", type=int, default=5, help="rounds between evaluations; 0: no evaluations (default: 5)"
    )
    parser.add_argument("--check-games", type=int, default=1000, help="games per evaluation (default: 1000)")
    parser.add_argument(
        "--correction",
        type=float,
        default=0.0,
        help="fraction of the learned correction to add to greedy's weighted sum of terms; 0: the network replaces the "
        "sum (default: 0)",
    )
    parser.add_argument(
        "--start",
        nargs="+",
        default=(),
        metavar="NETWORK",
        help="bundled agents or networks to start from; several are averaged (default: start from games of greedy)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of games, network and agents (default: 0)")
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Train a value network and print its file's path."""
    from dataclasses import fields

    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_agents.bundled import VALUE_FILE
    from catan_training.learning.value_learning import learn_values
    from catan_training.learning.value_settings import ValueTraining

    values = {field.name: getattr(options, field.name) for field in fields(ValueTraining)}
    values |= {key: tuple(values[key]) for key in ("hidden", "sibling_turns", "opponents", "also", "start")}
    values["rules"] = dict(options.rules)
    about = ValueTraining(**values)
    learn_values(about, options.out, options.rounds, lambda line: print(line, flush=True), workers_of(options))
    print(f"wrote {options.out}/{VALUE_FILE}")
    return 0
