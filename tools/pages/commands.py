"""The command-line page, generated from the `catan` parser."""

from __future__ import annotations

import argparse

from tools.pages.markdown import page, table


def options_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options and arguments of a parser, which argparse does not expose publicly."""
    return parser._actions  # noqa: SLF001


def commands_page(parser: argparse.ArgumentParser) -> str:
    """Return the page that lists all commands and their options."""
    (commands,) = (action.choices for action in options_of(parser) if isinstance(action.choices, dict))
    parts = ["`catan` is installed with the package; `make` targets call it."]
    for name, command in commands.items():
        parts += [f"## `catan {name}`", command.description or ""]
        option_rows = [
            (f"`{' '.join(action.option_strings) or action.dest}`", _values(action), action.help or "")
            for action in options_of(command)
            if action.dest != "help"
        ]
        if option_rows:
            parts.append(table(("Option", "Takes", "Meaning"), option_rows))
    return page("Command line", " from the parser of `catan`", *parts)


def _values(action: argparse.Action) -> str:
    """Return the values of an option as its help text shows them."""
    if action.nargs == 0:
        return ""
    name = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    repeated = {"+": f"{name} ...", "*": f"[{name} ...]"}
    return f"`{repeated.get(str(action.nargs), str(name))}`"
