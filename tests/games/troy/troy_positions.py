"""Hand-made positions of Troy. Seats 0 and 2 support Troy, 1 and 3 Mycenae, unless a test says otherwise.

The corner SE of the mountains (1, 1) on the western shore touches the sea hexes (2, 1) and (1, 2).
"""

import numpy as np

from catan_env.board.terrain import RESOURCES
from catan_env.testing.positions import Game, PositionBuilder, position

SIDES = (0, 1, 0, 1)
WEST, EAST = ("SE", 1, 1), ("SW", 5, 2)
SHIP = {"lumber": 1, "wool": 1}


def troy(decision="play", seat=0, sides=SIDES, pool=None, wins=(0, 0), ships=None, commerce=(0, 0, 0, 0), **rules):
    """A table: `pool` by card, `ships` by seat as lists of hexes (q, r)."""
    place = position("troy", rules=rules).field("side", sides).field("battles_won", wins).field("commerce", commerce)
    cards = np.array([(pool or {}).get(kind, 0) for kind in RESOURCES])
    place.field("pool", cards).field("bank", 19 - cards)
    lay_ships(place, ships or {})
    return place.on_turn(seat, decision)


def lay_ships(place: PositionBuilder, ships):
    """Ships of each seat."""
    topology = place._topology
    owner, left = np.full(topology.num_hexes, -1), np.full(4, 7)
    for seat, hexes in ships.items():
        for q, r in hexes:
            owner[topology.hex_at(q, r)] = seat
            left[seat] -= 1
    place.field("ship_owner", owner).field("ships_left", left)


def pool(game: Game):
    """Cards of the pool, by name."""
    return {kind: int(n) for kind, n in zip(RESOURCES, game.state["pool"], strict=True) if n}


def give(game: Game, *cards):
    """A donation of the seat to act; it ends by itself with the third card or the last one in hand."""
    for card in cards:
        game.do("donate", card)
    if game.decision == "donate_more":
        game.do("end_donation")
    return game


def battle(game: Game, **cards):
    """Chance uncovers these cards."""
    for kind, number in cards.items():
        for _ in range(number):
            game.draw("uncover", kind)
    return game
