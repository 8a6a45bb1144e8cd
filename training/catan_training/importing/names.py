"""Card names used by other formats, keyed by our names."""

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
"""Words used by catanatron, catanlog and JSettlers, in lower case, keyed by our names."""
NAMES = {word: name for name, words in WORDS.items() for word in words}

RESOURCE_INDEX = {word: RESOURCES.index(name) for word, name in NAMES.items() if name in RESOURCES}
"""Resource index, keyed by any of the words for the resource."""
TERRAIN_INDEX = {**RESOURCE_INDEX, "desert": DESERT}
"""Terrain index, keyed by any of the words for the resource it yields."""
HARBOR_INDEX = {**RESOURCE_INDEX, "3:1": GENERIC_HARBOR, "any": GENERIC_HARBOR, "none": GENERIC_HARBOR}
"""Index of a harbor kind, keyed by "3:1" or by any of the words for the resource it trades at 2:1."""
CARD_INDEX = {word: DECK_CARDS.index(name) for word, name in NAMES.items() if name in DECK_CARDS}
"""Development card index, keyed by any of the words for the card."""
