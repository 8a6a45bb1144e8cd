"""The `catan balance` command."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from catan_env.whole_files import write_whole
from catan_training.cli.checkout import tool
from catan_training.cli.games_bar import games_bar
from catan_training.cli.options import (
    AGENT,
    add_rules,
    add_scenario,
    add_workers,
    agent,
    key_values,
    parts_of,
    value_of,
    workers_of,
)

SUMMARY = "study seat advantage, game length and what distinguishes winners, with intervals, data and a report"
WHAT = ("study", "compare", "sweep", "board", "design", "studies", "report")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "about",
        nargs="+",
        metavar="WHAT",
        help=(
            "SCENARIO: study one scenario. compare A B ...: compare conditions, each SCENARIO or "
            "SCENARIO:KEY=VALUE,... with rules, players or a board. sweep SCENARIO: vary rule numbers. "
            "board FILE: seat advantage and value of starting sites of a board. design SCENARIO: find the "
            "board or rules closest to a target. studies [SCENARIO ...]: study several or all scenarios "
            "and write pages. report DIR: write the report of a study again"
        ),
    )
    parser.add_argument("--out", metavar="DIR", help="folder for games, tables and report (default: a folder in runs/)")
    parser.add_argument("--players", type=int, help="number of players (default: the maximum of the scenario)")
    add_rules(parser)
    parser.add_argument(
        "--rule",
        nargs="+",
        action="append",
        default=[],
        type=rule_values,
        metavar="KEY=V,V,...",
        help=(
            "sweep: values of a rule number, of players or of board, written as in TOML: "
            "city_cost=[0,0,0,2,3],[0,0,0,1,2]; repeat the option to play all combinations "
            "(default: none)"
        ),
    )
    add_scenario(parser, help="board: scenario to play on it (default: base)")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="sweep: number of combinations to draw at random (default: all)"
    )
    parser.add_argument(
        "--board",
        metavar="FILE",
        help="file with a board or map, or name of a layout (default: the board of the scenario)",
    )
    parser.add_argument(
        "--agents",
        nargs="+",
        default=[],
        metavar="AGENT",
        help=(
            f"agents at the table, each {AGENT}; different agents sit in every seat equally often (default: best, "
            "in all seats)"
        ),
    )
    parser.add_argument(
        "--games",
        type=int,
        help="games per condition, rounded up to whole paired seeds (default: as many as --width needs)",
    )
    parser.add_argument(
        "--width",
        type=float,
        default=0.02,
        metavar="SHARE",
        help="half-width of the interval for each seat's share of wins, as a fraction (default: 0.02)",
    )
    parser.add_argument(
        "--measure",
        default="seats",
        metavar="NAME",
        help=(
            'design: measure to optimize: "seats" for seat advantage, or an estimate of the report such '
            'as "turns" (default: seats)'
        ),
    )
    parser.add_argument("--target", type=float, default=0.0, help="design: target value of the measure (default: 0)")
    parser.add_argument(
        "--candidates",
        type=int,
        default=16,
        metavar="N",
        help="design: number of boards to draw if --rule is not given (default: 16)",
    )
    parser.add_argument(
        "--pages",
        default="runs/studies/pages",
        metavar="FOLDER",
        help="studies: folder for pages (default: runs/studies/pages)",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="studies: also record the numbers in docs/measurements of the repository, for `catan docs`",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of boards, dice and agents (default: 0)")
    parser.add_argument(
        "--batch", type=int, default=512, metavar="GAMES", help="games per job of a worker (default: 512)"
    )
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Play the plan's remaining games, then write the tables and report."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_training.balance import report
    from catan_training.balance.study import Study

    what, *words = options.about if options.about[0] in WHAT else ("study", *options.about)
    if what == "report":
        for folder in words:
            print_paths(report.write(Study(folder)))
        return 0
    workers = workers_of(options)
    name = f"balance-{what}-{'-'.join(Path(word).name for word in words)}".replace(":", "-").replace("=", "-")
    folder = Path(options.out or Path("runs") / name)
    if what == "studies":
        print_paths(published(words, options, workers))
        return 0
    if what == "design":
        study = designed(words, options, folder, workers)
    else:
        study = Study.begin(folder, plan_of(what, words, options))
        for study_to_run in (study, *study.begin_beside()):
            with games_bar() as tell:
                study_to_run.run(workers, tell)
    print_paths([study.folder / name for name in ("study.json", "games.parquet", "seats.parquet")])
    print_paths(report.write(study))
    return 0


def published(names: Sequence[str], options: argparse.Namespace, workers: Any) -> list[Path]:
    """Study the scenarios and write their pages."""
    import catan_env
    from catan_env.engine.registry import short_name
    from catan_training.balance.studies import play, summary, write_pages

    agents = [agent(text) for text in options.agents]
    with games_bar() as tell:
        studies = play(
            Path(options.out or "runs/studies"),
            names or sorted(catan_env.scenarios()),
            agents,
            options.games,
            options.width,
            options.seed,
            workers,
            tell,
        )
    summaries = {short_name(study.plan.conditions[0].scenario): summary(study) for study in studies}
    paths = write_pages(summaries, Path(options.pages))
    if options.keep:
        measurements = tool("measurements")
        measurements.write(measurements.STUDIES, measurements.read(measurements.STUDIES) | summaries)
        paths.append(measurements.STUDIES)
    return paths


def designed(names: Sequence[str], options: argparse.Namespace, folder: Path, workers: Any) -> Any:
    """Search for a design, save the best board and return the final evaluation's study."""
    from catan_env.errors import OptionError
    from catan_training.balance.boards import drawn_boards, search
    from catan_training.balance.plan import games_for

    if len(names) != 1 or options.candidates < 2:
        raise OptionError("design needs one scenario and at least two candidates.")
    base = condition_of(
        names[0], options.players, dict(options.rules) | ({"board": options.board} if options.board else {})
    )
    conditions = grid_of(base, options) if options.rule else drawn_boards(base, options.candidates, options.seed)
    agents, final = [agent(text) for text in options.agents], games_for(options.width, base.players)
    with games_bar() as tell:
        study = search(
            folder,
            conditions,
            agents,
            options.measure,
            options.target,
            options.games or 200,
            final,
            options.seed,
            workers,
            tell,
        )
    best = study.plan.conditions[0]
    print(f"closest to the target: {best.label}")
    if not options.rule:
        write_whole(folder / "board.json", json.dumps(best.board, indent=1) + "\n")
        print_paths([folder / "board.json"])
    return study


