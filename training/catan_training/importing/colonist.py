"""Colonist.io games from replay JSON, which contains an initial state and the events that change it.

The file lists the cards in every hand after every event. The reader infers the action behind each event from the
changes, plays it, and compares the hands, the bank and the development cards. Names, countries and chat messages are
ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from catan_env import find_scenario
from catan_env.board import Layout
from catan_env.board.terrain import DESERT, GENERIC_HARBOR, RESOURCES
from catan_env.errors import BoardError, GameImportError
from catan_env.games.base.development_cards import DECK_CARDS
from catan_training.importing.follow import MALFORMED, FollowedGame, counts_of, reading
from catan_training.importing.places import HexPlaces

FORMAT = "colonist"
CARDS = {11: "knight", 12: "victory_point", 13: "year_of_plenty", 14: "road_building", 15: "monopoly"}
"""Development cards by number; 10 is a face-down card. Resources are numbered 1 to 5 in the order of `RESOURCES`."""
MONOPOLY = 15
GENERIC_PORT = 1
"""The port for a resource has the resource's number plus 1. A game with a 2:1 trade that disagrees is rejected."""
CORNERS, SIDES = ("N", "S"), ("NW", "W", "SW")
"""Corners and sides of a cell, keyed by z coordinate."""
CITY = 2
LOG_DICE, LOG_PLENTY, LOG_MONOPOLY, LOG_TRADE, LOG_BANK_TRADE = 10, 21, 86, 115, 116
FRIENDLY_POINTS = 2
KEPT_SETTINGS = (
    "victoryPointsToWin", "cardDiscardLimit", "friendlyRobber", "hideBankCards", "diceSetting", "karmaActive",
    "extensionSetting", "mapSetting", "scenarioSetting", "modeSetting", "gameSpeed",
)  # fmt: skip
"""Settings that are kept in the log's metadata. `diceSetting` specifies whether the dice are balanced."""


