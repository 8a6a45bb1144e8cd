"""Translation of boards, positions and actions between catanatron and our engine.

Two versions of the catanatron interface are supported: release 3.2.1 and the repository, which uses `ActionRecord`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_agents.bridges.catanatron import library
from catan_agents.bridges.games import initial_decisions
from catan_agents.bridges.mirror import Move
from catan_env import Position
from catan_env.board import Layout, Topology
from catan_env.board.terrain import DESERT, GENERIC_HARBOR
from catan_env.games.base.development_cards import DECK_CARDS

RESOURCES = ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")
"""Resources in the order of `catan_env.board.terrain.RESOURCES`."""
CARDS = tuple(name.upper() for name in DECK_CARDS)
CORNERS = {"NORTH": "N", "NORTHEAST": "NE", "SOUTHEAST": "SE", "SOUTH": "S", "SOUTHWEST": "SW", "NORTHWEST": "NW"}
PLACES = {"BUILD_SETTLEMENT": "build_settlement", "BUILD_CITY": "build_city"}
FRIENDLY_POINTS = 2
"""Maximum number of visible points with which a player is spared by the friendly robber."""
NEVER = 1_000_000


@dataclass(frozen=True)
class FinishedAction:
    """A completed catanatron action, including the outcome of chance."""

    seat: int
    kind: str
    value: Any
    result: Any


class CatanatronPlaces:
    """A mapping between the places of a catanatron map and ours, for the standard map.

    Attributes:
        layout: the board.
        hexes: our hexes, keyed by coordinate.
        intersections: our intersections, keyed by node.
        paths: our paths, keyed by edge, a pair of nodes in ascending order.
    """

    def __init__(self, catan_map: Any, topology: Topology):
        self.topology = topology
        self.hexes: dict[Any, int] = {}
        self.intersections: dict[int, int] = {}
        terrain = np.zeros(topology.num_hexes, np.int8)
        number = np.zeros(topology.num_hexes, np.int8)
        for coordinate, tile in catan_map.land_tiles.items():
            axial = (coordinate[0], coordinate[2])
            hex = self.hexes[coordinate] = topology.hex_at(*axial)
            terrain[hex] = DESERT if tile.resource is None else RESOURCES.index(tile.resource)
            number[hex] = tile.number or 0
            for reference, node in tile.nodes.items():
                self.intersections[node] = topology.intersection_at(CORNERS[reference.value], *axial)
        self.nodes = {place: node for node, place in self.intersections.items()}
        ends = topology.path_intersections.tolist()
        self.edges = {p: _edge((self.nodes[a], self.nodes[b])) for p, (a, b) in enumerate(ends)}
        self.paths = {edge: path for path, edge in self.edges.items()}
        self.coordinates = {hex: coordinate for coordinate, hex in self.hexes.items()}
        self.layout = Layout(topology, terrain, number, self._harbors(catan_map), int(np.argmax(terrain == DESERT)))

    def _harbors(self, catan_map: Any) -> tuple[tuple[int, int], ...]:
        corners_of = library.part("catanatron.models.map").PORT_DIRECTION_TO_NODEREFS
        harbors = []
        for tile in catan_map.tiles.values():
            if hasattr(tile, "direction"):
                edge = _edge([tile.nodes[corner] for corner in corners_of[tile.direction]])
                kind = GENERIC_HARBOR if tile.resource is None else RESOURCES.index(tile.resource)
                harbors.append((self.paths[edge], kind))
        return tuple(harbors)

    def owners_at(self, board: Any, hex: int, thief: Any) -> list[Any]:
        """Return all other colors that have a building on a hex of a catanatron board."""
        corners = [self.nodes[place] for place in self.topology.hex_intersections[hex].tolist()]
        owners = {board.buildings[node][0]: None for node in corners if node in board.buildings}
        return [color for color in owners if color != thief]


def rules_of(game: Any) -> dict[str, Any]:
    """Return the rule values that match a catanatron game, without offers or a turn limit."""
    friendly = getattr(game, "friendly_robber", False)
    return {
        "victory_points": game.vps_to_win,
        "hand_limit": game.state.discard_limit,
        "friendly_robber": FRIENDLY_POINTS if friendly else 0,
        "offers_per_turn": 0,
        "start_player": "seat_0",
        "turn_limit": NEVER,
    }


def playable(game: Any) -> list[Any]:
    """Return the legal actions in a game."""
    return game.playable_actions if hasattr(game, "playable_actions") else game.state.playable_actions


def num_records(game: Any) -> int:
    """Return the number of actions completed so far."""
    state = game.state
    return len(state.action_records if hasattr(state, "action_records") else state.actions)


def record_at(game: Any, index: int) -> FinishedAction:
    """Return the action at an index in a game's history."""
    state = game.state
    if hasattr(state, "action_records"):
        action, result = state.action_records[index]
        value = action.value
    else:
        action = state.actions[index]
        value = result = action.value
    kind = action.action_type.name
    if kind == "MOVE_ROBBER":
        result = value[2] if len(value) == 3 else result
        value = value[:2]
    elif kind.startswith("DISCARD"):
        kind, result = "DISCARD", [result] if isinstance(result, str) else list(result)
    return FinishedAction(state.color_to_index[action.color], kind, value, result)


