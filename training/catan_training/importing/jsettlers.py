"""JSettlers games from game event logs (`.soclog`); each line holds one server message and its recipient.

Full logs (`type=F`) contain all private messages, so games on the classic board are imported exactly. Hands sent by the
server are checked. A log recorded by a client hides other players' cards: stolen cards, discards and development cards
that the log hides are sampled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from catan_env import find_scenario
from catan_env.board import Layout
from catan_env.board.terrain import DESERT, GENERIC_HARBOR, RESOURCES
from catan_env.errors import BoardError, GameImportError
from catan_training.importing.filling import WorldSearch
from catan_training.importing.follow import MALFORMED, FollowedGame, reading
from catan_training.importing.jsettlers_facts import PrivateCards, PublicRecord
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
    read_message,
)
from catan_training.importing.places import HexPlaces
from catan_training.importing.worlds import FollowedWorlds

Game = FollowedGame | FollowedWorlds
FORMAT = "jsettlers"
DESERT_HEX, WATER_HEX, FIRST_PORT, LAST_PLAIN_PORT = 0, 6, 7, 12
FACINGS = ("NE", "E", "SE", "SW", "W", "NW")
"""Side of a harbor's sea hex that faces land, for facings 1 to 6."""
DICE = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
"""Number tokens, indexed by their codes in the board message."""
ROW_STARTS = ((0x17, 4), (0x15, 5), (0x13, 6), (0x11, 7), (0x31, 6), (0x51, 5), (0x71, 4))
"""First hex and number of hexes in each row of the board message. Moving one hex east adds 0x22."""
HEX_IDS = tuple(start + 0x22 * k for start, count in ROW_STARTS for k in range(count))
NODE_STEPS = {"N": 0x01, "NE": 0x12, "SE": 0x21, "S": 0x10, "SW": -0x01, "NW": -0x10}
"""Offset from a hex to each of its corner nodes. Each digit of an edge is the smaller of its two nodes' digits."""
PIECES = {ROAD: "build_road", SETTLEMENT: "build_settlement", CITY: "build_city"}
OVER, NO_BANK_LIMIT, FIRST_VERSION = 1000, 30, 2000
NOT_OVER = (
    "the game is over there, but not by our rules. If it was played to other points, add --rules victory_points=N."
)


