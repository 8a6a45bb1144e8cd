"""The `Board` protocol, the interface between the engine and a game's board."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

import numpy as np

from catan_env.errors import BoardError


class Board(Protocol):
    """A game's board: a map of hexes, a graph, a printed sheet, or nothing (`NoBoard`).

    All boards that `laid` returns have the same `sizes`, and `tables` with the same names, shapes and dtypes. They
    share the scenario's compiled rules.
    """

    @property
    def sizes(self) -> Mapping[str, int]:
        """Length of every axis that the board defines for rules."""

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the places along each axis, such as "hex (0, -2)". They never change, so `parse` accepts them."""

    @property
    def label(self) -> str:
        """The board's name in messages, such as "map 'base'"."""

    @property
    def free_numbers(self) -> Collection[str]:
        """Names of the `tables` whose values the board does not check, because only the rules can interpret them."""

    @property
    def topology(self) -> Any:
        """Geometry and adjacency (`catan_env.board.Topology`), used to draw pictures; None if there is no map."""

    def laid(self, chosen: Any, num_players: int) -> Board:
        """Return the board for one engine.

        Args:
            chosen: the user's `board=`; None for the scenario's default board.
            num_players: number of players. A scenario can have different boards for different player counts.

        Raises:
            BoardError: the scenario cannot be played on this board.
        """

    def tables(self, values: Mapping[str, Any], colors: int) -> Mapping[str, np.ndarray]:
        """Return the constant arrays that rules read as `params.<name>`.

        Args:
            values: rule numbers by name.
            colors: number of rows in per-player fields: the largest number of players plus neutral colors.

        Raises:
            BoardError: the board and the rules are incompatible.
        """

    def place_names(self, record: Any) -> Mapping[str, tuple[str, ...]]:
        """Return the place names, keyed by axis, on the board that a record contains."""

    def save(self) -> Any:
        """Return a JSON-compatible value from which `laid` restores this board; None for the default board."""


class NoBoard:
    """The board used for games that have no board."""

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
        """Return this board; raise `BoardError` if the user chose a board."""
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
        """Return None, because there is only one board."""
