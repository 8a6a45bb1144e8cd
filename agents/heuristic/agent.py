"""The agent: it takes the legal action with the best score."""

from __future__ import annotations

import numpy as np

from agents.heuristic.scoring import NOTHING, further_reasons, scores_of
from agents.heuristic.thought import Thought
from agents.streams import GameStreams
from catan_env.errors import OptionError


class HeuristicAgent:
    """Plays sensibly. See the package."""

    name = "heuristic"

    def __init__(self, seed: int = 0):
        self._streams = GameStreams(seed)

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine, games: np.ndarray) -> np.ndarray:
        legal = engine.action_mask[games]
        actions = legal.argmax(axis=1)
        choice = np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)
        if len(choice):
            actions[choice] = self._choose(Thought(engine, games[choice]), self._streams.uniform(games[choice]))
        return actions

    def _choose(self, thought: Thought, luck: np.ndarray) -> np.ndarray:
        table, legal = thought.engine.actions, thought.legal
        worth = np.full(legal.shape, NOTHING)
        scenario = thought.engine.scenario
        for kind, score in [*scores_of(scenario).items(), *further_reasons(scenario)]:
            ids = slice(table.ids(kind).start, table.ids(kind).stop)
            if legal[:, ids].any():
                try:
                    worth[:, ids] += score(thought)
                except OptionError:  # the scenario lacks what this score looks at
                    continue
        # Between equals lots are drawn: a fraction that differs from action to action and game to game.
        noise = np.modf(luck[:, None] * (1.0 + np.arange(table.n)) * 997.0)[0]
        return np.where(legal, worth + 1e-3 * noise, -np.inf).argmax(axis=1)
