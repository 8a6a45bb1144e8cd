"""Validation of external records, since compiled code trusts its records and does not check bounds.

The allowed values follow from declarations: field bounds, existing seats and places, and the scenario's decisions and
draws. Invalid records raise a `SnapshotError` that names the game, the field, its value and the allowed values.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from catan_env.engine.compose import Composition
from catan_env.engine.decision_stack import CHANCE, RUNNING, WON
from catan_env.engine.declare import NEUTRALS, PLAYERS, Decision, Draw, Field, SeatFlag
from catan_env.engine.field_names import field_names
from catan_env.errors import SnapshotError


def check_values(records: np.ndarray, composition: Composition, num_players: int, fresh: np.ndarray) -> None:
    """Raise SnapshotError unless every value in every record is allowed for its field.

    `records` has shape (N,). `fresh`, also of shape (N,), holds new games of the same kind. The rows of unused seats
    must be the same as in `fresh`.
    """
    for field in composition.fields.values():
        values = records[field.name]
        _check_bounds(field, values, *composition.bounds(field))
        if isinstance(field.show, SeatFlag) or field.along is PLAYERS:
            _check_seats(field, values, composition, num_players)
        if field.shape[:1] == (PLAYERS,):
            idle_seats = slice(num_players, composition.length(PLAYERS) - composition.sizes.get(NEUTRALS.name, 0))
            changed_values = values[:, idle_seats] != fresh[field.name][:, idle_seats]
            if changed_values.any():
                game, idle_seat, *index_in_row = np.argwhere(changed_values)[0].tolist()
                index = (game, num_players + idle_seat, *index_in_row)
                _refuse(field, values, index, f"nobody plays that seat: there are {num_players} players")
    _check_stack(records, composition, num_players)
    for name in set(field_names(records)) - set(composition.fields):  # the leading mark and the padding
        if records[name].any():
            raise SnapshotError(f"Invalid snapshot: padding field {name!r} must be zero.")


def broken_bounds(records: np.ndarray, composition: Composition) -> list[tuple[int, str]]:
    """Return a (game, "bounds of FIELD") pair for every field with an out-of-bounds value, ordered by game.

    `records` has shape (N,).
    """
    raw = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), -1)
    columns = _columns(composition, records.dtype)
    if not any((values < low).any() or (values > high).any() for values, low, high in _typed(raw, columns)):
        return []
    broken: list[tuple[int, str]] = []
    for field in composition.fields.values():
        low, high = composition.bounds(field)
        values = records[field.name].reshape(len(records), -1)
        if values.size and (values.min() < low or values.max() > high):
            is_wrong = ((values < low) | (values > high)).any(axis=1)
            broken += [(game, f"bounds of {field.name}") for game in np.flatnonzero(is_wrong).tolist()]
    return sorted(broken, key=lambda pair: pair[0])


Column = tuple[np.dtype, np.ndarray, np.ndarray, np.ndarray]
"""A dtype, the byte offsets of all bounded values with this dtype, and the lower and upper bounds of each value."""


@lru_cache(maxsize=64)
def _columns(composition: Composition, dtype: np.dtype) -> list[Column]:
    """Return the bounds of record fields grouped by dtype, so that a few comparisons check all fields."""
    offsets: dict[np.dtype, list[int]] = defaultdict(list)
    bounds: dict[np.dtype, list[tuple[int, int]]] = defaultdict(list)
    for field in composition.fields.values():
        part, first = dtype.fields[field.name][:2]  # type: ignore[index]
        low, high = composition.bounds(field)
        limits = np.iinfo(part.base)
        if low > limits.min or high < limits.max:
            offsets[part.base] += range(first, first + part.itemsize)
            bounds[part.base] += [(max(low, limits.min), min(high, limits.max))] * math.prod(part.shape)
    return [(kind, np.array(offsets[kind]), *np.array(bounds[kind], kind).T.copy()) for kind in offsets]


def _typed(raw: np.ndarray, columns: list[Column]) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each dtype, yield the values and their lower and upper bounds from records as bytes, shape (N, itemsize)."""
    for kind, offsets, low, high in columns:
        yield raw.take(offsets, axis=1).view(kind), low, high


def _check_bounds(field: Field, values: np.ndarray, low: int, high: int) -> None:
    is_wrong = (values < low) | (values > high)
    if is_wrong.any():
        _refuse(field, values, tuple(np.argwhere(is_wrong)[0].tolist()), f"allowed are {low} to {high}")


