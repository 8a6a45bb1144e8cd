"""fastcatan states as NumPy records.

A snapshot from release 1.0 is a C struct for the game followed by one for the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

PLAYERS = 4
NOBODY = 255
INITIAL_1, INITIAL_2, MAIN, ENDED = range(4)
NO_FLAG, DISCARD, MOVE_ROBBER, STEAL, YEAR_OF_PLENTY, MONOPOLY, PLACE_ROAD, TRADE = range(8)
SETTLEMENT, CITY = 1, 2
NO_PORT = 6
"""The kind of a port without a trade rate."""

GAME = np.dtype(
    [
        ("node", "u1", 54),
        ("edge", "u1", 72),
        ("robber_hex", "u1"),
        ("dice_roll", "u1"),
        ("turn_count", "u2"),
        ("trade_compose_count", "u1"),
        ("phase", "u1"),
        ("flag", "u1"),
        ("start_player", "u1"),
        ("resources", "u1", (PLAYERS, 5)),
        ("dev", "u1", (PLAYERS, 5)),
        ("dev_bought", "u1", (PLAYERS, 5)),
        ("vp", "u1", PLAYERS),
        ("ports", "u1", PLAYERS),
        ("knights_played", "u1", PLAYERS),
        ("road_length", "u1", PLAYERS),
        ("settlements_left", "u1", PLAYERS),
        ("cities_left", "u1", PLAYERS),
        ("roads_left", "u1", PLAYERS),
        ("longest_road_owner", "u1"),
        ("largest_army_owner", "u1"),
        ("dev_card_played", "u1"),
        ("current_player", "u1"),
        ("discarding_player", "u1"),
        ("free_roads", "u1"),
        ("handsize", "u1", PLAYERS),
        ("total_dev", "u1", PLAYERS),
        ("public_vp", "u1", PLAYERS),
        ("to_discard", "u1", PLAYERS),
        ("bank", "u1", 5),
        ("dev_deck", "u1", 5),
        ("trade_give", "u1", 5),
        ("trade_want", "u1", 5),
        ("trade_response", "u1"),
        ("trade_proposer", "u1"),
        ("rng", "u4", 4),
        ("action_mask", "u8", 5),
        ("road_nodes", "u8", PLAYERS),
        ("rest", "u1", 24),
    ],
    align=True,
)
BOARD = np.dtype([("hex_resource", "u1", 19), ("hex_number", "u1", 19), ("port_type", "u1", 9)])


def read(env: Any) -> tuple[np.void, np.void]:
    """Return copies of the game and board of a fastcatan environment."""
    data = env.snapshot()
    return np.frombuffer(data, GAME, 1)[0], np.frombuffer(data, BOARD, 1, GAME.itemsize)[0]


def write(env: Any, game: np.void, board: np.void) -> None:
    """Set the game and board of a fastcatan environment, and make it recompute the legal actions."""
    env.load_snapshot(game.tobytes() + board.tobytes())
    env.recompute_mask()


def blank() -> tuple[np.void, np.void]:
    """Return a game and board that are filled with zeros and have no owners."""
    game, board = np.zeros(1, GAME)[0], np.zeros(1, BOARD)[0]
    game["edge"] = NOBODY
    for name in ("longest_road_owner", "largest_army_owner", "trade_proposer"):
        game[name] = NOBODY
    return game, board


def level(node: Any) -> Any:
    """Return the building on a node, `SETTLEMENT` or `CITY`, or 0 if it is empty."""
    return node & 3


def owner(node: Any) -> Any:
    """Return the player who owns the building on a node."""
    return (node >> 2) & 3


def actor(game: np.void) -> int:
    """Return the player who has to decide."""
    return int(game["discarding_player" if game["flag"] == DISCARD else "current_player"])


def legal_ids(game: np.void) -> list[int]:
    """Return the legal actions in ascending order."""
    bits = np.unpackbits(game["action_mask"].astype("<u8").view("u1"), bitorder="little")
    return np.flatnonzero(bits).tolist()
