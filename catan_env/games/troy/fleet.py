"""Ships: placed on sea hexes, they bring points, better trade rates and access to the pool.

Each sea hex can hold one ship, which must be next to a building or another ship of its owner. Ships never move and are
not part of any route. The module `pool_trade` implements the effects of the second and sixth ships.
"""

from catan_env.board.terrain import RESOURCES, SEA
from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Event,
    Field,
    Invariant,
    Number,
    OneHot,
    SeatFlag,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
)
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.vocabulary import (
    BUILDING,
    CORNERS,
    HAND_CARDS,
    HEXES,
    NOBODY,
    NOTHING,
    NUM_RESOURCES,
    RATE,
)

MOST_SHIPS = 7
NO_RESOURCE = -1
SHIP_OF_RATE, SHIP_OF_CHOSEN_RATE = 1, 4
NO_RATE = 127

FIELDS = (
    Field(
        "ship_owner",
        (HEXES,),
        "i1",
        NOBODY,
        7,
        "seat with a ship in each sea hex",
        NOBODY,
        show=SeatFlag(),
    ),
    Field("ships_left", (PLAYERS,), "i1", 0, MOST_SHIPS, "ships left", show=Count()),
    Field(
        "trade_goods",
        (PLAYERS,),
        "i1",
        NO_RESOURCE,
        NUM_RESOURCES - 1,
        "resource that each player trades at the rate of the fourth ship, -1 for none",
        NO_RESOURCE,
        show=OneHot(RESOURCES),
    ),
)
NUMBERS = (
    Number("ships_per_player", MOST_SHIPS, "ship pieces of each player", 0, MOST_SHIPS),
    Number("ship_cost", (1, 0, 1, 0, 0), "price of a ship: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS),
    Number("ship_commerce", 2, "commerce points that a ship costs", 0, 100),
    Number("ship_points", (0, 0, 2, 0, 2, 0, 2), "victory points of each further ship", 0, 10),
    Number("ship_rate", 3, "equal cards for one card with the first ship", 1, 30),
    Number("trade_goods_rate", 2, "cards of the chosen resource for one card with the fourth ship", 1, 30),
    Number("players_per_trade_goods", 2, "maximum number of players with the same resource for the fourth ship", 1, 8),
)

BUILD_SHIP = Action(
    "build_ship",
    "build a ship in {}",
    HEXES,
    "a sea hex without a ship, next to the seat's buildings or ships, the price in cards and commerce points, and a "
    "ship piece",
)
CHOOSE_TRADE_GOODS = Action(
    "choose_trade_goods",
    "choose {} for better trades",
    RESOURCES,
    "a fourth ship, and a resource chosen by fewer players than allowed",
)
ACTIONS = (BUILD_SHIP, CHOOSE_TRADE_GOODS)

CHOOSE_GOODS = Decision("choose_goods", "choose the resource of the fourth ship")
SHIP_BUILT = Event("ship_built", "`player` has built a ship in hex `where`")
SHIPS_CONSERVED = Invariant("ships_conserved", "ships at sea and remaining ships add up to the full set")


@rule("troy.fleet.1")
@set_up
def deal_ships(game, params):
    for player in range(params.num_players):
        game.ships_left[player] = params.ships_per_player


def ships_of(game, params, player):
    """Return how many ships a player has built."""
    return params.ships_per_player - int(game.ships_left[player])


# -- building ----------------------------------------------------------------------------------------------


def reaches(game, params, player, hex):
    """Return whether a player has a building at a hex or a ship on a neighboring hex."""
    for k in range(CORNERS):
        intersection = params.hex_intersections[hex, k]
        if intersection != NOTHING and game.building_owner[intersection] == player:
            return True
        neighbor = params.hex_neighbors[hex, k]
        if neighbor != NOTHING and game.ship_owner[neighbor] == player:
            return True
    return False


@rule("troy.fleet.2", "troy.fleet.3", "troy.fleet.4")
@legal(BUILDING)
def where_to_build_ships(game, params, seat, mask):
    has_commerce = game.commerce[seat] >= params.ship_commerce
    if game.ships_left[seat] > 0 and has_commerce and can_pay(game, seat, params.ship_cost):
        for hex in range(HEXES):
            if game.terrain[hex] == SEA and game.ship_owner[hex] == NOBODY:
                mask[BUILD_SHIP + hex] = reaches(game, params, seat, hex)


@rule("troy.fleet.2", "troy.fleet.5")
@apply(BUILD_SHIP)
def build_ship(game, params, seat, hex):
    pay(game, seat, params.ship_cost)
    game.commerce[seat] -= params.ship_commerce
    game.ship_owner[hex] = seat
    game.ships_left[seat] -= 1
    if ships_of(game, params, seat) == SHIP_OF_CHOSEN_RATE:
        push(game, CHOOSE_GOODS, seat)
    SHIP_BUILT(game, params, seat, hex)


# -- effects -----------------------------------------------------------------------------------------------


@rule("troy.fleet.8")
@legal(CHOOSE_GOODS)
def goods_to_choose(game, params, seat, mask):
    for resource in range(NUM_RESOURCES):
        chooser_count = 0
        for player in range(PLAYERS):
            chooser_count += game.trade_goods[player] == resource
        mask[CHOOSE_TRADE_GOODS + resource] = chooser_count < params.players_per_trade_goods


@rule("troy.fleet.8")
@apply(CHOOSE_TRADE_GOODS)
def choose_trade_goods(game, params, seat, resource):
    """The choice is final."""
    pop(game)
    game.trade_goods[seat] = resource


@rule("troy.fleet.6", "troy.fleet.8")
@answers(RATE)
def rate_of_ships(game, params, player, card):
    """The first ship improves all bank trades; the fourth further improves trades of the chosen resource."""
    if game.trade_goods[player] == card:
        return min(params.trade_goods_rate, params.ship_rate)
    return params.ship_rate if ships_of(game, params, player) >= SHIP_OF_RATE else NO_RATE


@rule("troy.fleet.7")
@answers(PUBLIC_POINTS)
def points_of_ships(game, params, player, where):
    points = 0
    for ship in range(ships_of(game, params, player)):
        points += params.ship_points[ship]
    return points


@rule("troy.fleet.1")
@checks(SHIPS_CONSERVED)
def ships_conserved(game, params):
    for player in range(params.num_players):
        ship_count = int(game.ships_left[player])
        for hex in range(HEXES):
            if game.ship_owner[hex] == player:
                ship_count += 1
                if game.terrain[hex] != SEA:
                    return False
        if ship_count != params.ships_per_player:
            return False
    return True
