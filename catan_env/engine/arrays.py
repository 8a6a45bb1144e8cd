"""`Batch`: the arrays and options of N games, as one argument of compiled kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_env.engine.bitset import WORD_BITS
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT

LOG_MARGIN = 256
"""Room kept free in each log, more than one move can add: a set-up draws less than 100 outcomes."""


class Batch(NamedTuple):
    """What kernels read and write of N games: one row per game, `words` and `masks` sharing their memory."""

    records: np.ndarray
    """(N,) structured: the games."""
    params: np.ndarray
    """(1,) structured: numbers of the rules, board, action table."""
    blank: np.ndarray
    """(1,) structured: a record with the default of every field."""
    masks: np.ndarray
    """(N, width) bool: the legal actions; a row is padded with False to whole blocks."""
    words: np.ndarray
    """(N, width / 8) int64: the same memory as `masks`, to be cleared eight actions at a time."""
    seats: np.ndarray
    """(N,) int64: the seat to act, or `decision_stack.CHANCE` or `decision_stack.NO_SEAT_TO_ACT`."""
    ended: np.ndarray
    """(N,) uint8: how a game has ended, or `decision_stack.RUNNING`."""
    weights: np.ndarray
    """(threads, outcomes) int64: room for the weights of a draw, one row per thread."""
    rewards: np.ndarray
    """(N, players) float32: rewards of the last step."""
    log: np.ndarray
    """(N, room) uint16: ids of actions, and of outcomes plus the number of actions; no room if no logs are kept."""
    log_length: np.ndarray
    """(N,) int32: entries of each log."""
    zero_sum: bool
    """Whether losers share -1 instead of losing 1 each."""
    explicit: bool
    """Whether chance outcomes are taken as actions instead of being drawn."""
    forced: bool
    """Whether moves without an alternative are played at once."""
    autoreset: bool
    """Whether stepping a finished game resets it."""


def as_records(array: np.ndarray) -> np.ndarray:
    """The array as rule functions take it: plain when compiled, with attribute access otherwise."""
    return array.view(np.recarray) if DISABLE_JIT else array


def game_size(blank: np.ndarray, num_actions: int, record: bool) -> int:
    """About how many bytes a game takes: its record, mask and log."""
    return blank.nbytes + num_actions + 8 * LOG_MARGIN * record + 64


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
    """Arrays for games that have not begun yet.

    Args:
        num_games: N.
        num_players: seats per game.
        num_actions: ids of the action table.
        blank: (1,) record with the default of every field.
        params: (1,) numbers of the rules, board, action table.
        weights: (threads, outcomes) int64.
        record: whether logs are kept.
        options: the fields of `Batch` that are bool.
    """
    words = np.zeros((num_games, max(-(-num_actions // 8), WORD_BITS // 8)), np.int64)  # rules read masks in blocks
    return Batch(
        records=as_records(np.repeat(blank, num_games)),
        params=as_records(params),
        blank=as_records(blank),
        masks=words.view(np.bool_),
        words=words,
        seats=np.full(num_games, NO_SEAT_TO_ACT, np.int64),
        ended=np.zeros(num_games, np.uint8),
        weights=weights,
        rewards=np.zeros((num_games, num_players), np.float32),
        log=np.zeros((num_games, 4 * LOG_MARGIN if record else 0), np.uint16),
        log_length=np.zeros(num_games, np.int32),
        **options,
    )
