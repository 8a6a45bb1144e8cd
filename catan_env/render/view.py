"""The values shown in pictures, which are read from game records according to the declarations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from catan_env.board.terrain import RESOURCES
from catan_env.engine.batch import BatchEngine
from catan_env.engine.compose import Composed, Composition
from catan_env.engine.declare import ALL, OWNER, PLAYERS, Count, Feature, Field, OneHot, SeatFlag, Size
from catan_env.engine.field_names import field_names
from catan_env.render.drawing import BADGES, PIECES, ROWS, STACKS, apart, on_board
from catan_env.render.layout import BOARD_WIDTH, PANEL_WIDTH, PictureLayout, kind_of
from catan_env.render.markup import width_of

feature_values = Composed("feature_values")

LEAST_BADGES = 120
"""Minimum badge width in the table strip, assumed when computing the number of lines."""
SPECTATOR = -1
"""A viewer who sees only what all seats see, and no hands."""


def read_features(states, all_params, games, out):
    """Kernel: compute the features of each game as each seat sees them."""
    for i in range(games.shape[0]):
        for seat in range(all_params[0].num_players):
            feature_values(states[games[i]], all_params[0], seat, out[i, seat])


class Item(NamedTuple):
    """A value held by a seat or shown on the table.

    `value` is an int, or a tuple of ints with one entry per label. `category` is the name of a categorical value.
    """

    name: str
    label: str
    value: Any
    labels: tuple[str, ...] = ()
    category: str = ""
    total: bool = False
    """Whether `value` is a sum of values that are hidden from the viewer."""


def words(name: str) -> str:
    """Return a declared name with underscores replaced by spaces."""
    return name.replace("_", " ")


class Reading:
    """The values of some games, with the declarations that determine where each value goes in a picture.

    Attributes:
        layout: layout of the pictures.
        visible_points, victory_points: lists of shape (games, players).
    """

    def __init__(self, engine: BatchEngine, games: Sequence[int]):
        self.engine, self.games = engine, np.asarray(games, np.int64)
        self.declared = _declared_of(engine)
        self.visible_points = engine.visible_points[self.games].tolist()
        self.victory_points = engine.victory_points[self.games].tolist()
        self.features = self._features()

    @property
    def layout(self) -> PictureLayout:
        return self.declared.layout

    def _features(self) -> np.ndarray:
        engine, declared = self.engine, self.declared
        values = np.zeros((len(self.games), engine.num_players, max(declared.num_values, 1)), np.int64)
        if declared.num_values:
            arguments = engine.batch.records, engine.batch.params, self.games, values
            engine.entry_point(read_features, *arguments)(*arguments)
        return values

    def game(self, place: int = 0) -> ShownGame:
        """Return a game of this reading by index."""
        return ShownGame(self, place)


@dataclass(frozen=True, eq=False)
class ShownGame:
    """One game of a reading."""

    reading: Reading
    place: int

    @cached_property
    def record(self) -> np.void:
        return self.reading.engine.state[self.reading.games[self.place]]

    @property
    def layout(self) -> PictureLayout:
        return self.reading.declared.layout

    def values(self, name: str, default: Any = None) -> Any:
        """Return a field as a Python number or list, or `default` if the scenario lacks the field."""
        return self.record[name].tolist() if name in field_names(self.record) else default

    def points(self, seat: int, viewer: int | None) -> tuple[int, int]:
        """Return a seat's public and hidden victory points. Hidden points are 0 if the viewer may not see them."""
        visible = self.reading.visible_points[self.place][seat]
        return visible, self.reading.victory_points[self.place][seat] - visible if viewer in (None, seat) else 0

    def of_player(self, seat: int, viewer: int | None) -> list[Item]:
        """Return the items of a seat that `viewer` may see, in declaration order.

        A viewer of None sees everything; `SPECTATOR` sees only public items.
        """
        items = []
        for field in self.reading.declared.of_players:
            value = self.record[field.name][seat]
            if field.visible == ALL or viewer in (None, seat):
                items.append(_item(field, value))
            elif field.total:
                items.append(Item(field.name, words(field.name), int(value.sum()), total=True))
        return items + self._features_of_player(seat, viewer)

    def of_table(self, viewer: int | None) -> list[Item]:
        """Return the shared items. Values of features are those that `viewer` sees."""
        items = [_item(field, self.record[field.name]) for field in self.reading.declared.of_table]
        for feature, first, length in self.reading.declared.features:
            values = self._feature(first, length)
            seen_by_one = viewer is not None and viewer != SPECTATOR
            if feature.over != PLAYERS and not _on_map(feature) and (seen_by_one or _alike(values)):
                items.append(_feature_item(feature, values[viewer if seen_by_one else 0]))
        return items

    def _features_of_player(self, seat: int, viewer: int | None) -> list[Item]:
        items = []
        for feature, first, length in self.reading.declared.features:
            values = self._feature(first, length)
            if feature.over == PLAYERS:
                if viewer == SPECTATOR and not _alike(values):
                    continue
                values_seen = values[seat if viewer is None else viewer]
                items.append(_item_of_seat(feature, values_seen, seat, self.layout.composition))
            elif viewer is None and not _on_map(feature) and not _alike(values):
                items.append(_feature_item(feature, values[seat]))
        return items

    def _feature(self, at: int, length: int) -> np.ndarray:
        """Return the values of a feature as each seat sees them, shape (players, length)."""
        return self.reading.features[self.place, :, at : at + length]

    def holders(self) -> list[tuple[str, int]]:
        """Return (name, seat) for every title, such as Longest Road; the seat is -1 if nobody holds it."""
        return [(field.name, int(self.record[field.name])) for field in self.reading.declared.holders]

    def marks(self) -> list[tuple[Field, str, list]]:
        """Return (field, axis, values) for each field over map places that lacks a drawing."""
        return [(field, axis, self.record[field.name].tolist()) for field, axis in self.reading.declared.marks]

    def board_key(self) -> bytes:
        """Return a key that is equal for boards that look the same."""
        drawn_names = on_board()
        fields = [name for name in field_names(self.record) if name in drawn_names]
        fields += [field.name for field, _ in self.reading.declared.marks]
        return b"".join(self.record[name].tobytes() for name in fields)

    def panel_key(self, seat: int) -> tuple:
        """Return a key that is equal for panels of a seat that look the same to every viewer."""
        field_bytes = b"".join(self.record[field.name][seat].tobytes() for field in self.reading.declared.of_players)
        features = self.reading.features[self.place].tobytes()
        return seat, field_bytes, features, self.points(seat, None), tuple(self.holders())

    @property
    def decision(self) -> str:
        """Return the current decision, or the game's result, in words."""
        engine, game = self.reading.engine, int(self.reading.games[self.place])
        if engine.terminated[game]:
            winners = np.flatnonzero(engine.winners[game]).tolist()
            points = self.reading.victory_points[self.place]
            if len(winners) == 1:
                return f"Seat {winners[0]} has won with {points[winners[0]]} points"
            seats = " and ".join(f"{seat} ({points[seat]} points)" for seat in winners)
            return f"Seats {seats} have won together" if winners else "Nobody has won"
        if engine.truncated[game]:
            return "The game was truncated without a winner"
        name, composition = engine.decision(game), self.layout.composition
        if name in composition.decisions:
            return f"Seat {int(engine.seat_to_act[game])} to act: {composition.decisions[name].text}"
        return f"Chance to act: {composition.draws[name].text.format('...')}"


