"""Convert declarations to the observation row: its columns, and the compiled function that fills it.

A row consists of bytes: every feature is an integer in 0 .. 255. A `Block` is the part of the row that one declaration
produces. Its columns iterate over up to four nested axes, outermost first:

1. seats relative to the viewer: itself ("me"), then those to its left ("left_1", ...), with none for absent players;
   neutral colors ("neutral_a", ...) follow if the declaration covers them too;
2. indices that are not places, such as the resources in a hand;
3. categories: the names of a `OneHot` or the seats of a `SeatFlag`;
4. places, so that each inner loop runs over adjacent bytes and vectorizes.

`columns` and `source` visit the same blocks in the same order, so names and values always match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from catan_env.board.topology import KINDS as PLACES
from catan_env.engine.compiler.flags import write_flags
from catan_env.engine.compose import Composition
from catan_env.engine.decision_stack import CAPACITY, current_decision, current_seat, waiting
from catan_env.engine.declare import (
    ALL,
    NEUTRAL_LETTERS,
    NEUTRALS,
    OWNER,
    PLAYERS,
    Axis,
    Count,
    Feature,
    Field,
    OneHot,
    SeatFlag,
    Size,
)
from catan_env.errors import CompositionError

MAX_VALUE = 255
NO_SEATS, EVERY_SEAT, VIEWER, OTHER_SEATS = "", "every seat", "viewer", "other seats"


class Column(NamedTuple):
    """A feature: its name, its upper bound, and its place on the map."""

    name: str
    high: int
    place_kind: str | None
    """"hexes", "intersections", "paths" or another axis; None for features without a place."""
    place_index: int
    """Index of the place, or 0 if there is none."""
    channel: str
    """The name without the place, which the columns of all places of a kind share."""


@dataclass(frozen=True)
class Block:
    """The columns of one declaration, and the source code that computes their values.

    The code may use `seat` (the viewer), `who` (a seat on the first axis), `j0`, `j1`, ... (indices) and `i` (the
    place). If `codes` or `seat_codes` is set, each column is a flag that is 1 if the value equals the column's
    category.
    """

    name: str
    high: int
    value: str
    seats: str = NO_SEATS
    indices: tuple[tuple[str, ...], ...] = ()
    """Names along each index axis."""
    codes: tuple[str, ...] = ()
    """Names of the categories; a value of `first + k` means category k."""
    first: int = 0
    seat_codes: bool = False
    """Whether the categories are the seats."""
    neutrals: range = range(0)
    """Seats of the neutral colors, if they are shown after the players."""
    array: str = ""
    """The byte array whose entries are the values of all places, if there is one; its flags are written in blocks."""
    suffix: tuple[str, ...] = ()
    """The last part of each name."""
    place_kind: str | None = None
    places: tuple[str, ...] = ()
    one_place: bool = False
    """Whether the value is the index of the only place whose flag is 1."""


# -- blocks -----------------------------------------------------------------------------------------------


def blocks(composition: Composition) -> list[Block]:
    """Return the blocks of a scenario's observations, in order.

    The blocks are: the current decision, its seat, the number of pending decisions of each kind, their arguments, shown
    fields in declaration order, and computed features.

    Raises:
        CompositionError: a declared value does not fit into a byte, or a declaration would show a hidden value.
    """
    all_blocks = [
        Block("decision", 1, "at_hand", codes=tuple(composition.decisions)),
        Block("to_act", 1, "current_seat(game)", seat_codes=True),
        Block("waiting", CAPACITY, "waiting(game, j0)", indices=(tuple(composition.decisions),)),
    ]
    all_blocks += [_of_argument(composition, over) for over in _arguments(composition)]
    for field in composition.fields.values():
        if field.show is not None and field.visible in (ALL, OWNER):
            all_blocks += _of_field(composition, field)
    return all_blocks + [_of_feature(composition, feature) for feature in composition.features.values()]


COUNT = "count"
"""Axis name for arguments that are numbers rather than places, seats or kinds."""


def _arguments(composition: Composition) -> dict[str, list]:
    """Return the decisions that take an argument, grouped by the axis of the argument."""
    decisions_by_argument: dict[str, list] = {}
    for decision in composition.decisions.values():
        if decision.argument is not None:
            over = COUNT if isinstance(decision.argument, int) else decision.argument.name
            decisions_by_argument.setdefault(over, []).append(decision)
    return decisions_by_argument


def _of_argument(composition: Composition, over: str) -> Block:
    decisions = _arguments(composition)[over]
    value, argument = f"about_{over}", decisions[0].argument
    match argument:
        case int():
            return Block("argument/count", max(decision.argument for decision in decisions), value)
        case Axis():
            return Block("argument", 1, f"{value} == j0", indices=(composition.names_along(argument),))
        case Size() if argument == PLAYERS:
            return Block("argument/seat", 1, value, seat_codes=True, neutrals=_neutral_seats(composition))
    return Block("argument", 1, value, place_kind=over, places=_names(composition, argument), one_place=True)


def _read_arguments(composition: Composition) -> Iterator[str]:
    """For each axis, yield source lines that fetch the argument of the first pending decision that has one.

    If no pending decision has an argument, the value is -1, or 0 for numbers.
    """
    yield "at_hand = current_decision(game)"
    for over, decisions in _arguments(composition).items():
        condition = " or ".join(
            f"game.decision_stack[k] == {composition.code(decision.name)}" for decision in decisions
        )
        yield f"about_{over} = {0 if over == COUNT else -1}"
        yield from ("for k in range(game.depth):", f"    if {condition}:")
        yield f"        about_{over} = int(game.decision_arguments[k])"


def _of_field(composition: Composition, field: Field) -> list[Block]:
    per_seat = field.shape[:1] == (PLAYERS,)
    if field.visible == OWNER and not per_seat:
        raise CompositionError(f"Field {field.name!r} is visible to its owner; its first axis must be PLAYERS.")
    axes = field.shape[1:] if per_seat else field.shape
    if field.labels and (not axes or len(field.labels) != composition.length(axes[-1])):
        raise CompositionError(f"Field {field.name!r} needs one label per entry of its last axis.")
    place_axis = _place_axis(axes)
    subscripts = ["index(who)"] if per_seat else []
    indices: list[tuple[str, ...]] = []
    place_kind: str | None = None
    places: tuple[str, ...] = ()
    for axis, size in enumerate(axes):
        is_last = axis == len(axes) - 1
        names = field.labels if field.labels and is_last else _names(composition, size)
        if axis == place_axis and isinstance(size, Size):
            place_kind, places = size.name, names
            subscripts.append("i")
        else:
            subscripts.append(f"j{len(indices)}")
            indices.append(names)
    stored_value = _entry(field, subscripts)
    in_one_array = subscripts[-1:] == ["i"] and np.dtype(field.dtype).itemsize == 1
    seats = (VIEWER if field.visible == OWNER else EVERY_SEAT) if per_seat else NO_SEATS
    block = Block(
        field.name,
        seats=seats,
        indices=tuple(indices),
        place_kind=place_kind,
        places=places,
        neutrals=_neutral_seats(composition) if field.neutrals else range(0),
        array=_entry(field, subscripts[:-1]) if in_one_array else "",
        **_encoding(composition, field, stored_value),
    )
    if not (field.visible == OWNER and field.total):
        return [block]
    return [block, _total_of_others(composition, field, axes)]


def _entry(field: Field, subscripts: list[str]) -> str:
    """Return source code that reads an entry of a field, or the whole field if there are no subscripts."""
    return f"game.{field.name}[{', '.join(subscripts)}]" if subscripts else f"game.{field.name}"


def _encoding(composition: Composition, field: Field, stored: str) -> dict:
    """Return the arguments for `Block` that depend on how the values of a field are shown."""
    dtype = np.dtype(field.dtype)
    match field.show:
        case Count():
            shift = -min(field.low, 0)
            if field.high + shift > MAX_VALUE:
                raise CompositionError(
                    f"Field {field.name!r} is shown as a count, but its values {field.low} .. {field.high} do not fit "
                    f"into 0 .. {MAX_VALUE}."
                )
            return {"value": f"int({stored}) + {shift}" if shift else stored, "high": max(field.high + shift, 1)}
        case OneHot(names, first, size):
            names = names if size is None else names[: composition.length(size)]
            if len(set(names)) < len(names):
                raise CompositionError(f"Field {field.name!r} has two categories with the same name.")
            if dtype.kind in "iu" and not np.iinfo(dtype).min <= first <= first + len(names) - 1 <= np.iinfo(dtype).max:
                raise CompositionError(
                    f"Field {field.name!r} has more categories than its dtype {dtype.name} can hold; use a wider dtype."
                )
            return {"value": stored, "high": 1, "codes": names, "first": first}
        case SeatFlag():
            return {"value": stored, "high": 1, "seat_codes": True}
    raise CompositionError(f"Field {field.name!r} is shown as {field.show!r}; allowed: Count, OneHot, SeatFlag.")


def _total_of_others(composition: Composition, field: Field, axes: tuple) -> Block:
    """Return the block that sums the other seats' rows of a field visible only to its owner."""
    if not isinstance(field.show, Count) or not axes:
        raise CompositionError(
            f"Field {field.name!r} cannot have a total: it must be shown as Count and have an axis after PLAYERS."
        )
    length = int(np.prod([composition.length(size) for size in axes]))
    shift = -min(field.low, 0)
    value, highest = f"sum_of(game.{field.name}[index(who)])", (field.high + shift) * length
    if shift:
        value += f" + {shift * length}"
    if highest > MAX_VALUE:
        value = f"min({value}, {MAX_VALUE})"
    return Block(field.name, min(highest, MAX_VALUE), value, seats=OTHER_SEATS, suffix=("total",))


