"""Catanlog games from text files (`.catan`), which contain only public information.

Each place is written as a hex number and a side; hexes are numbered counterclockwise and inward, starting in the
north-west. The following are sampled: stolen and discarded cards, development cards until they are played, and
unrecorded rolls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from catan_env import find_scenario
from catan_env.board import Layout
from catan_env.board.terrain import DESERT, RESOURCES
from catan_env.errors import BoardError, GameImportError
from catan_env.games.base.development_cards import DECK_CARDS
from catan_training.importing.filling import CardPlay, PublicFacts, Purchase, WorldSearch
from catan_training.importing.follow import MALFORMED, counts_of
from catan_training.importing.names import HARBOR_INDEX, RESOURCE_INDEX, TERRAIN_INDEX
from catan_training.importing.places import HexPlaces
from catan_training.importing.prices import CARD_PRICE, CITY_PRICE, ROAD_PRICE, SETTLEMENT_PRICE
from catan_training.importing.worlds import SEVEN, FollowedWorlds

SPIRAL = (
    (0, -2), (-1, -1), (-2, 0), (-2, 1), (-2, 2), (-1, 2), (0, 2), (1, 1), (2, 0), (2, -1), (2, -2), (1, -2),
    (0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, 0),
)  # fmt: skip
"""Coordinates (q, r) of hexes 1 to 19."""
HEADER_END = "...CATAN!"
PLACE = r"\((\d+) (\w+)\)"
CARDS = r"\[([^\]]*)\]"
LINES = {
    "roll": r"rolls (\d+)(?: \.\.\.DEUCES!)?",
    "robber": r"moves robber to (\d+), steals from (.+)",
    "settlement": rf"buys settlement, builds at {PLACE}",
    "city": rf"buys city, builds at {PLACE}",
    "road": rf"buys road, builds at {PLACE}",
    "buy": r"buys dev card",
    "bank": rf"trades {CARDS} to port (\S+) for {CARDS}",
    "trade": rf"trades {CARDS} to player (.+) for {CARDS}",
    "knight": r"plays knight",
    "road_building": rf"plays road builder, builds at {PLACE} and {PLACE}",
    "year_of_plenty": r"plays year of plenty, takes (\w+) and (\w+)",
    "monopoly": r"plays monopoly on (\w+)",
    "victory_point": r"plays victory point",
    "end": r"ends turn(?: after \d+s)?",
    "win": r"wins",
}
"""Patterns for what a player does, keyed by kind; each line starts with the player's name."""
CLOSING = ("end", "victory_point", "win")
"""Lines that may follow the last move of a game."""
PLAYER = re.compile(r"name: (.*), color: (\w+), seat: (\d+)")
PRICES = {"road": ROAD_PRICE, "settlement": SETTLEMENT_PRICE, "city": CITY_PRICE, "buy": CARD_PRICE}
"""The price paid in each kind of line."""
FREE = (0, 0, 0, 0, 0)