class JSettlersGame:
    """A JSettlers game read from its event log.

    Args:
        text: contents of the file.
        name: file name, for messages.
        rules: rule numbers that override the file's.
        seed: seed for sampling the cards that the file hides.

    Attributes:
        messages: messages from the last board message to the end of the game.
        numbers: each player's number in the file, by seat.
        played: number of messages read so far.

    Raises:
        GameImportError: the file has a different format or board.
    """

    def __init__(self, text: str, name: str, rules: Mapping[str, Any], seed: int = 0):
        self.name, self._rules, self._seed, self.played = name, dict(rules), seed, 0
        self._road_is_paid = False
        self._search: WorldSearch | None = None
        lines = text.splitlines()
        try:
            header = dict(pair.split("=", 1) for pair in lines[0].partition(": ")[2].split(", "))
            if int(header["version"]) < FIRST_VERSION:
                raise ValueError(f"version {header['version']}; logs from version {FIRST_VERSION} on are read")
            is_full = header.get("type", "F") == "F"
            messages = [message for number, line in enumerate(lines, 1) if (message := read_message(number, line))]
            options = [message for message in messages if message.kind == "SOCNewGameWithOptions"]
            self.options = str(options[0].facts.get("param2", "")) if options else ""
            boards = [k for k, message in enumerate(messages) if message.kind.startswith("SOCBoardLayout")]
            board = messages[boards[-1]]
            if board.kind != "SOCBoardLayout":
                raise BoardError(f"line {board.line} lays a board for the sea or for six players")
            self.messages = messages[boards[-1] + 1 :]
            ends = [k for k, m in enumerate(self.messages) if m.kind == "SOCGameState" and m.number("state") == OVER]
            self._is_over = bool(ends)
            self.messages = self.messages[: ends[0] + 1] if ends else self.messages
            self.numbers = sorted({m.number("playerNumber") for m in self.messages if m.kind == "SOCPutPiece"})
            self.places = HexPlaces(find_scenario("base").board.topology)
            self._number_places()
            self.layout = self._read_board(board)
            first = next(m.number("playerNumber") for m in self.messages if m.kind == "SOCTurn")
            self._first = self.numbers.index(first)
        except (BoardError, StopIteration, *MALFORMED) as error:
            raise GameImportError(
                f"{name}: not a game log of JSettlers on the classic board ({type(error).__name__}: {error})."
            ) from None
        self._private = PrivateCards(self.messages, self.numbers, is_full, name)

    def play(self) -> Iterator[FollowedGame | FollowedWorlds]:
        """Play the game in this engine, yielding it at the start and after each message.

        A game whose file hides cards is played in many worlds, each with other cards.

        Raises:
            GameImportError: our rules forbid a move, a hand differs from the file's, or no hidden cards fit.
        """
        points = re.search(r"\bVP=t(\d+)", self.options)
        trades, most = 0, 3
        for message in self.messages:
            trades = 0 if message.kind == "SOCTurn" else trades + (message.kind == "SOCAcceptOffer")
            most = max(most, trades)
        rules = {
            "victory_points": int(points[1]) if points else 10,
            "hand_limit": 7,
            "friendly_robber": 0,
            "offers_per_turn": most,
            "bank_per_resource": NO_BANK_LIMIT,
        } | self._rules
        names = [f"player {number}" for number in self.numbers]
        if self._private.is_hidden:
            yield from self._play_in_worlds(names, rules)
            return
        game = FollowedGame("base", names, rules, self.layout, self._first)
        yield game
        for message in self.messages:
            game.where = f"{self.name}, line {message.line}"
            with reading(game.fail, "JSettlers"):
                self._carry_out(game, message)
            self.played += 1
            yield game
        if self._is_over and game.decision != "over":
            game.fail(NOT_OVER)

    def _play_in_worlds(self, names: list[str], rules: dict[str, Any]) -> Iterator[FollowedWorlds]:
        def begin(count: int, plans: np.ndarray, seed: int) -> FollowedWorlds:
            self._road_is_paid = False
            return FollowedWorlds(count, names, rules, self.layout, self._first, plans, seed)

        def carry_out(worlds: FollowedWorlds, index: int) -> None:
            if index < len(self.messages):
                self._carry_out(worlds, self.messages[index])
            elif self._is_over:
                worlds.keep(worlds.decisions == "over", NOT_OVER)

        places = self.intersections, self.hexes
        record = PublicRecord(names, self.numbers, self._private, self.layout, places, self._first)
        facts = record.facts(self.messages, self.name, self._is_over)
        self._search = WorldSearch(facts, begin, carry_out, self._seed)
        for worlds in self._search.play():
            self.played = self._search.played
            yield worlds

    def notes(self) -> dict[str, Any]:
        """Return facts to store in the log's metadata. The bank in JSettlers is unlimited."""
        house_rules = [f"{NO_BANK_LIMIT} cards of each kind in the bank"]
        filled = self._search.filled if self._search else {}
        return {"format": FORMAT, "filled": filled, "house_rules": house_rules, "options": self.options}

    # -- board --------------------------------------------------------------------------------------------

    def _number_places(self) -> None:
        """Compute the numbers that JSettlers gives to hexes, nodes and edges."""
        topology = self.places.topology
        self.hexes = {hex_id(*cell): hex for hex, cell in enumerate(self.places.cells)}
        self.intersections = {
            hex_id(q, r) + step: self.places.intersection(corner, q, r)
            for q, r in self.places.cells
            for corner, step in NODE_STEPS.items()
        }
        nodes = {place: node for node, place in self.intersections.items()}
        ends = topology.path_intersections.tolist()
        self.paths = {edge_id(nodes[a], nodes[b]): path for path, (a, b) in enumerate(ends)}

    def _read_board(self, message: ServerMessage) -> Layout:
        topology = self.places.topology
        kinds, tokens = ([int(n) for n in message.facts[f"{w}Layout"].strip("{ }").split()] for w in ("hex", "number"))
        terrain, number = np.full(topology.num_hexes, -1, np.int8), np.zeros(topology.num_hexes, np.int8)
        harbors = []
        for coordinate, kind, token in zip(HEX_IDS, kinds, tokens, strict=True):
            if coordinate in self.hexes:
                hex = self.hexes[coordinate]
                terrain[hex] = DESERT if kind == DESERT_HEX else KINDS[kind]
                number[hex] = 0 if token < 0 or kind == DESERT_HEX else DICE[token]
            elif kind >= FIRST_PORT:
                plain = kind <= LAST_PLAIN_PORT
                facing = kind - FIRST_PORT if plain else (kind >> 4) - 1
                path = self.places.path(FACINGS[facing], *cell_of(coordinate))
                harbors.append((path, GENERIC_HARBOR if plain else KINDS[kind & 0xF]))
        robber = self.hexes[int(message.facts["robberHex"], 16)]
        return Layout(topology, terrain, number, tuple(harbors), robber)

    # -- messages -----------------------------------------------------------------------------------------

    def _carry_out(self, game: Game, message: ServerMessage) -> None:
        move = MOVES.get(message.kind)
        if move is None:
            return
        move(self, game, message)

    def seat(self, number: Any) -> int:
        """Return the seat of the player with the given number in the file."""
        return self.numbers.index(int(number))

    def turn(self, game: Game, message: ServerMessage) -> None:
        """End another player's turn."""
        on_turn = int(game.state["on_turn"])
        if on_turn >= 0 and self.seat(message.facts["playerNumber"]) != on_turn:
            game.act(on_turn, "end_turn")

    def roll(self, game: Game, message: ServerMessage) -> None:
        """Roll the dice."""
        if message.number("param") > 0:
            discards = self._private.discards.get(message.line, {})
            game.roll(int(game.state["on_turn"]), message.number("param"), discards)

    def put_piece(self, game: Game, message: ServerMessage) -> None:
        """Build a piece."""
        seat, piece = self.seat(message.facts["playerNumber"]), message.number("pieceType")
        places = self.paths if piece == ROAD else self.intersections
        if piece == ROAD and self._road_is_paid and game.decision == "free_road":
            game.act(seat, "forgo_free_roads")
        self._road_is_paid = False
        game.act(seat, PIECES[piece], places[int(message.facts["coord"], 16)])

    def elements(self, game: Game, message: ServerMessage) -> None:
        """Check a hand, or detect that a road was paid for."""
        facts = message.facts
        if message.to == "all":
            self._road_is_paid = pays_a_road(message)
        elif facts["actionType"] == "SET" and all(f"e{k}" in facts for k in KINDS):
            hand = [0] * len(RESOURCES)
            for number, card in KINDS.items():
                hand[card] = int(facts[f"e{number}"])
            game.check_hand(self.seat(facts["playerNum"]), hand)

    def move_robber(self, game: Game, message: ServerMessage) -> None:
        """Move the robber and steal the card that later messages name or hide."""
        hex = self.hexes[int(message.facts["coord"], 16)]
        victim, card = self._private.thefts.get(message.line, (None, None))
        game.move_robber(self.seat(message.facts["playerNumber"]), hex, victim, card)

    def follow_up(self, game: Game, message: ServerMessage) -> None:
        """Check that a discard follows a roll, and a theft a move of the robber; both were carried out there."""
        if message.line not in self._private.lines:
            what, cause = ("theft", "move of the robber") if message.kind == "SOCRobberyResult" else ("discard", "roll")
            game.fail(f"this {what} follows no {cause}.")

    def card_action(self, game: Game, message: ServerMessage) -> None:
        """Buy or play a development card."""
        seat, action = self.seat(message.facts["playerNum"]), message.facts["actionType"]
        if message.line in self._private.purchases:
            game.buy_card(seat, self._private.purchases[message.line])
        elif action == "PLAY" and CARDS[message.number("cardType")] != "monopoly":
            game.act(seat, f"play_{CARDS[message.number('cardType')]}")  # monopoly waits for its resource

    def simple_action(self, game: Game, message: ServerMessage) -> None:
        """Play a monopoly."""
        if message.number("actType") == MONOPOLIZED:
            game.act(self.seat(message.facts["pn"]), "play_monopoly", KINDS[message.number("v2")])

    def pick(self, game: Game, message: ServerMessage) -> None:
        """Take the year of plenty cards."""
        if "pn" in message.facts and message.number("reason") == PLENTY:
            for card in message.card_list("resources"):
                game.act(self.seat(message.facts["pn"]), "take_card", card)

    def trade_with_bank(self, game: Game, message: ServerMessage) -> None:
        """Trade with the bank, possibly several times."""
        seat, given = self.seat(message.facts["pn"]), message.cards("give")
        received = message.card_list("get")
        for card in np.flatnonzero(given).tolist():
            trades = max(1, given[card] // int(game.state["trade_rate"][seat, card]))
            for _ in range(trades):
                game.trade_with_bank(seat, card, given[card] // trades, received.pop(0))

    def trade(self, game: Game, message: ServerMessage) -> None:
        """Trade between players."""
        offering, accepting = self.seat(message.facts["offering"]), self.seat(message.facts["accepting"])
        given, received = message.cards("toAccepting"), message.cards("toOffering")
        if accepting == int(game.state["on_turn"]):
            game.trade(accepting, offering, received, given)
        else:
            game.trade(offering, accepting, given, received)

    def cancel(self, game: Game, message: ServerMessage) -> None:
        """Reject a game in which a piece was taken back from the board."""
        if message.kind == "SOCUndoPutPiece" or game.decision.startswith("place_initial"):
            game.fail("a piece is taken back here, which replay logs do not have.")
        self._road_is_paid = False


MOVES: dict[str, Callable[[JSettlersGame, Game, ServerMessage], None]] = {
    "SOCTurn": JSettlersGame.turn,
    "SOCDiceResult": JSettlersGame.roll,
    "SOCPutPiece": JSettlersGame.put_piece,
    "SOCPlayerElements": JSettlersGame.elements,
    "SOCDiscard": JSettlersGame.follow_up,
    "SOCMoveRobber": JSettlersGame.move_robber,
    "SOCRobberyResult": JSettlersGame.follow_up,
    "SOCDevCardAction": JSettlersGame.card_action,
    "SOCSimpleAction": JSettlersGame.simple_action,
    "SOCPickResources": JSettlersGame.pick,
    "SOCBankTrade": JSettlersGame.trade_with_bank,
    "SOCAcceptOffer": JSettlersGame.trade,
    "SOCCancelBuildRequest": JSettlersGame.cancel,
    "SOCUndoPutPiece": JSettlersGame.cancel,
}
"""Messages that change a game; all others are skipped."""


def is_jsettlers(text: str) -> bool:
    """Return whether a string looks like the contents of a JSettlers game log."""
    return text.lstrip().startswith("SOC game event log:")


def hex_id(q: int, r: int) -> int:
    """Return the JSettlers coordinate of a hex."""
    return 0x77 + 0x22 * q + 0x20 * r


def cell_of(coordinate: int) -> tuple[int, int]:
    """Return the (q, r) of a hex, given its JSettlers coordinate."""
    q = ((coordinate & 0xF) - 7) // 2
    return q, ((coordinate >> 4) - 7) // 2 - q


def edge_id(first: int, second: int) -> int:
    """Return the coordinate of the edge between two nodes: the smaller of each pair of digits."""
    return min(first >> 4, second >> 4) << 4 | min(first & 0xF, second & 0xF)
