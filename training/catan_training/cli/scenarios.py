"""`catan scenarios`."""

from __future__ import annotations

import argparse

SUMMARY = "list the registered scenarios"


def add_options(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(options: argparse.Namespace) -> int:
    """Prints them."""
    import catan_env

    for name, scenario in sorted(catan_env.scenarios().items()):
        players = ", ".join(map(str, scenario.players))
        board = "" if scenario.facts.status == "official" else f" ({scenario.facts.status})"
        print(f"{name}  version {scenario.version}, {players} players: {scenario.title}{board}")
    return 0
