"""The `catan watch` command."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from catan_env.whole_files import write_whole
from catan_training.cli.options import add_page_options, add_players

if TYPE_CHECKING:
    from catan_training.evaluation.single_games import SingleGame

SUMMARY = "play a game between agents and open its page in the browser"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_players(parser, default="best")
    parser.add_argument("--seed", type=int, default=0, help="seed of board, dice and agents (default: 0)")
    add_page_options(parser, "SCENARIO-seedN.html; the replay log gets the same name with .json")


def run(options: argparse.Namespace) -> int:
    """Play a game, write its log and page even if interrupted, and open the page."""
    from catan_agents.human import GameLeft
    from catan_env.engine.registry import short_name
    from catan_training.evaluation.single_games import SingleGame

    game = SingleGame(options.agents, options.scenario, options.players, options.seed, dict(options.rules))
    path = Path(options.out or f"{short_name(options.scenario)}-seed{options.seed}.html")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        play(game)
        print(game.result())
    except GameLeft as left:
        print(left)
    except BaseException:
        keep(game, path, opened=False)
        raise
    keep(game, path, not options.no_open)
    return 0


def play(game: SingleGame) -> None:
    """Play the game to completion. Show the points on stderr meanwhile, unless a person plays at the terminal."""
    from rich.console import Console

    if game.asks:
        game.run()
        return
    with Console(stderr=True).status("Thinking...") as status:
        for _ in game.steps():
            status.update(f"Playing. Points: {', '.join(map(str, game.engine.victory_points[0]))}")


def keep(game: SingleGame, path: Path, opened: bool) -> None:
    """Write a game's log and page."""
    from catan_env.render import replay_page
    from catan_training.evaluation.single_games import publish

    log = game.log()
    write_whole(path.with_suffix(".json"), json.dumps(log) + "\n")
    publish(replay_page(log), path, opened)
