"""A training run's teacher and lookahead features, which answer for many games on several threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from catan_agents import make_agent
from catan_agents.search.lookahead_features import LookaheadFeatures
from catan_agents.streams import GameStreams
from catan_env.engine.batch import BatchEngine


class Threads:
    """A fixed number of threads."""

    def __init__(self, count: int):
        self.count = count
        self._pool = ThreadPoolExecutor(count) if count > 1 else None

    def run(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run one task per thread and return the results."""
        if self._pool is None:
            return [task() for task in tasks]
        return [future.result() for future in [self._pool.submit(task) for task in tasks]]


class Teacher:
    """The agent to imitate, with one copy per thread.

    Args:
        name: the agent's name; empty for no teacher.
        inverse_temperature: of the softmax over the teacher's action values; 0: only its actions count.

    Attributes:
        values_actions: whether labels include action values.
    """

    def __init__(self, name: str, inverse_temperature: float, threads: Threads):
        self._threads = threads
        self._copies: list[Any] = [make_agent(name) for _ in range(threads.count) if name]
        self.values_actions = bool(
            inverse_temperature and self._copies and hasattr(self._copies[0], "evaluate_actions")
        )

    def reset(self, seed: int) -> None:
        """Reset the random streams."""
        for index, agent in enumerate(self._copies):
            agent.reset(seed + index)

    def label(self, engine: BatchEngine, games: np.ndarray, labels: np.ndarray, action_values: np.ndarray) -> None:
        """Write the teacher's actions and action values for the given games into arrays for all games."""
        tasks = [
            partial(agent.evaluate_actions if self.values_actions else agent.act, engine, share)
            for agent, share in zip(self._copies, np.array_split(games, len(self._copies)), strict=True)
        ]
        answers = self._threads.run(tasks)
        if self.values_actions:
            action_values[games] = np.concatenate([values for _, values in answers])
            answers = [actions for actions, _ in answers]
        labels[games] = np.concatenate(answers)


class Lookahead:
    """Lookahead features of an engine's games, computed by one `LookaheadFeatures` per thread.

    Attributes:
        features: one per thread.
        columns: number of features of a position.
    """

    def __init__(self, engine: BatchEngine, threads: Threads):
        self._engine, self._threads, self._streams = engine, threads, GameStreams()
        self.features = [LookaheadFeatures(engine) for _ in range(threads.count)]
        self.columns = self.features[0].columns

    def reset(self, seed: int) -> None:
        """Reset the random streams."""
        self._streams.reset(seed)

    def encode(self, now: np.ndarray) -> np.ndarray:
        """Write the current terms of all games into `now`, (games, columns), and return the features of legal actions.

        See `catan_agents.networks.lookahead` for both.
        """
        games = np.flatnonzero(self._engine.seat_to_act >= 0)
        parts = (np.array_split(array, self._threads.count) for array in (games, self._streams.words(games)))
        tasks = [partial(own.encode, *share) for own, *share in zip(self.features, *parts, strict=True)]
        now[:] = 0.0
        now[games], lookahead = (np.concatenate(arrays) for arrays in zip(*self._threads.run(tasks), strict=True))
        return lookahead
