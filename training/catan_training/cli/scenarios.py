"""The `catan scenarios` command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catan_env.engine.scenario import Scenario

SUMMARY = "list scenarios, or check scenario files and show facts, modules and numbers"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "scenarios",
        nargs="*",
        metavar="SCENARIO",
        help="names or paths of scenario files (default: list all registered scenarios)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the list of scenarios, or details of the named scenarios."""
    import catan_env

    if options.scenarios:
        print("\n\n".join(described(catan_env.find_scenario(name)) for name in options.scenarios))
        return 0
    lines = [("name", "version", "players", "title")]
    for name, scenario in sorted(catan_env.scenarios().items()):
        status = "" if scenario.facts.status == "official" else f" ({scenario.facts.status})"
        players = ", ".join(map(str, scenario.players))
        lines.append((name, str(scenario.version), players, f"{scenario.title}{status}"))
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    return 0


def described(scenario: Scenario) -> str:
    """Return a scenario's details, one per line."""
    from catan_env.games.rule_modules import name_in_files

    facts = scenario.facts
    lines = {
        "players": ", ".join(map(str, facts.players)),
        "information": facts.information,
        "chance": facts.chance,
        "utility": facts.utility.replace("_", " "),
        "longest game": f"{facts.longest_game} turns" if facts.longest_game else "no limit",
        "status": facts.status,
        "board": getattr(getattr(scenario.board, "map", scenario.board), "name", type(scenario.board).__name__),
        "modules": ", ".join(map(name_in_files, scenario.modules)),
        "numbers": ", ".join(f"{name} = {value}" for name, value in scenario.numbers.items()),
        **{
            f"with {count} players": ", ".join(f"{name} = {value}" for name, value in values.items())
            for count, values in scenario.numbers_for.items()
        },
        "optional rules": ", ".join(f"+{name}" for name in scenario.optional),
    }
    heading = f"{scenario.reference}: {scenario.title}, version {scenario.version}\n{scenario.summary}".rstrip()
    return "\n".join([heading, *(f"  {key}: {value}" for key, value in lines.items() if value)])
