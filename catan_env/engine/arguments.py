"""Checking what callers pass to an engine, and saying what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_env.engine.queue import CHANCE, NO_SEAT
from catan_env.engine.random import game_seeds
from catan_env.errors import ActionFormatError, GameOverError, IllegalActionError, OptionError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


def check_option(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raises OptionError unless the value is one of those allowed."""
    if value not in allowed:
        raise OptionError(f"{name} is {value!r}; allowed: {', '.join(map(repr, allowed))}.")


def check_count(name: str, value: Any) -> None:
    """Raises OptionError unless the value is an integer of at least 1."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise OptionError(f"{name} is {value!r}; it must be an integer of at least 1.")


def check_actions(actions: Any, num_games: int) -> np.ndarray:
    """Actions as a contiguous (N,) int64 array, or ActionFormatError."""
    array = np.asarray(actions)
    if array.dtype.kind not in "iu" or array.shape != (num_games,):
        raise ActionFormatError(
            f"step takes an integer array of shape ({num_games},), one action per game (-1 leaves a game as it is); "
            f"given: {type(actions).__name__} of shape {array.shape}, dtype {array.dtype}."
        )
    return np.ascontiguousarray(array, np.int64)


def seeds_of(seed: int | Iterable[int], where: np.ndarray, num_games: int) -> np.ndarray:
    """Seeds, uint64, of the games `where`, from one seed for the batch or one per game."""
    if isinstance(seed, (int, np.integer)):
        return game_seeds(int(seed), num_games)[where]
    try:
        seeds = np.array([int(s) % 2**64 for s in seed], np.uint64)
    except (TypeError, ValueError):
        raise OptionError(f"seed is {seed!r}; it must be an integer, or one integer per game.") from None
    if len(seeds) not in (num_games, len(where)):
        raise OptionError(f"seed has {len(seeds)} entries; there are {num_games} games.")
    return seeds[where] if len(seeds) == num_games else seeds


def indices_of(games: Any, num_games: int) -> np.ndarray:
    """Indices of games given as None (all), a boolean mask or a list of indices."""
    if games is None:
        return np.arange(num_games)
    array = np.atleast_1d(np.asarray(games))
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype == np.bool_ and array.shape == (num_games,):
        return np.flatnonzero(array)
    if array.dtype.kind in "iu" and array.ndim == 1 and array.min() >= 0 and array.max() < num_games:
        return array.astype(np.int64)
    raise OptionError(f"games is {games!r}; it must be a boolean mask of length {num_games} or indices below that.")


def refuse(engine: BatchEngine, game: int, action: int) -> None:
    """Raises the error for an action that is not legal, saying why and what would be."""
    seat, ids = int(engine.seat_to_act[game]), engine.actions
    if seat == NO_SEAT:
        raise GameOverError(
            f"Game {game} is over (winner: {int(engine.winner[game])}) and was given action {action}. "
            "Reset it, or give -1 to leave it as it is."
        )
    if seat == CHANCE:
        ids, possible = engine.outcomes, np.flatnonzero(engine.chance_mask[game])
        who = f"game {game}, where chance decides {engine.decision(game)!r}"
    else:
        possible = np.flatnonzero(engine.action_mask[game])
        who = f"seat {seat} in game {game}, which has to decide {engine.decision(game)!r}"
    some = "; ".join(f"{i} {ids.describe(i)}" for i in possible[:5].tolist())
    more = f" and {len(possible) - 5} more" if len(possible) > 5 else ""
    if not 0 <= action < ids.n:
        what, reason = str(action), f"ids run from 0 to {ids.n - 1}"
    else:
        what = f"{action} ({ids.describe(action)})"
        offered = {ids.pair(int(i))[0] for i in possible}
        same_kind = ids.pair(action)[0] in offered
        reason = "it is not possible in this state" if same_kind else "it is not among what can be decided now"
        if ids.needs(action):
            reason += f"; it needs {ids.needs(action)}"
    raise IllegalActionError(f"Illegal action {what} for {who}: {reason}. Legal: {some}{more}. Nothing was changed.")
