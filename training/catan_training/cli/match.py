"""The `catan match` command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import Any

from catan_training.cli.checkout import tool
from catan_training.cli.options import agent, key_values
from catan_training.json_files import write_json

SUMMARY = "play an agent against the players of another engine at its table, or against an agent game by game"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("folder", help="folder of the match; a match that was stopped resumes there")
    parser.add_argument(
        "--agent",
        help="agent of this package: a name, or the folder of a checkpoint; options as in mcts:simulations=100 "
        "(default: as in FOLDER; required for a new match)",
    )
    parser.add_argument(
        "--opponents",
        metavar="PLAYER",
        help="player on all other seats: catanatron:random, :weighted, :victory-points, :value, :alpha-beta "
        "or :same-turn-alpha-beta, or fastcatan; options as in catanatron:alpha-beta:depth=2 or fastcatan:depth=2; "
        "or an agent of this package, which plays here "
        "(default: as in FOLDER; required for a new match)",
    )
    parser.add_argument(
        "--players", type=int, default=2, help="number of players, 2 to 4, at fastcatan's table 4 (default: 2)"
    )
    parser.add_argument("--games", type=int, default=100, help="number of games; seats take turns (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of boards, chance and agents (default: 0)")
    parser.add_argument("--points", type=int, default=10, help="victory points that win (default: 10)")
    parser.add_argument("--hand-limit", type=int, default=7, help="cards to hold when a 7 is rolled (default: 7)")
    parser.add_argument("--friendly-robber", action="store_true", help="the robber spares players with few points")
    parser.add_argument(
        "--checkout",
        metavar="FOLDER",
        help="checkout of the other engine's repository (default: CATANATRON_CHECKOUT, or the installed release)",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="record the result in docs/measurements for the documentation (in a checkout of the repository)",
    )
    parser.add_argument("--json", metavar="FILE", help="JSON file for the result (default: not written)")


def run(options: argparse.Namespace) -> int:
    """Play or resume the match and print the result."""
    from catan_training.evaluation.outside import play_match, summary

    if options.checkout:
        os.environ["CATANATRON_CHECKOUT"] = options.checkout
    match = match_of(options)
    games = play_match(match, options.folder, lambda games: _tell(match, games))
    result = summary(match, games)
    print_summaries([result])
    if options.json:
        write_json(options.json, result)
    if options.record:
        print(tool("matches").record(options.folder))
    return 0


def match_of(options: argparse.Namespace) -> Any:
    """Return the match described by the options, or the folder's match if the options name no players.

    Raises:
        CatanError: an option is invalid.
    """
    from catan_agents.registry import FASTCATAN
    from catan_env.errors import OptionError
    from catan_training.evaluation.fixtures import Entrant
    from catan_training.evaluation.outside import Match, read_match
    from catan_training.evaluation.outside_tables import HERE, TABLES

    if options.agent is None and options.opponents is None:
        return read_match(options.folder)[0]
    if options.agent is None or options.opponents is None:
        raise OptionError("Give --agent and --opponents, or neither to resume the match in the folder.")
    table, _, rest = options.opponents.partition(":")
    name, _, texts = rest.partition(":")
    if table == FASTCATAN:
        name, texts = "alpha-beta", rest
    if table in TABLES and name:
        opponent_options: Mapping[str, Any] = key_values(texts) if texts else {}
    else:
        entrant = Entrant.read(agent(options.opponents))
        name, opponent_options, table = entrant.agent, entrant.options, HERE
    return Match(
        Entrant.read(agent(options.agent)).to_dict(),
        name,
        opponent_options,
        table,
        options.players,
        options.games,
        options.seed,
        options.points,
        options.hand_limit,
        options.friendly_robber,
    )


def print_summaries(results: list[dict[str, Any]]) -> None:
    """Print match results as a table."""
    from catan_training.tables import percent, print_table

    lines: list[tuple[str, ...]] = [
        (
            "agent",
            "against",
            "players",
            "games",
            "win rate",
            "Wilson",
            "by paired seeds",
            "points",
            "opponents' points",
            "ms",
        )
    ]
    for result in results:
        lines.append(
            (
                result["agent"],
                result["opponent"],
                str(result["players"]),
                f"{result['games']:,}",
                percent(result["win_rate"]),
                " to ".join(map(percent, result["interval"])),
                " to ".join(map(percent, result["paired_interval"])),
                f"{result['mean_points']:.2f}",
                f"{result['mean_opponent_points']:.2f}",
                f"{result['agent_ms']:.0f}",
            )
        )
    print_table(lines, "seats in turn", text_columns=2)
    for result in results:
        for name, count in result["differences"].items():
            print(f"{count:6d}  {name}")


def _tell(match: Any, games: list[Any]) -> None:
    """Print the match's current score to the terminal."""
    if sys.stderr.isatty() and games:
        won = sum(game.winner == game.seat for game in games)
        print(f"\r{len(games)} of {match.games} games, {won} won", end="", file=sys.stderr, flush=True)