def _check_seats(field: Field, values: np.ndarray, composition: Composition, num_players: int) -> None:
    color_count = composition.length(PLAYERS)
    neutral_count = composition.sizes.get(NEUTRALS.name, 0) if field.neutrals else 0
    allowed = [*range(field.low, num_players), *range(max(color_count - neutral_count, num_players), color_count)]
    is_wrong = ~np.isin(values, allowed)
    if is_wrong.any():
        _refuse(field, values, tuple(np.argwhere(is_wrong)[0].tolist()), f"allowed are {', '.join(map(str, allowed))}")


def _check_stack(records: np.ndarray, composition: Composition, num_players: int) -> None:
    """Raise SnapshotError for unknown decisions and draws, wrong seats, and impossible endings."""
    fields = composition.fields
    codes, seats, depth, ended = (records[name] for name in ("decision_stack", "decision_seats", "depth", "ended"))
    winners = records["winners"]
    is_waiting = (np.arange(codes.shape[1]) < depth[:, None]) & (ended == RUNNING)[:, None]
    decision_count, draw_count = len(composition.decisions), len(composition.draws)
    for name, values, is_wrong, allowed in (
        ("depth", depth, (ended == RUNNING) & (depth == 0), "a running game has at least one decision"),
        (
            "decision_stack",
            codes,
            is_waiting & (codes >= decision_count + draw_count),
            f"allowed are 0 to {decision_count + draw_count - 1}",
        ),
        (
            "decision_seats",
            seats,
            is_waiting & (codes < decision_count) & ((seats < 0) | (seats >= num_players)),
            f"allowed are 0 to {num_players - 1}",
        ),
        (
            "decision_seats",
            seats,
            is_waiting & (codes >= decision_count) & (seats != CHANCE),
            f"the seat of a draw is chance, {CHANCE}",
        ),
        ("winners", winners, (ended != WON) & (winners > 0), "it must be 0 in a game without a winner"),
        ("winners", winners, winners >= 1 << num_players, f"only seats 0 to {num_players - 1} can win"),
        ("rng", records["rng"], ~records["rng"].any(axis=1), "a random stream must not be all zeros"),
    ):
        if is_wrong.any():
            _refuse(fields[name], values, tuple(np.argwhere(is_wrong)[0].tolist()), allowed)
    _check_arguments(records, is_waiting, composition)


def _check_arguments(records: np.ndarray, waiting: np.ndarray, composition: Composition) -> None:
    """Raise SnapshotError unless the arguments of pending decisions and draws are within their declared ranges."""
    declarations: list[Decision | Draw] = [*composition.decisions.values(), *composition.draws.values()]
    for declaration in declarations:
        match declaration.argument:
            case None:
                continue
            case int():
                highest = declaration.argument
            case tuple():
                highest = math.prod(map(composition.length, declaration.argument)) - 1
            case _:
                highest = composition.length(declaration.argument) - 1
        values = records["decision_arguments"]
        is_wrong = (
            waiting
            & (records["decision_stack"] == composition.code(declaration.name))
            & ((values < 0) | (values > highest))
        )
        if is_wrong.any():
            index = tuple(np.argwhere(is_wrong)[0].tolist())
            _refuse(
                composition.fields["decision_arguments"], values, index, f"{declaration.name!r} takes 0 to {highest}"
            )


def check_playable(broken: list[tuple[int, str]], stuck: list[tuple[int, str]], composition: Composition) -> None:
    """Raise SnapshotError for broken invariants, (game, name) pairs, or stuck games, (game, decision or draw) pairs."""
    if broken:
        game, name = broken[0]
        meaning = composition.invariants[name].meaning
        raise SnapshotError(f"Invalid snapshot: game {game} breaks {name!r} ({meaning}). Nothing was changed.")
    if stuck:
        game, name = stuck[0]
        raise SnapshotError(
            f"Invalid snapshot: game {game} has no legal action or outcome at {name!r}, the head of its "
            "decision stack. Nothing was changed."
        )


def _refuse(field: Field, values: np.ndarray, where: tuple[int, ...], allowed: str) -> None:
    game, *index_in_field = where
    value = values[where].tolist()
    index_text = f"[{', '.join(map(str, index_in_field))}]" if index_in_field else ""
    raise SnapshotError(
        f"Invalid snapshot: {field.name}{index_text} of game {game} is {value}; {allowed} ({field.meaning})."
        " Nothing was changed."
    )
