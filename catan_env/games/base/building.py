"""Roads, settlements and cities: what they cost and how they are built."""

from catan_env.engine.bitset import blocks, mark_found
from catan_env.engine.decision_stack import decision_at_hand, head_argument, head_seat, pop, push, set_argument
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    SETTLED,
    Action,
    Decision,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
    when,
)
from catan_env.games.base.network import (
    CITY,
    ROAD,
    SETTLEMENT,
    buildings_of,
    can_build_road_somewhere,
    mark_sites,
    mark_ways,
    place_city,
    place_settlement,
    place_way,
    set_way,
)
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.vocabulary import (
    BUILDING,
    CAN_BUILD_FREE,
    CARDS,
    CITIES_LAID,
    INTERSECTIONS,
    NOBODY_SEAT,
    PATHS,
    WAY_BUILT,
    WAY_KIND,
)

MOST_FREE_ROADS = 15

NUMBERS = (
    Number("roads_per_player", 15, "road pieces of each player", 2, 60),
    Number("settlements_per_player", 5, "settlement pieces of each player", 2, 30),
    Number("cities_per_player", 4, "city pieces of each player", 0, 30),
    Number("road_cost", (1, 1, 0, 0, 0), "price of a road: lumber, brick, wool, grain, ore", 0, 30, over=CARDS),
    Number(
        "settlement_cost", (1, 1, 1, 1, 0), "price of a settlement: lumber, brick, wool, grain, ore", 0, 30, over=CARDS
    ),
    Number("city_cost", (0, 0, 0, 2, 3), "price of a city: lumber, brick, wool, grain, ore", 0, 30, over=CARDS),
)

BUILD_ROAD = Action(
    "build_road",
    "build a road on {}",
    PATHS,
    "an empty path next to one's own road or building, its price and a road piece",
)
BUILD_SETTLEMENT = Action(
    "build_settlement",
    "build a settlement on {}",
    INTERSECTIONS,
    "an intersection at one's own road, at least two paths from every building, its price and a settlement piece",
)
BUILD_CITY = Action(
    "build_city", "build a city on {}", INTERSECTIONS, "an own settlement there, its price and a city piece"
)
ACTIONS = (BUILD_ROAD, BUILD_SETTLEMENT, BUILD_CITY)

FREE_ROAD = Decision("free_road", "build a road free of charge", argument=MOST_FREE_ROADS)
PIECES_CONSERVED = Invariant("pieces_conserved", "pieces on the board and pieces left make up the whole set")


@rule("base.building.1")
@set_up
def deal_pieces(game, table):
    for player in range(PLAYERS):
        game.ways_left[player, ROAD] = table.roads_per_player
        game.settlements_left[player] = table.settlements_per_player
        game.cities_left[player] = table.cities_per_player


# -- for their price ---------------------------------------------------------------------------------------


def mark_cities(game, seat, mask):
    """Marks every own settlement, where there is a city piece."""
    if game.cities_left[seat] > 0:
        for k in range(blocks(INTERSECTIONS)):
            mark_found(buildings_of(game, seat, SETTLEMENT, k), k, BUILD_CITY, mask)


@rule("base.network.2", "base.resources.4", "base.building.2")
@legal(BUILDING)
def what_to_build(game, table, seat, mask):
    if can_pay(game, seat, table.road_cost):
        mark_ways(game, seat, ROAD, BUILD_ROAD, mask)
    if can_pay(game, seat, table.settlement_cost):
        mark_sites(game, seat, BUILD_SETTLEMENT, mask)
    if can_pay(game, seat, table.city_cost):
        mark_cities(game, seat, mask)


@rule("base.resources.4")
@apply(BUILD_ROAD)
def build_road(game, table, seat, path):
    pay(game, seat, table.road_cost)
    place_way(game, table, seat, ROAD, path)


@rule("base.resources.4")
@apply(BUILD_SETTLEMENT)
def build_settlement(game, table, seat, intersection):
    pay(game, seat, table.settlement_cost)
    place_settlement(game, table, seat, intersection)


@rule("base.resources.4")
@apply(BUILD_CITY)
def build_city(game, table, seat, intersection):
    pay(game, seat, table.city_cost)
    place_city(game, table, seat, intersection)


# -- free of charge ----------------------------------------------------------------------------------------


@rule("base.development_cards.9")
def let_build_free_roads(game, player, number):
    """Makes a player build free roads, as many as have a place and a piece."""
    push(game, FREE_ROAD, player, number)


@rule("base.network.10")
@answers(CAN_BUILD_FREE)
def can_build_road(game, table, player, where):
    return can_build_road_somewhere(game, player)


@rule("base.development_cards.9")
@legal(FREE_ROAD)
def free_road_places(game, table, seat, mask):
    mark_ways(game, seat, ROAD, BUILD_ROAD, mask)


@rule("base.development_cards.9", "base.network.10")
@apply(BUILD_ROAD, at=(FREE_ROAD,))
def build_free_road(game, table, seat, path):
    lay_free_way(game, table, seat, ROAD, path)


@rule("base.development_cards.9")
def lay_free_way(game, table, seat, kind, path):
    """What follows from the way is announced last, so that it is decided before the next free way."""
    left = head_argument(game) - 1
    set_way(game, table, seat, kind, path)
    if left == 0 or not CAN_BUILD_FREE(game, table, seat):
        pop(game)
    else:
        set_argument(game, left)
    WAY_BUILT(game, table, seat, path)


@rule("base.network.10")
@when(SETTLED)
def lapse_free_roads(game, table, player, where):
    """Free roads lapse if what followed from the last one has taken their last place."""
    if decision_at_hand(game) == FREE_ROAD and not CAN_BUILD_FREE(game, table, head_seat(game)):
        pop(game)


# -- points ------------------------------------------------------------------------------------------------


@rule("base.building.3")
@answers(PUBLIC_POINTS)
def points_of_buildings(game, table, player, where):
    """One point a settlement, two a city."""
    cities = table.cities_per_player - game.cities_left[player]
    return table.settlements_per_player - game.settlements_left[player] + 2 * cities


@rule("base.building.1")
@checks(PIECES_CONSERVED)
def pieces_conserved(game, table):
    for player in range(PLAYERS):
        roads = int(game.ways_left[player, ROAD])
        settlements = int(game.settlements_left[player]) - CITIES_LAID(game, table, player)
        cities = int(game.cities_left[player]) + CITIES_LAID(game, table, player)
        for path in range(PATHS):
            roads += game.way[path] == player and WAY_KIND(game, table, NOBODY_SEAT, path) == ROAD
        for intersection in range(INTERSECTIONS):
            if game.building_owner[intersection] == player:
                settlements += game.building[intersection] == SETTLEMENT
                cities += game.building[intersection] == CITY
        if (
            roads != table.roads_per_player
            or settlements != table.settlements_per_player
            or cities != table.cities_per_player
        ):
            return False
    return True
