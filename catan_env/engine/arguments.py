"""Validation of an engine's arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from catan_env.engine.decision_stack import CHANCE, NO_SEAT_TO_ACT
from catan_env.engine.random import check_seed, game_seeds
from catan_env.errors import ActionFormatError, GameOverError, IllegalActionError, OptionError
from catan_env.numeric import is_integer, is_number

LONGEST_TEXT = 100  # maximum number of characters of an invalid value shown in a message


class FixedRules(dict[str, Any]):
    """A read-only dict of an engine's rule numbers, keyed by name. They are built into the compiled parameters."""

    def _refuse(self, *_, **__):
        raise TypeError("The rule numbers of an engine are fixed. Make another engine with rules={...}.")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self):
        return type(self), (dict(self),)


def check_option(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raise OptionError unless the value is allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(f"{name} is {_shown(value)}; allowed: {', '.join(map(repr, allowed))}.")


def check_count(name: str, value: Any, least: int = 1, most: int = 2**63 - 1) -> None:
    """Raise OptionError unless the value is an integer from `least` to `most`."""
    if not is_integer(value) or not least <= value <= most:
        limits = f"of at least {least}" if most == 2**63 - 1 else f"from {least} to {most}"
        raise OptionError(f"{name} is {_shown(value)}; it must be an integer {limits}.")


def check_limit(name: str, value: Any) -> None:
    """Raise OptionError unless the value is a positive integer, or None for no limit."""
    if value is not None:
        check_count(name, value)


def check_flag(name: str, value: Any) -> None:
    """Raise OptionError unless the value is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(f"{name} is {_shown(value)}; it must be True or False.")


def check_memory(name: str, value: int, size: int) -> None:
    """Raise OptionError if `value` items of `size` bytes exceed this machine's memory."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not available on Windows
        memory = 2**46
    if value * size > memory:
        raise OptionError(
            f"{name} is {value}; that needs {value * size / 1e9:,.1f} GB, but this machine has {memory / 1e9:,.1f} GB "
            f"of memory. The limit is {memory // size}."
        )


def check_number(name: str, value: Any, high: float = np.inf, above: float | None = None) -> None:
    """Raise OptionError unless the value is finite, from 0 to `high`, and greater than `above` if that is given."""
    if not is_number(value) or not 0 <= value <= high or value == np.inf or (above is not None and value <= above):
        limits = "of at least 0" if high == np.inf else f"from 0 to {high:g}"
        if above is not None:
            limits = f"above {above:g}" + ("" if high == np.inf else f" and at most {high:g}")
        raise OptionError(f"{name} is {_shown(value)}; it must be a number {limits}.")


def check_index(name: str, value: Any, length: int) -> None:
    """Raise OptionError unless the value is an integer from 0 to `length` - 1."""
    check_count(name, value, 0, length - 1)


def check_rules(rules: Any) -> None:
    """Raise OptionError unless the value is a mapping or None."""
    if rules is not None and not isinstance(rules, Mapping):
        raise OptionError(f"rules is {_shown(rules)}; it must be a mapping of rule names to values.")


def check_action(action: Any, num_actions: int, what: str = "The action") -> int:
    """Return an action id as an int.

    Integers are valid, as are arrays or tensors that hold exactly one integer. Floats and bools are not.

    Raises:
        ActionFormatError: the value is not an id from 0 to `num_actions` - 1; the message refers to it as `what`.
    """
    if type(action) is not int:
        try:
            array = np.asarray(action)
        except (TypeError, ValueError, RuntimeError):  # unequal lengths, or a tensor on a GPU
            array = np.zeros(0)
        if array.size == 1 and array.dtype.kind in "iu":
            action = array.item()
    if type(action) is not int or not 0 <= action < num_actions:
        raise ActionFormatError(
            f"{what} must be an integer from 0 to {num_actions - 1}, or an array that holds one such integer; given: "
            f"{action!r}."
        )
    return action


def check_actions(actions: Any, num_games: int, note: str = " (-1 leaves a game unchanged)") -> np.ndarray:
    """Return actions as a contiguous (N,) int64 array.

    Raises:
        ActionFormatError: the actions are not one integer per game.
    """
    expected = f"step takes an integer array of shape ({num_games},), one action per game{note}"
    try:
        array = np.asarray(actions)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ActionFormatError(f"{expected}; given: {type(actions).__name__}: {error}") from None
    if array.dtype.kind not in "iu" or array.shape != (num_games,):
        raise ActionFormatError(
            f"{expected}; given: {type(actions).__name__} of shape {array.shape}, dtype {array.dtype}."
        )
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise ActionFormatError(f"{expected}; given: {array.max()}, which is too large for int64.")
    return np.require(array, np.int64, ["C_CONTIGUOUS", "ALIGNED"])


def seeds_of(seed: int | Iterable[int], where: np.ndarray, num_games: int) -> np.ndarray:
    """Return the uint64 seeds of the games at indices `where`; `seed` is one seed for the batch or one per game."""
    if isinstance(seed, (int, np.integer)):
        return game_seeds(seed, num_games)[where]
    try:
        seeds: Any = seed if _are_seeds(seed) else np.array([check_seed(game_seed) for game_seed in seed], np.uint64)
    except (OptionError, TypeError):
        raise OptionError(
            f"seed is {_shown(seed)}; it must be an integer from 0 to 2**64 - 1, or one such integer per game."
        ) from None
    if len(seeds) not in (num_games, len(where)):
        raise OptionError(f"seed has {len(seeds)} entries; there are {num_games} games.")
    return seeds[where] if len(seeds) == num_games else seeds


def world_seeds(seed: Any, number: int) -> np.ndarray:
    """Return the uint64 seeds of `number` sampled worlds; `seed` is one seed for all worlds or one per world."""
    if isinstance(seed, (int, np.integer)):
        return game_seeds(seed, number)
    if not _are_seeds(seed) or seed.shape != (number,):
        raise OptionError(
            f"seed is {_shown(seed)}; it must be an integer from 0 to 2**64 - 1, or an array of {number} uint64, "
            "one per world."
        )
    return seed


def _are_seeds(seeds: Any) -> bool:
    """Return whether `seeds` is a one-dimensional uint64 array."""
    return isinstance(seeds, np.ndarray) and seeds.dtype == np.uint64 and seeds.ndim == 1


def _shown(value: Any) -> str:
    """Return a short representation of an invalid value, since arrays may have thousands of entries."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."


def indices_of(games: Any, num_games: int) -> np.ndarray:
    """Return the indices of the selected games; `games` is None (all), a boolean mask or a list of indices."""
    if games is None:
        return np.arange(num_games)
    try:
        array = np.atleast_1d(np.asarray(games))
    except ValueError:  # lists of unequal lengths
        array = np.array([np.nan])
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype == np.bool_ and array.shape == (num_games,):
        return np.flatnonzero(array)
    if array.dtype.kind in "iu" and array.ndim == 1 and array.min() >= 0 and array.max() < num_games:
        return array.astype(np.int64)
    raise OptionError(
        f"games is {_shown(games)}; it must be a boolean mask of length {num_games}, or indices from 0 to "
        f"{num_games - 1}."
    )


def seats_of(seats: Any, num_games: int, num_players: int) -> np.ndarray:
    """Return an int64 seat for each game; `seats` is one seat for all games or one per game."""
    try:
        array = np.asarray(seats)
    except ValueError:  # lists of unequal lengths
        array = np.array(np.nan)
    whole_numbers = array.dtype.kind in "iu" or array.size == 0
    if not whole_numbers or array.shape not in ((), (num_games,)) or (array < 0).any() or (array >= num_players).any():
        raise OptionError(
            f"seats is {_shown(seats)}; it must be a seat from 0 to {num_players - 1}, or one for each of {num_games} "
            "games."
        )
    return np.broadcast_to(array, (num_games,)).astype(np.int64)


def check_records(out: Any, number: int, dtype: np.dtype) -> None:
    """Raise OptionError unless `out` is an array of `number` records of the given dtype."""
    fits = isinstance(out, np.ndarray) and out.dtype == dtype and out.shape == (number,)
    if not fits or not (out.flags.carray and out.flags.writeable):
        given_description = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise OptionError(
            f"out is {given_description[:80]}; it must be a contiguous array of {number} records of this engine."
        )


def refuse(engine: Any, game: int, action: int) -> None:
    """Raise the error for an illegal action, giving the reason and examples of legal actions."""
    seat, id_table = int(engine.seat_to_act[game]), engine.actions
    if seat == NO_SEAT_TO_ACT:
        raise GameOverError(
            f"Game {game} is over (winner: {int(engine.winner[game])}) and was given action {action}. "
            "Reset it, or pass -1 to leave it unchanged."
        )
    if seat == CHANCE:
        id_table, possible_ids = engine.outcomes, np.flatnonzero(engine.chance_mask[game])
        decider = f"game {game}, where chance draws {engine.decision(game)!r}"
    else:
        possible_ids = np.flatnonzero(engine.action_mask[game])
        decider = f"seat {seat} in game {game} at decision {engine.decision(game)!r}"
    examples = "; ".join(f"{i} {id_table.describe(i)}" for i in possible_ids[:5].tolist())
    more = f" and {len(possible_ids) - 5} more" if len(possible_ids) > 5 else ""
    if not 0 <= action < id_table.n:
        action_text, reason = str(action), f"ids run from 0 to {id_table.n - 1}"
    else:
        action_text = f"{action} ({id_table.describe(action)})"
        offered_kinds = {id_table.pair(int(i))[0] for i in possible_ids}
        same_kind = id_table.pair(action)[0] in offered_kinds
        reason = "it is not possible in this state" if same_kind else "the current decision does not offer it"
        if id_table.needs(action):
            reason += f"; it needs {id_table.needs(action)}"
    raise IllegalActionError(
        f"Illegal action {action_text} for {decider}: {reason}. Legal: {examples}{more}. Nothing was changed."
    )
