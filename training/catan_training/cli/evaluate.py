"""The `catan evaluate` command."""

from __future__ import annotations

import argparse
from typing import Any

from catan_training.cli.options import AGENT, add_game_options, agent
from catan_training.json_files import write_json
from catan_training.machine import OWN, versions

SUMMARY = "measure an agent's win rate against others, over all orders of seats"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--agent",
        required=True,
        help=f"agent to evaluate: {AGENT}",
    )
    parser.add_argument(
        "--opponents",
        nargs="+",
        default=["random"],
        metavar="AGENT",
        help="opponents by seat, of which the last takes the remaining seats (default: random)",
    )
    add_game_options(parser)
    parser.add_argument(
        "--games",
        type=int,
        default=1000,
        help="number of games, rounded up to whole rotations of seats (default: 1000)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of boards, dice and agents (default: 0)")
    parser.add_argument("--json", metavar="FILE", help="JSON file for the result (default: not written)")


def run(options: argparse.Namespace) -> int:
    """Play the games and print the results."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_training.cli.games_bar import games_bar
    from catan_training.evaluation.matches import evaluate
    from catan_training.evaluation.results import print_evaluations

    agent_by_text = {text: player(text) for text in options.opponents}
    opponents = [agent_by_text[text] for text in options.opponents]
    with games_bar(transient=True) as tell:
        result = evaluate(
            player(options.agent),
            opponents if len(opponents) > 1 else opponents[0],
            options.scenario,
            options.players,
            options.games,
            options.seed,
            dict(options.rules),
            tell=tell,
        )
    print_evaluations([result])
    if options.json:
        write_json(options.json, result.to_dict() | {"versions": versions(OWN, "numpy", "numba")})
    return 0


def player(text: str) -> Any:
    """Return an agent for `evaluate`: a plain name unchanged, or an agent created with options and named `text`."""
    from catan_training.evaluation.fixtures import Entrant
    from catan_training.evaluation.paired_seeds import make_player

    parsed = agent(text)
    if parsed == text:
        return text
    made_agent = make_player(Entrant.read(parsed))
    made_agent.name = text
    return made_agent
