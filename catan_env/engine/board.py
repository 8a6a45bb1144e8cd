"""The `Board` protocol: what a game is played on, as the engine sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

import numpy as np

from catan_env.errors import BoardError


class Board(Protocol):
    """What a game is played on: a map of hexes, a graph, a printed sheet, or nothing (`NoBoard`).

    `sizes`, and the names, shapes and dtypes of `tables`, are the same for every board that `laid` returns, so that all
    of them share the compiled rules of the scenario.
    """

    @property
    def sizes(self) -> Mapping[str, int]:
        """Length of every axis that the board gives to rules."""

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """What people call the places along each axis, such as "hex (0, -2)": always the same, and `parse` knows it."""

    @property
    def label(self) -> str:
        """What messages call the board, such as "map 'base'"."""

    @property
    def free_numbers(self) -> Collection[str]:
        """Names of the `tables` whose numbers may be anything, as nobody but the rules knows what they mean."""

    @property
    def topology(self) -> Any:
        """Geometry and adjacency (`catan_env.board.Topology`), from which pictures are drawn; None without a map."""

    def laid(self, chosen: Any, num_players: int) -> Board:
        """Return the board that a game is played on.

        Args:
            chosen: the `board=` of the user; None for the scenario's own.
            num_players: a scenario may have other boards for some numbers of players.

        Raises:
            BoardError: it is no board of this scenario.
        """

    def tables(self, values: Mapping[str, Any], colors: int) -> Mapping[str, np.ndarray]:
        """Return the constant arrays that rules read as `params.<name>`.

        Args:
            values: the numbers of the rules.
            colors: rows of per-player fields: the most players and the neutral colors.

        Raises:
            BoardError: board and rules do not fit together.
        """

    def place_names(self, record: Any) -> Mapping[str, tuple[str, ...]]:
        """Return what people call the places as they lie in the game of this record, by axis."""

    def save(self) -> Any:
        """Return what `laid` takes to lay this board again, as JSON can hold it; None for the scenario's own."""


class NoBoard:
    """The board of a game that has none."""

    topology = None
    label = "the board"
    free_numbers: Collection[str] = ()
    played_on = "without a board"

    @property
    def sizes(self) -> Mapping[str, int]:
        """Return no axes."""
        return {}

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Return no names."""
        return {}

    def laid(self, chosen: Any, num_players: int) -> Board:
        """Return this board; `BoardError` if the user chose one."""
        if chosen is not None:
            raise BoardError(f"this scenario is played {self.played_on}, and was given board={chosen!r}")
        return self

    def tables(self, values: Mapping[str, Any], colors: int) -> Mapping[str, np.ndarray]:
        """Return no tables."""
        return {}

    def place_names(self, record: Any) -> Mapping[str, tuple[str, ...]]:
        """Return no names."""
        return {}

    def save(self) -> None:
        """Return None: there is nothing to choose."""
