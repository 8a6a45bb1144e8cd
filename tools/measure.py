"""What a scenario's page says of it that only play can tell: games of the heuristic agent, learning, soundness, speed.

Each part is measured on its own and kept with its command, versions and machine (`tools.measurements`);
`tools.pages.measured` writes it down.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from time import process_time
from typing import Any

from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario
from catan_env.errors import CatanError
from catan_training.balance.measures import MEASURES, ConditionGames
from catan_training.balance.plan import Condition, Plan
from catan_training.balance.study import Study
from catan_training.benchmarks import bench
from catan_training.benchmarks.bench import Figure, Setting, stepping
from catan_training.benchmarks.soak import Soak
from catan_training.evaluation.matches import evaluate
from catan_training.evaluation.statistics import Estimates
from catan_training.evaluation.workers import Workers
from catan_training.machine import machine

PLAYER, RIVALS = "heuristic", ("random", "weighted")
LEARNED_AGAINST, LEARNED_GAMES = ("weighted", "heuristic"), 2000
"""Whom a value network plays, and how often each."""
SHOWN = ("seats", "length", "endings", "points", "barbarians")
"""Measures of `catan_training.balance` that a page shows."""
SLICES, BATCH = 9, 2048
"""Of two scenarios in turn, and the games of each."""


def measure_play(
    scenario: str, games: int, workers: Workers = None, tell: Callable[[int, int], None] = lambda done, total: None
) -> list[dict[str, Any]]:
    """How games between heuristic agents go: for each number of players at least so many, and what came of them.

    Raises:
        CatanError: no such scenario, or less than one game.
    """
    results = []
    for players in find_scenario(scenario).players:
        plan = Plan.make("study", [Condition(scenario, scenario, players)], [PLAYER], games)
        with tempfile.TemporaryDirectory() as folder:
            condition_games = ConditionGames(*Study.begin(folder, plan).run(workers, tell))
        measures = {measure.key: measure.made(condition_games) for measure in MEASURES if measure.key in SHOWN}
        results.append(
            {
                "players": players,
                "agent": PLAYER,
                "games": plan.games,
                "measures": {
                    key: {"kind": estimates.kind, "rows": _rows(estimates)}
                    for key, estimates in measures.items()
                    if estimates is not None
                },
            }
        )
    return results


def _rows(estimates: Estimates) -> list[list[Any]]:
    """Name, value and both ends of the interval of each."""
    return [
        [name, float(value), *map(float, interval)]
        for name, value, interval in zip(estimates.names, estimates.values, estimates.intervals(), strict=True)
    ]


def measure_strength(scenario: str, games: int) -> list[dict[str, Any]]:
    """What the heuristic agent wins against others on all other seats: an evaluation (`Evaluation.to_dict`) for each
    number of players and rival, of at least so many games."""
    player_counts = [players for players in find_scenario(scenario).players if players > 1]
    return [
        evaluate(PLAYER, rival, scenario, players, games).to_dict() for players in player_counts for rival in RIVALS
    ]


def measure_learning(scenario: str, **settings: Any) -> dict[str, Any]:
    """What `catan train` brings in its time: the curve and the final evaluation of one run, with the largest number of
    players; `settings` are those of `TrainConfig`."""
    from catan_training.learning.config import TrainConfig, as_command
    from catan_training.learning.run import train

    about = TrainConfig(scenario=scenario, **settings)
    with tempfile.TemporaryDirectory() as folder:
        run_folder = train(replace(about, out=folder))
        report = json.loads((run_folder / "report.json").read_text("utf-8"))
    kept_names = ("steps", "minutes", "learning_curve", "results")
    players = report["settings"]["num_players"]
    return {"command": as_command(about), "players": players} | {name: report[name] for name in kept_names}


def measure_values(scenario: str, rounds: int, games: int, seed: int = 0) -> dict[str, Any]:
    """What `catan train-value` brings in some rounds of so many games, after one of `greedy`, with the largest number
    of players: an evaluation (`Evaluation.to_dict`) against each of `LEARNED_AGAINST`, on all other seats and without
    offers between players.

    Raises:
        CatanError: no such scenario, or rounds without games.
    """
    from catan_agents.search import GreedyAgent
    from catan_training.learning.tuning import without_offers
    from catan_training.learning.value_learning import ValueTraining, learn_values

    about = ValueTraining(
        scenario=scenario,
        players=find_scenario(scenario).players[-1],
        games=games,
        replay_rounds=rounds,
        state_sample_rate=0.1,
        rate=2e-3,
        rate_end=5e-4,
        check=0,
        seed=seed,
    )
    start = process_time()
    with tempfile.TemporaryDirectory() as folder:
        agent = GreedyAgent(weights=learn_values(about, folder, rounds))
    minutes = (process_time() - start) / 60
    rules = without_offers(BatchEngine(scenario, 1, about.players), {})
    evaluations = [
        evaluate(agent, rival, scenario, about.players, LEARNED_GAMES, seed + 1, rules).to_dict()
        for rival in LEARNED_AGAINST
    ]
    return {"players": about.players, "rounds": rounds, "games": games, "minutes": minutes, "results": evaluations}


def measure_soak(scenario: str, actions: int, folder: str | Path = ".") -> list[dict[str, Any]]:
    """Random play with every check after every action, for each number of players.

    Raises:
        CatanError: something was found; its replay log is in `folder`.
    """
    reports = []
    for players in find_scenario(scenario).players:
        result = Soak(scenario, players, min(512, actions)).run(actions, folder)
        if result.failure:
            raise CatanError(f"{scenario}, {players} players: {result.failure}; see {result.replay_file}.")
        reports.append(asdict(result))
    return reports


def measure_speed(scenario: str) -> list[dict[str, Any]]:
    """Figures of speed and size: for each number of players step with legal actions beside that of the base game with
    as many, in turn, no trade; the record; the first step from nothing, with the largest number."""
    player_counts = find_scenario(scenario).players
    figures = []
    for players in player_counts:
        reference = "base" if players <= find_scenario("base").players[-1] else "base_5_6"
        reference_players = max(players, find_scenario(reference).players[0])
        own_engine, reference_engine = (
            Setting(name, seats, BATCH, 1, SLICES, {}).mid_course()
            for name, seats in ((scenario, players), (reference, reference_players))
        )
        rates = (
            [stepping(engine, steps=50, clock=process_time) for engine in (own_engine, reference_engine)]
            for _ in range(SLICES + 1)
        )
        ratios = [own_rate / reference_rate for own_rate, reference_rate in rates][1:]
        meaning = f"step and legal actions with {players}, beside {reference} with {reference_players}"
        figures.append(Figure.of(f"step-{players}", meaning, "times", ratios))
    figures += bench.measure(scenario, player_counts[-1], only=("bytes", "first-step"))
    return [asdict(figure) for figure in figures]


def measure_benchmarks(scenario: str, repeats: int = 9) -> dict[str, Any]:
    """The figures of `catan bench`, as it writes them."""
    about: dict[str, Any] = {"scenario": scenario, "players": None, "games": 4096, "threads": 2, "repeats": repeats}
    machine_facts = machine()
    return bench.to_dict(bench.measure(**about, rules={}), machine_facts, **about, rules={})
