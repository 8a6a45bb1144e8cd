"""What a board always has: its places, how many hexes of each terrain, number tokens, frame and published layouts.

`hex_map` and `graph_map` read maps from files. Users of a `Map` need only its arrays: what a map does not have, such
as a frame, is an empty array.
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
    """A board without its variable part. Arrays are read-only; a coast index is a position in `coast_paths`.

    The frame has F sides, clockwise from the top, and as many large pieces, which may lie in any order.
    """

    name: str
    topology: Topology = field(repr=False)
    terrains: tuple[str, ...]
    """(T,): names of the terrains that may lie on this map: the first of `TERRAINS`, six or more."""
    terrain_counts: Int8
    """(T,): hexes of each terrain."""
    fixed_terrain: Int8 = field(repr=False)
    """(H,): terrain that is not drawn, such as the sea around islands; -1 where it is."""
    number_tokens: Int8
    """(N,): numbers in the order they are laid; N hexes bear one."""
    spirals: Int16 = field(repr=False)
    """(S, L): land hexes in the order tokens are laid (deserts are skipped), a row for each possible first hex."""
    side_start: Int16 = field(repr=False)
    """(F,): coast index where the large piece of a side begins."""
    piece_offsets: Int8 = field(repr=False)
    """(F, 2): where the harbors of a large piece sit, counted from its side's start; -1 padding."""
    piece_kinds: Int8 = field(repr=False)
    """(F, 2): kinds of these harbors; -1 padding."""
    small_harbors: Int16 = field(repr=False)
    """(K, 2): (coast index, kind) of the harbors that stay in place."""
    harbor_sites: Int16 = field(repr=False)
    """(M,): coast indices of the other variable set-up, where kinds are shuffled over fixed sites."""
    harbor_kinds: Int8 = field(repr=False)
    """(M,): the kinds to shuffle over `harbor_sites`."""
    layouts: dict[str, Layout] = field(repr=False)
    """Published layouts by name. Not to be changed."""
    standing: str | None = None
    """The layout that is played where nobody names one; None: the board is drawn."""
    shuffled: bool = False
    """Whether tokens are laid on hexes that chance draws, rather than along a spiral."""
    status: str = "published"
    """"published", "printed", "reconstruction" or "own": where the board comes from, for people."""
    source: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the map's file says, in lists, strings and numbers. Not to be changed."""
    stem: str = field(default="", repr=False)
    """The name of that file without its ending, "" where there is none."""

    @property
    def label(self) -> str:
        """What messages call the map: its name, and its file where that is named otherwise."""
        return f"map {self.name!r}" if self.stem in ("", self.name) else f"map {self.name!r} of file {self.stem!r}"

    @property
    def coast_paths(self) -> Int16:
        """Paths where harbors may lie; on hex grids those of the coast, clockwise."""
        return self.topology.coast_paths

    @property
    def sizes(self) -> dict[str, int]:
        """Length of every axis that the map gives to rules; maps of equal sizes can share their compiled rules."""
        return {**self.topology.sizes, "terrains": len(self.terrains)}

    @property
    def can_be_drawn(self) -> bool:
        """Whether the map says how a board is drawn: terrain, tokens and the order in which they are laid."""
        return (len(self.spirals) > 0 or self.shuffled) and len(self.number_tokens) > 0

    @property
    def draws_harbors(self) -> bool:
        """Whether the map says how harbors are drawn."""
        return len(self.side_start) + len(self.small_harbors) + len(self.harbor_sites) > 0

    def layout(self, board: str | Layout | Mapping[str, Any] | None) -> Layout | None:
        """A layout of this map: the one of a name, the `Layout` itself, or one from a mapping with the arguments of
        `Layout.from_coordinates` as keys; for None the standing one, or None where the board is drawn.

        Raises:
            BoardError: there is none of this name, it is of another map, or it is no layout.
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
                raise BoardError(f"the layout belongs to another map than {self.name!r}")
            if unknown_terrains := sorted({int(terrain) for terrain in board.terrain if terrain >= len(self.terrains)}):
                raise BoardError(f"map {self.name!r} has no terrain {TERRAINS[unknown_terrains[0]]!r}")
            return board
        if isinstance(board, Mapping):
            if unknown_keys := [key for key in board if key not in LAYOUT_KEYS]:
                raise BoardError(f"unknown key {unknown_keys[0]!r} in board; allowed: {', '.join(LAYOUT_KEYS)}")
            if absent_keys := [key for key in ("hexes", "harbors") if key not in board]:
                raise BoardError(f"board has no key {absent_keys[0]!r} (harbors may be an empty list)")
            return Layout.from_coordinates(self.topology, **board, terrains=self.terrains)
        raise BoardError(f"board is a layout name, a file, a Layout, a Map or a mapping, not {type(board).__name__}")

    def harbors_of_pieces(self, order: Sequence[int]) -> list[tuple[int, int]]:
        """Harbors as (path, kind), clockwise, when side k of the frame carries large piece `order[k]`.

        On the large board a small harbor and the next side's first harbor may share an intersection.
        `BoardError` unless `order` holds every piece once.
        """
        if sorted(order) != list(range(len(self.side_start))):
            raise BoardError(f"order holds each of 0..{len(self.side_start) - 1} once, not {list(order)}")
        harbors = self.small_harbors.tolist()
        for start, piece in zip(self.side_start.tolist(), order, strict=True):
            for offset, kind in zip(self.piece_offsets[piece].tolist(), self.piece_kinds[piece].tolist(), strict=True):
                if kind != NO_HARBOR:
                    harbors.append([(start + offset) % len(self.coast_paths), kind])
        return [(int(self.coast_paths[index]), kind) for index, kind in sorted(harbors)]


def terrains_up_to(used: Sequence[int]) -> tuple[str, ...]:
    """Names of the terrains of a map that has these (their numbers)."""
    return TERRAINS[: max([USUAL - 1, *used]) + 1]


def bearing_tokens(terrain_counts: Sequence[int]) -> int:
    """How many hexes bear a number token."""
    return sum(count for terrain, count in enumerate(terrain_counts) if terrain not in BARE)
