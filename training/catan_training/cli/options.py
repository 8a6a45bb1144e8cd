"""Options shared by several commands."""

from __future__ import annotations

import argparse
from typing import Any

from catan_env.errors import OptionError
from catan_env.text_files import toml_of

SCENARIO = (
    "a registered scenario, MODULE:NAME for one of another package, or the path of a scenario file, each with optional "
    "rules: base+card_counting"
)


AGENT = (
    "a name, MODULE:CLASS, FILE.py:CLASS, the folder of a checkpoint or training run, a zip of Stable-Baselines3 or an "
    "ONNX file, each with options as in mcts:simulations=100"
)


def add_import(parser: argparse.ArgumentParser) -> None:
    """Add `--import`, which loads modules that register scenarios, agent scores or drawings."""
    parser.add_argument(
        "--import",
        dest="modules",
        action="append",
        default=[],
        metavar="MODULE",
        help="import a module, a FILE.py or a scenario FILE.toml first, such as one that registers scenarios "
        "(default: none; may be given several times)",
    )


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the game options: scenario, players and rules."""
    add_scenario(parser)
    parser.add_argument("--players", type=int, help="number of players (default: the maximum of the scenario)")
    add_rules(parser)


def add_scenario(parser: argparse.ArgumentParser, **options: Any) -> None:
    """Add `--scenario`, which takes a name or the path of a scenario file."""
    parser.add_argument(
        "--scenario",
        type=scenario,
        metavar="SCENARIO",
        **{"default": "base", "help": f"{SCENARIO} (default: base)", **options},
    )


def scenario(text: str) -> str:
    """Parse a scenario and return a reference that is valid in other processes and later runs."""
    from catan_env.engine.registry import reference_to

    return reference_to(text)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--rules`, which overrides rule numbers."""
    parser.add_argument(
        "--rules",
        nargs="*",
        type=key_value,
        default=[],
        metavar="KEY=VALUE",
        help="rule numbers to override, with values as in TOML: victory_points=8 city_cost=[0,0,0,2,3] "
        "(default: the numbers of the scenario)",
    )


def add_players(parser: argparse.ArgumentParser, default: str = "random") -> None:
    """Add the game and agent options, given the default agent."""
    parser.add_argument(
        "--agents",
        nargs="+",
        type=agent,
        default=[default],
        metavar="AGENT",
        help=f"agents by seat, of which the last takes the remaining seats; each is {AGENT} (default: {default})",
    )
    add_game_options(parser)


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add `--workers` and `--ray`, which `workers_of` reads."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--workers", type=int, help="number of processes that play games (default: one per core)")
    group.add_argument(
        "--ray",
        metavar="ADDRESS",
        help=(
            "play on a Ray cluster instead: auto for the cluster of this machine, HOST:PORT of a head "
            "node, or local for a new cluster on this machine (default: processes of this machine)"
        ),
    )


def workers_of(options: argparse.Namespace) -> Any:
    """Return `--workers` or `--ray` as `catan_training.evaluation.workers.Workers`, connecting to any cluster.

    Raises:
        CatanError: the number of workers is below 1, Ray is not installed, or no cluster responds.
    """
    from catan_training.evaluation.cluster import connect

    if options.ray is not None:
        connect(options.ray)
        return options.ray
    if options.workers is not None and options.workers < 1:
        raise OptionError(f"workers is {options.workers}; it must be at least 1.")
    return options.workers


def add_page_options(parser: argparse.ArgumentParser, default: str) -> None:
    """Add options for a page's path and whether to open it."""
    parser.add_argument("--out", metavar="PAGE", help=f"HTML file for the page (default: {default})")
    parser.add_argument("--no-open", action="store_true", help="do not open the page in the browser")


def agent(text: str) -> Any:
    """Parse `NAME` or `NAME:KEY=VALUE,KEY=VALUE` for `Entrant.read`."""
    name, separator, options_text = text.rpartition(":")
    if not separator or "=" not in options_text:
        return text
    return {"agent": name, "label": text, **key_values(options_text)}


def key_value(text: str) -> tuple[str, Any]:
    """Parse `KEY=VALUE`, where the value is TOML, such as an integer or a list, or else a plain name."""
    key, separator, value = text.partition("=")
    if not separator or not key:
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form KEY=VALUE")
    return key, value_of(value)


def value_of(text: str) -> Any:
    """Parse a TOML value. Text that is not TOML, such as a plain name, is returned as is."""
    try:
        return toml_of(f"value = {text}", text, OptionError)["value"]
    except OptionError:
        return text


def key_values(text: str) -> dict[str, Any]:
    """Parse `KEY=VALUE,KEY=VALUE,...` like `key_value`. Lists need brackets: city_cost=[0,0,0,2,3].

    Raises:
        OptionError: a part is not in this form.
    """
    parts = parts_of(text)
    try:
        return dict(key_value(part) for part in parts)
    except argparse.ArgumentTypeError as error:
        hint = "; a list needs brackets, as in city_cost=[0,0,0,2,3]" if len(parts) > 1 else ""
        raise OptionError(f"{error}{hint}.") from None


def parts_of(text: str) -> list[str]:
    """Split text at commas, except inside brackets, braces and quotes."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "[{") - (letter in "]}")
        if letter == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]
