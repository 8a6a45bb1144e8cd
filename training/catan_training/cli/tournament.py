"""The `catan tournament` command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_training.cli.options import AGENT, add_workers, agent, key_value, scenario, workers_of

SUMMARY = "play agents against each other, with anytime-valid intervals, or show the results"
UNSET: dict[str, Any] = {"default": argparse.SUPPRESS}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "what", choices=("run", "show"), help="run: start or resume the tournament in DIR; show: print its results"
    )
    parser.add_argument("folder", metavar="DIR", help="folder of the tournament")
    parser.add_argument(
        "--config", metavar="FILE", help="TOML file of settings; options take precedence (default: none)"
    )
    parser.add_argument(
        "--agents",
        nargs="+",
        type=agent,
        metavar="AGENT",
        help=f"agents, each {AGENT} (default: those of the settings file)",
        **UNSET,
    )
    parser.add_argument(
        "--scenarios",
        nargs="+",
        type=scenario,
        metavar="SCENARIO",
        help="names or files of scenarios (default: base)",
        **UNSET,
    )
    parser.add_argument(
        "--players",
        nargs="+",
        type=int,
        metavar="N",
        **UNSET,
        help=("numbers of players, each for the scenarios that allow it (default: the maximum of each scenario)"),
    )
    parser.add_argument(
        "--rules",
        nargs="*",
        type=key_value,
        metavar="KEY=VALUE",
        help="rule numbers to override, with values as in TOML: victory_points=8 "
        "(default: the numbers of the scenario)",
        **UNSET,
    )
    parser.add_argument(
        "--lineups",
        choices=("mixed", "duels"),
        **UNSET,
        help=(
            "mixed: all combinations of agents; duels: each agent against each other agent on all other "
            "seats (default: mixed)"
        ),
    )
    parser.add_argument(
        "--lineup",
        nargs="+",
        action="append",
        metavar="AGENT",
        help="agents of one lineup by seat; may be repeated (default: as --lineups says)",
        **UNSET,
    )
    parser.add_argument(
        "--orders", choices=("all", "rotations"), help="orders of seats for each paired seed (default: all)", **UNSET
    )
    parser.add_argument(
        "--games", type=int, help="maximum number of games per table, rounded up to whole jobs (default: 1000)", **UNSET
    )
    parser.add_argument(
        "--precision",
        type=float,
        metavar="SHARE",
        **UNSET,
        help=(
            "stop a table when all its win rates are known within plus or minus this fraction; 0: never (default: 0)"
        ),
    )
    parser.add_argument("--batch", type=int, metavar="GAMES", help="games per job of a worker (default: 96)", **UNSET)
    parser.add_argument("--seed", type=int, help="seed of boards, dice and agents (default: 0)", **UNSET)
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Play the remaining games or read the journal, then print and write the results."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_env.errors import OptionError
    from catan_training.cli.games_bar import games_bar, mover
    from catan_training.evaluation import published
    from catan_training.evaluation.fixtures import Fixtures
    from catan_training.evaluation.journal import Journal
    from catan_training.evaluation.tournaments import counted, run_tournament

    folder, given_settings = Path(options.folder), settings(options)
    if options.what == "show":
        if given_settings:
            raise OptionError(
                f"show takes no settings, but {', '.join(given_settings)} was given. Use run to change settings."
            )
        tables = counted(Journal(folder))
    else:
        if "agents" in given_settings or not folder.exists():
            fixtures = Fixtures.read(given_settings)
        else:
            fixtures = Fixtures.read(Journal(folder).fixtures.to_dict() | given_settings)
        workers = workers_of(options)
        with games_bar() as move:
            tables = run_tournament(fixtures, folder, workers, mover(move))
    standings = published.results(tables)
    published.show(standings)
    for path in published.write(folder, tables, standings):
        print(path)
    return 0


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """Combine the settings from the file and the command line. The command line takes precedence."""
    from catan_training.evaluation.fixtures import read_file

    names = ("agents", "scenarios", "players", "rules", "lineups", "orders", "games", "precision", "batch", "seed")
    values = read_file(options.config) if options.config else {}
    values |= {name: getattr(options, name) for name in names if hasattr(options, name)}
    if "rules" in values:
        values["rules"] = dict(values["rules"])
    if hasattr(options, "lineup"):
        values["lineups"] = options.lineup
    return values
