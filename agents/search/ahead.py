"""Where each action leads: the terms of an evaluation after it, for networks that choose among actions by them.

Worlds, chance and what an action has set off at once are looked at as `greedy` does, one decision ahead; but instead of
one value each action has the expected change of every term.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.evaluation.terms import AVOIDED, MEASURE, UNCERTAIN
from agents.search.agent import workspace_of
from agents.search.lookahead import END, LEVELS, NESTED, NOT_LEGAL, carry_out, let_fall, mark_legal, worth_of_end
from agents.search.weights import weights_for
from catan_env.engine.imagine import deal_world
from catan_env.engine.kernels import total_weight
from catan_env.engine.program import as_records
from catan_env.engine.queue import CHANCE, RUNNING, head, head_seat

measure = MEASURE

ENDS, AVOIDS, TERMS = 0, 1, 2
"""Columns: by how much an action wins the game rather than loses it; whether searching agents avoid it; from there on
the changes of the terms."""
FIRST, NO_FURTHER = 1, 0  # by name: a function that calls itself must not be compiled for a literal


def note(game, table, seat, weights, pool, row):
    """Measures a position into a row, and returns what it is worth."""
    measure(game, table, seat, row[TERMS:], pool)
    worth = worth_of_end(game, seat)
    row[ENDS] = worth / END
    for k in range(weights.shape[0]):
        worth += weights[k] * row[TERMS + k]
    return worth


def follow(stack, table, masks, words, odds, weights, secret, met, pool, rows, seat, level, depth, resting):
    """As `lookahead.outlook`, which it agrees with; leaves in `rows[level]` what is expected of each term."""
    game = stack[level]
    row = rows[level]
    if game.ended != RUNNING or level + 1 >= stack.shape[0]:
        return note(game, table, seat, weights, pool, row)
    if head_seat(game) == CHANCE:
        first = head(game) - table.num_decisions
        if secret[first]:
            met[0] = 1
        total = total_weight(game, table, odds[level])
        row[:] = 0.0
        expected = 0.0
        for k in range(table.draw_size[first]):
            if odds[level, k] > 0:
                stack[level + 1] = stack[level]
                let_fall(stack[level + 1], table, k)
                share = odds[level, k] / max(total, 1)
                expected += share * follow(
                    stack, table, masks, words, odds, weights, secret, met, pool, rows, seat, level + 1, depth, resting
                )
                for column in range(row.shape[0]):
                    row[column] += share * rows[level + 1, column]
        return expected
    if head_seat(game) != seat or (depth <= 0 and (game.depth <= resting or depth <= -NESTED)):
        return note(game, table, seat, weights, pool, row)
    for k in range(words.shape[1]):
        words[level, k] = 0
    mark_legal(game, table, seat, head(game), masks[level])
    best = NOT_LEGAL
    for k in range(words.shape[1]):
        if words[level, k] != 0:
            for action in range(8 * k, min(8 * k + 8, table.num_actions)):
                if masks[level, action]:
                    carry_out(stack, table, level, seat, action)
                    worth = follow(
                        stack, table, masks, words, odds, weights, secret, met, pool, rows, seat, level + 1,
                        depth - 1, resting,
                    )
                    if worth > best:
                        best = worth
                        for column in range(row.shape[0]):
                            row[column] = rows[level + 1, column]
    return best


def look(
    worlds, tables, legal, seats, weights, manners, secret, stack, masks, words, odds, met, pool, rows, deals, dealing,
    firsts, now, found, start, stop,
):
    """Kernel: where each action of the games `start .. stop-1` leads; arguments as those of `lookahead.decide`.

    Args:
        rows: (levels, columns) float64 to work in.
        firsts: (games,) the first row of each in `found`.
        now: (games, columns) float32, written: the terms as they are.
        found: (legal actions of all games, columns) float32, written.
    """
    table = tables[0]
    for i in range(start, stop):
        deals[0] = worlds[i]
        dealt = 1
        seat = seats[i]
        resting = int(deals[0].depth)
        note(deals[0], table, seat, weights, pool, rows[0])
        now[i] = 0.0
        for column in range(TERMS, now.shape[1]):
            now[i, column] = rows[0, column]
        number = firsts[i]
        for action in range(table.num_actions):
            if not legal[i, action]:
                continue
            manner = manners[table.action_kind[action]]
            into = found[number]
            number += 1
            into[:] = 0.0
            met[0] = manner & UNCERTAIN
            tried = 0
            while tried == 0 or (met[0] != 0 and tried < deals.shape[0]):
                if tried == dealt:
                    deals[dealt] = deals[dealt - 1]
                    deal_world(deals[dealt], table, seat, dealing)
                    dealt += 1
                stack[0] = deals[tried]
                carry_out(stack, table, 0, seat, action)
                follow(
                    stack, table, masks, words, odds, weights, secret, met, pool, rows, seat, FIRST, NO_FURTHER,
                    resting,
                )
                tried += 1
                for column in range(into.shape[0]):
                    into[column] += (rows[FIRST, column] - now[i, column] - into[column]) / tried
            into[AVOIDS] = 1.0 if (manner & AVOIDED) != 0 else 0.0


class Ahead:
    """Looks ahead in the games of one engine, as the seats to act there can.

    Attributes:
        terms: names of what is measured.
        columns: numbers of an action: those of `look`.
        weights: (terms,) by which what an action sets off at once is chosen, those of `greedy`.

    Args:
        worlds: deals of what is not seen, where they matter.
    """

    def __init__(self, engine: Any, worlds: int = 4):
        self.engine = engine
        self._space = workspace_of(engine, worlds)
        self.terms = [term.name for term in self._space.terms]
        self.weights = weights_for(self._space.terms, engine.scenario.name, engine.num_players)
        self.columns = TERMS + len(self.terms)
        self._rows = np.zeros((LEVELS, self.columns))

    def encode(self, games: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Looks from the seats to act in (n,) games, none of which is over; `seeds` (n,) uint64 are of the worlds.

        Returns:
            (n, columns) float32 terms as they are, and (legal actions of all, columns) float32: the changes that each
            action is expected to bring, in the order of games and ids.
        """
        engine, space, legal = self.engine, self._space, self.engine.action_mask[games]
        counts = np.count_nonzero(legal, axis=1)
        now = np.zeros((len(games), self.columns), np.float32)
        found = np.zeros((counts.sum(), self.columns), np.float32)
        worlds = engine.imagine(games, seed=seeds)
        engine._program.kernel(look)(
            as_records(worlds), engine._tables_in, legal, engine.seat_to_act[games], self.weights, space.manners,
            space.secret, as_records(space.stack), space.masks, space.words, space.odds, space.met, space.pool,
            self._rows, as_records(space.deals), space.dealing, counts.cumsum() - counts, now, found, 0, len(games),
        )
        return now, found
