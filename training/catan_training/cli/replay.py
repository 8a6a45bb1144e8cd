"""The `catan replay` command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_training.cli.options import add_page_options

SUMMARY = "show a recorded game in the browser, or draw it as a moving picture"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "file", metavar="FILE", help="JSON file of a replay log (engine.replay_log), or the folder of a balance study"
    )
    parser.add_argument(
        "--game",
        metavar="KEY",
        help="game of the study: condition.paired_seed.game, as its report lists them (default: FILE is a log)",
    )
    parser.add_argument(
        "--names", nargs="+", metavar="NAME", help="names of the players by seat (default: names in the file)"
    )
    add_page_options(parser, "FILE with the ending .html; the ending .svg makes a moving picture")


def run(options: argparse.Namespace) -> int:
    """Write a page and open it, or write an animation."""
    from catan_env.render import animate, replay_page
    from catan_env.text_files import has_ending
    from catan_training.evaluation.single_games import publish, read_log

    file = Path(options.file)
    log, default_page = game_of(file, options.game) if options.game else (read_log(file), file.with_suffix(".html"))
    if has_ending(options.out, ".svg"):
        print(animate(log, names=options.names).save(options.out))
        return 0
    page = replay_page(log, options.names)
    publish(page, Path(options.out or default_page), not options.no_open)
    return 0


def game_of(folder: Path, text: str) -> tuple[dict[str, Any], Path]:
    """Return the replay log of a game from a study, and the path of its page."""
    from catan_training.balance.notable import GameKey, page_of, replay_log
    from catan_training.balance.study import Study

    study = Study(folder)
    key = GameKey.read(text, study.plan)
    return replay_log(study, key), folder / page_of(key)