class CatanlogGame:
    """A catanlog game read from its text.

    Args:
        text: contents of the file.
        name: file name, for messages.
        rules: rule numbers, such as `victory_points`.
        seed: seed for everything that is sampled.

    Attributes:
        colors: player names by seat; colors serve as names.
        lines: the moves, as (line number, seat, kind, arguments).
        played: number of lines played so far.

    Raises:
        GameImportError: a line is malformed.
    """

    def __init__(self, text: str, name: str, rules: Mapping[str, Any], seed: int = 0):
        self.name, self._rules, self._seed = name, dict(rules), seed
        lines = text.splitlines()
        self._search: WorldSearch | None = None
        self.played = 0
        try:
            end = [line.strip() for line in lines].index(HEADER_END)
            self._read_header(lines[:end])
        except (BoardError, *MALFORMED) as error:
            raise GameImportError(f"{name}: its header is not that of a catanlog file ({error}).") from None
        self.lines = [
            self._read(number, line.strip()) for number, line in enumerate(lines[end + 1 :], end + 2) if line.strip()
        ]
        self._last_move = max((k for k, line in enumerate(self.lines) if line[2] not in CLOSING), default=0)
        if not self.lines:
            raise GameImportError(f"{name}: no move follows its header.")

    def play(self) -> Iterator[FollowedWorlds]:
        """Play the game in many worlds, yielding them at the start and after each line.

        Raises:
            GameImportError: no sampled world is consistent with a line.
        """
        self._search = WorldSearch(self._facts(), self._begin, self._play_line, self._seed)
        for worlds in self._search.play():
            self.played = self._search.played
            yield worlds

    def notes(self) -> dict[str, Any]:
        """Return facts to store in the log's metadata."""
        return {"format": "catanlog", "filled": self._search.filled if self._search else {}, "house_rules": []}

    # -- reading ------------------------------------------------------------------------------------------

    def _read_header(self, lines: list[str]) -> None:
        facts = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith("name: "))
        players = [PLAYER.fullmatch(line.strip()) for line in lines if line.startswith("name: ")]
        seats = sorted((int(found[3]), found[2]) for found in players if found)
        self.colors = [color for _, color in seats]
        if not 2 <= len(self.colors) <= 4 or len(players) != len(seats):
            raise ValueError(f"{len(players)} players are named; 2 to 4 play")
        self.places = HexPlaces(find_scenario("base").board.topology)
        hexes = [self.places.hexes[cell] for cell in SPIRAL]
        terrains, numbers = facts["terrain"].split(), facts["numbers"].split()
        if len(terrains) != len(hexes) or len(numbers) != len(hexes):
            raise ValueError(f"it has {len(terrains)} terrains and {len(numbers)} numbers for {len(hexes)} hexes")
        terrain, number = np.zeros(len(hexes), np.int8), np.zeros(len(hexes), np.int8)
        for hex, kind, token in zip(hexes, terrains, numbers, strict=True):
            terrain[hex] = TERRAIN_INDEX[kind]
            number[hex] = 0 if token == "None" else int(token)
        harbors = tuple(
            (self.places.path(side, *SPIRAL[int(hex) - 1]), HARBOR_INDEX[kind])
            for kind, hex, side in re.findall(r"(\S+?)\((\d+) (\w+)\)", facts.get("ports", ""))
        )
        self.layout = Layout(self.places.topology, terrain, number, harbors, int(np.argmax(terrain == DESERT)))

    def _read(self, number: int, line: str) -> tuple[int, int, str, tuple[str, ...]]:
        """Parse a line into (line number, seat, kind, arguments).

        Raises:
            GameImportError: the line is malformed.
        """
        for kind, pattern in LINES.items():
            if found := re.fullmatch(rf"(.+?) {pattern}", line):
                try:
                    return number, self._seat(found[1]), kind, tuple(found.groups()[1:])
                except ValueError:
                    raise GameImportError(f"{self.name}, line {number}: nobody plays {found[1]!r}.") from None
        raise GameImportError(
            f"{self.name}, line {number}: {line[:60]!r} is not a catanlog line that can be imported. Places are "
            "written as (hex side), such as (1 NW)."
        )

    def _seat(self, who: str) -> int:
        """Return the seat of a player given as a color or as "name (color)"."""
        return self.colors.index(who.strip().removesuffix(")").rpartition("(")[2].strip())

    # -- public facts -------------------------------------------------------------------------------------

    def _facts(self) -> PublicFacts:
        """Return what the lines show."""
        purchases, plays, thefts, monopolies, turn = [], [], {}, {}, 0
        where = [f"{self.name}, line {number}" for number, *_ in self.lines]
        for index, (_, seat, kind, arguments) in enumerate(self.lines):
            turn += kind == "end"
            if kind == "buy":
                purchases.append(Purchase(seat, turn))
            elif kind in DECK_CARDS:
                plays.append(CardPlay(where[index], seat, DECK_CARDS.index(kind), turn + (kind == "victory_point")))
            if kind == "monopoly":
                monopolies[index] = RESOURCE_INDEX[arguments[0]]
            elif kind == "robber" and arguments[1] != "nobody":
                thefts[index] = seat, self._seat(arguments[1])
        seats = [seat for _, seat, *_ in self.lines]
        changes = self._changes()
        return PublicFacts("catanlog", self.colors, where, seats, changes, thefts, monopolies, purchases, plays)

    def _changes(self) -> np.ndarray:
        """Return the cards that each seat visibly gains minus the cards it pays, shape (lines, players, 5)."""
        changes = np.zeros((len(self.lines), len(self.colors), len(RESOURCES)))
        buildings: dict[int, tuple[int, int]] = {}
        robber = self.layout.robber
        for index, (_, seat, kind, arguments) in enumerate(self.lines):
            if kind in ("settlement", "city"):
                place = self.places.intersection(arguments[1], *SPIRAL[int(arguments[0]) - 1])
                buildings[place] = seat, 1 + (kind == "city")
            elif kind == "robber":
                robber = self.hex(arguments[0])
            elif kind == "roll":
                for hex in np.flatnonzero(self.layout.number == int(arguments[0])):
                    for place in self.places.topology.hex_intersections[hex].tolist():
                        if place in buildings and hex != robber:
                            owner, count = buildings[place]
                            changes[index, owner, self.layout.terrain[hex]] += count
            elif kind in ("bank", "trade"):
                moved = np.array(counts_of(_cards(arguments[2]))) - counts_of(_cards(arguments[0]))
                changes[index, seat] += moved
                if kind == "trade":
                    changes[index, self._seat(arguments[1])] -= moved
            elif kind == "year_of_plenty":
                changes[index, seat] += counts_of([RESOURCE_INDEX[card] for card in arguments])
            changes[index, seat] -= PRICES.get(kind, FREE)
        return changes

    # -- playing ------------------------------------------------------------------------------------------

    def _begin(self, count: int, plans: np.ndarray, seed: int) -> FollowedWorlds:
        """Return worlds at the start of the game."""
        trades, most = 0, 3
        for _, _, kind, _ in self.lines:
            trades = 0 if kind == "end" else trades + (kind == "trade")
            most = max(most, trades)
        rules = {"victory_points": 10, "hand_limit": 7, "friendly_robber": 0, "offers_per_turn": most, **self._rules}
        return FollowedWorlds(count, self.colors, rules, self.layout, self.lines[0][1], plans, seed)

    def _play_line(self, worlds: FollowedWorlds, index: int) -> None:
        """Play a line."""
        if index < len(self.lines):
            self._carry_out(worlds, *self.lines[index][1:])

    def _carry_out(self, worlds: FollowedWorlds, seat: int, kind: str, arguments: tuple[str, ...]) -> None:
        if kind == "win":
            won = worlds.engine.winner == seat
            worlds.keep(
                won,
                f"{self.colors[seat]} wins there, but has not enough points by our rules. If the game was played to "
                "other points, add --rules victory_points=N.",
            )
            return
        over = worlds.decisions == "over"
        if over.any() and kind in CLOSING:
            goes_on = self.played < self._last_move
            worlds.keep(over != goes_on, "the game goes on." if goes_on else f"{self.colors[seat]} has not won.")
            if not goes_on:
                return
        if kind not in ("roll", "knight", "monopoly", "year_of_plenty", "road_building", "victory_point"):
            if (worlds.decisions == "pre_roll").any() and worlds.engine.seat_to_act[0] == seat:
                worlds.roll(seat, SEVEN if kind == "robber" else None)
        MOVES[kind](self, worlds, seat, arguments)

    def hex(self, number: str) -> int:
        """Return the hex with the given number in the file."""
        return self.places.hexes[SPIRAL[int(number) - 1]]

    def build(self, worlds: FollowedWorlds, seat: int, kind: str, hex: str, side: str) -> None:
        """Build something at a place."""
        find = self.places.path if kind == "build_road" else self.places.intersection
        worlds.act(seat, kind, find(side, *SPIRAL[int(hex) - 1]))

    def play_road_building(self, worlds: FollowedWorlds, seat: int, places: tuple[str, ...]) -> None:
        """Play road building and place both roads."""
        worlds.act(seat, "play_road_building")
        self.build(worlds, seat, "build_road", *places[:2])
        self.build(worlds, seat, "build_road", *places[2:])

    def play_year_of_plenty(self, worlds: FollowedWorlds, seat: int, cards: tuple[str, ...]) -> None:
        """Play year of plenty and take two cards."""
        worlds.act(seat, "play_year_of_plenty")
        for card in cards:
            worlds.act(seat, "take_card", RESOURCE_INDEX[card])

    def end_turn(self, worlds: FollowedWorlds, seat: int) -> None:
        """End a turn; during initial placement, the file's line has no corresponding move here."""
        if worlds.engine.state["turn"][0] > 0 and worlds.engine.state["on_turn"][0] == seat:
            worlds.act(seat, "end_turn")

    def trade_with_bank(self, worlds: FollowedWorlds, seat: int, given: Sequence[int], received: list[int]) -> None:
        """Trade given cards, shape (5,), for a list of cards at the seat's trade rates."""
        left = list(received)
        for card, count in enumerate(given):
            rate = int(worlds.state["trade_rate"][seat, card])
            trades = max(1, count // rate) if count else 0
            for _ in range(trades):
                if not left:
                    worlds.fail(f"{self.colors[seat]} gives the bank {count} {RESOURCES[card]}; the rate is {rate}.")
                worlds.trade_with_bank(seat, card, count // trades, left.pop(0))
        if left:
            worlds.fail(f"{self.colors[seat]} receives {len(left)} cards more than the rates of the bank give.")

    def victim(self, name: str) -> int | None:
        """Return the victim's seat, or None if there is no victim."""
        return None if name == "nobody" else self._seat(name)

    def partner(self, name: str) -> int:
        """Return the seat of a trading partner."""
        return self._seat(name)


def _cards(text: str) -> list[int]:
    """Return the cards in a list such as "1 wood, 2 ore"."""
    pairs = [entry.split() for entry in text.split(",") if entry.strip()]
    return [RESOURCE_INDEX[kind] for count, kind in pairs for _ in range(int(count))]


MOVES: dict[str, Any] = {
    "roll": lambda file, worlds, seat, a: worlds.roll(seat, int(a[0])),
    "robber": lambda file, worlds, seat, a: worlds.move_robber(seat, file.hex(a[0]), file.victim(a[1])),
    "settlement": lambda file, worlds, seat, a: file.build(worlds, seat, "build_settlement", *a),
    "city": lambda file, worlds, seat, a: file.build(worlds, seat, "build_city", *a),
    "road": lambda file, worlds, seat, a: file.build(worlds, seat, "build_road", *a),
    "buy": lambda file, worlds, seat, a: worlds.buy_card(seat),
    "bank": lambda file, worlds, seat, a: file.trade_with_bank(worlds, seat, counts_of(_cards(a[0])), _cards(a[2])),
    "trade": lambda file, worlds, seat, a: worlds.trade(
        seat, file.partner(a[1]), counts_of(_cards(a[0])), counts_of(_cards(a[2]))
    ),
    "knight": lambda file, worlds, seat, a: worlds.act(seat, "play_knight"),
    "road_building": lambda file, worlds, seat, a: file.play_road_building(worlds, seat, a),
    "year_of_plenty": lambda file, worlds, seat, a: file.play_year_of_plenty(worlds, seat, a),
    "monopoly": lambda file, worlds, seat, a: worlds.act(seat, "play_monopoly", RESOURCE_INDEX[a[0]]),
    "victory_point": lambda file, worlds, seat, a: None,
    "end": lambda file, worlds, seat, a: file.end_turn(worlds, seat),
}
"""The move for each kind of line."""


def is_catanlog(text: str) -> bool:
    """Return whether a string looks like the contents of a catanlog file."""
    return text.lstrip().startswith("catanlog")
