"""Checks that hidden state does not leak: changing everything that a seat cannot see does not affect what it sees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from catan_env.encoders import encoders_of
from catan_env.engine import decision_stack
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.declare import ALL, HIDDEN, OWNER, Field
from catan_env.testing.faults import Fault

OF_THE_ENGINE = {field.name for field in decision_stack.FIELDS} - {"rng"}
"""Engine fields that no feature shows directly. Whose turn it is to discard is no secret."""
MORE_TWINS = 8
"""Number of copies of a state to make when searching for the field that causes a leak."""


def declared_fields(engine: BatchEngine) -> list[Field]:
    """Return an engine's declared fields, excluding those that only the engine uses."""
    return [field for field in engine.program.composition.fields.values() if field.name not in OF_THE_ENGINE]


def hidden_fields(engine: BatchEngine) -> list[str]:
    """Return the names of the fields that some seat cannot see, including the random stream."""
    return [field.name for field in declared_fields(engine) if field.visible != ALL]


def disguise(
    engine: BatchEngine, seat: int, rng: np.random.Generator, fields: Collection[str] | None = None
) -> np.ndarray:
    """Change, in place, everything that a seat cannot see, or only the given `fields`.

    Rows of other owners keep their sum if the total is public; otherwise, they get arbitrary values within bounds.
    Fields that no seat sees are permuted, because their totals may be public. The random stream is also changed. If the
    new values would leave the seat to act without a legal action, the game keeps its old values, because rules never
    produce such a state.

    Returns:
        (N,) bool: which games changed.
    """
    state = engine.state
    before, asked = state.copy(), engine.seat_to_act.copy()
    for field in declared_fields(engine):
        if fields is None or field.name in fields:
            _disguise_field(engine, field, seat, rng)
    engine.refresh()
    impossible = (asked != NO_SEAT_TO_ACT) & (engine.seat_to_act == NO_SEAT_TO_ACT)
    state[impossible] = before[impossible]
    engine.refresh()
    return ~impossible


def _disguise_field(engine: BatchEngine, field: Field, seat: int, rng: np.random.Generator) -> None:
    values = engine.state[field.name]
    if field.name == "rng":
        values[:] = rng.integers(1, 2**32, values.shape, np.uint32)
    elif field.visible == HIDDEN and field.shape:
        values[:] = rng.permuted(values, axis=-1)
    elif field.visible == HIDDEN:
        values[:] = rng.integers(field.low, field.high + 1, values.shape)
    elif field.visible == OWNER:
        for other in set(range(engine.num_players)) - {seat}:
            if field.total:
                for row in values[:, other]:
                    row[...] = _dealt_again(row, field, rng)
            else:
                values[:, other] = rng.integers(field.low, field.high + 1, values[:, other].shape)


def _dealt_again(row: np.ndarray, field: Field, rng: np.random.Generator) -> np.ndarray:
    """Return a row with the same sum, distributed randomly within the bounds of the field."""
    rest, dealt = int(row.sum()), np.zeros(row.size, np.int64)
    rest = min(rest, field.high * row.size)
    while rest > 0:
        k = rng.integers(row.size)
        if dealt[k] < field.high:
            dealt[k] += 1
            rest -= 1
    return dealt.reshape(row.shape)


class Leak(NamedTuple):
    """Something that is shown to a seat but depends on hidden values.

    Attributes:
        game: the game's index.
        kind: "mask", "observation", "points", "turn", or another word for where the leak shows.
        place: the part that leaks, such as "action 'pass_boot'".
    """

    game: int
    kind: str
    place: str


Compare = Callable[[BatchEngine, BatchEngine, np.ndarray, int], Iterable[Leak]]
"""A function `(engine, twins, sources, seat)` that compares games, as a seat sees them, with twins that have other
hidden values. Twin `i` is a copy of game `sources[i]`."""


def shown_differences(engine: BatchEngine, twins: BatchEngine, sources: np.ndarray, seat: int) -> Iterator[Leak]:
    """Yield leaks through the observations and mask of a seat, through public points and through the seat to act."""

    def where(changed: np.ndarray) -> Iterator[tuple[int, int]]:
        """Yield each (game, column) pair once."""
        rows, columns = np.nonzero(changed)
        yield from dict.fromkeys(zip(sources[rows].tolist(), columns.tolist(), strict=True))

    names = engine.feature_names("flat")
    flat = [each.observe("flat", seat=seat, dtype="uint8") for each in (engine, twins)]
    for game, column in where(flat[0][sources] != flat[1]):
        yield Leak(game, "observation", f"feature {names[column].split('/')[0]!r}")
    acting = (engine.seat_to_act == seat)[sources, None]
    for game, action in where((engine.action_mask[sources] != twins.action_mask) & acting):
        yield Leak(game, "mask", f"action {engine.actions.pair(action)[0]!r}")
    for game, _ in where(engine.visible_points[sources] != twins.visible_points):
        yield Leak(game, "points", "the public points")
    for game, _ in where((engine.seat_to_act[sources] != twins.seat_to_act)[:, None]):
        yield Leak(game, "turn", "the seat to act")


