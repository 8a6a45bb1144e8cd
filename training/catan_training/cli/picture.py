"""The `catan picture` command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_training.cli.options import add_players

SUMMARY = "draw pictures of games between agents"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_players(parser)
    parser.add_argument("folder", metavar="FOLDER", help="folder for the pictures, such as docs/images")
    parser.add_argument("--seed", type=int, default=0, help="seed of board, dice and agents (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Play a game and draw pictures of it as SVG and PNG."""
    import catan_env
    from catan_env.engine.registry import short_name
    from catan_env.render import draw
    from catan_training.evaluation.single_games import middle_of, play, policy_of

    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)

    def save(engine: catan_env.BatchEngine, name: str, **drawn: Any) -> None:
        for ending in (".svg", ".png"):
            path = draw(engine, names=names, **drawn).save(folder / f"{short_name(options.scenario)}_{name}{ending}")
            print(path)

    log = play(options.agents, options.scenario, options.players, options.seed, dict(options.rules))
    names = log["players"]
    middle = middle_of(log)
    save(middle, "game")
    save(middle, "seat", viewer=max(int(middle.seat_to_act[0]), 0))
    save(catan_env.replay(log), "end")
    initial_placement = next(engine for engine in catan_env.replay_steps(log) if engine.seat_to_act[0] >= 0)
    save(initial_placement, "policy", probabilities=policy_of(options.agents[0], initial_placement))
    return 0
