"""The `catan bench` command."""

from __future__ import annotations

import argparse
import sys

from catan_training.cli.options import add_game_options, agent
from catan_training.json_files import write_json

SUMMARY = "measure actions per second, games per second of agents, or decisions per second of training"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=("engine", "agents", "train"),
        default="engine",
        help="what to measure (default: engine)",
    )
    add_game_options(parser)
    parser.set_defaults(scenario=None)
    parser.add_argument(
        "--agents",
        nargs="+",
        type=agent,
        metavar="AGENT",
        help=("agents to measure, with options as in mcts:simulations=100 (default: all agents without networks)"),
    )
    parser.add_argument("--games", type=int, help="games in the batch (default: 4096; agents: 256; train: 512)")
    parser.add_argument(
        "--threads",
        type=int,
        help=("number of threads to compare with one thread; train: threads of learner and teacher (default: 2)"),
    )
    parser.add_argument(
        "--config", metavar="FILE", help="train: TOML file of settings; options take precedence (default: none)"
    )
    parser.add_argument("--repeats", type=int, default=5, help="repetitions of each measurement (default: 5)")
    parser.add_argument(
        "--against",
        metavar="PEER",
        help="compare with this engine in one process instead: fastcatan (default: no comparison)",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="say in less than a minute whether the base game is as fast as recorded; exit status 1 if it is slower",
    )
    parser.add_argument("--only", nargs="+", metavar="FIGURE", help="figures to measure (default: all)")
    parser.add_argument("--json", metavar="FILE", help="JSON file for the figures (default: not written)")


def say(name: str) -> None:
    """Print the name of the current measurement."""
    print(f"measuring {name} ...", file=sys.stderr, flush=True)


def run_quick(options: argparse.Namespace) -> int:
    """Compare the engine's speed with recorded ratios, print a verdict, and return 1 if it is slower."""
    from catan_env.errors import OptionError
    from catan_training.benchmarks import quick
    from catan_training.machine import machine

    if options.what != "engine" or options.scenario not in (None, "base"):
        raise OptionError("--quick measures the engine in the base game. Leave out other tasks and scenarios.")
    machine_facts = machine()
    ratios = quick.measure(tell=say)
    quick.print_ratios(ratios)
    if options.json:
        write_json(options.json, {**quick.to_dict(ratios), "machine": machine_facts})
    return int(any(row.is_slower for row in ratios))


def run(options: argparse.Namespace) -> int:
    """Run the benchmark and print the figures."""
    import catan_env  # noqa: F401
    from catan_training.benchmarks import against, bench, bench_agents
    from catan_training.machine import machine

    if options.quick:
        return run_quick(options)
    machine_facts = machine()  # taken before the benchmark adds its own load
    if options.what != "train":
        options.scenario = options.scenario or "base"
    if options.what == "agents":
        measured_options = {"scenario": options.scenario, "players": options.players, "games": options.games or 256}
        names, rules = options.agents or bench_agents.AGENTS, dict(options.rules)
        figures = bench_agents.measure_agents(names, **measured_options, repeats=options.repeats, rules=rules, tell=say)
        title = f"{options.scenario}, each agent on all seats, one core"
    elif options.what == "train":
        from catan_training.benchmarks.bench_train import measure_training
        from catan_training.learning.config import TrainConfig, read_config
        from catan_training.learning.devices import device_of, title_of

        given_settings = {
            "scenario": options.scenario,
            "num_players": options.players,
            "num_games": options.games,
            "torch_threads": options.threads,
            "rules": dict(options.rules),
        }
        settings = read_config(options.config) if options.config else TrainConfig()
        settings = settings.updated({name: value for name, value in given_settings.items() if value})
        machine_facts["learns on"] = device_title = title_of(device_of(settings.device))
        measured_options = settings.to_dict()
        figures = measure_training(settings, options.repeats, say)
        title = f"{settings.scenario}, {settings.num_games} games, {settings.torch_threads} threads, {device_title}"
    if options.what != "engine":
        bench.print_figures(figures, title)
        if options.json:
            write_json(
                options.json,
                {"figures": [vars(figure) for figure in figures], "machine": dict(machine_facts), **measured_options},
            )
        return 0
    options.games, options.threads = options.games or 4096, options.threads or 2
    if options.against:
        comparisons = against.compare(options.against, options.games, tell=say)
        against.print_comparison(comparisons, options.against, options.games)
        if options.json:
            write_json(options.json, {**against.to_dict(comparisons, options.against), "machine": dict(machine_facts)})
        return 0
    about = {name: getattr(options, name) for name in ("scenario", "players", "games", "threads", "repeats")}
    figures = bench.measure(
        **about,
        rules=dict(options.rules),
        only=options.only,
        tell=say,
    )
    bench.print_figures(figures, f"{options.scenario}, {options.games:,} games, one core, except the lines on threads")
    if (machine_facts["load"] or 0) > 1:
        print(
            f"Other programs are using this machine (load {machine_facts['load']} on {machine_facts['cores']} cores), "
            "so these figures may be too low.",
            file=sys.stderr,
        )
    if options.json:
        write_json(options.json, bench.to_dict(figures, machine_facts, **about, rules=dict(options.rules)))
    return 0