def _item(field: Field, value: np.ndarray) -> Item:
    label = words(field.name)
    if np.ndim(value):
        values = tuple(value.tolist())
        return Item(field.name, label, values, field.labels or tuple(map(str, range(len(values)))))
    if isinstance(field.show, OneHot):
        category = int(value) - field.show.first
        has_name = 0 <= category < len(field.show.names)
        return Item(field.name, label, int(has_name), category=words(field.show.names[category]) if has_name else "")
    return Item(field.name, label, int(value))


def _feature_item(feature: Feature, values: np.ndarray) -> Item:
    if isinstance(feature.over, tuple):
        return Item(feature.name, words(feature.name), tuple(values.tolist()), feature.over)
    return Item(feature.name, words(feature.name), int(values[0]))


def _item_of_seat(feature: Feature, values: np.ndarray, seat: int, composition: Composition) -> Item:
    """Return one seat's item for a feature over players, and over kinds if it has that axis."""
    if feature.kinds is None:
        return Item(feature.name, words(feature.name), int(values[seat]))
    kinds = composition.names_along(feature.kinds)
    seat_values = values[seat * len(kinds) : (seat + 1) * len(kinds)]
    return Item(feature.name, words(feature.name), tuple(seat_values.tolist()), kinds)


def _on_map(feature: Feature) -> bool:
    return isinstance(feature.over, Size) and feature.over != PLAYERS


def _alike(values: np.ndarray) -> bool:
    return bool((values == values[0]).all())


