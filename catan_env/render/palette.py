"""Colors of seats, terrains, resources and probabilities.

Seat colors are the Okabe-Ito set plus white and black. The first four, and the first six, remain distinguishable under
protanopia, deuteranopia and tritanopia, which a test verifies. Color is never the only cue: pieces show the number of
their seat, and terrains show icons.
"""

from __future__ import annotations

from typing import NamedTuple

from catan_env.board.terrain import own_terrain


class Paint(NamedTuple):
    """The colors of a seat."""

    fill: str
    edge: str
    """Outline color, chosen to contrast with the fill and the board."""
    ink: str
    """Color of text on the fill."""
    name: str


INK, FAINT, PAPER, SEA = "#1c1c1c", "#5a5f66", "#ffffff", "#cfe6f2"
PANEL, RULE, GOLD, HOT = "#f4f1ea", "#cfc8ba", "#ffd24a", "#b3261e"

SEATS = (
    Paint("#0072b2", "#002a44", "#ffffff", "blue"),
    Paint("#d55e00", "#4a1f00", "#ffffff", "vermilion"),
    Paint("#ffffff", "#1c1c1c", "#1c1c1c", "white"),
    Paint("#1c1c1c", "#ffffff", "#ffffff", "black"),
    Paint("#56b4e9", "#0b3c5a", "#1c1c1c", "sky blue"),
    Paint("#f0e442", "#5a5200", "#1c1c1c", "yellow"),
    Paint("#cc79a7", "#4f1d39", "#1c1c1c", "purple"),
    Paint("#009e73", "#00382a", "#1c1c1c", "green"),
)
NEUTRALS = (
    Paint("#9a9a9a", "#2e2e2e", "#1c1c1c", "gray"),
    Paint("#d9cfc0", "#4d4335", "#1c1c1c", "beige"),
    Paint("#65594a", "#f3ede2", "#ffffff", "brown"),
)

TERRAINS = ("#86b07a", "#d98f62", "#c5dd92", "#f2d270", "#b4b9c2", "#ebe0c6", SEA, "#f0b429", "#e9ebee", "#aebfc9")
"""Terrain colors, in the order of `board.terrain.TERRAINS`."""
UNLAID = "#dfeaf0"
GLYPHS = ("#2f6b35", "#8c3d1c", "#6f8f3a", "#a87710", "#5c636e", "#b9a574", "#a9cbdd", "#a86f00", "#8d949c")
"""Terrain icon colors."""
RESOURCES = ("#2f7d3b", "#b5532c", "#9cc45a", "#e0ac2b", "#78818d")
"""Resource card colors, in the order of `board.terrain.RESOURCES`."""
RESOURCE_INKS = ("#ffffff", "#ffffff", "#1c1c1c", "#1c1c1c", "#ffffff")
FURTHER_CARDS = ("#4a5b9c", "#a04f7c", "#2f7f86", "#7c5a3a")
"""Colors for additional kinds of cards, used in order and repeated if there are more kinds."""
GENERIC_HARBOR = "#ffffff"

_HEAT = ((0.0, (253, 224, 239)), (0.35, (222, 119, 174)), (1.0, (122, 1, 86)))


def card_paint(kind: int) -> tuple[str, str]:
    """Return the fill color and text color for a kind of card, given its index on the card axis."""
    if kind < len(RESOURCES):
        return RESOURCES[kind], RESOURCE_INKS[kind]
    return FURTHER_CARDS[(kind - len(RESOURCES)) % len(FURTHER_CARDS)], "#ffffff"


def terrain_color(terrain: int) -> str:
    """Return the color of a terrain; -1 means that the hex has no terrain yet."""
    if own := own_terrain(terrain):
        return own.color
    return TERRAINS[terrain] if terrain >= 0 else UNLAID


def heat(probability: float) -> str:
    """Return the color for a probability, on a square-root scale to keep small probabilities distinguishable."""
    share = min(max(probability, 0.0), 1.0) ** 0.5
    for (low, low_color), (high, high_color) in zip(_HEAT, _HEAT[1:], strict=False):
        if share <= high:
            fraction = (share - low) / (high - low)
            return "#" + "".join(
                f"{round(low_channel + fraction * (high_channel - low_channel)):02x}"
                for low_channel, high_channel in zip(low_color, high_color, strict=True)
            )
    return "#7a0156"


def paint_of(seat: int, num_players: int) -> Paint:
    """Return the paint of a seat. Seats `num_players` and above are neutral colors."""
    if seat < num_players:
        return SEATS[seat % len(SEATS)]
    return NEUTRALS[(seat - num_players) % len(NEUTRALS)]
