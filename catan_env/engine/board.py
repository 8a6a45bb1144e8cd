"""The `Board` protocol: the interface between the engine and the board of a game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

import numpy as np

from catan_env.errors import BoardError


class Board(Protocol):
    """The board of a game: a map of hexes, a graph, a printed sheet, or nothing (`NoBoard`).

    All boards that `laid` returns have equal `sizes`, and `tables` with equal names, shapes and dtypes. They share the
    compiled rules of the scenario.
    """

    @property
    def sizes(self) -> Mapping[str, int]:
        """Length of every axis that the board defines for rules."""

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the places along each axis, such as "hex (0, -2)". They never change, and `parse` reads them."""

    @property
    def label(self) -> str:
        """The board's name in messages, such as "map 'base'"."""

    @property
    def free_numbers(self) -> Collection[str]:
        """Names of the `tables` whose values only the rules can interpret, so that the board does not check them."""

    @property
    def topology(self) -> Any:
        """Geometry and adjacency (`catan_env.board.Topology`), as drawn in pictures; None without a map."""

    def laid(self, chosen: Any, num_players: int) -> Board:
        """Return the board of one engine.

        Args:
            chosen: the user's `board=`; None for the default board of the scenario.
            num_players: number of players. A scenario can have different boards for different numbers.

        Raises:
            BoardError: the scenario cannot be played on this board.
        """

    def tables(self, values: Mapping[str, Any], colors: int) -> Mapping[str, np.ndarray]:
        """Return the constant arrays that rules read as `params.<name>`.

        Args:
            values: rule numbers by name.
            colors: number of rows of per-player fields: the largest number of players plus neutral colors.

        Raises:
            BoardError: board and rules do not fit together.
        """

    def place_names(self, record: Any) -> Mapping[str, tuple[str, ...]]:
        """Return the names of places on the board laid out in a record, by axis."""

    def save(self) -> Any:
        """Return a value for JSON from which `laid` restores this board; None for the default board."""


class NoBoard:
    """The board of a game without a board."""

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
        """Return this board; raise `BoardError` if the user chose one."""
        if chosen is not None:
            raise BoardError(
                f"board is {chosen!r}; this scenario takes no board, because it is played {self.played_on}"
            )
        return self

    def tables(self, values: Mapping[str, Any], colors: int) -> Mapping[str, np.ndarray]:
        """Return no tables."""
        return {}

    def place_names(self, record: Any) -> Mapping[str, tuple[str, ...]]:
        """Return no names."""
        return {}

    def save(self) -> None:
        """Return None, since there is only one board."""