class Declared:
    """The declarations of a scenario, grouped by where they go in a picture."""

    def __init__(self, composition: Composition, topology: Any, num_players: int):
        self.of_players: list[Field] = []
        self.of_table: list[Field] = []
        self.holders: list[Field] = []
        self.marks: list[tuple[Field, str]] = []
        self.unshown: list[Field] = []
        """Fields that have no drawing and no place in a picture."""
        drawn_elsewhere = apart()
        for field in composition.fields.values():
            if field.show is not None and field.visible in (ALL, OWNER) and field.name not in drawn_elsewhere:
                self._sort(field, topology)
        self.features: list[tuple[Feature, int, int]] = []
        """Each feature, with the index of its first value and the number of values."""
        self.num_values = 0
        for feature in composition.features.values():
            if feature.name not in drawn_elsewhere:
                length = composition.extent(feature.over) * (len(composition.names_along(feature.kinds)) or 1)
                self.features.append((feature, self.num_values, length))
                self.num_values += length
        _define_feature_values(composition, self.features)
        rows_height = sum(row.height for row in ROWS if row.fits(composition))
        strip_lines = self._strip_lines(composition.sizes.get("neutrals", 0))
        self.pieces = _pieces_of(self.of_players)
        self.layout = PictureLayout(
            composition, topology, num_players, rows_height, self._lines(composition), strip_lines, self.pieces
        )

    def _lines(self, composition: Composition) -> int:
        """Return the number of lines for holdings in a panel: two, plus those for fields and features over kinds.

        Features over kinds get an extra line to make up for space lost to wrapping.
        """
        kind_fields = [field for field in self.of_players if field.name not in _in_rows() and not _is_new(field.name)]
        feature_kinds = [feature.kinds for feature, _, _ in self.features if feature.over == PLAYERS and feature.kinds]
        line_counts = [_lines_for(composition.names_along(axis), PANEL_WIDTH) for axis in feature_kinds]
        held_lines = _lines_of(kind_fields, PANEL_WIDTH, self.pieces)
        return 2 + sum(held_lines[1:]) + sum(line_counts) + bool(line_counts)

    def _strip_lines(self, neutrals: int) -> int:
        """Return the number of lines in the table strip."""
        return 2 + bool(neutrals) + sum(_lines_of(self.of_table, self._badge_width(), {}))

    def _badge_width(self) -> float:
        """Return the width available to badges in the table strip, next to stacks such as the bank."""
        stacks = [(STACKS[field.name], field) for field in self.of_table if field.name in STACKS]
        empty = [(stack, _item(field, np.zeros(len(field.labels), np.int64))) for stack, field in stacks]
        return max(BOARD_WIDTH - sum(stack.function(item, 0, 0)[1] for stack, item in empty), LEAST_BADGES)

    def _sort(self, field: Field, topology: Any) -> None:
        axes = [size.name if isinstance(size, Size) else "" for size in field.shape]
        if len(axes) == 1 and kind_of(topology, axes[0]):
            self.marks.append((field, axes[0]))
        elif any(kind_of(topology, axis) for axis in axes):
            self.unshown.append(field)
        elif field.shape[:1] == (PLAYERS,) and len(axes) <= 2:
            self.of_players.append(field)
        elif not axes and isinstance(field.show, SeatFlag):
            self.holders.append(field)
        elif len(axes) <= 1 and isinstance(field.show, Count | OneHot) and field.visible == ALL:
            self.of_table.append(field)
        else:
            self.unshown.append(field)


def _in_rows() -> set[str]:
    """Return the names of fields with a row in every panel."""
    return {name for row in ROWS for name in row.fields}


def _is_new(name: str) -> bool:
    """Return whether a field counts the new items of another field, which are shown in that field's badges."""
    return name.startswith("new_")


def _pieces_of(fields: Sequence[Field]) -> dict[str, str]:
    """Return the field behind each count with an icon, keyed by the name of the field or of a kind.

    A kind that several fields show belongs to the first one. Fields with rows or badges, and fields that count new
    items, have no icons.
    """
    pieces: dict[str, str] = {}
    for field in fields:
        if field.name not in _in_rows() and field.name not in BADGES and not _is_new(field.name):
            for name in (field.name, *field.labels):
                if name in PIECES:
                    pieces.setdefault(name, field.name)
    return pieces


def _lines_of(fields: Sequence[Field], width: float, pieces: Mapping[str, str]) -> list[int]:
    """Return the number of lines for each field over kinds that are neither resources nor drawn as `pieces`."""
    kinds = [
        [label for label in field.labels if pieces.get(label) != field.name]
        for field in fields
        if field.labels[: len(RESOURCES)] != RESOURCES
    ]
    return [_lines_for(labels, width) for labels in kinds if labels]


def _lines_for(labels: Sequence[str], width: float) -> int:
    """Return the number of lines that these labels need, including their counts."""
    return math.ceil(sum(width_of(words(label), 11) + 20 for label in labels) / width)


def _define_feature_values(composition: Composition, features: list[tuple[Feature, int, int]]) -> None:
    """Add `feature_values(game, params, seat, out)` to a composition."""
    lines, functions = [], {}
    for feature, first, length in features:
        functions[f"shows_{feature.name}"] = composition.roles("shows", feature.name)[0]
        kinds = len(composition.names_along(feature.kinds)) or 1
        count = f"params.num_players * {kinds}" if feature.over == PLAYERS else length
        lines += [f"for k in range({count}):", f"    out[{first} + k] = shows_{feature.name}(game, params, seat, k)"]
    composition.add_function("feature_values", "game, params, seat, out", lines, functions)


_declared: dict[tuple[int, int, int], tuple[Any, Declared]] = {}


def _declared_of(engine: BatchEngine) -> Declared:
    program = engine.program
    key = (id(program), id(engine.topology), engine.num_players)
    if key not in _declared:
        declared = Declared(program.composition, engine.topology, engine.num_players)
        _declared[key] = ((program, engine.topology), declared)
    return _declared[key][1]
