"""Names of resources, terrains and harbors; their order here is their number everywhere.

Terrain t < 5 produces resource t. A harbor kind is the resource it trades 2:1, or `GENERIC_HARBOR` for 3:1. A map has
the first six terrains and as many of the others, in this order, as it needs (`Map.terrains`). A hex of `frame` is off
the board: it makes boards of different outlines one size.
"""

RESOURCES = ("lumber", "brick", "wool", "grain", "ore")
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)

TERRAINS = ("forest", "hills", "pasture", "fields", "mountains", "desert", "sea", "gold", "fog", "frame")
FOREST, HILLS, PASTURE, FIELDS, MOUNTAINS, DESERT, SEA, GOLD, FOG, FRAME = range(10)
USUAL = 6
"""Terrains that every map has."""
BARE = (DESERT, SEA, FOG, FRAME)
"""Terrains without a number."""
WATER = (SEA, FRAME)
"""Terrains that are known to be no land."""

HARBOR_KINDS = (*RESOURCES, "3:1")
GENERIC_HARBOR = 5
NO_HARBOR = -1