def _of_feature(composition: Composition, feature: Feature) -> Block:
    if not 0 < feature.high <= MAX_VALUE:
        raise CompositionError(f"Feature {feature.name!r} has high={feature.high}; allowed are 1 .. {MAX_VALUE}.")
    functions = composition.roles("shows", feature.name)
    if len(functions) != 1:
        raise CompositionError(f"Feature {feature.name!r} has {len(functions)} @shows functions; it needs one.")
    name, call_text, over = feature.name, f"shows_{feature.name}(game, params, seat, {{}})", feature.over
    match over:
        case None:
            return Block(name, feature.high, call_text.format("0"))
        case Size() if over == PLAYERS and feature.kinds:
            kinds = composition.names_along(feature.kinds)
            value = call_text.format(f"who * {len(kinds)} + j0")
            return Block(name, feature.high, value, seats=EVERY_SEAT, indices=(kinds,))
        case Size() if over == PLAYERS:
            return Block(name, feature.high, call_text.format("who"), seats=EVERY_SEAT)
        case Axis():
            return Block(name, feature.high, call_text.format("j0"), indices=(composition.names_along(over),))
        case Size():
            return Block(
                name, feature.high, call_text.format("i"), place_kind=over.name, places=_names(composition, over)
            )
    return Block(name, feature.high, call_text.format("j0"), indices=(tuple(over),))


