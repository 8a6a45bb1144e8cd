"""Lookahead features for policy networks: the expected values of evaluation terms after each action.

The search samples worlds, averages over chance and follows triggered decisions as `greedy` does, but instead of a
single value per action, it returns the expected change in every term.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from catan_agents.evaluation.terms import AVOIDED, MEASURE, UNCERTAIN
from catan_agents.search.agent import GAMES_AT_A_TIME, workspace_of
from catan_agents.search.lookahead import (
    END,
    LEVELS,
    NOT_LEGAL,
    Search,
    end_value,
    goes_no_further,
    mark_wanted,
    prepare_draw,
)
from catan_agents.search.weights import weights_in
from catan_agents.search.worlds import at_level, begin, orders, take
from catan_env.engine.arrays import as_records
from catan_env.engine.bitset import where_bit
from catan_env.engine.decision_stack import CHANCE, head, head_seat
from catan_env.engine.threads import pieces

measure = MEASURE

ENDS, AVOIDS, TERMS = 0, 1, 2
"""Columns: expected result (1 for a win, -1 for a loss), whether search agents avoid the action, change in each term.
"""
FIRST, NO_FURTHER = 1, 0  # named constants, because a recursive function must not be specialized for a literal


def note(game, params, seat, weights, pool, row):
    """Write the terms of a position to a row and return the value of the position."""
    measure(game, params, seat, row[TERMS:], pool)
    worth = end_value(game, seat)
    row[ENDS] = worth / END
    for k in range(weights.shape[0]):
        worth += weights[k] * row[TERMS + k]
    return worth


def follow(search, rows, world, level, depth):
    """Return the value of a position in one world, and write its expected terms to `rows[level]`.

    The values are the same as in `lookahead.outlook`.
    """
    space, params, seat = search.space, search.params, search.seat
    game = at_level(space, params, seat, world, level)
    term_row = rows[level]
    if goes_no_further(space, game, seat, level, depth, search.resting):
        return note(game, params, seat, search.weights, space.cache.pool, term_row)
    if head_seat(game) == CHANCE:
        draw = head(game) - params.num_decisions
        prepare_draw(space, params, seat, level, world, 1 << world, depth)
        term_row[:] = 0.0
        expected_worth = 0.0
        for outcome in range(params.draw_size[draw]):
            odds = space.odds[level, world, outcome] / space.totals[level, world]
            share = odds * orders(space, params, world, level, outcome)
            if share > 0.0:
                take(space, level, outcome)
                expected_worth += share * follow(search, rows, world, level + 1, depth)
                for column in range(term_row.shape[0]):
                    term_row[column] += share * rows[level + 1, column]
        return expected_worth
    mark_wanted(space, game, params, seat, level)
    best_worth = NOT_LEGAL
    for action in where_bit(space.masks[level], 0):
        take(space, level, action)
        worth = follow(search, rows, world, level + 1, depth - 1)
        if worth > best_worth:
            best_worth = worth
            for column in range(term_row.shape[0]):
                term_row[column] = rows[level + 1, column]
    return best_worth


class Outlooks(NamedTuple):
    """Games to compute features for, and the output arrays.

    Attributes:
        worlds, legal, seats: as in `lookahead.Decisions`.
        firsts: (games,) index of the first row of each game in `found`.
        now: (games, columns) float32, output: current terms.
        found: (legal actions of all games, columns) float32, output: features of each legal action.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    firsts: np.ndarray
    now: np.ndarray
    found: np.ndarray


def look(outlooks, all_params, weights, space, rows, start, stop):
    """Kernel: compute the features of every legal action in the games `start .. stop-1`.

    Args:
        outlooks: `Outlooks`; receives the features.
        weights, space: as in `lookahead.Search`.
        rows: (levels, columns) float64 scratch memory.
    """
    params = all_params[0]
    for i in range(start, stop):
        game, seat, now = outlooks.worlds[i], outlooks.seats[i], outlooks.now[i]
        begin(space, game)
        search = Search(space, params, weights, seat, int(game.depth))
        note(game, params, seat, weights, space.cache.pool, rows[0])
        now[:] = 0.0
        for column in range(TERMS, now.shape[0]):
            now[column] = rows[0, column]
        action_index = outlooks.firsts[i]
        for action in range(params.num_actions):
            if not outlooks.legal[i, action]:
                continue
            manner = space.manners[params.action_kind[action]]
            action_row = outlooks.found[action_index]
            action_index += 1
            action_row[:] = 0.0
            take(space, 0, action)
            space.met[0] = manner & UNCERTAIN
            world = 0
            while world == 0 or (space.met[0] != 0 and world < len(space.reached)):
                follow(search, rows, world, FIRST, NO_FURTHER)
                world += 1
                for column in range(action_row.shape[0]):
                    action_row[column] += (rows[FIRST, column] - now[column] - action_row[column]) / world
            action_row[AVOIDS] = 1.0 if (manner & AVOIDED) != 0 else 0.0


class LookaheadFeatures:
    """Lookahead features for the games of one engine, from the point of view of the seat to act.

    Attributes:
        terms: names of the terms.
        columns: number of features per action.
        weights: (terms,) the weights that `greedy` uses, for choosing actions in triggered decisions.

    Args:
        worlds: number of worlds to sample when hidden information matters.
    """

    def __init__(self, engine: Any, worlds: int = 4):
        self.engine = engine
        workspace = workspace_of(engine, worlds, worlds)
        self._space = workspace.space
        self.terms = [term.name for term in workspace.terms]
        self.weights = weights_in(engine)
        self.columns = TERMS + len(self.terms)
        self._rows = np.zeros((LEVELS, self.columns))

    def encode(self, games: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compute the features of n unfinished games.

        Args:
            games: (n,) game indices.
            seeds: (n,) uint64 seeds for sampling worlds.

        Returns:
            The current terms, shape (n, columns), and the expected changes, shape (legal actions of all games,
            columns), with one row per action, sorted by game and then by id. Both are float32.
        """
        engine, legal = self.engine, self.engine.action_mask[games]
        legal_counts = np.count_nonzero(legal, axis=1)
        position_rows = np.zeros((len(games), self.columns), np.float32)
        action_rows = np.zeros((legal_counts.sum(), self.columns), np.float32)
        worlds = engine.determinise(games, seed=seeds)
        firsts = legal_counts.cumsum() - legal_counts
        outlooks = Outlooks(as_records(worlds), legal, engine.seat_to_act[games], firsts, position_rows, action_rows)
        kernel = engine.kernel(look)
        for first_game, last_game in pieces(0, len(games), GAMES_AT_A_TIME):
            kernel(outlooks, engine.batch.params, self.weights, self._space, self._rows, first_game, last_game)
        return position_rows, action_rows
