"""Names of resources, terrains and harbors. Their order defines their indices.

Terrain t < 5 produces resource t. A harbor kind is the resource that it trades 2:1, or `GENERIC_HARBOR` for 3:1. A map
has the first six terrains and as many of the others, in this order, as it needs (`Map.terrains`). A hex of `frame` is
off the board: it pads boards of different outlines to the same size.
"""

RESOURCES = ("lumber", "brick", "wool", "grain", "ore")
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)

TERRAINS = ("forest", "hills", "pasture", "fields", "mountains", "desert", "sea", "gold", "fog", "frame")
FOREST, HILLS, PASTURE, FIELDS, MOUNTAINS, DESERT, SEA, GOLD, FOG, FRAME = range(10)
USUAL = 6
"""Number of terrains that every map has."""
BARE = (DESERT, SEA, FOG, FRAME)
"""Terrains without number tokens."""
WATER = (SEA, FRAME)
"""Terrains that are known to be water or off the board. Fog can hide land."""

HARBOR_KINDS = (*RESOURCES, "3:1")
GENERIC_HARBOR = 5
NO_HARBOR = -1