class ColonistGame:
    """A colonist.io game on the standard board.

    Args:
        file: contents of the JSON file.
        name: file name, for messages.
        rules: rule numbers that override the file's.

    Attributes:
        colors: color numbers of the players, by seat.
        events: all events.
        state: the file's state after the last event read.
        played: number of events played so far.
        monopolies: seats whose monopoly has been played in this engine; special_trades: resources traded at 2:1.

    Raises:
        GameImportError: the file has a different format or board, or more players than the base game allows.
    """

    def __init__(self, file: Mapping[str, Any], name: str, rules: Mapping[str, Any]):
        self.name, self._rules = name, dict(rules)
        try:
            data = file.get("data", file)
            history = data["eventHistory"]
            self.colors = [int(color) for color in data["playOrder"]]
            self.events: list[Mapping[str, Any]] = list(history["events"])
            self._settings = data.get("gameSettings") or {}
            self._end = history.get("endGameState") or data.get("endGameState") or {}
            self.state: dict[str, Any] = {}
            _merge(self.state, history["initialState"])
            self.places = HexPlaces(find_scenario("base").board.topology)
            self._read_places(self.state["mapState"])
        except (BoardError, *MALFORMED) as error:
            raise GameImportError(
                f"{name}: not a replay of colonist.io on the standard board ({type(error).__name__}: {error})."
            ) from None
        if not 2 <= len(self.colors) <= 4:
            raise GameImportError(f"{name}: {len(self.colors)} players play; the base game has 2 to 4.")
        self.special_trades: set[int] = set()
        self.monopolies: list[int] = []
        self.played = 0

    def play(self) -> Iterator[FollowedGame]:
        """Play the game in this engine, yielding it at the start and after each event.

        Raises:
            GameImportError: our rules forbid an action, or our cards differ from the file's.
        """
        trades = max((len(turn) for turn in self._trades_by_turn()), default=0)
        rules = {
            "victory_points": int(self._settings.get("victoryPointsToWin", 10)),
            "hand_limit": int(self._settings.get("cardDiscardLimit", 7)),
            "friendly_robber": FRIENDLY_POINTS if self._settings.get("friendlyRobber") else 0,
            "offers_per_turn": max(3, trades),
        }
        game = FollowedGame("base", [f"color {color}" for color in self.colors], rules | self._rules, self.layout)
        yield game
        for index, event in enumerate(self.events):
            game.where = f"{self.name}, event {index}"
            with reading(game.fail, "colonist.io"):
                _Event(self, game, event.get("stateChange") or {}).play()
            self.played = index + 1
            yield game
        game.where = f"{self.name}, the end"
        with reading(game.fail, "colonist.io"):
            self._check_winner(game)

    def notes(self) -> dict[str, Any]:
        """Return facts to store in the log's metadata."""
        settings = {key: self._settings[key] for key in KEPT_SETTINGS if key in self._settings}
        return {
            "format": FORMAT,
            "filled": {},
            "house_rules": [],
            "settings": settings,
            "harbors_confirmed": sorted(RESOURCES[card] for card in self.special_trades),
        }

    # -- board --------------------------------------------------------------------------------------------

    def _read_places(self, board: Mapping[str, Any]) -> None:
        """Read the board layout, and look up each place by its coordinates.

        Raises:
            BoardError: the places are not those of the standard board.
        """
        topology = self.places.topology
        self.hexes = {int(k): self.places.hexes[cell["x"], cell["y"]] for k, cell in board["tileHexStates"].items()}
        self.intersections = {
            int(k): self.places.intersection(CORNERS[corner["z"]], corner["x"], corner["y"])
            for k, corner in board["tileCornerStates"].items()
        }
        self.paths = {int(k): self._path(edge) for k, edge in board["tileEdgeStates"].items()}
        for kind, found, count in (
            ("hexes", self.hexes, topology.num_hexes),
            ("intersections", self.intersections, topology.num_intersections),
            ("paths", self.paths, topology.num_paths),
        ):
            if len(set(found.values())) != count:
                raise BoardError(f"it has {len(set(found.values()))} {kind} instead of {count}")
        terrain, number = np.zeros(topology.num_hexes, np.int8), np.zeros(topology.num_hexes, np.int8)
        for key, cell in board["tileHexStates"].items():
            hex = self.hexes[int(key)]
            terrain[hex] = DESERT if cell["type"] == 0 else _card(cell["type"])
            number[hex] = cell.get("diceNumber") or 0
        harbors = tuple(
            (self._path(port), GENERIC_HARBOR if port["type"] == GENERIC_PORT else _card(port["type"] - 1))
            for port in board["portEdgeStates"].values()
        )
        robber = (self.state.get("mechanicRobberState") or {}).get("locationTileIndex")
        robber_hex = int(np.argmax(terrain == DESERT)) if robber is None else self.hexes[robber]
        self.layout = Layout(topology, terrain, number, harbors, robber_hex)

    def _path(self, edge: Mapping[str, int]) -> int:
        return self.places.path(SIDES[edge["z"]], edge["x"], edge["y"])

    def _trades_by_turn(self) -> list[list[Any]]:
        """Return the trades between players, keyed by turn."""
        turns: list[list[Any]] = [[]]
        for event in self.events:
            change = (event or {}).get("stateChange") or {} if isinstance(event, dict) else {}
            turns[-1] += [text for text in _texts(change) if text.get("type") == LOG_TRADE]
            if "currentTurnPlayerColor" in (change.get("currentState") or {}):
                turns.append([])
        return turns

    def _check_winner(self, game: FollowedGame) -> None:
        players = self._end.get("players") or {}
        winners = [int(color) for color, facts in players.items() if facts.get("winningPlayer")]
        if winners:
            winner = int(game.engine.winner[0])
            game.check("winner", self.colors[winner] if winner >= 0 else -1, winners[0])


