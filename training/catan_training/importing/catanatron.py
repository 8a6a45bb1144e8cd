"""Catanatron games from its JSON encoder: release 3.2.1 (`actions`) or the repository version (`action_records`).

A file contains every action with its outcome, and the final state, which is checked. Four rules differ from ours.
Release 3.2.1 lets players play a development card on the turn they bought it; games in which this happens are imported
with the rule `+cards_at_once`. In both versions, the bank pays nothing when it could only partly pay a single player
(`+whole_payments`), Longest Road is awarded differently (`+catanatron_roads`), and a player can win during another
player's turn (`+win_on_any_turn`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_env import find_scenario
from catan_env.board import Layout
from catan_env.board.terrain import DESERT, RESOURCES
from catan_env.errors import BoardError, GameImportError
from catan_env.games.base.development_cards import DECK_CARDS
from catan_env.games.base.network import CITY
from catan_training.importing.follow import MALFORMED, FollowedGame, reading
from catan_training.importing.names import CARD_INDEX, HARBOR_INDEX, RESOURCE_INDEX
from catan_training.importing.places import HexPlaces

RELEASE, REPOSITORY = "catanatron 3.2.1", "catanatron"
CORNERS = {"NORTH": "N", "NORTHEAST": "NE", "SOUTHEAST": "SE", "SOUTH": "S", "SOUTHWEST": "SW", "NORTHWEST": "NW"}
SIDES = {"EAST": "E", "SOUTHEAST": "SE", "SOUTHWEST": "SW", "WEST": "W", "NORTHWEST": "NW", "NORTHEAST": "NE"}
PLAYED = {
    "PLAY_KNIGHT_CARD": "knight",
    "PLAY_ROAD_BUILDING": "road_building",
    "PLAY_YEAR_OF_PLENTY": "year_of_plenty",
    "PLAY_MONOPOLY": "monopoly",
}


@dataclass(frozen=True)
class RecordedAction:
    """An action and its result.

    Attributes:
        seat: seat of the acting player.
        kind: kind of action, as catanatron names it.
        value: the action's argument.
        result: its outcome: dice, the card drawn or stolen, or discarded cards.
    """

    seat: int
    kind: str
    value: Any
    result: Any


class CatanatronGame:
    """A catanatron game read from its JSON.

    Args:
        file: contents of the JSON file.
        name: file name, for messages.
        rules: rule numbers that the file does not contain, such as `victory_points`, `hand_limit` or `friendly_robber`.

    Attributes:
        form: program and format of the file.
        colors: player names by seat.
        records: all actions.
        house_rules: optional rules that the game is known to need so far.
        played: number of actions played so far.

    Raises:
        GameImportError: the file has a different format, or its board is not the standard one.
    """

    def __init__(self, file: Mapping[str, Any], name: str, rules: Mapping[str, Any]):
        self.file, self.name, self._rules = file, name, dict(rules)
        self.house_rules = ["catanatron_roads"]
        self.played = 0
        self.form = REPOSITORY if "action_records" in file else RELEASE
        try:
            self.colors = [str(color) for color in file["colors"]]
            self.records = list(self._read())
            self.places = HexPlaces(find_scenario("base").board.topology)
            self._intersections, self._paths = self._numbers()
            self.layout = self._layout()
            if self._plays_new_cards():
                self.house_rules.append("cards_at_once")
            if self._ends_on_another_turn():
                self.house_rules.append("win_on_any_turn")
        except BoardError as error:
            raise GameImportError(f"{name}: its board cannot be imported: {error}.") from None
        except MALFORMED as error:
            raise GameImportError(
                f"{name}: not a game of catanatron on the standard board ({type(error).__name__}: {error}). Write "
                "it with `json.dumps(game, cls=GameEncoder)`."
            ) from None

    def play(self) -> Iterator[FollowedGame]:
        """Play the game in this engine, yielding it at the start and after each action that leaves no discard pending.

        From the first roll at which the bank would partly pay a single player, a different game object may be yielded:
        catanatron pays nothing in that case, which requires `+whole_payments`.

        Raises:
            GameImportError: our rules forbid an action, or the final state differs from the file's.
        """
        game = self._started()
        yield game
        for index, record in enumerate(self.records):
            game.where = f"{self.name}, action {index + 1} ({self.colors[record.seat]} {record.kind})"
            with reading(game.fail, "catanatron"):
                if self._needs_whole_payments(game, record):
                    self.house_rules.append("whole_payments")
                    where, game = game.where, self._started()
                    game.where = where
                    for earlier in self.records[:index]:
                        self._carry_out(game, earlier)
                self._carry_out(game, record)
            self.played = index + 1
            if not game.waits_for_discards:
                yield game
        game.where = f"{self.name}, the state at its end"
        self._check_end(game)

    def notes(self) -> dict[str, Any]:
        """Return facts to store in the log's metadata."""
        bots = [color in self.file.get("bot_colors", ()) for color in self.colors]
        return {"format": self.form, "filled": {}, "house_rules": self.house_rules, "bots": bots}

    # -- reading ------------------------------------------------------------------------------------------

    def _read(self) -> Iterator[RecordedAction]:
        seats = {color: seat for seat, color in enumerate(self.colors)}
        for entry in self.file["action_records" if self.form == REPOSITORY else "actions"]:
            if self.form == REPOSITORY:
                (color, kind, value), result = entry
            else:
                color, kind, value = entry
                result = value
            if kind == "MOVE_ROBBER":
                result = value[2] if len(value) == 3 else result
                value = value[:2]
            yield RecordedAction(seats[color], kind, value, result)

    def _numbers(self) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
        """Map nodes to our intersections and edges to our paths, including those given relative to a sea cell."""
        intersections, paths = {}, {}
        for node in self.file["nodes"].values():
            q, _, r = node["tile_coordinate"]
            try:
                intersections[int(node["id"])] = self.places.intersection(CORNERS[node["direction"]], q, r)
            except KeyError:
                continue  # out at sea
        for edge in self.file["edges"]:
            q, _, r = edge["tile_coordinate"]
            try:
                paths[_edge(edge["id"])] = self.places.path(SIDES[edge["direction"]], q, r)
            except KeyError:
                continue
        return intersections, paths

    def _layout(self) -> Layout:
        topology = self.places.topology
        terrain, number = np.full(topology.num_hexes, -1, np.int8), np.zeros(topology.num_hexes, np.int8)
        harbors = []
        for entry in self.file["tiles"]:
            (q, _, r), tile = entry["coordinate"], entry["tile"]
            if tile["type"] == "PORT":
                path = self.places.path(SIDES[tile["direction"]], q, r)
                harbors.append((path, HARBOR_INDEX[(tile["resource"] or "3:1").lower()]))
            elif tile["type"] != "WATER":
                hex = self.places.hexes[q, r]
                terrain[hex] = DESERT if tile["type"] == "DESERT" else RESOURCE_INDEX[tile["resource"].lower()]
                number[hex] = tile.get("number") or 0
        if (terrain < 0).any():
            raise BoardError(f"it has {int((terrain >= 0).sum())} land hexes instead of {topology.num_hexes}")
        return Layout(topology, terrain, number, tuple(harbors), int(np.argmax(terrain == DESERT)))

    def _plays_new_cards(self) -> bool:
        """Return whether anyone plays a development card on the turn it was bought."""
        held = [dict.fromkeys(DECK_CARDS, 0) for _ in self.colors]
        new: list[str] = []
        for record in self.records:
            if record.kind == "BUY_DEVELOPMENT_CARD":
                new.append(DECK_CARDS[CARD_INDEX[str(record.result).lower()]])
            elif record.kind in PLAYED:
                name = PLAYED[record.kind]
                held[record.seat][name] -= 1
                if held[record.seat][name] < 0:
                    return True
            elif record.kind == "END_TURN":
                for name in new:
                    held[record.seat][name] += 1
                new = []
        return False

    def _ends_on_another_turn(self) -> bool:
        winner = self.file.get("winning_color")
        return winner is not None and bool(self.records) and self.colors[self.records[-1].seat] != winner

    # -- playing ------------------------------------------------------------------------------------------

    def _started(self) -> FollowedGame:
        trades = any(record.kind == "OFFER_TRADE" for record in self.records)
        usual = {"victory_points": 10, "hand_limit": 7, "friendly_robber": 0}
        version = "release" if self.form == RELEASE else "repository"
        rules = {**usual, "offers_per_turn": 100 if trades else 0, "catanatron_version": version, **self._rules}
        return FollowedGame("+".join(["base", *self.house_rules]), self.colors, rules, self.layout)

    def _needs_whole_payments(self, game: FollowedGame, record: RecordedAction) -> bool:
        if record.kind != "ROLL" or game.seat_to_act != record.seat or "whole_payments" in self.house_rules:
            return False
        return game.pays_in_part(sum(record.result))

    def _carry_out(self, game: FollowedGame, record: RecordedAction) -> None:
        seat, kind, value, result = record.seat, record.kind, record.value, record.result
        if kind in ("BUILD_SETTLEMENT", "BUILD_CITY"):
            game.act(seat, kind.lower(), self._intersections[value])
        elif kind == "BUILD_ROAD":
            game.act(seat, "build_road", self._paths[_edge(value)])
        elif kind == "MOVE_ROBBER":
            (q, _, r), victim = value
            stolen = None if result is None else RESOURCE_INDEX[result.lower()]
            game.move_robber(seat, self.places.hexes[q, r], victim and self.colors.index(victim), stolen)
        elif kind in ("DISCARD", "DISCARD_RESOURCE"):
            game.discard(seat, _cards([value] if isinstance(value, str) else result))
        elif kind == "CONFIRM_TRADE":
            game.trade(seat, self.colors.index(value[10]), value[:5], value[5:10])
        elif kind in CARD_MOVES:
            CARD_MOVES[kind](game, seat, value, result)
        elif kind in SIMPLE:
            game.act(seat, SIMPLE[kind])
        elif kind not in WITHOUT_EFFECT:
            game.fail(f"there is no action {kind!r} in games of catanatron that can be imported.")

    def _check_end(self, game: FollowedGame) -> None:
        """Check the final state against the file's."""
        facts, state = self.file["player_state"], game.state
        color = self.file.get("winning_color")
        winner = -1 if color is None else self.colors.index(color)
        ours = int(game.engine.winner[0])
        if ours != winner:
            game.fail(
                f"{color or 'nobody'} has won there, {game.players[ours] if ours >= 0 else 'nobody'} by our rules. If "
                "the game was played to another number of points, name it: --rules victory_points=N."
            )
        if game.waits_for_discards:
            return
        for seat, name in enumerate(self.colors):
            own = f"P{seat}_"
            hand = [facts[f"{own}{WORDS[resource]}_IN_HAND"] for resource in RESOURCES]
            cards = [facts[f"{own}{card.upper()}_IN_HAND"] for card in DECK_CARDS]
            game.check(f"hand of {name}", state["hands"][seat], hand)
            game.check(f"development cards of {name}", state["development_cards"][seat], cards)
            points = facts[f"{own}ACTUAL_VICTORY_POINTS"]
            game.check(f"points of {name}", game.engine.victory_points[0, seat], points)
            game.check(f"whether {name} has the longest road", state["longest_road"] == seat, facts[f"{own}HAS_ROAD"])
            game.check(f"whether {name} has the largest army", state["largest_army"] == seat, facts[f"{own}HAS_ARMY"])
        self._check_board(game)

    def _check_board(self, game: FollowedGame) -> None:
        state = game.state
        seats: dict[str | None, int] = {None: -1}
        seats |= {color: seat for seat, color in enumerate(self.colors)}
        q, _, r = self.file["robber_coordinate"]
        game.check("hex of the robber", state["robber"], self.places.hexes[q, r])
        for node in self.file["nodes"].values():
            if (place := self._intersections.get(int(node["id"]))) is not None:
                game.check(f"owner of node {node['id']}", state["building_owner"][place], seats[node["color"]])
                game.check(f"city on node {node['id']}", state["building"][place] == CITY, node["building"] == "CITY")
        for edge in self.file["edges"]:
            if (path := self._paths.get(_edge(edge["id"]))) is not None:
                game.check(f"owner of edge {edge['id']}", state["edge_owner"][path], seats[edge["color"]])


