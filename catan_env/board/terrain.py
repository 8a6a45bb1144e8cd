"""Names of resources, terrains and harbors. Their order defines their indices.

Terrain t < 5 produces resource t. A harbor kind is the resource that it trades 2:1, or `GENERIC_HARBOR` for 3:1. A map
has the first six terrains plus as many of the rest, in order, as it needs (`Map.terrains`). A `frame` hex is not part
of the board: it pads boards of different outlines to the same size.

`add_terrain` adds a variant's terrains after those of the published games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from catan_env.errors import BoardError

RESOURCES = ("lumber", "brick", "wool", "grain", "ore")
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)

PUBLISHED = ("forest", "hills", "pasture", "fields", "mountains", "desert", "sea", "gold", "fog", "frame")
"""Terrains of the published games."""
MOST_TERRAINS = 32
"""Maximum number of terrains, including those added by variants."""
FOREST, HILLS, PASTURE, FIELDS, MOUNTAINS, DESERT, SEA, GOLD, FOG, FRAME = range(10)
USUAL = 6
"""Number of terrains that every map has."""
BARE = {DESERT, SEA, FOG, FRAME}
"""Terrains without number tokens."""
WATER = (SEA, FRAME)
"""Terrains known to be water or off the board. Fog can hide land."""

HARBOR_KINDS = (*RESOURCES, "3:1")
GENERIC_HARBOR = 5
NO_HARBOR = -1


class OwnTerrain(NamedTuple):
    """A terrain added by a variant; see `add_terrain`."""

    name: str
    color: str
    icon: str
    barren: bool


class Terrains(Sequence[str]):
    """The names of all terrains: first those of the published games, then those added by variants."""

    def __init__(self) -> None:
        self.own: list[OwnTerrain] = []

    def _names(self) -> tuple[str, ...]:
        return (*PUBLISHED, *(terrain.name for terrain in self.own))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._names()[index]

    def __len__(self) -> int:
        return len(PUBLISHED) + len(self.own)

    def __repr__(self) -> str:
        return repr(PUBLISHED)  # part of record layouts

    def __reduce__(self) -> str:
        return "TERRAINS"

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())


TERRAINS = Terrains()


def add_terrain(name: str, color: str, icon: str = "", *, barren: bool = False) -> int:
    """Add a terrain for use in maps, and return its index for use in rules.

    Call this function once, when your module is imported. To make the terrain produce cards, a module answers
    `HEX_CARD` from `base.yields`. Indices are assigned in call order, so a map that uses an added terrain also lists
    the terrains added before it.

    Args:
        name: name used in maps, pictures and observations; letters, digits and underscores.
        color: fill color of its hexes, such as "#3b86b8".
        icon: SVG elements around (0, 0), in hundredths of a hex size, at most 70 wide.
        barren: whether its hexes have no number tokens.

    Raises:
        BoardError: the name is not an identifier, belongs to a published terrain, or was already added with other
            values; or there are too many terrains.
    """
    added = OwnTerrain(name, color, icon, barren)
    if not name.isidentifier() or name in PUBLISHED:
        raise BoardError(
            f"Terrain {name!r} cannot be added: its name must be an identifier other than the published ones."
        )
    names = [terrain.name for terrain in TERRAINS.own]
    if name not in names and len(TERRAINS) == MOST_TERRAINS:
        raise BoardError(f"Terrain {name!r} is one too many: there can be {MOST_TERRAINS} with the published ones.")
    if name not in names:
        TERRAINS.own.append(added)
        names.append(name)
    elif TERRAINS.own[names.index(name)] != added:
        raise BoardError(f"Terrain {name!r} was added with another color, icon or barren. Give it another name.")
    index = len(PUBLISHED) + names.index(name)
    if barren:
        BARE.add(index)
    return index


def own_terrain(terrain: int) -> OwnTerrain | None:
    """Return the variant terrain at this index; None for published terrains."""
    return TERRAINS.own[terrain - len(PUBLISHED)] if terrain >= len(PUBLISHED) else None