def _neutral_seats(composition: Composition) -> range:
    """Return the seats of the neutral colors, which come last."""
    color_count = composition.sizes.get(PLAYERS.name, 0)
    return range(color_count - composition.sizes.get(NEUTRALS.name, 0), color_count)


def _place_axis(axes: tuple) -> int | None:
    """Return the axis over places: the first map axis or, if there is none, the first other named axis."""
    named_axes = [axis for axis, size in enumerate(axes) if isinstance(size, Size) and not isinstance(size, Axis)]
    map_axes = [axis for axis in named_axes if axes[axis].name in PLACES]
    return next(iter(map_axes or named_axes), None)


def _names(composition: Composition, size: Size | int) -> tuple[str, ...]:
    prefix = ""
    if isinstance(size, Axis):
        return composition.names_along(size)
    if isinstance(size, Size):
        # Singular of the axis name: "cities" gives "city", "roads" gives "road", "fortress" stays.
        prefix = (PLACES.get(size.name) or re.sub("(?<!s)s$", "", size.name.replace("ies", "y"))) + "_"
    return tuple(f"{prefix}{k}" for k in range(composition.length(size)))


# -- columns ----------------------------------------------------------------------------------------------


def columns(block: Block, num_players: int) -> Iterator[Column]:
    """Yield the columns of a block in order."""
    relative_seats = ("me", *(f"left_{k}" for k in range(1, num_players)))
    colors = (*relative_seats, *(f"neutral_{letter}" for letter in NEUTRAL_LETTERS[: len(block.neutrals)]))
    seats = {NO_SEATS: (), EVERY_SEAT: colors, VIEWER: relative_seats[:1], OTHER_SEATS: relative_seats[1:]}[block.seats]
    axes = [seats] if block.seats else []
    axes += block.indices
    categories = colors if block.seat_codes else block.codes
    axes += [names for names in (categories, block.suffix) if names]
    for names in product(*axes):
        channel = "/".join([block.name, *names])
        if block.place_kind is None:
            yield Column(channel, block.high, None, 0, channel)
        for i, place in enumerate(block.places):
            yield Column(f"{channel}/{place}", block.high, block.place_kind, i, channel)


