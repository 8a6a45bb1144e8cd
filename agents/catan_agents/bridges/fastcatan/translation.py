"""Translation of boards, positions and actions from fastcatan to our engine.

Both engines number hexes row by row from the top left. fastcatan numbers nodes and edges along the zigzag lines between
rows of hexes, and along the vertical edges below each line.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from catan_agents.bridges.fastcatan import states
from catan_agents.bridges.fastcatan.states import PLAYERS
from catan_agents.bridges.games import initial_decisions
from catan_agents.bridges.mirror import Move
from catan_env import Position
from catan_env.board import Layout, Topology
from catan_env.board.terrain import DESERT

RESOURCES = [1, 0, 2, 3, 4]
"""Index of each of our resources in fastcatan, and vice versa; brick and lumber are swapped."""
CARDS = [0, 2, 3, 4, 1]
"""The fastcatan index of each of our development cards."""
DECK = np.array([14, 5, 2, 2, 2])
PORT_NODES = ((0, 1), (3, 4), (14, 15), (26, 37), (45, 46), (50, 51), (47, 48), (28, 38), (7, 17))
"""The nodes of each port; ports are ordered clockwise from the top left."""
RULES = {
    "victory_points": 10,
    "hand_limit": 7,
    "friendly_robber": 0,
    "offers_per_turn": 0,
    "start_player": "seat_0",
    "turn_limit": 1_000_000,
}
"""Rule values that match fastcatan games, without offers or a turn limit."""

SETTLE, BUILD_CITY, ROAD, ROLL, END_TURN, DISCARD, ROBBER, STEAL = 0, 54, 108, 180, 181, 182, 187, 206
BANK, BUY, PLAY_KNIGHT, PLAY_ROADS, PLENTY, MONOPOLY, TRADE, NUM_ACTIONS = 210, 235, 236, 237, 238, 263, 268, 286
"""First id of each kind of action. Ids from `TRADE` upward are for offers to other players."""
TRADES = np.array(
    [sum(1 << (k % 64) for k in range(TRADE, NUM_ACTIONS) if k // 64 == word) for word in range(5)], np.uint64
)
"""(5,) mask of all actions related to offers."""
SIMPLE = {
    ROLL: "roll",
    END_TURN: "end_turn",
    BUY: "buy_development_card",
    PLAY_KNIGHT: "play_knight",
    PLAY_ROADS: "play_road_building",
}
KINDS = (
    (SETTLE, BUILD_CITY, "build_settlement"),
    (BUILD_CITY, ROAD, "build_city"),
    (ROAD, ROLL, "build_road"),
    (DISCARD, ROBBER, "discard_card"),
    (MONOPOLY, TRADE, "play_monopoly"),
)
"""For each kind of action with one argument: the first id, the end of the ids, and our name."""


class FastcatanPlaces:
    """A mapping between fastcatan's places and ours.

    Attributes:
        topology: our board.
        intersections: (54,) our intersection for each node.
        nodes: (54,) node for each intersection.
        paths: (72,) our path for each edge.
        edges: (72,) edge for each path.
        port_paths: (9,) our path for each port.
    """

    def __init__(self, topology: Topology):
        self.topology = topology
        x, y = topology.intersection_xy.T
        levels = {height: k // 2 for k, height in enumerate(sorted({round(float(v), 3) for v in y}))}
        lines = [levels[round(float(v), 3)] for v in y]
        self.intersections = np.lexsort((x, lines))
        self.paths = np.lexsort((topology.path_xy[:, 0], topology.path_xy[:, 1].round(3)))
        self.nodes, self.edges = np.argsort(self.intersections), np.argsort(self.paths)
        path_at = {tuple(ends): path for path, ends in enumerate(topology.path_intersections.tolist())}
        ports = [tuple(sorted(self.intersections[list(pair)].tolist())) for pair in PORT_NODES]
        self.port_paths = np.array([path_at[ends] for ends in ports])

    def layout(self, board: np.void) -> Layout:
        """Convert a fastcatan board to one of our boards."""
        resource = board["hex_resource"]
        terrain = [DESERT if kind >= 5 else RESOURCES[kind] for kind in resource.tolist()]
        kinds = [(*RESOURCES, 5)[kind] for kind in board["port_type"].tolist()]
        robber = int(np.argmax(resource >= 5))
        numbers = board["hex_number"].astype(np.int8)
        return Layout(
            self.topology, np.array(terrain, np.int8), numbers, tuple(zip(self.port_paths.tolist(), kinds)), robber
        )


@lru_cache(maxsize=4)
def places_of(topology: Topology) -> FastcatanPlaces:
    """Return the mapping of a board's places."""
    return FastcatanPlaces(topology)