def shown_by_encoders(engine: BatchEngine, twins: BatchEngine, sources: np.ndarray, seat: int) -> Iterator[Leak]:
    """Yield the encoders other than "flat" whose observations for a seat differ."""
    for encoder in encoders_of(engine):
        if encoder != "flat":
            true, seen = (_parts(each.observe(encoder, seat=seat)) for each in (engine, twins))
            for name in true:
                changed = (true[name][sources] != seen[name]).reshape(len(sources), -1).any(axis=1)
                yield from (Leak(game, "observation", f"encoder {encoder!r}") for game in sources[changed].tolist())


def _parts(observation: np.ndarray | dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return an observation as arrays, keyed by name."""
    return observation if isinstance(observation, dict) else {"": observation}


def leaks(
    engine: BatchEngine, rng: np.random.Generator, compare: Compare = shown_differences, twins: int = 1
) -> Iterator[Fault]:
    """For every game and seat, yield everything shown to the seat that depends on hidden fields.

    `twins` is the number of copies of each game with other hidden values. Each fault names the hidden fields
    responsible.
    """
    sources = np.repeat(np.arange(engine.num_games), twins)
    for seat in range(engine.num_players):
        found = set(_compared(engine, sources, seat, rng, compare))
        if found:
            yield from _faults(engine, seat, rng, compare, found)


def _compared(
    engine: BatchEngine, sources: np.ndarray, seat: int, rng: np.random.Generator, compare: Compare, only: str = ""
) -> Iterable[Leak]:
    """Return the leaks found in fresh twins of some games. If `only` is given, twins differ only in that field."""
    twins = engine.clone(sources)
    disguise(twins, seat, rng, [only] if only else None)
    return compare(engine, twins, sources, seat)


def _faults(
    engine: BatchEngine, seat: int, rng: np.random.Generator, compare: Compare, found: set[Leak]
) -> Iterator[Fault]:
    """Yield a fault for each leak, naming the individual fields that cause it."""
    causes: dict[Leak, list[str]] = {leak: [] for leak in found}
    sources = np.repeat(sorted({leak.game for leak in found}), MORE_TWINS)
    for name in hidden_fields(engine):
        for leak in set(_compared(engine, sources, seat, rng, compare, name)):
            causes.setdefault(leak, []).append(name)
    for (game, kind, place), names in sorted(causes.items()):
        source = " and ".join(map(repr, names)) or "hidden fields together"
        yield Fault(
            f"{kind}: {place}",
            f"{place} depends on {source}, which seat {seat} does not see (at {engine.decision(game)!r})",
            game,
        )


def unseen(engine: BatchEngine) -> Iterator[Fault]:
    """Yield fields that have a `show` but are missing from observations: no value changes the observation of seat 0.

    The check uses the engine's first game.
    """
    engine = engine.clone([0])
    for field in declared_fields(engine):
        if field.show is None or field.visible == HIDDEN or not engine.state[field.name].size:
            continue
        per_seat = _is_per_seat(field)
        places: list[tuple[tuple[int, ...], str]] = [((0, 0) if per_seat else (0,), "")]
        if per_seat and field.visible == ALL and engine.num_players > 1:
            places.append(((0, 1), " of seat 1"))
        for place, owner in places:
            if not _shows(engine, field, place):
                yield Fault(f"unseen {field.name}", f"seat 0 does not see field {field.name!r}{owner}")


def _is_per_seat(field: Field) -> bool:
    return bool(field.shape) and getattr(field.shape[0], "name", "") == "players"


def _shows(engine: BatchEngine, field: Field, place: tuple[int, ...]) -> bool:
    """Return whether any value of a field at a place changes the observation of seat 0, leaving the field unchanged."""
    shown = engine.observe("flat", seat=0, dtype="uint8")
    before = engine.state[field.name].copy()
    try:
        for value in _distinguishing_values(field):
            engine.state[field.name][place] = value
            if not np.array_equal(shown, engine.observe("flat", seat=0, dtype="uint8")):
                return True
    finally:
        engine.state[field.name][:] = before
    return False


def _distinguishing_values(field: Field) -> list[int]:
    """Return the extremes of a field and its lowest values, which include one in every category."""
    return sorted({field.high, *range(field.low, min(field.low + 16, field.high))})


def odd_declarations(engine: BatchEngine) -> Iterator[Fault]:
    """Yield field declarations whose owner, visibility and meaning contradict each other."""
    for field in engine.program.composition.fields.values():
        for wrong, message in (
            (field.visible not in (ALL, OWNER, HIDDEN), f"visible={field.visible!r} is none of ALL, OWNER, HIDDEN"),
            (field.visible == OWNER and not _is_per_seat(field), "is OWNER's, but its first axis is not PLAYERS"),
            (field.visible == HIDDEN and field.show is not None, "is HIDDEN, and has a show"),
            (field.total and field.visible != OWNER, "has total=True, but is not OWNER's"),
            (len(field.meaning) <= 3, f"means {field.meaning!r}: say what it holds"),
        ):
            if wrong:
                yield Fault(f"declaration of {field.name}", f"field {field.name!r} {message}")
