"""`Batch`: the arrays and options of N games, passed to compiled kernels as one argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from catan_env.engine.bitset import WORD_BITS
from catan_env.engine.compiler.marks import MARK_BITS
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT

LOG_MARGIN = 256
"""Number of free entries kept in each log. No move uses them all; even setup draws fewer than 100 outcomes."""


class Batch(NamedTuple):
    """The arrays and options of N games, with one row per game."""

    records: np.ndarray
    """(N,) structured: the game records."""
    params: np.ndarray
    """(1,) structured: rule numbers, board, action table."""
    blank: np.ndarray
    """(1,) structured: a record with every field at its default."""
    masks: np.ndarray
    """(N, width) bool: the legal actions. Rows are padded with False to full blocks."""
    marks: np.ndarray
    """(N, words) int64: the legal actions as sets of bits, which rules write; see `marks`."""
    seats: np.ndarray
    """(N,) int64: the seat to act, or `decision_stack.CHANCE` or `decision_stack.NO_SEAT_TO_ACT`."""
    ended: np.ndarray
    """(N,) uint8: how each game ended, or `decision_stack.RUNNING`."""
    weights: np.ndarray
    """(threads, outcomes) int64: buffer for the weights of a draw, one row per thread."""
    rewards: np.ndarray
    """(N, players) float32: rewards of the last step."""
    log: np.ndarray
    """(N, room) uint16: action ids, and outcome ids offset by the number of actions. If no logs are kept, room is 0."""
    log_length: np.ndarray
    """(N,) int32: number of entries in each log."""
    zero_sum: bool
    """Whether the losers share a reward of -1 instead of getting -1 each."""
    explicit: bool
    """Whether steps take chance outcomes as actions instead of sampling them."""
    forced: bool
    """Whether an action is played automatically when it is the only legal one."""
    autoreset: bool
    """Whether stepping a finished game resets it."""


class Record(np.void):  # type: ignore[misc]  # the stubs declare its base final
    """A game record whose fields can be read as attributes, for rules in plain Python.

    Unlike `numpy.record`, which looks up each field in Python code, subclasses of `Record` have a property per field.
    """

    __slots__ = ()


@cache
def _with_attributes(dtype: np.dtype) -> np.dtype:
    """Return a record dtype whose records expose their fields as attributes."""
    fields = {name: property(itemgetter(name), _setter(name)) for name in dtype.names or ()}
    return np.dtype((type("Record", (Record,), {"__slots__": (), **fields}), dtype))


def _setter(name: str) -> Callable[[np.void, Any], None]:
    def write(record: np.void, value: Any) -> None:
        record[name] = value

    return write


def as_records(array: np.ndarray) -> np.ndarray:
    """Return a view of the records whose fields rule functions can read as attributes in plain Python."""
    return array if issubclass(array.dtype.type, Record) else array.view(_with_attributes(array.dtype))


def game_size(blank: np.ndarray, num_actions: int, record: bool) -> int:
    """Return the approximate size, in bytes, of the record, mask and log of one game."""
    return blank.nbytes + num_actions + 8 * LOG_MARGIN * record + 64


def new_masks(rows: int, num_actions: int) -> tuple[np.ndarray, np.ndarray]:
    """Return empty masks, bool (rows, width), and the same as sets of bits, int64 (rows, words).

    Masks are padded to full blocks, and sets by the word that `bitset.mark` needs.
    """
    masks = np.zeros((rows, -(-num_actions // WORD_BITS) * WORD_BITS), np.bool_)
    return masks, np.zeros((rows, -(-num_actions // MARK_BITS) + 1), np.int64)


def new_batch(
    num_games: int,
    num_players: int,
    num_actions: int,
    blank: np.ndarray,
    params: np.ndarray,
    weights: np.ndarray,
    record: bool,
    **options: bool,
) -> Batch:
    """Return the arrays of games that have not started yet.

    Args:
        num_games: N.
        num_players: number of seats per game.
        num_actions: number of action ids.
        blank: (1,) record with every field at its default.
        params: (1,) rule numbers, board, action table.
        weights: (threads, outcomes) int64.
        record: whether to keep logs.
        options: the bool fields of `Batch`.
    """
    masks, marks = new_masks(num_games, num_actions)
    return Batch(
        records=as_records(np.repeat(blank, num_games)),
        params=as_records(params),
        blank=as_records(blank),
        masks=masks,
        marks=marks,
        seats=np.full(num_games, NO_SEAT_TO_ACT, np.int64),
        ended=np.zeros(num_games, np.uint8),
        weights=weights,
        rewards=np.zeros((num_games, num_players), np.float32),
        log=np.zeros((num_games, 4 * LOG_MARGIN if record else 0), np.uint16),
        log_length=np.zeros(num_games, np.int32),
        **options,
    )
