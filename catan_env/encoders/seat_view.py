"""The view that a seat has of a batch of games, for custom encoders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict

from catan_env.encoders.flat import Encoder, FlatEncoder
from catan_env.encoders.layout import Layout
from catan_env.engine.batch import BatchEngine
from catan_env.engine.binding import did_you_mean
from catan_env.engine.declare import ALL, OWNER
from catan_env.errors import OptionError


class SeatView:
    """What one seat sees in each of n games. The view contains copies of the data and no references to the games.

    Attributes:
        seats: (n,) int64, the viewing seat.
        seat_to_act: (n,) int64, the seat to act; negative if there is none.
        num_players: number of seats.
        rules: all rule numbers, keyed by name.
        legal: (n, actions) bool, the seat's legal actions; all False if another seat is to act.
        points: (n, players) int64, visible victory points by seat.
        row: (n, size) float32, the columns of the `flat` observation, in [0, 1].
        layout: the `Layout` that names the columns of `row`.
    """

    def __init__(self, engine: BatchEngine, layout: Layout, row: np.ndarray, seats: np.ndarray, games: np.ndarray):
        composition, records = engine.program.composition, engine.state[games]
        self.seats, self.seat_to_act = np.array(seats), engine.seat_to_act[games]
        self.num_players, self.rules, self.row, self.layout = engine.num_players, dict(engine.rules), row, layout
        self.legal = engine.action_mask[games] & (self.seats == self.seat_to_act)[:, None]
        self.points = np.array(engine.visible_points[games])
        self._public, self._own, self._totals = {}, {}, {}
        for field in composition.fields.values():
            if field.visible == ALL:
                self._public[field.name] = np.array(records[field.name])
            elif field.visible == OWNER:
                rows = records[field.name]
                self._own[field.name] = np.array(rows[np.arange(len(games)), self.seats])
                if field.total:
                    seat_rows = rows[:, : self.num_players]
                    self._totals[field.name] = seat_rows.reshape(*seat_rows.shape[:2], -1).sum(axis=2)

    def public(self, name: str) -> np.ndarray:
        """Return a public field, shape (n, ...).

        Raises:
            OptionError: no public field has this name.
        """
        return _entry(self._public, name, "public field")

    def own(self, name: str) -> np.ndarray:
        """Return the seat's own row of a private field, such as its hand, shape (n, ...).

        Raises:
            OptionError: no private field has this name.
        """
        return _entry(self._own, name, "private field")

    def totals(self, name: str) -> np.ndarray:
        """Return the public totals of a private field by seat, such as hand sizes, shape (n, players).

        Raises:
            OptionError: no private field of this name has public totals.
        """
        return _entry(self._totals, name, "private field with public totals")

    def feature(self, name: str) -> np.ndarray:
        """Return a column of the `flat` observation, shape (n,), with values in [0, 1].

        Raises:
            OptionError: no column has this name.
        """
        try:
            return self.row[:, self.layout.index(name)]
        except KeyError:
            raise OptionError(
                f"There is no feature {name!r}.{did_you_mean(name, self.layout.names)} `layout.names` lists them all."
            ) from None

    def from_own_seat(self, values: np.ndarray) -> np.ndarray:
        """Reorder values by seat, shape (n, players, ...), to start with the viewing seat and continue to its left."""
        order = (self.seats[:, None] + np.arange(self.num_players)) % self.num_players
        return values[np.arange(len(order))[:, None], order]


def _entry(known: dict[str, Any], name: str, what: str) -> Any:
    if name not in known:
        raise OptionError(f"A seat sees no {what} {name!r}; it sees: {', '.join(known)}.")
    return known[name]


class ViewEncoder(Encoder):
    """An encoder that calls a function with a `SeatView`, so it cannot reveal hidden cards.

    Args:
        engine: the engine to observe.
        dtype: "float32".
        name: name of the encoder.
        encode: `encode(view)` returns an (n, ...) array or a dict of such arrays, with one row per game. Rows must have
            the same shape on every call.

    Attributes:
        space: an unbounded `Box` for each array.
        feature_names: names of the features: the `feature_names` attribute of `encode` if it has one, otherwise
            numbers.
        size: number of features in a row; 0 for a dict of arrays.

    Raises:
        OptionError: the dtype is not "float32", or `encode` returns something else.
    """

    def __init__(self, engine: BatchEngine, dtype: str, name: str, encode: Callable[[SeatView], Any]):
        super().__init__(engine, dtype)
        if self.dtype != np.float32:
            raise OptionError(f"dtype is {dtype!r}; the encoder function {name!r} returns only 'float32'.")
        self.name, self._function, self._flat = name, encode, FlatEncoder(engine, "float32")
        sample = self._arrays(np.zeros(1, np.int64), np.zeros(1, np.int64), None)
        self._shapes = {part: array.shape[1:] for part, array in sample.items()}
        boxes: dict[str, Any] = {part: Box(-np.inf, np.inf, shape, np.float32) for part, shape in self._shapes.items()}
        self._has_parts = "" not in boxes
        self.space: Any = Dict(boxes) if self._has_parts else boxes[""]
        self.size = 0 if self._has_parts else int(np.prod(self._shapes[""]))
        numbers = [str(k) for k in range(self.size)]
        self.feature_names = list(getattr(encode, "feature_names", numbers))

    def __reduce__(self) -> tuple:
        return type(self), (self.engine, self.dtype.name, self.name, self._function)

    @property
    def hash(self) -> str:
        """Fingerprint of the encoder's name, the shapes of its arrays and the layout of the flat row."""
        return f"{self.name}-{self._shapes}-{self.layout.hash}"

    def show(self, seats: np.ndarray, games: np.ndarray, out: Any = None) -> Any:
        """Return (rows, ...) float32 observations, or a dict of them; see `Encoder.show`.

        Rows without a viewing seat are zero; the corresponding games are not passed to the function.
        """
        viewed = np.flatnonzero(seats >= 0)
        arrays = self._arrays(seats[viewed], games[viewed], self._shapes) if viewed.size else {}
        targets = {}
        for part, shape in self._shapes.items():
            given = out.get(part) if self._has_parts and isinstance(out, dict) else out
            targets[part] = self._target(given, (len(games), *shape))
            targets[part][:] = 0.0
            if viewed.size:
                targets[part][viewed] = arrays[part]
        return targets if self._has_parts else targets[""]

    def _arrays(
        self, seats: np.ndarray, games: np.ndarray, shapes: dict[str, tuple[int, ...]] | None
    ) -> dict[str, np.ndarray]:
        """Return the function's result as float32 arrays, keyed by part; if it is a single array, the key is ""."""
        view = SeatView(self.engine, self.layout, self._flat.encode(seats, games=games), seats, games)
        result = self._function(view)
        parts = {str(part): array for part, array in result.items()} if isinstance(result, dict) else {"": result}
        try:
            arrays = {part: np.asarray(array, np.float32) for part, array in parts.items()}
        except (TypeError, ValueError) as error:
            raise OptionError(f"The encoder {self.name!r} must return numbers: {error}.") from error
        for array in arrays.values():
            if array.ndim == 0 or len(array) != len(games):
                raise OptionError(
                    f"The encoder {self.name!r} returned shape {array.shape}; it must return one row for each of "
                    f"{len(games)} games."
                )
        if shapes is not None and shapes != {part: array.shape[1:] for part, array in arrays.items()}:
            raise OptionError(f"The encoder {self.name!r} must return rows of the shape {shapes} at every call.")
        return arrays