WORDS = {"lumber": "WOOD", "brick": "BRICK", "wool": "SHEEP", "grain": "WHEAT", "ore": "ORE"}
CARD_MOVES: dict[str, Callable[[FollowedGame, int, Any, Any], None]] = {
    "ROLL": lambda game, seat, value, result: game.roll(seat, sum(result)),
    "BUY_DEVELOPMENT_CARD": lambda game, seat, value, result: game.buy_card(seat, CARD_INDEX[result.lower()]),
    "PLAY_YEAR_OF_PLENTY": lambda game, seat, value, result: game.year_of_plenty(seat, _cards(value)),
    "PLAY_MONOPOLY": lambda game, seat, value, result: game.act(seat, "play_monopoly", RESOURCE_INDEX[value.lower()]),
    "MARITIME_TRADE": lambda game, seat, value, result: game.trade_with_bank(
        seat, *_given(value[:-1]), RESOURCE_INDEX[value[-1].lower()]
    ),
}
"""Moves that involve dice or cards, keyed by kind."""
SIMPLE = {
    "END_TURN": "end_turn",
    "PLAY_KNIGHT_CARD": "play_knight",
    "PLAY_ROAD_BUILDING": "play_road_building",
}
WITHOUT_EFFECT = ("OFFER_TRADE", "ACCEPT_TRADE", "REJECT_TRADE", "CANCEL_TRADE")
"""An offer is imported as part of the resulting trade; an offer that leads to no trade changes nothing."""


def is_catanatron(file: Any) -> bool:
    """Return whether a JSON value looks like a catanatron game."""
    return isinstance(file, dict) and "player_state" in file and bool({"actions", "action_records"} & set(file))


def _cards(names: Sequence[str]) -> list[int]:
    return [RESOURCE_INDEX[name.lower()] for name in names]


def _given(names: Sequence[str | None]) -> tuple[int, int]:
    """Return the kind and number of cards given to the bank; each None in the file is a card saved by a harbor."""
    cards = _cards([name for name in names if name is not None])
    return cards[0], len(cards)


def _edge(nodes: Sequence[int]) -> tuple[int, int]:
    first, second = sorted(nodes)
    return first, second
