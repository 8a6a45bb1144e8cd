"""`catan replay`."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_training.cli.options import add_page_options

SUMMARY = "make a page of a recorded game and open it in the browser"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="JSON file of a replay log (engine.replay_log)")
    parser.add_argument(
        "--names", nargs="+", metavar="NAME", help="of the players, by seat (default: those in the file)"
    )
    add_page_options(parser, "FILE with the ending .html")


def run(options: argparse.Namespace) -> int:
    """Makes the page and opens it."""
    from catan_env.render import replay_page
    from catan_training.evaluation.single_games import publish, read_log

    file = Path(options.file)
    page = replay_page(read_log(file), options.names)
    publish(page, Path(options.out) if options.out else file.with_suffix(".html"), not options.no_open)
    return 0
