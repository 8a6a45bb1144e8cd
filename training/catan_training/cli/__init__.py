"""The command line `catan`: a module a command, with `SUMMARY`, `add_options(parser)` and `run(options)`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from catan_env.errors import CatanError

COMMANDS = (
    "scenarios",
    "explain",
    "train",
    "evaluate",
    "tournament",
    "ladder",
    "balance",
    "tune",
    "train-value",
    "bench",
    "soak",
    "measure",
    "replay",
    "watch",
    "picture",
    "board",
    "docs",
)
"""Names of the commands in the order in which help lists them; their modules have the same names, with underscores."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status: 0, 1 where a check failed, 2 for errors in what was asked for."""
    parser = make_parser()
    options = parser.parse_args(argv)
    try:
        return options.run(options)
    except CatanError as error:
        print(f"catan {options.command}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("catan_env", "catan_agents", "catan_training"):
            raise
        print(
            f"catan {options.command} needs {error.name!r}, which is not installed: pip install 'catan-env[train]'",
            file=sys.stderr,
        )
        return 2
    except OSError as error:
        print(f"catan {options.command}: {error.strerror}: {error.filename}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"catan {options.command}: interrupted", file=sys.stderr)
        return 130


def make_parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    parser = argparse.ArgumentParser(prog="catan", description="Catan for reinforcement learning.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name in COMMANDS:
        module = import_module(f"catan_training.cli.{name.replace('-', '_')}")
        summary = module.SUMMARY
        command = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        command.set_defaults(run=module.run, parser=parser)
        module.add_options(command)
    return parser
