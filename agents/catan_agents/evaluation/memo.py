"""Memoized terms: a cached result is valid for every position in which the fields that the term reads are identical.

Positions compared in a search differ in only a few fields, often in the cards or the board but not both. To find the
fields that a measuring function reads, the composition inspects its bytecode and that of all functions it calls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_agents.evaluation.network_evaluation import POOL, Sums, make_sums
from catan_env.engine.arrays import as_records
from catan_env.engine.record_views import ENTRIES
from catan_env.games.vocabulary import NOBODY


class EvalCache(NamedTuple):
    """Scratch space and memoized terms for evaluating positions.

    Entries are valid only for a single `params` value. Call `clear_cache` before switching to another.

    Attributes:
        pool: (POOL,) float64 scratch buffer, for terms and value networks.
        sums: sums of value networks. They stay valid when `params` changes.
        records: (measures, entries) records in which only the fields read by each function are set.
        seats: (measures, entries) int64, the seat of each entry; `NOBODY` marks an empty entry.
        found: (measures, entries, terms) float64, the memoized terms.
    """

    pool: np.ndarray
    sums: Sums
    records: np.ndarray
    seats: np.ndarray
    found: np.ndarray


def make_cache(blank: np.ndarray, measures: int, terms: int) -> EvalCache:
    """Return an empty cache.

    Args:
        blank: a blank record of the program, shape (1,).
        measures: number of memoized functions.
        terms: largest number of terms that any of these functions returns.
    """
    shape = max(measures, 1), ENTRIES
    records, seats = as_records(np.tile(blank, shape)), np.full(shape, NOBODY)
    return EvalCache(np.zeros(POOL), make_sums(), records, seats, np.zeros((*shape, terms)))


def clear_cache(cache):
    """Mark all entries as empty."""
    for measure in range(cache.seats.shape[0]):
        for entry in range(cache.seats.shape[1]):
            cache.seats[measure, entry] = NOBODY
