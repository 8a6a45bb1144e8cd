"""Ships: routes at sea that connect to roads only at their owner's settlements and cities.

`base.network` ends shipping lines at opponents' buildings, and `base.longest_road` combines roads and ships into one
trade route.
"""

from catan_env.engine.bitset import replace
from catan_env.engine.decision_stack import head_argument, pop
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Field,
    Invariant,
    Kind,
    Number,
    OneHot,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
    when,
)
from catan_env.engine.small_sets import EMPTY, only
from catan_env.games.base.building import FREE_ROAD, lay_free_edge_piece
from catan_env.games.base.initial_placement import PLACE_INITIAL_ROAD
from catan_env.games.base.network import can_lay_somewhere, mark_edge_pieces, place_edge_piece
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.seafarers.waters import lies_along_sea
from catan_env.games.vocabulary import (
    BUILDING,
    CAN_BUILD_FREE,
    CORNERS,
    DEGREE,
    EDGE_PIECE_KIND,
    EDGE_PIECE_REMOVED,
    EDGE_PIECES,
    HAND_CARDS,
    MAY_LAY,
    MAY_STEAL_FROM,
    NOBODY,
    NOTHING,
    PATHS,
    TURN_STARTED,
)

SHIP = Kind("ship", EDGE_PIECES)
KINDS = (SHIP,)
NO_SHIP, AT_SEA, LAUNCHED = 0, 1, 2

FIELDS = (
    Field(
        "ships",
        (PATHS,),
        "i1",
        NO_SHIP,
        LAUNCHED,
        "0 no ship, 1 a ship, 2 a ship built this turn",
        show=OneHot(("ship", "new_ship"), 1),
    ),
)
NUMBERS = (
    Number("ships_per_player", 15, "ship pieces of each player", 2, 60),
    Number("ship_cost", (1, 0, 1, 0, 0), "price of a ship: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS),
)

BUILD_SHIP = Action(
    "build_ship",
    "set a ship on {}",
    PATHS,
    "an empty path at a sea hex without the pirate, next to the seat's ships or buildings, the price and a ship piece",
)
ACTIONS = (BUILD_SHIP,)
SHIPS_CONSERVED = Invariant("ships_conserved", "ships at sea and remaining ships add up to the full set")


@rule("seafarers.ships.2")
@set_up
def deal_ships(game, params):
    for player in range(PLAYERS):
        game.edge_pieces_left[player, SHIP] = params.ships_per_player


@rule("seafarers.ships.4")
@answers(EDGE_PIECE_KIND)
def kind_of_ships(game, params, player, path):
    return SHIP if game.ships[path] != NO_SHIP else 0


@rule("seafarers.ships.3", "seafarers.fog.5")
@answers(MAY_LAY)
def ships_on_the_sea(game, params, kind, path):
    return kind != SHIP or lies_along_sea(game, params, path)


@rule("seafarers.ships.1")
@legal(BUILDING)
def ships_to_build(game, params, seat, mask):
    if can_pay(game, seat, params.ship_cost):
        mark_edge_pieces(game, seat, SHIP, BUILD_SHIP, mask)


@rule("seafarers.ships.1")
@apply(BUILD_SHIP)
def build_ship(game, params, seat, path):
    pay(game, seat, params.ship_cost)
    launch(game, params, seat, path)


def launch(game, params, color, path):
    """Place a new ship of a given color on a path."""
    game.ships[path] = LAUNCHED
    place_edge_piece(game, params, color, SHIP, path)


@rule("seafarers.moving_ships.1")
@when(EDGE_PIECE_REMOVED)
def ship_is_gone(game, params, player, path):
    game.ships[path] = NO_SHIP


@rule("seafarers.ships.8")
@when(TURN_STARTED)
def ships_are_no_longer_new(game, params, player, where):
    replace(game.ships, LAUNCHED, AT_SEA)


@rule("seafarers.ships.9", "seafarers.ships.10")
def ships_at(game, params, thief, hex):
    """Return the players with ships at a hex from whom the thief may steal, including those with empty hands."""
    victims = EMPTY
    for side in range(CORNERS):
        path = params.hex_paths[hex, side]
        if path != NOTHING and game.ships[path] != NO_SHIP:
            owner = game.edge_owner[path]
            if owner != NOBODY and MAY_STEAL_FROM(game, params, thief, owner):
                victims |= only(owner)
    return victims


# -- free pieces -------------------------------------------------------------------------------------------


@rule("seafarers.ships.7")
@answers(CAN_BUILD_FREE)
def can_set_a_ship(game, params, player, where):
    return can_lay_somewhere(game, player, SHIP)


@rule("seafarers.ships.7")
@legal(FREE_ROAD)
def free_ship_places(game, params, seat, mask):
    mark_edge_pieces(game, seat, SHIP, BUILD_SHIP, mask)


@rule("seafarers.ships.7")
@apply(BUILD_SHIP, at=(FREE_ROAD,))
def build_free_ship(game, params, seat, path):
    game.ships[path] = LAUNCHED
    lay_free_edge_piece(game, params, seat, SHIP, path)


@rule("seafarers.ships.6")
@legal(PLACE_INITIAL_ROAD)
def ships_of_initial_settlement(game, params, seat, mask):
    """A starting settlement on the coast may get a ship instead of a road."""
    if game.edge_pieces_left[seat, SHIP] > 0:
        for k in range(DEGREE):
            path = params.intersection_paths[head_argument(game), k]
            if path != NOTHING and game.edge_owner[path] == NOBODY and MAY_LAY(game, params, SHIP, path):
                mask[BUILD_SHIP + path] = True


@rule("seafarers.ships.6")
@apply(BUILD_SHIP, at=(PLACE_INITIAL_ROAD,))
def place_initial_ship(game, params, seat, path):
    pop(game)
    launch(game, params, seat, path)


# -- invariants --------------------------------------------------------------------------------------------


@rule("seafarers.ships.2")
@checks(SHIPS_CONSERVED)
def ships_conserved(game, params):
    for player in range(PLAYERS):
        ship_count = int(game.edge_pieces_left[player, SHIP])
        for path in range(PATHS):
            ship_count += game.edge_owner[path] == player and game.ships[path] != NO_SHIP
        if ship_count != params.ships_per_player:
            return False
    for path in range(PATHS):
        if game.ships[path] != NO_SHIP and game.edge_owner[path] == NOBODY:
            return False
    return True
