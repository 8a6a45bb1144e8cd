"""The command line `catan`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from catan_env.errors import CatanError
from training import config, watch


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
        if error.name and error.name.split(".")[0] in ("catan_env", "agents", "training"):
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

    def command(name: str, run, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.set_defaults(run=run)
        return sub

    command("scenarios", list_scenarios, "list the registered scenarios")

    train = command("train", run_train, "train an agent with MaskablePPO, evaluate it and write a report")
    train.add_argument("--config", metavar="FILE", help="TOML file of settings; options given below take precedence")
    config.add_options(train)

    evaluate = command("evaluate", run_evaluate, "play an agent against others over all orders of seats")
    evaluate.add_argument("--agent", required=True, help="name of an agent, or folder of a checkpoint or training run")
    evaluate.add_argument(
        "--opponents", nargs="+", default=["random"], metavar="AGENT", help="one for all seats, or one for each"
    )
    add_game_options(evaluate)
    evaluate.add_argument("--games", type=int, default=1000, help="default: 1000; rounded up to whole rotations")
    evaluate.add_argument("--seed", type=int, default=0, help="of boards, dice and agents (default: 0)")
    evaluate.add_argument("--json", metavar="FILE", help="also write the result to this file")

    bench = command("bench", run_bench, "measure actions per second")
    add_game_options(bench)
    bench.add_argument("--games", type=int, default=4096, help="games in the batch (default: 4096)")
    bench.add_argument("--threads", type=int, default=2, help="compared with one thread (default: 2)")
    bench.add_argument("--repeats", type=int, default=5, help="measurements of each figure (default: 5)")
    bench.add_argument("--only", nargs="+", metavar="FIGURE", help="measure only these")
    bench.add_argument("--json", metavar="FILE", help="also write the figures to this file")

    soak = command("soak", run_soak, "play at random and check everything after every step")
    soak.add_argument(
        "--steps", type=int, default=100_000, help="actions for each scenario and number of players (default: 100000)"
    )
    soak.add_argument("--scenario", nargs="+", metavar="NAME", help="default: every registered one")
    soak.add_argument("--players", type=int, nargs="+", metavar="N", help="default: every number the scenario allows")
    soak.add_argument("--games", type=int, default=64, help="games in the batch (default: 64)")
    soak.add_argument("--seed", type=int, default=0, help="of games and choices (default: 0)")
    add_rules(soak)
    soak.add_argument("--out", default=".", metavar="FOLDER", help="where replay logs of failures go (default: here)")

    watch.add_commands(command)

    docs = command("docs", run_docs, "write the generated pages of the documentation, or check or build it")
    docs.add_argument("--folder", default="docs", metavar="FOLDER", help="the documentation's sources (default: docs)")
    docs.add_argument("--check", action="store_true", help="write nothing; fail if a page is missing or stale")
    docs.add_argument("--site", metavar="FOLDER", help="also build the site there")
    docs.add_argument(
        "--execute", action=argparse.BooleanOptionalAction, default=True, help="run the notebooks for the site"
    )
    return parser


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """What is played."""
    parser.add_argument("--scenario", default="base", help="default: base")
    parser.add_argument("--players", type=int, help="default: the largest number the scenario allows")
    add_rules(parser)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Numbers of the rules."""
    parser.add_argument(
        "--rules", nargs="*", type=config.key_value, default=[], metavar="KEY=VALUE",
        help="numbers of the rules to override",
    )


def list_scenarios(options: argparse.Namespace) -> int:
    """catan scenarios"""
    import catan_env

    for name, scenario in sorted(catan_env.scenarios().items()):
        players = ", ".join(map(str, scenario.players))
        print(f"{name}  version {scenario.version}, {players} players: {scenario.title}")
    return 0


def run_train(options: argparse.Namespace) -> int:
    """catan train"""
    settings = config.read_config(options.config) if options.config else config.TrainConfig()
    settings = config.from_options(settings, vars(options))
    from training.ppo_maskable import train

    train(settings)
    return 0


def run_evaluate(options: argparse.Namespace) -> int:
    """catan evaluate"""
    import catan_env  # noqa: F401  (registers the scenarios)
    from training import report
    from training.evaluate import evaluate

    opponents = options.opponents if len(options.opponents) > 1 else options.opponents[0]
    result = evaluate(
        options.agent, opponents, options.scenario, options.players, options.games, options.seed, dict(options.rules)
    )
    report.print_evaluations([result])
    if options.json:
        write_json(options.json, result.to_dict())
    return 0


def run_bench(options: argparse.Namespace) -> int:
    """catan bench"""
    import catan_env  # noqa: F401
    from training import bench, report

    machine = report.machine()  # before anything runs: its load is that of others
    about = {name: getattr(options, name) for name in ("scenario", "players", "games", "threads", "repeats")}
    figures = bench.measure(
        **about, rules=dict(options.rules), only=options.only,
        tell=lambda name: print(f"measuring {name} ...", file=sys.stderr, flush=True),
    )
    bench.print_figures(figures, f"{options.scenario}, {options.games:,} games, one core but for the lines on threads")
    if (machine["load"] or 0) > 1:
        print(
            f"Other programs keep this machine busy (load {machine['load']} on {machine['cores']} cores): "
            "figures are lower than they could be.", file=sys.stderr,
        )
    if options.json:
        write_json(options.json, bench.to_dict(figures, machine, **about, rules=dict(options.rules)))
    return 0


def run_soak(options: argparse.Namespace) -> int:
    """catan soak"""
    import catan_env
    from catan_env.engine.registry import find_scenario
    from training.soak import Soak

    failed = 0
    for name in options.scenario or sorted(catan_env.scenarios()):
        for players in options.players or find_scenario(name).players:
            run = Soak(name, players, options.games, options.seed, dict(options.rules))
            result = run.run(options.steps, options.out)
            print(
                f"{name}, {players} players: {result.actions:,} actions, {result.won + result.truncated} games ended "
                f"({result.truncated} cut off), {result.replayed} replayed, {result.copied} times copied, "
                f"{result.seconds:.0f} s: {'FAILED' if result.failure else 'ok'}",
                flush=True,
            )
            if result.failure:
                failed += 1
                print(f"  {result.failure}\n  its moves are in {result.replay_file}", file=sys.stderr, flush=True)
    return 1 if failed else 0


def run_docs(options: argparse.Namespace) -> int:
    """catan docs"""
    import catan_env  # noqa: F401
    from training import documentation

    folder = Path(options.folder)
    if options.check:
        found = documentation.problems(folder)
        print("\n".join([*found, "Run `catan docs`."]) if found else "All generated pages are up to date.")
    else:
        found = []
        for path in documentation.write_all(folder):
            print(f"wrote {path}" if path.exists() else f"removed {path}")
    built = not options.site or documentation.build_site(folder, Path(options.site), options.execute)
    return 1 if found or not built else 0


def write_json(path: str, value: object) -> None:
    """Writes a file, making its folder."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
