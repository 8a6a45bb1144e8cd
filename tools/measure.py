"""Measurements for scenario pages: games between heuristic agents, learning, soak tests, and speed.

Each part is measured separately and recorded with the command, versions and machine (see `tools.measurements`).
`tools.pages.measured` formats the results.
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
"""Opponents of the value network, and the number of games against each opponent."""
SHOWN = ("seats", "length", "endings", "points", "barbarians")
"""Measures from `catan_training.balance` that a scenario page shows."""
SLICES, BATCH = 9, 2048
"""Number of measurements of each of the two scenarios, taken alternately, and number of games in a batch."""


def measure_play(
    scenario: str, games: int, workers: Workers = None, tell: Callable[[int, int], None] = lambda done, total: None
) -> list[dict[str, Any]]:
    """Measure games between heuristic agents, with at least `games` games for each number of players.

    Raises:
        CatanError: the scenario does not exist, or `games` is less than 1.
    """
    results = []
    for players in find_scenario(scenario).players:
        plan = Plan.make("study", [Condition(scenario, scenario, players)], [PLAYER], games)
        with tempfile.TemporaryDirectory() as folder:
            condition_games = ConditionGames(*Study.begin(folder, plan).run(workers, tell))
        measures = {measure.key: measure.estimate(condition_games) for measure in MEASURES if measure.key in SHOWN}
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
    """Return the name, value and interval bounds of each estimate."""
    return [
        [name, float(value), *map(float, interval)]
        for name, value, interval in zip(estimates.names, estimates.values, estimates.intervals(), strict=True)
    ]


def measure_strength(scenario: str, games: int) -> list[dict[str, Any]]:
    """Evaluate the heuristic agent against each rival in turn, which plays all other seats.

    Returns:
        For each number of players and each rival, one evaluation (`Evaluation.to_dict`) of at least `games` games.
    """
    player_counts = [players for players in find_scenario(scenario).players if players > 1]
    return [
        evaluate(PLAYER, rival, scenario, players, games).to_dict() for players in player_counts for rival in RIVALS
    ]


def measure_learning(scenario: str, **settings: Any) -> dict[str, Any]:
    """Run `catan train` with the maximum number of players.

    Args:
        scenario: the scenario's name.
        settings: settings for `TrainConfig`.

    Returns:
        The learning curve and the final evaluation.
    """
    from catan_training.learning.config import TrainConfig, as_command
    from catan_training.learning.ppo import train

    about = TrainConfig(scenario=scenario, **settings)
    with tempfile.TemporaryDirectory() as folder:
        run_folder = train(replace(about, out=folder))
        report = json.loads((run_folder / "report.json").read_text("utf-8"))
    kept_names = ("steps", "minutes", "learning_curve", "results")
    players = report["settings"]["num_players"]
    return {"command": as_command(about), "players": players} | {name: report[name] for name in kept_names}


def measure_values(scenario: str, rounds: int, games: int, seed: int = 0) -> dict[str, Any]:
    """Train a value network for the maximum number of players and evaluate it.

    Training consists of one round of `greedy` games and `rounds` further rounds, each of `games` games. In each
    evaluation, one opponent from `LEARNED_AGAINST` plays all other seats, and trade offers are off.

    Raises:
        CatanError: the scenario does not exist, or the rounds have no games.
    """
    from catan_agents.search import GreedyAgent
    from catan_training.learning.tuning import without_offers
    from catan_training.learning.value_learning import learn_values
    from catan_training.learning.value_settings import ValueTraining

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
    """Run a soak test for each number of players.

    Raises:
        CatanError: a check failed; `folder` has the replay log.
    """
    reports = []
    for players in find_scenario(scenario).players:
        result = Soak(scenario, players, min(512, actions)).run(actions, folder)
        if result.failure:
            raise CatanError(f"{scenario}, {players} players: {result.failure}; see {result.replay_file}.")
        reports.append(asdict(result))
    return reports


def measure_speed(scenario: str) -> list[dict[str, Any]]:
    """Measure the speed and size of a scenario, without trade offers.

    For each number of players, the speed of `step` is measured alternately with that of the base game and reported as a
    ratio. Record size and time to the first step are measured at the maximum number of players.
    """
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
        meaning = f"step and legal actions with {players} players, relative to {reference} with {reference_players}"
        figures.append(Figure.of(f"step-{players}", meaning, "times", ratios))
    figures += bench.measure(scenario, player_counts[-1], only=("bytes", "first-step"))
    return [asdict(figure) for figure in figures]


def measure_benchmarks(scenario: str, repeats: int = 9) -> dict[str, Any]:
    """Return the figures from `catan bench` in its JSON format."""
    about: dict[str, Any] = {"scenario": scenario, "players": None, "games": 4096, "threads": 2, "repeats": repeats}
    machine_facts = machine()
    return bench.to_dict(bench.measure(**about, rules={}), machine_facts, **about, rules={})
