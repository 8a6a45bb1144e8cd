"""The `flat` observation, consisting of one row of features per game, and the base class of all encoders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from catan_env.encoders.layout import Layout, layout_of
from catan_env.encoders.row import define_encode
from catan_env.engine.arguments import indices_of
from catan_env.engine.batch import BatchEngine
from catan_env.engine.compiler.cache_lines import end_writes, write_past_cache
from catan_env.engine.compose import Composed
from catan_env.errors import OptionError

encode = Composed("encode")

DTYPES = ("float32", "uint8")
LARGEST_IN_CACHE = 1 << 21
"""Number of floats (8 MB) above which observations are written past the cache."""


def write_bytes(states, all_params, seats, games, out, row, start, stop):
    """Kernel: write one row per game, as seen by a seat; rows for negative seats are zero."""
    for i in range(start, stop):
        if seats[i] >= 0:
            encode(states[games[i]], all_params[0], seats[i], out[i])
        else:
            out[i, :] = 0


def write_floats(states, all_params, seats, games, scale, out, row, start, stop):  # noqa: PLR0913 (kernel)
    """Kernel: write one row per game, with each column multiplied by its scale."""
    is_large = out.size > LARGEST_IN_CACHE
    for i in range(start, stop):
        if seats[i] >= 0:
            encode(states[games[i]], all_params[0], seats[i], row)
            if is_large:
                write_past_cache(out, i, row, scale)
            else:
                for k in range(out.shape[1]):
                    out[i, k] = np.float32(row[k]) * scale[k]
        else:
            out[i, :] = 0
    if is_large:
        end_writes()


class Encoder:
    """Base class for encoders, which selects seats and games, allocates the output and runs the kernel.

    Args:
        engine: the engine to observe.
        dtype: "float32" for values in [0, 1], "uint8" for the raw integers.

    Attributes:
        name: name of the encoder.
        engine: the engine.
        dtype: dtype of the observations, np.float32 or np.uint8.
        layout: a `Layout` with the columns of the flat row.
        high: (size,) upper bounds of the columns of the flat row, in `dtype`.
        kernel: template of the kernel that writes observations.

    Raises:
        OptionError: the dtype is not supported.
    """

    name: str
    kernel: Callable
    """Template of the kernel that writes observations."""
    _arguments: tuple[Any, ...]
    """Arguments of the kernel between the games and the output."""

    def __init__(self, engine: BatchEngine, dtype: str = "float32"):
        try:
            self.dtype = np.dtype(dtype)
            is_known = self.dtype in [np.dtype(name) for name in DTYPES]
        except TypeError:
            is_known = False
        if not is_known:
            raise OptionError(f"dtype is {dtype!r}; allowed: {', '.join(DTYPES)}.")
        self.engine = engine
        self.layout: Layout = layout_of(engine.program, engine.num_players)
        define_encode(engine.program.composition)
        self._scale = self.layout.scale if self.dtype == np.float32 else np.ones(self.layout.size, np.uint8)
        self._scale = self._scale.copy()  # so that one kernel serves read-only and writable arrays
        self.high = self.layout.high if self.dtype == np.uint8 else np.ones(self.layout.size, np.float32)
        """(size,) upper bounds of the columns of the flat row, in the encoder's dtype."""
        self._entry: Callable | None = None
        self._every_game = np.arange(engine.num_games)
        self._spare_rows: list[np.ndarray] = []
        """Scratch rows that no thread is using."""

    def __reduce__(self) -> tuple:
        return type(self), (self.engine, self.dtype.name)

    @property
    def hash(self) -> str:
        """Fingerprint of the layout. Observations whose hashes are equal have the same meaning."""
        return f"{self.name}-{self.dtype}-{self.layout.hash}"

    def box(self, high: np.ndarray) -> Box:
        """Return a space whose values range from 0 to the given bounds."""
        return Box(np.zeros_like(high), high, dtype=self.dtype.type)

    def encode(self, seat: Any = None, out: Any = None, games: Any = None) -> Any:
        """Return observations, one row per game, in fresh arrays unless `out` is given.

        Args:
            seat: the viewer: one seat for all games, (rows,) seats, or None for the seat to act. Rows are all zeros for
                negative seats and for games in which no seat is to act.
            out: arrays to write to, in the encoder's dtype.
            games: boolean mask or indices of the games to encode, one row each; None for all games.

        Raises:
            OptionError: an argument is invalid.
        """
        return self.show(*self._whose(seat, games), out)

    def show(self, seats: np.ndarray, games: np.ndarray, out: Any = None) -> Any:
        """Return observations like `encode`, for seats and games that are known to be valid.

        Args:
            seats: (rows,) int64, writable and contiguous: the viewer of each row; rows of negative seats are zero.
            games: (rows,) int64, writable and contiguous: the game of each row.
            out: see `encode`.

        Raises:
            OptionError: `out` does not fit.
        """
        raise NotImplementedError

    def _whose(self, seat: Any, games: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the seats and the games to encode, each of shape (rows,)."""
        shown_games = self._every_game if games is None else indices_of(games, self.engine.num_games)
        if seat is None:
            return (self.engine.batch.seats if games is None else self.engine.batch.seats[shown_games]), shown_games
        seats = np.asarray(seat)
        if seats.dtype.kind not in "iu" or seats.shape not in ((), shown_games.shape):
            raise OptionError(
                f"seat is {seat!r}; it must be None, a seat, or one seat for each of {len(shown_games)} games."
            )
        if seats.size and seats.max() >= self.engine.num_players:
            raise OptionError(f"seat is {seats.max()}; allowed are 0 to {self.engine.num_players - 1}.")
        return np.full(shown_games.shape, seats, np.int64), shown_games

    def _target(self, out: Any, shape: tuple[int, ...], what: str = "out") -> np.ndarray:
        """Return `out` if it fits, or a fresh array if it is None."""
        if out is None:
            return np.empty(shape, self.dtype)
        if not isinstance(out, np.ndarray):
            raise OptionError(f"{what} is a {type(out).__name__}; it must be a NumPy array.")
        if out.shape != shape or out.dtype != self.dtype or not out.flags.carray:
            raise OptionError(
                f"{what} has shape {out.shape} and dtype {out.dtype}; it must be a writable, C-contiguous array of "
                f"shape {shape} and dtype {self.dtype}."
            )
        return out

    def _run(self, seats: np.ndarray, games: np.ndarray, out: Any) -> None:
        """Run the kernel over all rows, using the engine's threads."""
        engine = self.engine
        if self._entry is None:
            shown = engine.batch.records, engine.batch.params, seats, games, *self._arguments, out
            self._entry = engine.bind(self.kernel, *shown, self._new_scratch(), 0, 0)
        if engine.threads > 1 and len(games) == engine.num_games:
            engine.in_threads(partial(self._run_rows, self._entry, seats, games, out))
        else:
            self._run_rows(self._entry, seats, games, out, 0, 0, len(games))

    def _run_rows(
        self, kernel: Callable, seats: np.ndarray, games: np.ndarray, out: Any, thread: int, start: int, stop: int
    ) -> None:
        """Run the kernel over rows `start .. stop-1`; concurrent calls use different scratch rows."""
        batch = self.engine.batch
        try:
            scratch = self._spare_rows.pop()
        except IndexError:
            scratch = self._new_scratch()
        kernel(batch.records, batch.params, seats, games, *self._arguments, out, scratch, start, stop)
        self._spare_rows.append(scratch)

    def _new_scratch(self) -> np.ndarray:
        """Return a row for the bytes of a flat observation and one more column, which kernels may use."""
        return np.empty(self.layout.size + 1, np.uint8)


class FlatEncoder(Encoder):
    """An encoder that produces one row of features per game.

    Attributes:
        size: number of features.
        feature_names: names of the columns.
        space: observation space of one row.
    """

    name = "flat"

    def __init__(self, engine: BatchEngine, dtype: str = "float32"):
        super().__init__(engine, dtype)
        self.size = self.layout.size
        self.feature_names = list(self.layout.names)
        in_bytes = self.dtype == np.uint8
        self.kernel = write_bytes if in_bytes else write_floats
        self._arguments = () if in_bytes else (self._scale,)
        self.space = self.box(self.high)

    def show(self, seats: np.ndarray, games: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return (rows, size) observations; see `Encoder.show`."""
        shape = len(games), self.size
        out = np.empty(shape, self.dtype) if out is None else self._target(out, shape)
        self._run(seats, games, out)
        return out
