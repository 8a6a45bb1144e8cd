"""Maps: the constant part of a board, with places, terrain counts, number tokens, frame and published layouts.

`hex_map` and `graph_map` read maps from files. All other code uses the arrays of a `Map`. If the map lacks a part, such
as a frame, the corresponding arrays are empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catan_env.board.layout import Layout
from catan_env.board.terrain import BARE, NO_HARBOR, TERRAINS, USUAL
from catan_env.board.topology import Topology
from catan_env.errors import BoardError
from catan_env.text_files import other_file

Int16 = NDArray[np.int16]
Int8 = NDArray[np.int8]
LAYOUT_KEYS = ("hexes", "harbors", "robber", "start")


@dataclass(frozen=True, eq=False)
class Map:
    """The constant part of a board. Arrays are read-only. A coast index is a position in `coast_paths`.

    The frame has F sides, numbered clockwise from the top, and F large pieces, which can be arranged in any order.
    """

    name: str
    topology: Topology = field(repr=False)
    terrains: tuple[str, ...]
    """(T,): names of the terrains on this map, which are the first T of `TERRAINS`; at least six."""
    terrain_counts: Int8
    """(T,): number of hexes of each terrain."""
    fixed_terrain: Int8 = field(repr=False)
    """(H,): fixed terrain, such as the sea around islands; -1 where the terrain is drawn."""
    number_tokens: Int8
    """(N,): number tokens in order of placement, for N hexes."""
    spirals: Int16 = field(repr=False)
    """(S, L): land hexes in the order in which tokens are placed (skipping deserts), one row per possible start."""
    side_start: Int16 = field(repr=False)
    """(F,): coast index at which each side's large piece begins."""
    piece_offsets: Int8 = field(repr=False)
    """(F, 2): positions of each large piece's harbors, relative to the start of its side; padded with -1."""
    piece_kinds: Int8 = field(repr=False)
    """(F, 2): kinds of the harbors in `piece_offsets`; padded with -1."""
    small_harbors: Int16 = field(repr=False)
    """(K, 2): (coast index, kind) of each fixed harbor."""
    harbor_sites: Int16 = field(repr=False)
    """(M,): coast indices of the fixed sites among which the alternative setup shuffles harbor kinds."""
    harbor_kinds: Int8 = field(repr=False)
    """(M,): the harbor kinds to shuffle among `harbor_sites`."""
    layouts: dict[str, Layout] = field(repr=False)
    """Published layouts, keyed by name. Do not modify."""
    standing: str | None = None
    """Name of the default layout; None if boards are drawn."""
    shuffled: bool = False
    """Whether tokens are placed on random hexes instead of along a spiral."""
    status: str = "published"
    """Origin of the board, for human readers: "published", "printed", "reconstruction" or "own"."""
    source: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Contents of the map file as lists, strings and numbers. Do not modify."""
    stem: str = field(default="", repr=False)
    """Name of the map file without its suffix, or "" for a map without a file."""

    @property
    def label(self) -> str:
        """Name of the map in messages, including the file name if it differs."""
        return f"map {self.name!r}" if self.stem in ("", self.name) else f"map {self.name!r} of file {self.stem!r}"

    @property
    def coast_paths(self) -> Int16:
        """Paths where harbors are allowed; on hex grids, the coast in clockwise order."""
        return self.topology.coast_paths

    @property
    def sizes(self) -> dict[str, int]:
        """Length of every axis that the map defines for rules. Maps with equal sizes can share compiled rules."""
        return {**self.topology.sizes, "terrains": len(self.terrains)}

    @property
    def can_be_drawn(self) -> bool:
        """Whether the map defines how boards are drawn at random: terrain, tokens and token order."""
        return (len(self.spirals) > 0 or self.shuffled) and len(self.number_tokens) > 0

    @property
    def draws_harbors(self) -> bool:
        """Whether the map defines how to draw harbors."""
        return len(self.side_start) + len(self.small_harbors) + len(self.harbor_sites) > 0

    def layout(self, board: str | Layout | Mapping[str, Any] | None) -> Layout | None:
        """Return a layout of this map.

        `board` is the name of a published layout, a `Layout`, or a mapping with the arguments of
        `Layout.from_coordinates`. For None, return the default layout, or None if boards are drawn.

        Raises:
            BoardError: the name is unknown, the layout belongs to another map, or the layout is invalid.
        """
        if board is None:
            return None if self.standing is None else self.layouts[self.standing]
        if isinstance(board, str):
            if board not in self.layouts:
                layout_names = ", ".join(self.layouts) or "none"
                raise BoardError(
                    f"map {self.name!r} has no layout {board!r}; known: {layout_names}, or give a file that ends in "
                    f".toml or .json.{other_file(board, '.toml', '.json')}"
                )
            return self.layouts[board]
        if isinstance(board, Layout):
            if not board.topology.same_places(self.topology):
                raise BoardError(f"the layout belongs to another map; it must belong to {self.name!r}")
            if unknown_terrains := sorted({int(terrain) for terrain in board.terrain if terrain >= len(self.terrains)}):
                unknown = TERRAINS[unknown_terrains[0]]
                raise BoardError(f"map {self.name!r} has no terrain {unknown!r}; it has: {', '.join(self.terrains)}")
            return board
        if isinstance(board, Mapping):
            if unknown_keys := [key for key in board if key not in LAYOUT_KEYS]:
                raise BoardError(f"unknown key {unknown_keys[0]!r} in board; allowed: {', '.join(LAYOUT_KEYS)}")
            if absent_keys := [key for key in ("hexes", "harbors") if key not in board]:
                raise BoardError(f"board lacks the key {absent_keys[0]!r} (harbors can be an empty list)")
            return Layout.from_coordinates(self.topology, **board, terrains=self.terrains)
        raise BoardError(
            f"board must be a layout name, a file, a Layout, a Map or a mapping, not {type(board).__name__}"
        )

    def harbors_of_pieces(self, order: Sequence[int]) -> list[tuple[int, int]]:
        """Return the harbors as (path, kind) pairs, clockwise, with large piece `order[k]` on side k of the frame.

        On the large board, a small harbor may share an intersection with the next side's first harbor.

        Raises:
            BoardError: `order` is not a permutation of the pieces.
        """
        if sorted(order) != list(range(len(self.side_start))):
            raise BoardError(f"order is {list(order)}; it must contain each of 0..{len(self.side_start) - 1} once")
        harbors = self.small_harbors.tolist()
        for start, piece in zip(self.side_start.tolist(), order, strict=True):
            for offset, kind in zip(self.piece_offsets[piece].tolist(), self.piece_kinds[piece].tolist(), strict=True):
                if kind != NO_HARBOR:
                    harbors.append([(start + offset) % len(self.coast_paths), kind])
        return [(int(self.coast_paths[index]), kind) for index, kind in sorted(harbors)]


def terrains_up_to(used: Sequence[int]) -> tuple[str, ...]:
    """Return the terrain names for a map that uses the given terrain indices."""
    return TERRAINS[: max([USUAL - 1, *used]) + 1]


def bearing_tokens(terrain_counts: Sequence[int]) -> int:
    """Return the number of hexes with a number token."""
    return sum(count for terrain, count in enumerate(terrain_counts) if terrain not in BARE)
