"""What the messages of a JSettlers game show: only to some players (`PrivateCards`) and to all (`PublicRecord`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from catan_env.board import Layout
from catan_env.board.terrain import RESOURCES
from catan_env.games.base.development_cards import DECK_CARDS
from catan_training.importing.filling import HIDDEN, CardPlay, PublicFacts, Purchase
from catan_training.importing.follow import counts_of, reading
from catan_training.importing.jsettlers_messages import (
    CARDS,
    CITY,
    KINDS,
    MONOPOLIZED,
    PLENTY,
    ROAD,
    SETTLEMENT,
    ServerMessage,
    pays_a_road,
    refuse,
)
from catan_training.importing.prices import CARD_PRICE, CITY_PRICE, ROAD_PRICE, SETTLEMENT_PRICE

PRICES = {ROAD: ROAD_PRICE, SETTLEMENT: SETTLEMENT_PRICE, CITY: CITY_PRICE}
"""Our resources paid for each piece."""
NEXT = (
    "SOCTurn", "SOCDiceResult", "SOCPutPiece", "SOCMoveRobber", "SOCDevCardAction", "SOCBankTrade", "SOCAcceptOffer",
)  # fmt: skip
"""Messages after which discards or a theft belong to another roll or move of the robber."""


class PrivateCards:
    """The cards that messages show only to some players, keyed by the line of the message to play them at.

    Args:
        messages: the game's messages.
        numbers: each player's number in the file, by seat.
        is_full: whether the log holds the private messages to all players.
        name: file name, for messages.

    Attributes:
        discards: cards that each seat discards, keyed by the line of the roll; seats whose discards are hidden are left
            out.
        thefts: victim and card, keyed by the line of the robber's move; the card is None if it is hidden.
        purchases: development card, keyed by the line of its purchase; None if it is hidden.
        lines: lines of the messages about discards and thefts.
        is_hidden: whether any card is hidden.
    """

    def __init__(self, messages: list[ServerMessage], numbers: list[int], is_full: bool, name: str):
        self.discards: dict[int, dict[int, list[int]]] = {}
        self.thefts: dict[int, tuple[int, int | None]] = {}
        self.purchases: dict[int, int | None] = {}
        self.lines: set[int] = set()
        self.is_hidden = False
        for index, message in enumerate(messages):
            with reading(partial(refuse, name, message), "JSettlers"):
                match message.kind:
                    case "SOCDiceResult":
                        self._discards(message.line, _following(messages, index, "SOCDiscard"), numbers)
                    case "SOCMoveRobber":
                        self._theft(message.line, _following(messages, index, "SOCRobberyResult"), numbers)
                    case "SOCDevCardAction" if message.facts["actionType"] == "DRAW":
                        self._purchase(message, is_full)

    def _discards(self, line: int, messages: list[ServerMessage], numbers: list[int]) -> None:
        cards: dict[int, list[int]] = {}
        losers = {numbers.index(message.number("playerNum")) for message in messages}
        for message in messages:
            if not message.facts["resources"].get("unknown"):
                cards[numbers.index(message.number("playerNum"))] = message.card_list("resources")
        self.discards[line] = cards
        self.is_hidden |= len(cards) < len(losers)
        self.lines |= {message.line for message in messages}

    def _theft(self, line: int, messages: list[ServerMessage], numbers: list[int]) -> None:
        for message in messages:
            card = KINDS.get(message.number("resType"))
            if line not in self.thefts or card is not None:
                self.thefts[line] = numbers.index(message.number("victim")), card
        self.is_hidden |= line in self.thefts and self.thefts[line][1] is None
        self.lines |= {message.line for message in messages}

    def _purchase(self, message: ServerMessage, is_full: bool) -> None:
        """Note a purchase. A full log shows it to the buyer, and may show it to everybody without the card."""
        card, is_own = message.number("cardType"), message.to == f"p{message.number('playerNum')}"
        if is_own or not is_full or (card in CARDS and message.to == "all"):
            self.purchases[message.line] = DECK_CARDS.index(CARDS[card]) if card in CARDS else None
            self.is_hidden |= card not in CARDS


def _following(messages: list[ServerMessage], index: int, kind: str) -> list[ServerMessage]:
    """Return the messages of a kind after a message, up to the next move."""
    found = []
    for message in messages[index + 1 :]:
        if message.kind in NEXT:
            break
        if message.kind == kind:
            found.append(message)
    return found


class PublicRecord:
    """Collects what messages show to everybody.

    Args:
        players: player names by seat.
        numbers: each player's number in the file, by seat.
        private: the private cards.
        layout: the board.
        places: our intersections and our hexes, each keyed by JSettlers coordinate.
        first: seat that places first.
    """

    def __init__(
        self,
        players: Sequence[str],
        numbers: list[int],
        private: PrivateCards,
        layout: Layout,
        places: tuple[Mapping[int, int], Mapping[int, int]],
        first: int,
    ):
        self._players, self._numbers, self._private, self._layout = players, numbers, private, layout
        self._intersections, self._hexes = places
        self._robber, self._turn, self._on_turn, self._is_paid = layout.robber, 0, first, False
        self._buildings: dict[int, tuple[int, int]] = {}
        self._purchases: list[Purchase] = []
        self._plays: list[CardPlay] = []
        self._thefts: dict[int, tuple[int, int]] = {}
        self._monopolies: dict[int, int] = {}

    def facts(self, messages: list[ServerMessage], name: str, is_over: bool) -> PublicFacts:
        """Return the facts that messages show; `name` is the name of the file."""
        changes = np.zeros((len(messages), len(self._players), len(RESOURCES)))
        where, seats = [f"{name}, line {message.line}" for message in messages], []
        for index, message in enumerate(messages):
            with reading(partial(refuse, name, message), "JSettlers"):
                seats.append(self._note(message, index, changes[index], where[index]))
        return PublicFacts(
            "JSettlers", self._players, where, seats, changes, self._thefts, self._monopolies, self._purchases,
            self._plays, self._on_turn if is_over else None,
        )  # fmt: skip

    def _note(self, message: ServerMessage, index: int, change: np.ndarray, where: str) -> int:
        """Note what a message shows, and return the seat that acts."""
        number = next((message.number(n) for n in ("playerNumber", "playerNum", "pn") if n in message.facts), None)
        seat = self._numbers.index(number) if number in self._numbers else self._on_turn
        if message.kind == "SOCDevCardAction" and message.facts["actionType"] == "PLAY":
            card = DECK_CARDS.index(CARDS[message.number("cardType")])
            self._plays.append(CardPlay(where, seat, card, self._turn))
        read = READERS.get(message.kind)
        other = read(self, message, index, seat, change) if read else None
        return seat if other is None else other

    def begin_turn(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note whose turn it is."""
        self._turn, self._on_turn = self._turn + 1, seat

    def build(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note a building and its price."""
        piece = message.number("pieceType")
        if piece != ROAD:
            self._buildings[self._intersections[int(message.facts["coord"], 16)]] = seat, piece
        if piece != ROAD or self._is_paid:
            change[seat] -= PRICES[piece]
        self._is_paid = False

    def pay(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note whether the next road is paid for."""
        if message.to == "all":
            self._is_paid = pays_a_road(message)

    def roll(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note the cards that a roll yields, and known discards."""
        for hex in np.flatnonzero(self._layout.number == message.number("param")):
            for place in self._layout.topology.hex_intersections[hex].tolist():
                if place in self._buildings and hex != self._robber:
                    owner, count = self._buildings[place]
                    change[owner, self._layout.terrain[hex]] += count
        for loser, cards in self._private.discards.get(message.line, {}).items():
            change[loser] -= counts_of(cards)

    def move_robber(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> int | None:
        """Note a theft. If its card is known, return the victim, who lacks the card if the theft is impossible."""
        self._robber = self._hexes[int(message.facts["coord"], 16)]
        victim, card = self._private.thefts.get(message.line, (None, None))
        if victim is not None and card is None:
            self._thefts[index] = seat, victim
        if victim is None or card is None:
            return None
        change[seat, card], change[victim, card] = 1, -1
        return victim

    def buy(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note the purchase of a development card."""
        if message.line in self._private.purchases:
            card = self._private.purchases[message.line]
            self._purchases.append(Purchase(seat, self._turn, HIDDEN if card is None else card))
            change[seat] -= CARD_PRICE

    def take_all(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note a monopoly."""
        if message.number("actType") == MONOPOLIZED:
            self._monopolies[index] = KINDS[message.number("v2")]

    def take_two(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note the cards of year of plenty."""
        if "pn" in message.facts and message.number("reason") == PLENTY:
            change[seat] += message.cards("resources")

    def trade_with_bank(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note a trade with the bank."""
        change[seat] += np.array(message.cards("get")) - message.cards("give")

    def trade(self, message: ServerMessage, index: int, seat: int, change: np.ndarray) -> None:
        """Note a trade between players."""
        moved = np.array(message.cards("toOffering")) - message.cards("toAccepting")
        change[self._numbers.index(message.number("offering"))] += moved
        change[self._numbers.index(message.number("accepting"))] -= moved


READERS: dict[str, Callable[[PublicRecord, ServerMessage, int, int, np.ndarray], Any]] = {
    "SOCTurn": PublicRecord.begin_turn,
    "SOCPutPiece": PublicRecord.build,
    "SOCPlayerElements": PublicRecord.pay,
    "SOCDiceResult": PublicRecord.roll,
    "SOCMoveRobber": PublicRecord.move_robber,
    "SOCDevCardAction": PublicRecord.buy,
    "SOCSimpleAction": PublicRecord.take_all,
    "SOCPickResources": PublicRecord.take_two,
    "SOCBankTrade": PublicRecord.trade_with_bank,
    "SOCAcceptOffer": PublicRecord.trade,
}
"""What to note of each kind of message."""
