"""Names of resources, terrains and harbors; their order here is their number everywhere.

Terrain t < 5 produces resource t. A harbor kind is the resource it trades 2:1, or `GENERIC_HARBOR` for 3:1. A map has
the first six terrains and as many of the others, in this order, as it needs (`Map.terrains`).
"""

RESOURCES = ("lumber", "brick", "wool", "grain", "ore")
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)

TERRAINS = ("forest", "hills", "pasture", "fields", "mountains", "desert", "sea", "gold", "fog")
FOREST, HILLS, PASTURE, FIELDS, MOUNTAINS, DESERT, SEA, GOLD, FOG = range(9)
USUAL = 6
"""Terrains that every map has."""
BARE = (DESERT, SEA, FOG)
"""Terrains without a number."""

HARBOR_KINDS = (*RESOURCES, "3:1")
GENERIC_HARBOR = 5
NO_HARBOR = -1
