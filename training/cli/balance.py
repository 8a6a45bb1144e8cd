"""`catan balance`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from training.cli.options import add_rules, key_value

SUMMARY = "study how fair and how long a scenario is and what wins, with intervals, data and a report"
WHAT = ("study", "compare", "sweep", "report")


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "about", nargs="+", metavar="WHAT",
        help="SCENARIO: study it; compare A B ...: several, each SCENARIO or SCENARIO:KEY=VALUE,... with rules, "
        "players or a board; sweep SCENARIO: one under many rules; report DIR: write the report of a study again",
    )
    parser.add_argument("--out", metavar="DIR", help="where games, tables and report are kept (default: in runs/)")
    parser.add_argument("--players", type=int, help="default: the largest number the scenario allows")
    add_rules(parser)
    parser.add_argument(
        "--rule", nargs="+", action="append", default=[], type=rule_values, metavar="KEY=V,V,...",
        help="sweep: values of a rule; may be repeated, all combinations are played",
    )
    parser.add_argument("--sample", type=int, metavar="N", help="sweep: so many of the combinations, drawn by lot")
    parser.add_argument("--board", metavar="FILE", help="a file with a board or map, or the name of a layout")
    parser.add_argument(
        "--agents", nargs="+", default=[], metavar="AGENT",
        help="who sits at the table, in turn; different ones sit everywhere equally often (default: greedy where its "
        "weights were tuned, else heuristic, on all seats)",
    )
    parser.add_argument("--games", type=int, help="of each case, rounded up to whole deals (default: by --width)")
    parser.add_argument(
        "--width", type=float, default=0.02, metavar="SHARE",
        help="games enough to know every seat's share of wins to plus or minus this (default: 0.02)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of boards, dice and agents (default: 0)")
    parser.add_argument("--batch", type=int, default=512, metavar="GAMES", help="games of a job (default: 512)")
    parser.add_argument("--workers", type=int, help="processes (default: one a core)")


def run(options: argparse.Namespace) -> int:
    """Plays what is left of the plan, then writes tables and report."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_env.errors import OptionError
    from training.balance import report
    from training.balance.study import Study

    if options.workers is not None and options.workers < 1:
        raise OptionError(f"workers is {options.workers}; at least one must play.")
    what, *rest = options.about if options.about[0] in WHAT else ("study", *options.about)
    if what == "report":
        for folder in rest:
            told(report.write(Study(folder)))
        return 0
    plan = plan_of(what, rest, options)
    folder = Path(options.out or Path("runs") / f"balance-{what}-{'-'.join(rest)}".replace(":", "-").replace("=", "-"))
    study = Study.begin(folder, plan)
    with bar() as tell:
        study.run(options.workers, tell)
    told([*(folder / name for name in ("study.json", "games.parquet", "seats.parquet")), *report.write(study)])
    return 0


def plan_of(what: str, names: Sequence[str], options: argparse.Namespace) -> Any:
    """The plan that was asked for.

    Raises:
        CatanError: something of it does not exist or fit.
    """
    from catan_env.errors import OptionError
    from training.balance.comparing import grid
    from training.balance.plan import Case, Plan

    given = dict(options.rules) | ({"board": options.board} if options.board else {})
    if what == "compare" and len(names) < 2 or what != "compare" and len(names) != 1:
        wanted = "two or more cases" if what == "compare" else "one scenario"
        raise OptionError(f"{what} takes {wanted}, and was given {', '.join(names) or 'none'}.")
    cases = [case_of(name, options.players, given) for name in names]
    if what == "sweep":
        rules = [rule for group in options.rule for rule in group]
        if not rules:
            raise OptionError("sweep needs one or more --rule KEY=VALUE,VALUE,...")
        (base,), found = cases, grid(rules)
        if options.sample and options.sample < len(found):
            import random

            found = random.Random(options.seed).sample(found, options.sample)
        cases = [
            Case(", ".join(f"{key}={value}" for key, value in one.items()), base.scenario, base.players,
                 dict(base.rules) | one, base.board)
            for one in found
        ]
    agents = [agent(text) for text in options.agents]
    return Plan.make(what, cases, agents, options.games, options.width, options.seed, options.batch)


def case_of(text: str, players: int | None, given: Mapping[str, Any]) -> Any:
    """`SCENARIO` or `SCENARIO:KEY=VALUE,...` of the command line; keys are rules, `players` and `board`."""
    from catan_env.engine.registry import find_scenario
    from training.balance.plan import Case

    name, _, rest = text.partition(":")
    rules = dict(given) | dict(key_value(part) for part in rest.split(",") if part)
    board, players = rules.pop("board", None), rules.pop("players", players)
    return Case(text, name, find_scenario(name).check_players(players), rules, board)


def rule_values(text: str) -> tuple[str, list[Any]]:
    """`KEY=V,V,...` of the command line."""
    key, found, values = text.partition("=")
    if not found or not key or not values:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form KEY=VALUE,VALUE,...")
    return key, [key_value(f"{key}={value}")[1] for value in values.split(",")]


def agent(text: str) -> Any:
    """As `catan tournament` takes it."""
    from training.cli.tournament import agent as read

    return read(text)


def told(paths: Sequence[Path]) -> None:
    """Prints what was written."""
    for path in paths:
        print(path)


@contextmanager
def bar() -> Iterator[Callable[[int, int], None]]:
    """A bar of games played, with the time left."""
    from training.cli.tournament import games_bar

    with games_bar() as move:
        yield move