def grid_of(base: Any, options: argparse.Namespace) -> list[Any]:
    """Return a condition for every combination of the varied rules, or for a random sample of combinations."""
    from catan_env.errors import OptionError
    from catan_training.balance.comparing import grid

    combinations = grid([rule for group in options.rule for rule in group])
    if options.sample is not None and options.sample < 1:
        raise OptionError(f"sample is {options.sample}; it must be at least 1. Leave it out to play all combinations.")
    if options.sample is not None and options.sample < len(combinations):
        combinations = random.Random(options.seed).sample(combinations, options.sample)
    return [varied(base, combination) for combination in combinations]


def varied(base: Any, settings: Mapping[str, Any]) -> Any:
    """Return a condition with different rules, players or board, labeled with the changes."""
    from catan_env.engine.registry import find_scenario

    rules = {**base.rules, **settings}
    board, players = rules.pop("board", base.board), rules.pop("players", base.players)
    label = ", ".join(f"{key}={value}" for key, value in settings.items())
    find_scenario(base.scenario).check_players(players)
    return replace(base, label=label, rules=rules, board=board, players=players)


def plan_of(what: str, names: Sequence[str], options: argparse.Namespace) -> Any:
    """Create the plan described by the options.

    Raises:
        CatanError: an option is invalid or names something unknown.
    """
    from catan_env.errors import OptionError
    from catan_training.balance.boards import conditions_of
    from catan_training.balance.plan import Condition, Plan

    common_rules = dict(options.rules) | ({"board": options.board} if options.board else {})
    if what == "compare" and len(names) < 2 or what != "compare" and len(names) != 1:
        expected = (
            "at least two conditions" if what == "compare" else f"one {'file' if what == 'board' else 'scenario'}"
        )
        raise OptionError(f"{what} needs {expected}, not {', '.join(names) or 'none'}.")
    if what == "board":
        base = condition_of(options.scenario, options.players, dict(options.rules) | {"board": names[0]})
        conditions: list[Condition] = conditions_of(replace(base, label=Path(names[0]).stem))
    else:
        conditions = [condition_of(name, options.players, common_rules) for name in names]
    if what == "sweep":
        if not options.rule:
            raise OptionError("sweep needs at least one --rule KEY=VALUE,VALUE,...")
        conditions = grid_of(conditions[0], options)
    agents = [agent(text) for text in options.agents]
    return Plan.make(what, conditions, agents, options.games, options.width, options.seed, options.batch)


def condition_of(text: str, players: int | None, given: Mapping[str, Any]) -> Any:
    """Parse a condition, `SCENARIO` or `SCENARIO:KEY=VALUE,...`, where keys are rules, `players` or `board`."""
    from catan_env.engine.registry import find_scenario, split_scenario
    from catan_training.balance.plan import Condition

    name, settings_text = split_scenario(text)
    rules = dict(given) | key_values(settings_text)
    board, players = rules.pop("board", None), rules.pop("players", players)
    return Condition(text, name, find_scenario(name).check_players(players), rules, board)


def rule_values(text: str) -> tuple[str, list[Any]]:
    """Parse `KEY=V,V,...` into a key and its values. List values need brackets: city_cost=[0,0,0,2,3],[0,0,0,1,2]."""
    key, separator, values = text.partition("=")
    if not separator or not key or not parts_of(values):
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form KEY=VALUE,VALUE,...")
    return key, [value_of(value) for value in parts_of(values)]


def print_paths(paths: Sequence[Path]) -> None:
    """Print the paths of the files written."""
    for path in paths:
        print(path)