# -- the compiled function --------------------------------------------------------------------------------


def index(value):
    """Return a non-negative index as an unsigned integer, which avoids a comparison per access."""
    return np.uint64(value)


def sum_of(values):
    """Return the sum of an array, using a wide integer type."""
    total = 0
    for value in values.flat:
        total += int(value)
    return total


@cache
def define_encode(composition: Composition) -> None:
    """Add `encode(game, params, seat, row)` to a composition; it fills the row and returns its length."""
    functions = {f"shows_{name}": composition.roles("shows", name)[0] for name in composition.features}
    functions |= {"index": index, "sum_of": sum_of, "write_flags": write_flags}
    functions |= {"current_decision": current_decision, "current_seat": current_seat, "waiting": waiting}
    lines = ["players = params.num_players", "at = 0", *_read_arguments(composition)]
    for block in blocks(composition):
        lines += source(block)
    composition.add_function("encode", "game, params, seat, row", [*lines, "return at"], functions)


def source(block: Block) -> list[str]:
    """Return source lines that write the columns of a block, starting at `row[at]`, and that advance `at`."""
    if block.one_place:
        lines = _one_flag(block.value, len(block.places))
    elif block.codes and block.place_kind is None:
        lines = _one_flag(f"int({block.value}) - {block.first}", len(block.codes))
    else:
        lines = _in_order(block)
    for axis, names in reversed(list(enumerate(block.indices))):
        lines = [f"for j{axis} in range({len(names)}):", *_inside(lines)]
    if block.seats == NO_SEATS:
        return lines
    if block.seats == EVERY_SEAT:
        seat_loop = ["for _ in range(players):", *_inside([*lines, *_next_seat("who")])]
        lines = [*seat_loop, *_for_neutrals(block, "who", lines)]
    elif block.seats == OTHER_SEATS:
        lines = ["for _ in range(1, players):", *_inside([*_next_seat("who"), *lines])]
    return ["who = seat", *lines]


def _in_order(block: Block) -> list[str]:
    """Return source lines that compute every cell, for all categories and places."""
    are_flags, place_count = bool(block.codes or block.seat_codes), len(block.places)
    cell = f"{block.value} == code" if are_flags else block.value
    if block.place_kind is None:
        lines = [f"row[at] = {cell}", "at += 1"]
    elif are_flags and block.array:
        lines = [f"write_flags(row, at, {block.array}, code)", f"at += {place_count}"]
    else:
        lines = [f"for i in range({place_count}):", f"    row[at + i] = {cell}", f"at += {place_count}"]
    if block.seat_codes:
        loop_lines = ["code = seat", "for _ in range(players):", *_inside([*lines, *_next_seat("code")])]
        return [*loop_lines, *_for_neutrals(block, "code", lines)]
    if block.codes:
        codes = f"range({block.first}, {block.first + len(block.codes)})"
        return [f"for code in {codes}:", *_inside(lines)]
    return lines


def _one_flag(value: str, count: int) -> list[str]:
    """Return source lines that clear `count` flags and then set the one at the index `value`, if there is one."""
    return [
        f"for c in range({count}):",
        "    row[at + c] = 0",
        f"flag = {value}",
        f"if 0 <= flag < {count}:",
        "    row[index(at + flag)] = 1",
        f"at += {count}",
    ]


def _for_neutrals(block: Block, name: str, lines: list[str]) -> list[str]:
    """Return source lines that repeat the given lines for the neutral colors, if those are shown."""
    seats = block.neutrals
    return [f"for {name} in range({seats.start}, {seats.stop}):", *_inside(lines)] if seats else []


def _next_seat(name: str) -> tuple[str, ...]:
    """Return source lines that move on to the next seat to the left.

    If a plain sum were used, LLVM would vectorize loops over four seats, which makes them slower.
    """
    return f"{name} += 1", f"if {name} == players:", f"    {name} = 0"


def _inside(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
