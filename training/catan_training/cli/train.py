"""The `catan train` command."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from catan_training.cli.options import key_value
from catan_training.learning.config import ConfigError, TrainConfig, read_config

SUMMARY = "train an agent by imitation, self-play or both, evaluate it and write a report"
ALIASES = {"num_players": ("--players",)}
"""Additional option names, for consistency with other commands."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("file", nargs="?", metavar="CONFIG", help="TOML file of settings; options take precedence")
    parser.add_argument("--config", metavar="FILE", help="the same file, as an option (default: CONFIG)")
    parser.add_argument(
        "--resume",
        metavar="FOLDER",
        help="folder of an interrupted run to resume with its settings (default: a new run)",
    )
    add_settings(parser)


def run(options: argparse.Namespace) -> int:
    """Train an agent or resume a run. Options take precedence over the settings file."""
    names = {item.name for item in fields(TrainConfig)}
    given_settings = {name: value for name, value in vars(options).items() if name in names}
    files = [file for file in (options.file, options.config) if file]
    if options.resume and (files or given_settings):
        raise ConfigError("--resume continues with the settings of the run and takes no other settings.")
    if len(files) > 1:
        raise ConfigError(f"Name one settings file, not both {files[0]!r} and {files[1]!r}.")
    settings = read_config(files[0]) if files else TrainConfig()
    settings = from_options(settings, given_settings)
    from catan_training.learning.ppo import resume, train

    if options.resume:
        resume(options.resume)
    else:
        train(settings)
    return 0


def from_options(config: TrainConfig, options: Mapping[str, Any]) -> TrainConfig:
    """Return a copy of the settings, updated from the options."""
    names = {item.name for item in fields(TrainConfig)}
    given_settings = {name: value for name, value in options.items() if name in names}
    if "rules" in given_settings:
        given_settings["rules"] = dict(given_settings["rules"])
    return config.updated(given_settings)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add one option per setting. The parsed namespace contains only the options that were given."""
    for item in fields(TrainConfig):
        metadata, default = item.metadata, item.metadata["default"]
        default_text = " ".join(map(str, default)) if isinstance(default, tuple) else default
        if isinstance(default, dict):
            default_text = " ".join(f"{key}={value}" for key, value in default.items())
        help_text = f"{metadata['meaning']} (default: {'none' if default_text == '' else default_text})"
        options: dict[str, Any] = {"dest": item.name, "default": argparse.SUPPRESS, "help": help_text}
        if isinstance(default, bool):
            options["action"] = argparse.BooleanOptionalAction
        elif isinstance(default, dict):
            options |= {"nargs": "*", "type": key_value, "metavar": "KEY=VALUE"}
        elif isinstance(default, tuple):
            options |= {"nargs": "+", "type": type(default[0]) if default else str, "metavar": item.name.upper()}
        else:
            options |= {"type": type(default), "metavar": type(default).__name__.upper()}
        parser.add_argument(*ALIASES.get(item.name, ()), f"--{item.name.replace('_', '-')}", **options)
