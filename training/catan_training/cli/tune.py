"""The `catan tune` command."""

from __future__ import annotations

import argparse

from catan_training.cli.options import add_game_options

SUMMARY = "tune the weights of the searching agents by self-play"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_game_options(parser)
    parser.add_argument(
        "--out", required=True, metavar="FOLDER", help="folder of the run; an interrupted run there resumes"
    )
    parser.add_argument("--depth", type=int, default=1, help="search depth in decisions of the seat (default: 1)")
    parser.add_argument(
        "--opponents",
        nargs="+",
        default=[],
        metavar="AGENT",
        help="agents on all other seats, one per generation in turn (default: the current weights)",
    )
    parser.add_argument("--generations", type=int, default=100, help="total number of generations (default: 100)")
    parser.add_argument("--pairs", type=int, default=16, help="pairs of candidates per generation (default: 16)")
    parser.add_argument(
        "--paired-seeds",
        type=int,
        default=12,
        help="paired seeds that each candidate plays from every seat (default: 12)",
    )
    parser.add_argument(
        "--sigma", type=float, default=0.3, help="standard deviation of the changes to try (default: 0.3)"
    )
    parser.add_argument("--step", type=float, default=0.04, help="size of the first update (default: 0.04)")
    parser.add_argument("--worlds", type=int, default=1, help="sampled worlds per decision (default: 1)")
    parser.add_argument(
        "--start", metavar="FILE", help='weights to start from, or "untuned" (default: the bundled weights)'
    )
    parser.add_argument(
        "--chances",
        type=int,
        metavar="GAMES",
        help="number of games of greedy to fit chances to win to, instead of tuning (default: tune)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of games and candidates (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Tune weights or fit win-chance weights, and print the path of the result."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_training.learning.chances import RESULT as CHANCES
    from catan_training.learning.chances import fit_chances
    from catan_training.learning.tuning import RESULT, Tuning, tune

    if options.chances is not None:
        fit_chances(
            options.out,
            options.scenario,
            options.players,
            options.chances,
            dict(options.rules),
            options.start,
            options.seed,
            tell=print,
        )
        print(f"wrote {options.out}/{CHANCES}")
        return 0
    names = ("scenario", "players", "depth", "pairs", "paired_seeds", "sigma", "step", "worlds", "start", "seed")
    values = {name: getattr(options, name) for name in names}
    about = Tuning(rules=dict(options.rules), opponents=tuple(options.opponents), **values)
    tune(about, options.out, options.generations, tell=lambda line: print(line, flush=True))
    print(f"wrote {options.out}/{RESULT}")
    return 0
