"""The agent: it takes the legal action with the best score."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import NO_GAIN, action_scores
from catan_agents.streams import GameStreams
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
            actions[choice] = self._choose(DecisionContext(engine, games[choice]), self._streams.uniform(games[choice]))
        return actions

    def _choose(self, context: DecisionContext, luck: np.ndarray) -> np.ndarray:
        table = context.engine.actions
        game, action = np.nonzero(context.legal)
        worth = np.full(len(game), NO_GAIN)
        for kind, score in action_scores(context.engine.scenario.modules):
            ids = table.ids(kind)
            these = np.flatnonzero((action >= ids.start) & (action < ids.stop))
            if len(these):
                try:
                    scored = np.broadcast_to(score(context), (len(luck), len(ids)))
                except OptionError:  # the scenario lacks what this score looks at
                    continue
                worth[these] += scored[game[these], action[these] - ids.start]
        # Between equals lots are drawn: a fraction that differs from action to action and game to game.
        worth += 1e-3 * np.modf(luck[game] * (1.0 + action) * 997.0)[0]
        best = np.maximum.reduceat(worth, np.searchsorted(game, np.arange(len(luck))))
        found = np.flatnonzero(worth == best[game])
        return action[found[np.searchsorted(game[found], np.arange(len(luck)))]]
