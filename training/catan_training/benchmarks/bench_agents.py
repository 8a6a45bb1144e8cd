"""`catan bench agents`: single-core speed of agents playing every seat in batched games."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from catan_agents import Agent
from catan_env.engine.batch import BatchEngine
from catan_training.benchmarks.bench import NO_TRADE, Figure
from catan_training.evaluation.fixtures import Entrant
from catan_training.evaluation.paired_seeds import make_player

AGENTS = ("random", "weighted", "heuristic", "greedy", "expectimax", "mcts")


def play_all(engine: BatchEngine, agent: Agent, seed: int) -> int:
    """Play new games to completion and return the number of decisions."""
    engine.reset(seed)
    agent.reset(seed)
    actions, decisions = np.zeros(engine.num_games, np.int64), 0
    running = np.flatnonzero(engine.seat_to_act >= 0)
    while len(running):
        actions[:] = -1
        actions[running] = agent.act(engine, running)
        engine.step(actions)
        decisions += len(running)
        running = np.flatnonzero(engine.seat_to_act >= 0)
    return decisions


def measure_agents(
    agents: Sequence[Any] = AGENTS,
    scenario: str = "base",
    players: int | None = None,
    games: int = 256,
    repeats: int = 3,
    rules: Mapping[str, Any] | None = None,
    tell: Callable[[str], Any] = lambda text: None,
) -> list[Figure]:
    """Measure each agent's speed in games per second of processor time and its time per decision in microseconds.

    Trade offers are off unless `rules` enables them. Forced moves are played by the engine.

    Args:
        agents: agents in any form that `Entrant.read` accepts.

    Raises:
        CatanError: an agent, scenario or rule is invalid.
    """
    figures = []
    for entrant in map(Entrant.read, agents):
        name = entrant.label
        tell(name)
        agent, probe = make_player(entrant), BatchEngine(scenario, 1, players)
        overrides = {rule: value for rule, value in NO_TRADE.items() if rule in probe.rules} | dict(rules or {})
        engine = BatchEngine(scenario, games, players, rules=overrides, forced_moves="play")
        agent.act(engine, np.arange(min(2, games)))  # a first run, to compile the engine and the agent
        rates, times = [], []
        for seed in range(repeats):
            start = time.process_time()
            decisions = play_all(engine, agent, seed)
            seconds = time.process_time() - start
            rates.append(games / seconds)
            times.append(1e6 * seconds / max(decisions, 1))
        for unit, meaning, values in (("games/s", "complete games", rates), ("us", "one decision", times)):
            figures.append(Figure.of(f"{name}-{unit}", f"{name}: {meaning}", unit, values))
    return figures
