"""The command `catan watch`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from catan_env.whole_files import write_whole
from catan_training.cli.options import add_page_options, add_players

SUMMARY = "play a game between agents and open its page in the browser"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_players(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of board, dice and agents (default: 0)")
    add_page_options(parser, "SCENARIO-seedN.html; the replay log gets the same name with .json")


def run(options: argparse.Namespace) -> int:
    """Play a game, save its log, and write and open its page."""
    from catan_env.engine.registry import short_name
    from catan_env.render import replay_page
    from catan_training.evaluation.single_games import play, publish

    log = play(options.agents, options.scenario, options.players, options.seed, dict(options.rules))
    path = Path(options.out or f"{short_name(options.scenario)}-seed{options.seed}.html")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path.with_suffix(".json"), json.dumps(log) + "\n")
    publish(replay_page(log), path, not options.no_open)
    return 0
