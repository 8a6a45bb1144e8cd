"""Terms that are kept: what was measured holds for every position that is the same in all that was read for it.

Most positions that a search compares differ in little: in cards, not on the board, or the other way round. Which fields
a measure reads is found in its byte code and that of all it asks, so nobody has to say it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_agents.evaluation.network_evaluation import ROOM
from catan_env.engine.arrays import as_records
from catan_env.engine.record_views import ENTRIES
from catan_env.games.vocabulary import NOBODY

POOL = ROOM
"""Numbers in the pool that functions may count in; value networks need so many."""


class EvalCache(NamedTuple):
    """Memory to judge positions in. What is kept holds for one set of `params`: `clear_cache` it for another.

    Attributes:
        pool: (POOL,) float64, to count in.
        records: (measures, entries) records, of which only what is read of positions is filled in.
        seats: (measures, entries) int64, for whom they were measured; `NOBODY` where nothing is kept.
        found: (measures, entries, terms) float64, the terms.
    """

    pool: np.ndarray
    records: np.ndarray
    seats: np.ndarray
    found: np.ndarray


def make_cache(blank: np.ndarray, measures: int, terms: int) -> EvalCache:
    """Fresh memory for so many measures that are kept, of so many terms at most; `blank` as that of a program."""
    shape = max(measures, 1), ENTRIES
    records, seats = as_records(np.tile(blank, shape)), np.full(shape, NOBODY)
    return EvalCache(np.zeros(POOL), records, seats, np.zeros((*shape, terms)))


def clear_cache(cache):
    """Keeps nothing."""
    for measure in range(cache.seats.shape[0]):
        for entry in range(cache.seats.shape[1]):
            cache.seats[measure, entry] = NOBODY
