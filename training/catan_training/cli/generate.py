"""The `catan generate` command."""

from __future__ import annotations

import argparse

from catan_training.cli.options import SCENARIO, add_rules, add_workers, agent, scenario, workers_of

SUMMARY = "play games and write every decision to a dataset of Parquet files"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("scenario", type=scenario, metavar="SCENARIO", help=SCENARIO)
    parser.add_argument(
        "--agents",
        nargs="+",
        type=agent,
        required=True,
        metavar="AGENT",
        help="agents by seat, or one for all seats: names or folders, with options as in mcts:simulations=100; "
        "the seats rotate from game to game",
    )
    parser.add_argument("--players", type=int, help="number of players (default: the maximum of the scenario)")
    add_rules(parser)
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="number of games (default: 1000)")
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="folder of the dataset; the same command resumes it"
    )
    parser.add_argument("--shard", type=int, default=256, metavar="N", help="games per file (default: 256)")
    parser.add_argument("--seed", type=int, default=0, help="seed of boards, dice and agents (default: 0)")
    parser.add_argument(
        "--encoder", choices=("flat", "planes"), default="flat", help="encoder of observations (default: flat)"
    )
    parser.add_argument(
        "--dtype",
        choices=("uint8", "float32"),
        default="uint8",
        help="uint8: raw integers; float32: values in [0, 1] (default: uint8)",
    )
    parser.add_argument(
        "--reward",
        choices=("win_loss", "zero_sum"),
        default="win_loss",
        help="win_loss: +1 for the winner and -1 for all others; zero_sum: the losers share the -1 (default: win_loss)",
    )
    parser.add_argument("--forced", action="store_true", help="write decisions with one legal action too")
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Play the missing games and print the dataset's size."""
    import time

    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_env.render.markup import plural
    from catan_training.cli.games_bar import games_bar
    from catan_training.datasets.dataset import Dataset
    from catan_training.datasets.plan import DatasetPlan
    from catan_training.evaluation.fixtures import Entrant

    names = ("scenario", "players", "games", "shard", "seed", "encoder", "dtype", "reward", "forced")
    plan = DatasetPlan(
        tuple(map(Entrant.read, options.agents)),
        rules=dict(options.rules),
        **{name: getattr(options, name) for name in names},
    )
    workers = workers_of(options)
    dataset = Dataset.begin(options.out, plan)
    rows, start = dataset.rows, time.perf_counter()
    with games_bar() as move:
        dataset.run(workers, move)
    seconds = time.perf_counter() - start
    files = plural(len(dataset.shards), "file")
    print(f"{dataset.folder}: {dataset.games_done:,} games, {dataset.rows:,} decisions in {files}")
    if dataset.rows > rows:
        print(f"{(dataset.rows - rows) / seconds:,.0f} decisions per second")
    return 0