class Memory:
    """Information that a game's state lacks: the last roll, and the cards bought since the start of each player's turn.

    Attributes:
        roll: sum of the last roll, or 0 before the first roll.
        bought: (4, 5) development cards bought, indexed by fastcatan player and fastcatan card.
    """

    def __init__(self) -> None:
        self.roll = 0
        self.bought = np.zeros((PLAYERS, 5), np.int64)

    def see(self, before: np.void, action: int, after: np.void) -> None:
        """Update the memory after an action."""
        if action == ROLL:
            self.roll = int(after["dice_roll"])
        elif action == BUY:
            self.bought[before["current_player"], _drawn(before, after)] += 1
        elif action == END_TURN:
            self.bought[after["current_player"]] = 0


def seat_of(game: np.void, player: int) -> int:
    """Return the seat of a player in our engine, in which the starting player has seat 0."""
    return (int(player) - int(game["start_player"])) % PLAYERS


def player_at(game: np.void, seat: int) -> int:
    """Return the fastcatan player who sits in one of our seats."""
    return (int(game["start_player"]) + seat) % PLAYERS


def winner_of(game: np.void) -> int:
    """Return the seat that has won, or -1 if there is none."""
    if game["phase"] != states.ENDED or game["vp"].max() < RULES["victory_points"]:
        return -1
    return seat_of(game, int(np.argmax(game["vp"] >= RULES["victory_points"])))


# -- positions ---------------------------------------------------------------------------------------------


def position_of(game: np.void, places: FastcatanPlaces, memory: Memory, seat: int | None = None) -> Position:
    """Return the position as known to a seat, or the full position if the seat is None.

    For other seats, only the numbers of cards in hand and of development cards are used.
    """
    players = [player_at(game, k) for k in range(PLAYERS)]
    held = game["dev"].astype(int) + game["dev_bought"]

    def cards(rows: Any, kinds: list[int]) -> list[Any]:
        return [
            rows[p][kinds].tolist() if seat in (None, k) else int(rows[p].astype(int).sum())
            for k, p in enumerate(players)
        ]

    used = DECK - game["dev_deck"] - held.sum(axis=0)  # played cards are public
    nodes, edges = game["node"], game["edge"]
    return Position(
        decisions=_decisions(game, places),
        hands=cards(game["resources"], RESOURCES),
        bank=game["bank"][RESOURCES].tolist(),
        buildings={
            int(places.intersections[n]): (
                seat_of(game, states.owner(nodes[n])),
                "city" if states.level(nodes[n]) == states.CITY else "settlement",
            )
            for n in np.flatnonzero(nodes)
        },
        roads={int(places.paths[e]): seat_of(game, edges[e]) for e in np.flatnonzero(edges != states.NOBODY)},
        robber=int(game["robber_hex"]),
        development_cards=cards(held, CARDS),
        new_development_cards=cards(memory.bought, CARDS),
        cards_used=used[CARDS].tolist(),
        knights_played=game["knights_played"][players].tolist(),
        card_played=bool(game["dev_card_played"]),
        on_turn=-1 if game["phase"] < states.MAIN else seat_of(game, game["current_player"]),
        turn=int(game["turn_count"]) + 1,
        dice=memory.roll,
        to_discard=game["to_discard"][players].tolist(),
        longest_road=_holder(game, "longest_road_owner"),
        largest_army=_holder(game, "largest_army_owner"),
    )


def _holder(game: np.void, name: str) -> int:
    return -1 if game[name] == states.NOBODY else seat_of(game, game[name])


def _decisions(game: np.void, places: FastcatanPlaces) -> list[tuple[Any, ...]]:
    """Return the pending decisions; the last one is current."""
    seat = seat_of(game, game["current_player"])
    if game["phase"] < states.MAIN:
        return initial_decisions(PLAYERS, int((game["node"] > 0).sum()), _initial_road(game, places, seat))
    decisions: list[tuple[Any, ...]] = [("play" if game["dice_roll"] else "pre_roll", seat)]
    flag = game["flag"]
    if flag == states.DISCARD:
        discarding = seat_of(game, game["discarding_player"])
        clockwise = [(seat + k) % PLAYERS for k in range(PLAYERS)]
        later = [k for k in clockwise if game["to_discard"][player_at(game, k)] and k != discarding]
        decisions += [("place_robber", seat), *(("discard", k) for k in reversed(later)), ("discard", discarding)]
    elif flag == states.MOVE_ROBBER:
        decisions.append(("place_robber", seat))
    elif flag == states.STEAL:
        victims = sum(1 << seat_of(game, player) for player in _owners(game, int(game["robber_hex"]), places))
        decisions.append(("choose_victim", seat, victims))
    elif flag == states.PLACE_ROAD:
        decisions.append(("free_road", seat, int(game["free_roads"])))
    return decisions


