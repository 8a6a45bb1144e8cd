"""What a board always has: its hexes, how many of each terrain, number tokens, frame and published layouts.

A map is a TOML file in `maps/` (or anywhere else); `maps/base.toml` explains the keys. Users of a `Map` need
only its arrays, so a map may be of another kind: without frame or tokens these arrays are empty, not missing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catan_env.board.hexgrid import NOTHING, Topology, frozen_array, position_of
from catan_env.board.layout import Layout
from catan_env.board.terrain import DESERT, HARBOR_KINDS, NO_HARBOR, TERRAINS
from catan_env.errors import BoardError

Int16 = NDArray[np.int16]
Int8 = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Map:
    """A board without its variable part. Arrays are read-only; a coast index is a position in `coast_paths`.

    The frame has F sides, clockwise from the top, and as many large pieces, which may lie in any order.
    """

    name: str
    topology: Topology = field(repr=False)
    terrain_counts: Int8
    """(6,): hexes of each terrain."""
    number_tokens: Int8
    """(T,): numbers in the order they are laid; T hexes are not desert."""
    spirals: Int16 = field(repr=False)
    """(S, H): hexes in the order tokens are laid (deserts are skipped), a row for each possible first hex."""
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

    @property
    def coast_paths(self) -> Int16:
        """(C,): paths of the coast, clockwise."""
        return self.topology.coast_paths

    def harbors_of_pieces(self, order: Sequence[int]) -> list[tuple[int, int]]:
        """Harbors as (path, kind), clockwise, when side k of the frame carries large piece `order[k]`.

        On the large board a small harbor and the next side's first harbor may share an intersection.
        `BoardError` unless `order` holds every piece once.
        """
        if sorted(order) != list(range(len(self.side_start))):
            raise BoardError(f"order holds each of 0..{len(self.side_start) - 1} once, not {list(order)}")
        harbors = self.small_harbors.tolist()
        for start, piece in zip(self.side_start.tolist(), order, strict=True):
            for offset, kind in zip(
                self.piece_offsets[piece].tolist(), self.piece_kinds[piece].tolist(), strict=True
            ):
                if kind != NO_HARBOR:
                    harbors.append([(start + offset) % len(self.coast_paths), kind])
        return [(int(self.coast_paths[index]), kind) for index, kind in sorted(harbors)]


def map_names() -> tuple[str, ...]:
    """Names of the maps that come with the package."""
    files = (resources.files("catan_env.board") / "maps").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def load_map(name_or_path: str | Path) -> Map:
    """The map of this name (one of `map_names()`), or the one in the file at this path (ending in .toml).

    Raises `BoardError` if there is none or the file does not describe a complete map.
    """
    if isinstance(name_or_path, Path) or str(name_or_path).endswith(".toml"):
        path = Path(name_or_path)
        if not path.is_file():
            raise BoardError(f"no map file at {path}")
        return _parse(path.stem, path.read_text(encoding="utf-8"))
    return _load_packaged(name_or_path)


@cache
def _load_packaged(name: str) -> Map:
    if name not in map_names():
        raise BoardError(
            f"unknown map {name!r}; known: {', '.join(map_names())}, or give the path of a .toml file"
        )
    file = resources.files("catan_env.board") / "maps" / f"{name}.toml"
    return _parse(name, file.read_text(encoding="utf-8"))


def _parse(name: str, text: str) -> Map:
    try:
        return _map_of(name, tomllib.loads(text))
    except KeyError as error:
        raise BoardError(f"map {name!r}: key {error} is missing") from error
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise BoardError(f"map {name!r}: {error}") from error


def _map_of(name: str, table: Mapping[str, Any]) -> Map:
    topology = Topology.of_hexes([(q + k, r) for q, r, length in table["rows"] for k in range(length)])
    terrain_counts = [0] * len(TERRAINS)
    for terrain, count in table["terrain_counts"].items():
        terrain_counts[position_of(TERRAINS, terrain, "terrain")] = count
    if sum(terrain_counts) != topology.num_hexes:
        raise BoardError(
            f"terrain_counts add up to {sum(terrain_counts)}, but there are {topology.num_hexes} hexes"
        )

    numbers = table.get("numbers", {})
    tokens = numbers.get("tokens", [])
    producing = topology.num_hexes - terrain_counts[DESERT]
    if tokens and len(tokens) != producing:
        raise BoardError(f"there are {len(tokens)} number tokens for {producing} hexes that are not desert")
    spirals = [topology.spiral(h) for h in topology.corner_hexes] if numbers.get("spiral", False) else []

    frame = table.get("frame", {})
    pieces = frame.get("pieces", [])
    sides = frame.get("sides", [])
    if len(sides) != len(pieces):
        raise BoardError(f"the frame has {len(sides)} sides but {len(pieces)} pieces")
    small = [(index, _kind(kind)) for index, kind in frame.get("small", [])]
    sites = table.get("harbor_sites", {})
    kinds = [_kind(kind) for kind in sites.get("kinds", [])]
    coast_indices = sites.get("coast", [])
    if len(kinds) != len(coast_indices):
        raise BoardError(f"harbor_sites has {len(coast_indices)} places but {len(kinds)} kinds")
    for index in [*sides, *coast_indices, *(index for index, _ in small)]:
        if not 0 <= index < len(topology.coast_paths):
            raise BoardError(f"coast index {index} is not in 0..{len(topology.coast_paths) - 1}")

    board_map = Map(
        name=name,
        topology=topology,
        terrain_counts=frozen_array(terrain_counts, np.int8),
        number_tokens=frozen_array(tokens, np.int8),
        spirals=frozen_array(np.reshape(spirals, (-1, topology.num_hexes))),
        side_start=frozen_array(sides),
        piece_offsets=_pairs([[offset for offset, _ in piece] for piece in pieces]),
        piece_kinds=_pairs([[_kind(kind) for _, kind in piece] for piece in pieces]),
        small_harbors=frozen_array(np.reshape(small, (-1, 2))),
        harbor_sites=frozen_array(coast_indices),
        harbor_kinds=frozen_array(kinds, np.int8),
        layouts={},
    )
    for layout_name, layout in table.get("layouts", {}).items():
        board_map.layouts[layout_name] = Layout.from_any(board_map, layout)
    return board_map


def _kind(name: str) -> int:
    return position_of(HARBOR_KINDS, name, "harbor kind")


def _pairs(rows: list[list[int]]) -> Int8:
    padded = [row + [NOTHING] * (2 - len(row)) for row in rows]
    return frozen_array(np.reshape(padded, (-1, 2)), np.int8)
