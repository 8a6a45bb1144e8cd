"""Names of cards in other formats, each by the name here."""

from __future__ import annotations

from catan_env.board.terrain import DESERT, GENERIC_HARBOR, RESOURCES
from catan_env.games.base.development_cards import DECK_CARDS

WORDS = {
    "lumber": ("wood", "lumber"),
    "brick": ("brick", "clay"),
    "wool": ("sheep", "wool"),
    "grain": ("wheat", "grain"),
    "ore": ("ore",),
    "desert": ("desert",),
    "3:1": ("3:1", "any", "none"),
    "knight": ("knight", "soldier"),
    "road_building": ("road building", "road_building", "road builder"),
    "year_of_plenty": ("year of plenty", "year_of_plenty", "discovery"),
    "monopoly": ("monopoly",),
    "victory_point": ("victory point", "victory_point", "victory points"),
}
"""Words of catanatron, catanlog and JSettlers, in lower case, by the name here."""
NAMES = {word: name for name, words in WORDS.items() for word in words}

RESOURCE_INDEX = {word: RESOURCES.index(name) for word, name in NAMES.items() if name in RESOURCES}
"""Index of a resource by any of its words."""
TERRAIN_INDEX = {**RESOURCE_INDEX, "desert": DESERT}
"""Index of a terrain by the resource that it yields."""
HARBOR_INDEX = {**RESOURCE_INDEX, "3:1": GENERIC_HARBOR, "any": GENERIC_HARBOR, "none": GENERIC_HARBOR}
"""Index of a kind of harbor by the resource that it trades 2:1, or "3:1"."""
CARD_INDEX = {word: DECK_CARDS.index(name) for word, name in NAMES.items() if name in DECK_CARDS}
"""Index of a development card by any of its words."""
