"""The `catan` command line. Each command is a module with `SUMMARY`, `add_options(parser)` and `run(options)`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from catan_env.errors import CatanError
from catan_env.outside import OWN_PACKAGES, find_in_folder, load_module
from catan_env.text_files import has_ending
from catan_training.cli.options import add_import

COMMANDS = (
    "scenarios",
    "explain",
    "new",
    "check",
    "train",
    "evaluate",
    "generate",
    "export",
    "push",
    "pull",
    "tournament",
    "ladder",
    "match",
    "import",
    "balance",
    "tune",
    "train-value",
    "bench",
    "soak",
    "measure",
    "replay",
    "watch",
    "play",
    "analyse",
    "picture",
    "board",
    "docs",
)
"""Command names in the order shown by the help. Command modules have the same names, with underscores."""
MODULES = {"import": "import_games"}
"""Command modules that need a different name because the command's name is a Python keyword."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    The status is 0 on success, 1 if a check fails, 2 for invalid input and 130 after Ctrl-C.
    """
    parser = make_parser()
    try:
        load_imports(argv)
    except CatanError as error:
        print(f"catan: {error}", file=sys.stderr)
        return 2
    options, unknown = parser.parse_known_args(argv)
    if unknown:  # argparse would show only the usage of `catan` itself
        options.command_parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    options.argv = list(sys.argv[1:] if argv is None else argv)
    try:
        status = options.run(options)
        sys.stdout.flush()
        return status
    except CatanError as error:
        print(f"catan {options.command}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in OWN_PACKAGES:
            raise
        extra = "play" if options.command == "play" else "train"
        print(
            f"catan {options.command} needs {error.name!r}, which is not installed: pip install 'catan-env[{extra}]'",
            file=sys.stderr,
        )
        return 2
    except BrokenPipeError:  # the process reading our output has exited, as in `catan scenarios | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        reason = f"{error.strerror}: {error.filename}" if error.filename else error
        print(f"catan {options.command}: {reason}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"catan {options.command}: interrupted", file=sys.stderr)
        return 130


def load_imports(argv: Sequence[str] | None) -> None:
    """Import the modules and scenario files given by `--import` before other options are parsed.

    Other options may refer to things that these modules register.

    Modules in the current folder can be imported, whether `catan` runs as a command or with `python -m`.

    Raises:
        CatanError: a module cannot be imported.
    """
    find_in_folder()
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    add_import(parser)
    try:
        modules = parser.parse_known_args(argv)[0].modules
    except argparse.ArgumentError:
        return  # the full parser will report it
    if modules:
        import catan_env
    for name in modules:
        if has_ending(name, ".toml"):
            catan_env.find_scenario(name)
        else:
            load_module(name, CatanError)


def make_parser() -> argparse.ArgumentParser:
    """Build the parser with all commands and their options."""
    parser = argparse.ArgumentParser(prog="catan", description="Catan for reinforcement learning.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name in COMMANDS:
        module = import_module(f"catan_training.cli.{MODULES.get(name, name.replace('-', '_'))}")
        summary = module.SUMMARY
        command = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        command.set_defaults(run=module.run, parser=parser, command_parser=command)
        module.add_options(command)
        add_import(command)
    return parser
