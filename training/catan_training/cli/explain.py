"""The `catan explain` command."""

from __future__ import annotations

import argparse
import json

from catan_training.cli.options import SCENARIO, scenario

SUMMARY = "show the rules behind an action: legality, effects, events, questions and reactions"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("scenario", type=scenario, help=SCENARIO)
    parser.add_argument(
        "name",
        nargs="?",
        default="",
        metavar="ACTION",
        help=(
            "id or name of an action, or name of a decision, draw, event or question (default: overview "
            "of the scenario, with its fields, numbers and helpers)"
        ),
    )
    parser.add_argument("--json", action="store_true", help="print the tree as JSON")


def run(options: argparse.Namespace) -> int:
    """Print the tree of rules, without compiling anything."""
    from catan_env.engine.explain import explain
    from catan_env.engine.program import program_of
    from catan_env.engine.registry import find_scenario

    program = program_of(find_scenario(options.scenario))
    name = program.actions.pair(int(options.name))[0] if options.name.isdecimal() else options.name
    tree = explain(program.composition, name)
    print(json.dumps(tree.as_dict(), indent=2) if options.json else tree)
    return 0