# -- positions ---------------------------------------------------------------------------------------------


def position_of(game: Any, places: CatanatronPlaces, seat: int | None = None) -> Position:
    """Return the position as known to a seat, or the full position if the seat is None.

    For other seats, only the numbers of cards in hand and of development cards are used.
    """
    state = game.state
    players = range(len(state.colors))
    facts = state.player_state

    def cards(player: int, kinds: tuple[str, ...]) -> Any:
        row = [facts[f"P{player}_{kind}_IN_HAND"] for kind in kinds]
        return row if seat in (None, player) else sum(row)

    bought = _bought(game)  # release 3.2.1 lets a card be played in the turn in which it was bought

    def fresh(player: int) -> Any:
        held, new = cards(player, CARDS), bought[player]
        return min(held, sum(new)) if isinstance(held, int) else [min(pair) for pair in zip(held, new)]

    return Position(
        decisions=_decisions(state, places),
        hands=[cards(player, RESOURCES) for player in players],
        bank=list(state.resource_freqdeck),
        buildings={
            places.intersections[node]: (state.color_to_index[color], kind.lower())
            for node, (color, kind) in state.board.buildings.items()
        },
        roads={places.paths[_edge(edge)]: state.color_to_index[color] for edge, color in state.board.roads.items()},
        robber=places.hexes[state.board.robber_coordinate],
        development_cards=[cards(player, CARDS) for player in players],
        new_development_cards=[fresh(player) for player in players],
        cards_used=[sum(facts[f"P{player}_PLAYED_{kind}"] for player in players) for kind in CARDS],
        knights_played=[facts[f"P{player}_PLAYED_KNIGHT"] for player in players],
        card_played=facts[f"P{state.current_turn_index}_HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"],
        on_turn=-1 if state.is_initial_build_phase else state.current_turn_index,
        turn=max(1, state.num_turns - 2 * len(players) + 3),
        dice=_last_roll(game),
        to_discard=_to_discard(state),
        longest_road=next((p for p in players if facts[f"P{p}_HAS_ROAD"]), -1),
        largest_army=next((p for p in players if facts[f"P{p}_HAS_ARMY"]), -1),
    )


def _decisions(state: Any, places: CatanatronPlaces) -> list[tuple[Any, ...]]:
    """Return the pending decisions; the last one is current."""
    prompt, seat, on_turn = state.current_prompt.name, state.current_player_index, state.current_turn_index
    players = len(state.colors)
    if state.is_initial_build_phase:
        road = None
        if prompt == "BUILD_INITIAL_ROAD":
            node = state.buildings_by_color[state.colors[seat]]["SETTLEMENT"][-1]
            road = seat, places.intersections[node]
        return initial_decisions(players, len(state.board.buildings), road)
    rolled = state.player_state[f"P{on_turn}_HAS_ROLLED"]
    decisions = [("play" if rolled else "pre_roll", on_turn)]
    if prompt == "DISCARD":
        later = [k for k in range(players) if _to_discard(state)[k] and k != seat]
        return [*decisions, ("place_robber", on_turn), *(("discard", k) for k in reversed(later)), ("discard", seat)]
    if prompt == "MOVE_ROBBER":
        return [*decisions, ("place_robber", on_turn)]
    if state.is_road_building:
        return [*decisions, ("free_road", on_turn, state.free_roads_available)]
    return decisions


