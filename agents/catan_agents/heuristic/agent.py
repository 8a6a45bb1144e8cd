"""The heuristic agent, which takes the legal action with the highest score."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.generated import Memo, new_memo
from catan_agents.heuristic.scoring import SCORE, array_scores, define_score
from catan_agents.streams import GameStreams
from catan_env.engine.arrays import Batch
from catan_env.engine.bitset import where_bit


def tie_break(luck, action):
    """Return a number from 0 to 0.001 that differs per action, given a number from 0 to 1 that differs per game."""
    lot = luck * (1.0 + action) * 997.0
    return 1e-3 * (lot - int(lot))


def choose(batch: Batch, memo: Memo, games, luck, actions, scores):
    """Kernel: find the best legal action in each of n games.

    Args:
        memo: buffer for shared values.
        games: (n,) int64 games in which a seat is to act.
        luck: (n,) float64 in [0, 1), breaks ties.
        actions: (n,) int64, receives the chosen actions.
        scores: (n, actions) float64, receives the scores of legal actions; nothing is written if n is 0.
    """
    params = batch.params[0]
    for i in range(games.shape[0]):
        game, mask, seat = batch.records[games[i]], batch.masks[games[i]], batch.seats[games[i]]
        for value in range(memo.known.shape[0]):
            memo.known[value] = False
        most_worth = -np.inf
        for action in where_bit(mask, 0):
            worth = SCORE(game, params, seat, memo, params.action_kind[action], params.action_argument[action])
            if scores.shape[0] > 0:
                scores[i, action] = worth
            worth += tie_break(luck[i], action)
            if worth > most_worth:
                most_worth = worth
                actions[i] = action


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
        # more than one action is legal if the first and last legal actions differ
        choice_indices = np.flatnonzero(actions + legal[:, ::-1].argmax(axis=1) < legal.shape[1] - 1)
        if len(choice_indices):
            choice_games = games[choice_indices]
            actions[choice_indices] = self._choose(engine, choice_games, self._streams.uniform(choice_games))
        return actions

    def scores(self, engine, games: np.ndarray) -> np.ndarray:
        """Return action scores as a (len(games), actions) float64 array, with -inf for illegal actions."""
        scores = np.full((len(games), engine.actions.n), -np.inf)
        self._run(engine, games, np.zeros(len(games)), scores)
        ranked = array_scores(engine.program.composition)
        if ranked:
            context = DecisionContext(engine, games)
            for name, score in ranked:
                ids = engine.actions.ids(name)
                is_legal = context.legal[:, ids.start : ids.stop]
                if is_legal.any():
                    scores[:, ids.start : ids.stop] += np.where(is_legal, score(context), 0.0)
        return scores

    def _choose(self, engine, games: np.ndarray, luck: np.ndarray) -> np.ndarray:
        if not array_scores(engine.program.composition):
            return self._run(engine, games, luck, np.empty((0, engine.actions.n)))
        lots = luck[:, None] * (1.0 + np.arange(engine.actions.n)) * 997.0
        return (self.scores(engine, games) + 1e-3 * np.modf(lots)[0]).argmax(axis=1)

    def _run(self, engine, games: np.ndarray, luck: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Run the kernel on games in which a seat is to act, and return the chosen actions."""
        composition, actions = engine.program.composition, np.zeros(len(games), np.int64)
        define_score(composition)
        engine.kernel(choose)(engine.batch, new_memo(composition), np.asarray(games), luck, actions, scores)
        return actions