def _initial_road(game: np.void, places: FastcatanPlaces, seat: int) -> tuple[int, int] | None:
    """Return the seat about to place a road and the intersection of its new settlement, or None."""
    nodes, player = game["node"], int(game["current_player"])
    ends = places.topology.path_intersections[places.paths[game["edge"] == player]]
    joined = set(ends.reshape(-1).tolist())
    own = (nodes > 0) & (states.owner(nodes) == player)
    alone = [place for place in places.intersections[own].tolist() if place not in joined]
    return (seat, alone[0]) if alone else None


# -- actions -----------------------------------------------------------------------------------------------


def sequences(game: np.void, action: int, places: FastcatanPlaces) -> Iterator[list[Move]]:
    """Yield each sequence of our actions that is equivalent to a fastcatan action, or nothing for offers."""
    if action in SIMPLE:
        yield [("act", SIMPLE[action], 0)]
    elif ROBBER <= action < STEAL:
        yield from _robber(game, action - ROBBER, places)
    elif STEAL <= action < BANK:
        yield [_steal(game, action - STEAL)]
    elif BANK <= action < BUY:
        given, received = (RESOURCES[kind] for kind in divmod(action - BANK, 5))
        yield [("act", "trade_with_bank", given * 4 + received - (received > given))]
    elif PLENTY <= action < MONOPOLY:
        taken: list[Move] = [("act", "take_card", RESOURCES[kind]) for kind in divmod(action - PLENTY, 5)]
        yield [("act", "play_year_of_plenty", 0), *taken]
    for first, end, name in KINDS:
        if first <= action < end:
            yield [("act", name, _argument(name, action - first, places))]


def _argument(name: str, index: int, places: FastcatanPlaces) -> int:
    """Return the argument of our equivalent of an action."""
    if name == "build_road":
        return int(places.paths[index])
    return int(places.intersections[index]) if name.startswith("build") else RESOURCES[index]


def moves_of(before: np.void, action: int, after: np.void, places: FastcatanPlaces) -> list[Move]:
    """Return the moves, including chance outcomes, that are equivalent to a completed fastcatan action."""
    moves = next(sequences(before, action, places), [])
    if action == ROLL:
        moves.append(("chance", "dice", int(after["dice_roll"]) - 2))
    elif action == BUY:
        moves.append(("chance", "draw_card", CARDS.index(_drawn(before, after))))
    elif ROBBER <= action < BANK:
        player = before["current_player"]
        gained = after["resources"][player].astype(int) - before["resources"][player]
        if gained.any():
            moves.append(("chance", "theft", RESOURCES[int(np.argmax(gained))]))
    return moves


def _drawn(before: np.void, after: np.void) -> int:
    """Return the fastcatan index of the development card that was drawn."""
    return int(np.argmax(before["dev_deck"] != after["dev_deck"]))


def _robber(game: np.void, hex: int, places: FastcatanPlaces) -> Iterator[list[Move]]:
    """Yield the moves for the robber. Our rules ask for a victim if several other seats have buildings on the hex.

    fastcatan asks, in a separate action, only if several of these seats hold cards. If only one does, it loses a card
    at once.
    """
    move: Move = ("act", "move_robber", hex)
    owners = _owners(game, hex, places)
    rich = [player for player in owners if game["handsize"][player]]
    if len(owners) < 2 or len(rich) > 1:
        yield [move]
        return
    for victim in rich or owners:
        yield [move, _steal(game, victim)]


def _owners(game: np.void, hex: int, places: FastcatanPlaces) -> list[int]:
    """Return the other players with a building on a hex."""
    nodes = game["node"][places.nodes[places.topology.hex_intersections[hex]]]
    return sorted({int(states.owner(node)) for node in nodes if node} - {int(game["current_player"])})


def _steal(game: np.void, victim: int) -> Move:
    return ("act", "steal", (victim - int(game["current_player"]) - 1) % PLAYERS)
