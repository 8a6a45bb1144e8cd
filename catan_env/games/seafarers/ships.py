"""Ships: ways on the sea, beside roads on land, joined with them at own settlements and cities only.

That opponents' buildings end a line of ships and that the longest trade route runs over both kinds of ways follows
from `base.network` and `base.longest_road`.
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
from catan_env.games.base.building import FREE_ROAD, lay_free_way
from catan_env.games.base.initial_placement import FOUND_ROAD
from catan_env.games.base.network import can_lay_somewhere, mark_ways, place_way
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.seafarers.waters import lies_along_sea
from catan_env.games.vocabulary import (
    BUILDING,
    CAN_BUILD_FREE,
    CARDS,
    CORNERS,
    DEGREE,
    MAY_LAY,
    MAY_STEAL_FROM,
    NOBODY_SEAT,
    NOTHING,
    PATHS,
    TURN_STARTED,
    WAY_KIND,
    WAY_REMOVED,
    WAYS,
)

SHIP = Kind("ship", WAYS)
KINDS = (SHIP,)
NO_SHIP, AT_SEA, LAUNCHED = 0, 1, 2

FIELDS = (
    Field(
        "ships",
        (PATHS,),
        "i1",
        NO_SHIP,
        LAUNCHED,
        "0 no ship, 1 a ship, 2 one built in the running turn",
        show=OneHot(("ship", "new_ship"), 1),
    ),
)
NUMBERS = (
    Number("ships_per_player", 15, "ship pieces of each player", 2, 60),
    Number("ship_cost", (1, 0, 1, 0, 0), "price of a ship: lumber, brick, wool, grain, ore", 0, 30, over=CARDS),
)

BUILD_SHIP = Action(
    "build_ship",
    "set a ship on {}",
    PATHS,
    "an empty path of a sea hex without the pirate, next to one's own ship or building, its price and a ship piece",
)
ACTIONS = (BUILD_SHIP,)
SHIPS_CONSERVED = Invariant("ships_conserved", "ships at sea and ships left make up the whole set")


@rule("seafarers.ships.2")
@set_up
def deal_ships(game, table):
    for player in range(PLAYERS):
        game.ways_left[player, SHIP] = table.ships_per_player


@rule("seafarers.ships.4")
@answers(WAY_KIND)
def kind_of_ships(game, table, player, path):
    return SHIP if game.ships[path] != NO_SHIP else 0


@rule("seafarers.ships.3", "seafarers.fog.5")
@answers(MAY_LAY)
def ships_on_the_sea(game, table, kind, path):
    return kind != SHIP or lies_along_sea(game, table, path)


@rule("seafarers.ships.1")
@legal(BUILDING)
def ships_to_build(game, table, seat, mask):
    if can_pay(game, seat, table.ship_cost):
        mark_ways(game, seat, SHIP, BUILD_SHIP, mask)


@rule("seafarers.ships.1")
@apply(BUILD_SHIP)
def build_ship(game, table, seat, path):
    pay(game, seat, table.ship_cost)
    launch(game, table, seat, path)


def launch(game, table, color, path):
    """Puts a ship of a color on a path."""
    game.ships[path] = LAUNCHED
    place_way(game, table, color, SHIP, path)


@rule("seafarers.moving_ships.1")
@when(WAY_REMOVED)
def ship_is_gone(game, table, player, path):
    game.ships[path] = NO_SHIP


@rule("seafarers.ships.8")
@when(TURN_STARTED)
def ships_are_no_longer_new(game, table, player, where):
    replace(game.ships, LAUNCHED, AT_SEA)


@rule("seafarers.ships.9", "seafarers.ships.10")
def ships_at(game, table, thief, hex):
    """Bits of the other players with a ship at a hex, even if their hands are empty."""
    victims = 0
    for side in range(CORNERS):
        path = table.hex_paths[hex, side]
        if path != NOTHING and game.ships[path] != NO_SHIP:
            owner = game.way[path]
            if owner != NOBODY_SEAT and MAY_STEAL_FROM(game, table, thief, owner):
                victims |= 1 << owner
    return victims


# -- free of charge ----------------------------------------------------------------------------------------


@rule("seafarers.ships.7")
@answers(CAN_BUILD_FREE)
def can_set_a_ship(game, table, player, where):
    return can_lay_somewhere(game, player, SHIP)


@rule("seafarers.ships.7")
@legal(FREE_ROAD)
def free_ship_places(game, table, seat, mask):
    mark_ways(game, seat, SHIP, BUILD_SHIP, mask)


@rule("seafarers.ships.7")
@apply(BUILD_SHIP, at=(FREE_ROAD,))
def build_free_ship(game, table, seat, path):
    game.ships[path] = LAUNCHED
    lay_free_way(game, table, seat, SHIP, path)


@rule("seafarers.ships.6")
@legal(FOUND_ROAD)
def ships_of_founded_settlement(game, table, seat, mask):
    """A settlement founded on the coast may get a ship instead of a road."""
    if game.ways_left[seat, SHIP] > 0:
        for k in range(DEGREE):
            path = table.intersection_paths[head_argument(game), k]
            if path != NOTHING and game.way[path] == NOBODY_SEAT and MAY_LAY(game, table, SHIP, path):
                mask[BUILD_SHIP + path] = True


@rule("seafarers.ships.6")
@apply(BUILD_SHIP, at=(FOUND_ROAD,))
def found_ship(game, table, seat, path):
    pop(game)
    launch(game, table, seat, path)


# -- invariants --------------------------------------------------------------------------------------------


@rule("seafarers.ships.2")
@checks(SHIPS_CONSERVED)
def ships_conserved(game, table):
    for player in range(PLAYERS):
        ships = int(game.ways_left[player, SHIP])
        for path in range(PATHS):
            ships += game.way[path] == player and game.ships[path] != NO_SHIP
        if ships != table.ships_per_player:
            return False
    for path in range(PATHS):
        if game.ships[path] != NO_SHIP and game.way[path] == NOBODY_SEAT:
            return False
    return True
