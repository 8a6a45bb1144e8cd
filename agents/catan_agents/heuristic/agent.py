"""The heuristic agent, which takes the legal action with the highest score."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import NO_GAIN, action_scores
from catan_agents.streams import GameStreams
from catan_env.errors import OptionError


class HeuristicAgent:
    """An agent that takes the highest-scoring legal action, breaking ties at random."""

    name = "heuristic"

    def __init__(self, seed: int = 0):
        self._streams = GameStreams(seed)

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine, games: np.ndarray) -> np.ndarray:
        legal = engine.action_mask[games]
        actions = legal.argmax(axis=1)
        choice_indices = np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)
        if len(choice_indices):
            actions[choice_indices] = self._choose(
                DecisionContext(engine, games[choice_indices]), self._streams.uniform(games[choice_indices])
            )
        return actions

    def scores(self, engine, games: np.ndarray) -> np.ndarray:
        """Return action scores as a (len(games), actions) float64 array, with -inf for illegal actions."""
        context = DecisionContext(engine, games)
        game_rows, action_ids, worth = self._legal_scores(context)
        scores = np.full(context.legal.shape, -np.inf)
        scores[game_rows, action_ids] = worth
        return scores

    def _choose(self, context: DecisionContext, luck: np.ndarray) -> np.ndarray:
        game_rows, action_ids, worth = self._legal_scores(context)
        # Break ties at random by adding a small fraction that differs per action and game.
        worth += 1e-3 * np.modf(luck[game_rows] * (1.0 + action_ids) * 997.0)[0]
        best_worth = np.maximum.reduceat(worth, np.searchsorted(game_rows, np.arange(len(luck))))
        best_entries = np.flatnonzero(worth == best_worth[game_rows])
        return action_ids[best_entries[np.searchsorted(game_rows[best_entries], np.arange(len(luck)))]]

    def _legal_scores(self, context: DecisionContext) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the row, action id and score of every legal action, sorted by row."""
        table = context.engine.actions
        game_rows, action_ids = np.nonzero(context.legal)
        worth = np.full(len(game_rows), NO_GAIN)
        for kind, score in action_scores(context.engine.scenario.modules):
            ids = table.ids(kind)
            entries = np.flatnonzero((action_ids >= ids.start) & (action_ids < ids.stop))
            if len(entries):
                try:
                    kind_scores = np.broadcast_to(score(context), (len(context.games), len(ids)))
                except OptionError:  # the scenario lacks something that this score reads
                    continue
                worth[entries] += kind_scores[game_rows[entries], action_ids[entries] - ids.start]
        return game_rows, action_ids, worth
