"""Messages of JSettlers' game event logs (`.soclog`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from catan_env.board.terrain import RESOURCES
from catan_env.errors import GameImportError

WORDS = ("wood", "clay", "sheep", "wheat", "ore")
"""JSettlers' names for our resources, in our order."""
KINDS = {1: 1, 2: 4, 3: 2, 4: 3, 5: 0}
"""Our resources, keyed by JSettlers number: 1 clay, 2 ore, 3 sheep, 4 wheat, 5 wood."""
CARDS = {1: "road_building", 2: "year_of_plenty", 3: "monopoly", 9: "knight"} | dict.fromkeys(
    range(4, 9), "victory_point"
)
"""Development cards, keyed by their numbers since version 2.0."""
ROAD, SETTLEMENT, CITY = 0, 1, 2
MONOPOLIZED, PLENTY = 3, 2
ROAD_PRICE = {"e1", "e5"}
LINE = re.compile(r"(?:\d+:\d\d\.\d+:)?(all|p\d+):(SOC\w+):?(.*)")
"""A message to everyone or to one player, with an optional time. Messages to observers or from clients are ignored."""


@dataclass(frozen=True)
class ServerMessage:
    """A server message.

    Attributes:
        line: its line number.
        to: "all", or "p" followed by a player number.
        kind: its type.
        facts: its parameters; a set of cards is a nested mapping.
    """

    line: int
    to: str
    kind: str
    facts: dict[str, Any]

    def number(self, name: str) -> int:
        """Return a parameter as a number."""
        return int(self.facts[name])

    def cards(self, name: str) -> list[int]:
        """Return the cards in a set, shape (5,).

        Raises:
            ValueError: some of the cards are unknown.
        """
        counts = self.facts[name]
        if counts.get("unknown"):
            raise ValueError("some cards are unknown")
        return [counts[word] for word in WORDS]

    def card_list(self, name: str) -> list[int]:
        """Return the cards in a set as a list."""
        return np.repeat(np.arange(len(RESOURCES)), self.cards(name)).tolist()


def pays_a_road(message: ServerMessage) -> bool:
    """Return whether a message takes the price of a road from a player."""
    facts = message.facts
    return facts["actionType"] == "LOSE" and {key for key in facts if key[0] == "e"} == ROAD_PRICE


def read_message(number: int, line: str) -> ServerMessage | None:
    """Parse a line into a message; return None for comments and messages that are not needed."""
    found = LINE.fullmatch(line.strip())
    if found is None:
        return None
    facts: dict[str, Any] = {}
    cards: dict[str, int] | None = None
    for part in found[3].replace(",e", "|e").split("|"):
        words = part.split("=")
        if len(words) == 3 and words[1] in (*WORDS, "unknown"):
            cards = facts[words[0]] = {words[1]: int(words[2])}
        elif cards is not None and len(words) == 2 and words[0] in (*WORDS, "unknown"):
            cards[words[0]] = int(words[1])
        elif len(words) >= 2:
            facts[words[0]], cards = "=".join(words[1:]), None
    return ServerMessage(number, found[1], found[2], facts)


def refuse(name: str, message: ServerMessage, problem: str) -> NoReturn:
    """Raise an error that names a message's line.

    Raises:
        GameImportError: always.
    """
    raise GameImportError(f"{name}, line {message.line}: {problem}")
