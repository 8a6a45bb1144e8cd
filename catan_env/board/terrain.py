"""Names of resources, terrains and harbors; their order here is their number everywhere.

Terrain t < 5 produces resource t. A harbor kind is the resource it trades 2:1, or `GENERIC_HARBOR` for 3:1.
"""

RESOURCES = ("lumber", "brick", "wool", "grain", "ore")
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)

TERRAINS = ("forest", "hills", "pasture", "fields", "mountains", "desert")
FOREST, HILLS, PASTURE, FIELDS, MOUNTAINS, DESERT = range(6)

HARBOR_KINDS = (*RESOURCES, "3:1")
GENERIC_HARBOR = 5
NO_HARBOR = -1