def _to_discard(state: Any) -> list[int]:
    players = range(len(state.colors))
    if state.current_prompt.name != "DISCARD":
        return [0 for _ in players]
    if hasattr(state, "discard_counts"):
        return list(state.discard_counts)
    sizes = [sum(state.player_state[f"P{p}_{kind}_IN_HAND"] for kind in RESOURCES) for p in players]
    first = state.current_player_index
    return [size // 2 if p >= first and size > state.discard_limit else 0 for p, size in enumerate(sizes)]


def _bought(game: Any) -> list[list[int]]:
    """Return the development cards bought by each player since the start of that player's latest turn."""
    players = len(game.state.colors)
    bought = [[0] * len(CARDS) for _ in range(players)]
    turns = 0
    for index in reversed(range(num_records(game))):
        record = record_at(game, index)
        turns += record.kind == "END_TURN"
        if turns == players:
            break
        if record.kind == "BUY_DEVELOPMENT_CARD":
            bought[record.seat][CARDS.index(record.result)] += 1
    return bought


def _last_roll(game: Any) -> int:
    for index in reversed(range(num_records(game))):
        record = record_at(game, index)
        if record.kind == "ROLL":
            return sum(record.result)
    return 0


# -- actions -----------------------------------------------------------------------------------------------


def sequences(action: Any, seat: int, places: CatanatronPlaces, state: Any) -> Iterator[list[Move]]:
    """Yield each sequence of our actions that is equivalent to a catanatron action; nothing if there is none."""
    kind, value = action.action_type.name, action.value
    if kind in PLACES:
        yield [("act", PLACES[kind], places.intersections[value])]
    elif kind == "BUILD_ROAD":
        yield [("act", "build_road", places.paths[_edge(value)])]
    elif kind == "MARITIME_TRADE":
        yield [("act", "trade_with_bank", _pair(value))]
    elif kind == "MOVE_ROBBER":
        yield from _robber(value, seat, places, state)
    elif kind == "PLAY_YEAR_OF_PLENTY":
        for order in {tuple(value), tuple(reversed(value))}:
            taken: list[Move] = [("act", "take_card", RESOURCES.index(kind)) for kind in order]
            yield [("act", "play_year_of_plenty", 0), *taken]
    elif kind == "PLAY_MONOPOLY":
        yield [("act", "play_monopoly", RESOURCES.index(value))]
    elif kind == "DISCARD_RESOURCE":
        yield [("act", "discard_card", RESOURCES.index(value))]
    elif kind in SIMPLE:
        yield [("act", SIMPLE[kind], 0)]


SIMPLE = {
    "ROLL": "roll",
    "END_TURN": "end_turn",
    "BUY_DEVELOPMENT_CARD": "buy_development_card",
    "PLAY_KNIGHT_CARD": "play_knight",
    "PLAY_ROAD_BUILDING": "play_road_building",
}


def moves_of(record: FinishedAction, places: CatanatronPlaces, state: Any) -> list[Move]:
    """Return the moves, including chance outcomes, that are equivalent to a completed catanatron action.

    Trades between players have no equivalent, because the rules used here do not include offers.
    """
    if record.kind == "DISCARD":
        return [("act", "discard_card", RESOURCES.index(kind)) for kind in record.result]
    moves = next(sequences(_Carried(record), record.seat, places, state), [])
    if record.kind == "ROLL":
        moves.append(("chance", "dice", sum(record.result) - 2))
    elif record.kind == "BUY_DEVELOPMENT_CARD":
        moves.append(("chance", "draw_card", CARDS.index(record.result)))
    elif record.kind == "MOVE_ROBBER" and record.result is not None:
        moves.append(("chance", "theft", RESOURCES.index(record.result)))
    return moves


class _Carried:
    """A record with the interface of an action."""

    def __init__(self, record: FinishedAction):
        self.action_type = _Named(record.kind)
        self.value = record.value


@dataclass(frozen=True)
class _Named:
    name: str


def _robber(value: Any, seat: int, places: CatanatronPlaces, state: Any) -> Iterator[list[Move]]:
    """Yield the moves for a hex and victim. We ask for a victim if several other seats have buildings there."""
    hex = places.hexes[value[0]]
    move: Move = ("act", "move_robber", hex)
    owners = places.owners_at(state.board, hex, state.colors[seat])
    if len(owners) < 2:
        yield [move]
        return
    for victim in owners if value[1] is None else [value[1]]:
        yield [move, ("act", "steal", (state.color_to_index[victim] - seat - 1) % len(state.colors))]


def _pair(trade: Any) -> int:
    """Return the index of the (given, received) pair of a bank trade.

    A trade lists the cards given, with None for each card that a harbor saves, followed by the card received.
    """
    given, received = RESOURCES.index(trade[0]), RESOURCES.index(trade[-1])
    return given * (len(RESOURCES) - 1) + received - (received > given)


def _edge(nodes: Any) -> tuple[int, int]:
    first, second = sorted(nodes)
    return first, second