class _Event:
    """An event: its changes, and the actions that explain them."""

    def __init__(self, reader: ColonistGame, game: FollowedGame, change: Mapping[str, Any]):
        self.reader, self.game, self.change = reader, game, change
        self.state = reader.state
        self.texts = _texts(change)
        self.used_before = {seat: self._used(seat) for seat in range(len(reader.colors))}
        self.held_before = {seat: self._held(seat) for seat in range(len(reader.colors))}
        _merge(self.state, change)

    def play(self) -> None:
        """Play the actions, then compare the cards."""
        self._roll()
        self._play_cards()
        for text in self.texts:
            self._carry_out(text)
        self._move_robber()
        self._build()
        self._take_cards()
        self._buy_cards()
        self._end_turn()
        self._check()

    # -- state of the file --------------------------------------------------------------------------------

    def _player(self, section: str, seat: int) -> Mapping[str, Any]:
        players = self.state.get(section) or {}
        players = players.get("players", players)
        return players.get(str(self.reader.colors[seat])) or {}

    def _hand(self, seat: int) -> np.ndarray:
        cards = (self._player("playerStates", seat).get("resourceCards") or {}).get("cards") or []
        return np.array(counts_of([_card(card) for card in cards]))

    def _held(self, seat: int) -> list[int]:
        return list(
            (self._player("mechanicDevelopmentCardsState", seat).get("developmentCards") or {}).get("cards") or []
        )

    def _used(self, seat: int) -> list[int]:
        return list(self._player("mechanicDevelopmentCardsState", seat).get("developmentCardsUsed") or [])

    @property
    def _on_turn(self) -> int:
        return int(self.game.state["on_turn"])

    # -- actions ------------------------------------------------------------------------------------------

    def _roll(self) -> None:
        dice = [text for text in self.texts if text.get("type") == LOG_DICE]
        thrown = self.change.get("diceState") or {}
        if dice:
            total = int(dice[0]["firstDice"]) + int(dice[0]["secondDice"])
        elif thrown.get("diceThrown"):
            total = int(self.state["diceState"]["dice1"]) + int(self.state["diceState"]["dice2"])
        else:
            return
        self.game.roll(self._on_turn, total)

    def _play_cards(self) -> None:
        for seat, before in self.used_before.items():
            for card in self._used(seat)[len(before) :]:
                if card != MONOPOLY:  # it is played once its resource is known
                    self.game.act(seat, f"play_{CARDS[card]}")

    def _carry_out(self, text: Mapping[str, Any]) -> None:
        """Carry out one entry of the game log."""
        game, kind = self.game, text.get("type")
        if kind == LOG_PLENTY:
            for card in text["cardEnums"]:
                game.act(self._seat(text["playerColor"]), "take_card", _card(card))
        elif kind == LOG_MONOPOLY:
            seat = self._seat(text["playerColor"])
            game.act(seat, "play_monopoly", _card(text["cardEnum"]))
            self.reader.monopolies.append(seat)
        elif kind == LOG_TRADE:
            seat, partner = self._seat(text["playerColor"]), self._seat(text["acceptingPlayerColor"])
            given, received = ([_card(card) for card in text[f"{side}CardEnums"]] for side in ("given", "received"))
            if partner == self._on_turn:
                seat, partner, given, received = partner, seat, received, given
            game.trade(seat, partner, counts_of(given), counts_of(received))
        elif kind == LOG_BANK_TRADE:
            self._trade_with_bank(text)

    def _trade_with_bank(self, text: Mapping[str, Any]) -> None:
        """Trade with the bank; one entry may contain several trades."""
        seat = self._seat(text["playerColor"])
        given = counts_of([_card(card) for card in text["givenCardEnums"]])
        received = [_card(card) for card in text["receivedCardEnums"]]
        for card, count in enumerate(given):
            rate = int(self.game.state["trade_rate"][seat, card])
            if count % rate or count // rate > len(received):
                rate = max(1, count // max(1, len(received)))  # if the trade below fails, its message names both rates
            for _ in range(count // rate):
                self.game.trade_with_bank(seat, card, rate, received.pop(0))
                if rate == 2:
                    self.reader.special_trades.add(card)
        if received:
            self.game.fail(f"a trade with the bank gives {given} for {len(text['receivedCardEnums'])} cards.")

    def _move_robber(self) -> None:
        location = (self.change.get("mechanicRobberState") or {}).get("locationTileIndex")
        if location is not None:
            self.game.act(self._on_turn, "move_robber", self.reader.hexes[location])

    def _build(self) -> None:
        board = self.change.get("mapState") or {}
        for key, corner in (board.get("tileCornerStates") or {}).items():
            if "buildingType" in corner:
                owner = self.state["mapState"]["tileCornerStates"][key]["owner"]
                kind = "build_city" if corner["buildingType"] == CITY else "build_settlement"
                self.game.act(self._seat(owner), kind, self.reader.intersections[int(key)])
        for key, edge in (board.get("tileEdgeStates") or {}).items():
            if edge.get("owner") is not None:
                seat = self._seat(edge["owner"])
                if self.game.decision == "free_road" and (self._hand(seat) < self.game.hands[seat]).any():
                    self.game.act(seat, "forgo_free_roads")  # this road was paid for, not free
                self.game.act(seat, "build_road", self.reader.paths[int(key)])

    def _take_cards(self) -> None:
        """Discard and steal as implied by the changes to the hands in the file."""
        game = self.game
        if game.decision == "discard":
            for seat in range(len(self.reader.colors)):
                missing = game.hands[seat] - self._hand(seat)
                if (missing >= 0).all() and missing.any():
                    game.discard(seat, np.repeat(np.arange(len(RESOURCES)), missing).tolist())
        if game.decision in ("choose_victim", "theft"):
            robber = int(game.state["robber"])
            change = np.array([self._hand(seat) for seat in range(len(self.reader.colors))]) - game.hands
            losers = np.flatnonzero(change.sum(axis=1) == -1)
            if len(losers):
                victim = int(losers[0])
                game.steal(self._on_turn, robber, victim, int(np.argmin(change[victim])))
            elif not any(game.state["hands"][owner].any() for owner in game.owners_at(robber, self._on_turn)):
                game.steal(self._on_turn, robber, None, None)

    def _buy_cards(self) -> None:
        for seat, before in self.held_before.items():
            new = counts_of(self._held(seat), 16), counts_of(before, 16)
            for card in np.flatnonzero(np.subtract(*new) > 0).tolist():
                if card not in CARDS:
                    self.game.fail(f"a development card is face down ({card}), so the game cannot be imported exactly.")
                self.game.buy_card(seat, DECK_CARDS.index(CARDS[card]))

    def _end_turn(self) -> None:
        color = (self.change.get("currentState") or {}).get("currentTurnPlayerColor")
        if color is not None and self._on_turn >= 0 and self._seat(color) != self._on_turn:
            if self.game.decision not in ("pre_roll", "over"):
                self.game.act(self._on_turn, "end_turn")

    def _check(self) -> None:
        """Compare the cards of all players and of the bank with the file's."""
        game = self.game
        if "playerStates" in self.change:
            for seat, name in enumerate(game.players):
                game.check(f"hand of {name}", game.hands[seat], self._hand(seat))
        bank = (self.change.get("bankState") or {}).get("resourceCards")
        if bank is not None:
            whole = self.state["bankState"]["resourceCards"]
            game.check("bank", game.bank, [whole[str(card + 1)] for card in range(len(RESOURCES))])
        if "mechanicDevelopmentCardsState" in self.change and game.decision != "over":
            for seat, name in enumerate(game.players):
                held = counts_of([DECK_CARDS.index(CARDS[card]) for card in self._held(seat)])
                pending = self._used(seat).count(MONOPOLY) - self.reader.monopolies.count(seat)
                held[DECK_CARDS.index("monopoly")] += pending
                game.check(f"development cards of {name}", game.state["development_cards"][seat], held)

    def _seat(self, color: int) -> int:
        return self.reader.colors.index(int(color))


def is_colonist(file: Any) -> bool:
    """Return whether a JSON value looks like a colonist.io replay."""
    return isinstance(file, dict) and isinstance(data := file.get("data", file), dict) and "eventHistory" in data


def _texts(change: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the game log entries in a change, in order."""
    entries = change.get("gameLogState") or {}
    return [(entries[key] or {}).get("text") or {} for key in sorted(entries, key=int)]


def _card(number: int) -> int:
    """Return a resource's index, given its number in the file."""
    if not 1 <= number <= len(RESOURCES):
        raise ValueError(f"{number} is not a resource; allowed are 1 to 5")
    return number - 1


def _merge(state: dict[str, Any], change: Mapping[str, Any]) -> None:
    """Merge a sparse tree of changes into a state. Lists are replaced, and null removes an entry."""
    for key, value in change.items():
        if isinstance(value, Mapping):
            inner = state.get(key)
            if not isinstance(inner, dict):
                inner = state[key] = {}
            _merge(inner, value)
        elif value is None:
            state.pop(key, None)
        else:
            state[key] = value
