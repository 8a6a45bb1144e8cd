"""A network's chances of winning, and draws whose effect on these chances is measured; compiled with the rules."""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np

from catan_agents.evaluation.memo import EvalCache, clear_cache
from catan_agents.evaluation.network_evaluation import TERM_WEIGHTS, WIN
from catan_agents.evaluation.terms import VALUE, cache_of, with_networks
from catan_agents.search.worlds import let_fall
from catan_env.engine.arrays import as_records
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import RUNNING, head
from catan_env.engine.kernels import total_weight

value = VALUE
LEAST = 1e-9


class Network(NamedTuple):
    """A network and scratch memory.

    Attributes:
        row: the network's row, see `ValueNetwork.row_for`.
        logit: (2,) intercept and slope of the logit of winning, given an evaluation, if the network corrects the sum of
            terms.
        cache: cached evaluations.
        after: (1,) record of a position after a draw.
        odds: (outcomes,) int64, odds of the outcomes of a draw.
    """

    row: np.ndarray
    logit: np.ndarray
    cache: EvalCache
    after: np.ndarray
    odds: np.ndarray


class Draws(NamedTuple):
    """Draws to make, and the output arrays.

    Attributes:
        records: (games,) records, with a draw at the head of the decision stack.
        seats: (games,) the seats whose chances are compared.
        lots: (games,) numbers in [0, 1) that determine the outcomes.
        outcomes: (games,) output: outcome ids.
        swings: (games,) output: the seat's chance after the outcome, less its mean over all outcomes.
    """

    records: np.ndarray
    seats: np.ndarray
    lots: np.ndarray
    outcomes: np.ndarray
    swings: np.ndarray


def chance_of(game, params, seat, network):
    """Return a seat's chance of winning as estimated by a network, or the result if the game is over."""
    if game.ended != RUNNING:
        return float((game.winners >> seat) & 1)
    worth = value(game, params, seat, network.row, network.cache)
    if network.row[TERM_WEIGHTS] > 0:
        return 1.0 / (1.0 + exp(-network.logit[0] - network.logit[1] * worth))
    return worth / WIN


def estimate(records, all_params, network, chances, start, stop):
    """Kernel: estimate the chances of all seats in each game."""
    clear_cache(network.cache)
    for i in range(start, stop):
        for seat in range(chances.shape[1]):
            chances[i, seat] = chance_of(records[i], all_params[0], seat, network)


def draw(draws, all_params, network, start, stop):
    """Kernel: choose the outcome of each draw, and compare the chance that follows with its mean."""
    params, odds, after = all_params[0], network.odds, network.after
    clear_cache(network.cache)
    for i in range(start, stop):
        game = draws.records[i]
        kind, total = head(game) - params.num_decisions, total_weight(game, params, odds)
        odds_before = 0
        mean = 0.0
        chance = 0.0
        chosen = 0
        for outcome in range(params.draw_size[kind]):
            if odds[outcome] > 0:
                after[0] = game
                let_fall(after[0], params, outcome)
                following = chance_of(after[0], params, draws.seats[i], network)
                mean += following * odds[outcome] / total
                if odds_before <= draws.lots[i] * total:
                    chosen = outcome
                    chance = following
                odds_before += odds[outcome]
        draws.outcomes[i] = params.draw_first[kind] + chosen
        draws.swings[i] = chance - mean


class Forecasts:
    """A network's forecasts in games with the rules of an engine.

    Args:
        engine: the engine.
        row: the network's row, see `ValueNetwork.row_for`.
        logit: intercept and slope as in `Network`.
    """

    def __init__(self, engine: BatchEngine, row: np.ndarray, logit: tuple[float, float]):
        composition, blank = engine.program.composition, engine.program.blank
        odds = np.zeros(engine.program.max_outcomes, np.int64)
        self.composition = with_networks(composition)
        self.network = Network(row, np.array(logit), cache_of(composition, blank), as_records(blank.copy()), odds)

    def shares(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the chances of all seats as shares of their sum, shape (n, players), float64.

        If the game is over, the winners share 1. All are 0 if nobody has won.
        """
        chances: np.ndarray = np.zeros((len(games), engine.num_players))
        kernel = engine.kernel(estimate, self.composition, waits=True)
        kernel(as_records(engine.state[games]), engine.batch.params, self.network, chances, 0, len(games))
        return chances / np.maximum(chances.sum(axis=1, keepdims=True), LEAST)

    def draw(
        self, engine: BatchEngine, games: np.ndarray, seats: np.ndarray, lots: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Choose outcomes in games at a draw.

        Args:
            engine: an engine with explicit chance.
            seats, lots: (n,) as in `Draws`.

        Returns:
            Outcome ids and swings as in `Draws`, both of shape (n,).
        """
        records = as_records(engine.state[games])
        draws: Any = Draws(records, seats, lots, np.zeros(len(games), np.int64), np.zeros(len(games)))
        engine.kernel(draw, self.composition, waits=True)(draws, engine.batch.params, self.network, 0, len(games))
        return draws.outcomes, draws.swings
