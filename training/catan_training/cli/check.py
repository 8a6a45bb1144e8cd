"""The `catan check` command."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from catan_training.cli.options import SCENARIO, add_rules, scenario

if TYPE_CHECKING:
    from catan_env.testing import Report

SUMMARY = "check everything that must hold of a scenario: hidden information, bounds, endings, copies, drawings, speed"
PLAIN = "NUMBA_DISABLE_JIT"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("scenarios", nargs="+", type=scenario, metavar="SCENARIO", help=SCENARIO)
    parser.add_argument("--players", type=int, help="number of players (default: the maximum of the scenario)")
    parser.add_argument("--checks", nargs="+", metavar="CHECK", help="names of checks (default: all)")
    parser.add_argument("--games", type=int, help="random games per scenario (default: 4, with --compiled 24)")
    parser.add_argument("--steps", type=int, help="decisions per game (default: 150, with --compiled 400)")
    parser.add_argument("--seed", type=int, default=0, help="seed of games and moves (default: 0)")
    parser.add_argument(
        "--compiled", action="store_true", help="compile the rules and play more games (default: plain Python)"
    )
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help="print a report per line as JSON")
    parser.add_argument(
        "--out", default="checks", metavar="FOLDER", help="folder for replay logs of findings (default: checks)"
    )


def run(options: argparse.Namespace) -> int:
    """Check the scenarios and print any findings. The exit status is 1 if there are findings."""
    if options.compiled and _is_plain():
        print(f"catan check: --compiled compiles rules, but {PLAIN} is set; unset it.", file=sys.stderr)
        return 2
    if not options.compiled and not _is_plain():  # Numba reads the variable at import time
        command = [sys.executable, "-m", "catan_training.cli", *options.argv]
        return subprocess.run(command, env=os.environ | {PLAIN: "1"}).returncode
    from catan_env.testing import check_scenario

    games, steps = (24, 400) if options.compiled else (4, 150)
    ok = True
    for name in options.scenarios:
        report = check_scenario(
            name,
            options.players,
            checks=options.checks,
            games=games if options.games is None else options.games,
            steps=steps if options.steps is None else options.steps,
            seed=options.seed,
            rules=dict(options.rules),
            folder=options.out,
        )
        print(json.dumps(report.as_dict()) if options.json else "\n".join(described(report)), flush=True)
        ok &= report.ok
    return 0 if ok else 1


def _is_plain() -> bool:
    from catan_env.engine.compiler.jit import DISABLE_JIT

    return DISABLE_JIT


def described(report: Report) -> Iterator[str]:
    """Yield a report's lines: a heading, the findings, the checks that passed and the speed."""
    from catan_env.render.markup import plural

    mode = "compiled" if report.compiled else "plain Python"
    count = len(report.findings)
    result = "ok" if report.ok else plural(count, "finding")
    yield f"{report.scenario}, {report.num_players} players: {result} ({report.seconds:.0f} s, {mode})"
    for finding in report.findings:
        yield f"  {finding.check}: {finding.message}"
        if finding.decisions is not None:
            yield f"    after {finding.decisions} decisions; see it with: {finding.command}"
    failed = {finding.check for finding in report.findings}
    passed = [name for name in report.checks if name not in failed]
    if passed:
        yield f"  passed: {', '.join(passed)} ({report.states} states with all checks)"
    if report.speed is not None:
        yield f"  speed of random play: {report.speed:.2f} times that of base"
