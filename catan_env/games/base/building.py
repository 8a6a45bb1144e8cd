"""Roads, settlements and cities: what they cost and where they may be built."""

from catan_env.engine.bitset import mark
from catan_env.engine.decision_stack import current_decision, head_argument, head_seat, pop, push, set_argument
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    PLAYERS,
    PUBLIC_POINTS,
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
    mark_edge_pieces,
    mark_sites,
    place_city,
    place_edge_piece,
    place_settlement,
    set_edge_piece,
)
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.vocabulary import (
    BUILDING,
    CAN_BUILD_FREE,
    CITIES_BUILT_OVER,
    CITIES_LAID,
    EDGE_PIECE_BUILT,
    EDGE_PIECE_KIND,
    HAND_CARDS,
    INTERSECTIONS,
    NOBODY,
    PATHS,
    SETTLEMENTS_ASIDE,
)

MOST_FREE_ROADS = 15

NUMBERS = (
    Number("roads_per_player", 15, "road pieces of each player", 2, 60),
    Number("settlements_per_player", 5, "settlement pieces of each player", 2, 30),
    Number("cities_per_player", 4, "city pieces of each player", 0, 30),
    Number("road_cost", (1, 1, 0, 0, 0), "price of a road: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS),
    Number(
        "settlement_cost",
        (1, 1, 1, 1, 0),
        "price of a settlement: lumber, brick, wool, grain, ore",
        0,
        30,
        over=HAND_CARDS,
    ),
    Number("city_cost", (0, 0, 0, 2, 3), "price of a city: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS),
)

BUILD_ROAD = Action(
    "build_road",
    "build a road on {}",
    PATHS,
    "an empty path next to the seat's roads or buildings, the price and a road piece",
)
BUILD_SETTLEMENT = Action(
    "build_settlement",
    "build a settlement on {}",
    INTERSECTIONS,
    "an intersection at the seat's road, at least two paths from every building, the price and a settlement piece",
)
BUILD_CITY = Action(
    "build_city", "build a city on {}", INTERSECTIONS, "the seat's settlement there, the price and a city piece"
)
FORGO_ROADS = Action("forgo_free_roads", "build no more free roads", needs="a free road or ship left to build")
ACTIONS = (BUILD_ROAD, BUILD_SETTLEMENT, BUILD_CITY, FORGO_ROADS)

FREE_ROAD = Decision("free_road", "build a free road", argument=MOST_FREE_ROADS)
PIECES_CONSERVED = Invariant("pieces_conserved", "pieces on the board and remaining pieces add up to the full set")


@rule("base.building.1")
@set_up
def deal_pieces(game, params):
    for player in range(PLAYERS):
        game.edge_pieces_left[player, ROAD] = params.roads_per_player
        game.settlements_left[player] = params.settlements_per_player
        game.cities_left[player] = params.cities_per_player


# -- paid building -----------------------------------------------------------------------------------------


def mark_cities(game, seat, mask):
    """Mark all settlements of a seat if it has a city piece left."""
    if game.cities_left[seat] > 0:
        mark(buildings_of(game, seat, SETTLEMENT), BUILD_CITY, mask)


@rule("base.network.2", "base.resources.4", "base.building.2")
@legal(BUILDING)
def what_to_build(game, params, seat, mask):
    if can_pay(game, seat, params.road_cost):
        mark_edge_pieces(game, seat, ROAD, BUILD_ROAD, mask)
    if can_pay(game, seat, params.settlement_cost):
        mark_sites(game, seat, BUILD_SETTLEMENT, mask)
    if can_pay(game, seat, params.city_cost):
        mark_cities(game, seat, mask)


@rule("base.resources.4")
@apply(BUILD_ROAD)
def build_road(game, params, seat, path):
    pay(game, seat, params.road_cost)
    place_edge_piece(game, params, seat, ROAD, path)


@rule("base.resources.4")
@apply(BUILD_SETTLEMENT)
def build_settlement(game, params, seat, intersection):
    pay(game, seat, params.settlement_cost)
    place_settlement(game, params, seat, intersection)


@rule("base.resources.4")
@apply(BUILD_CITY)
def build_city(game, params, seat, intersection):
    pay(game, seat, params.city_cost)
    place_city(game, params, seat, intersection)


# -- free pieces -------------------------------------------------------------------------------------------


@rule("base.development_cards.9")
def let_build_free_roads(game, player, number):
    """Let a player build up to `number` free roads, as long as pieces and sites remain."""
    push(game, FREE_ROAD, player, number)


@rule("base.network.10")
@answers(CAN_BUILD_FREE)
def can_build_road(game, params, player, where):
    return can_build_road_somewhere(game, player)


@rule("base.development_cards.9", "base.development_cards.16")
@legal(FREE_ROAD)
def free_road_places(game, params, seat, mask):
    mark_edge_pieces(game, seat, ROAD, BUILD_ROAD, mask)
    mask[FORGO_ROADS] = True


@rule("base.development_cards.9", "base.network.10")
@apply(BUILD_ROAD, at=(FREE_ROAD,))
def build_free_road(game, params, seat, path):
    lay_free_edge_piece(game, params, seat, ROAD, path)


@rule("base.development_cards.9")
def lay_free_edge_piece(game, params, seat, kind, path):
    """Place a free edge piece.

    The event comes last, so any decisions it triggers are made before the next free piece is placed.
    """
    free_pieces_left = head_argument(game) - 1
    set_edge_piece(game, params, seat, kind, path)
    if free_pieces_left == 0 or not CAN_BUILD_FREE(game, params, seat):
        pop(game)
    else:
        set_argument(game, free_pieces_left)
    EDGE_PIECE_BUILT(game, params, seat, path)


@rule("base.development_cards.16")
@apply(FORGO_ROADS)
def forgo_free_roads(game, params, seat, argument):
    pop(game)


@rule("base.network.10")
@when(ACTION_RESOLVED)
def lapse_free_roads(game, params, player, where):
    """Any remaining free roads lapse if reactions to the last one used up the available sites."""
    if current_decision(game) == FREE_ROAD and not CAN_BUILD_FREE(game, params, head_seat(game)):
        pop(game)


# -- points ------------------------------------------------------------------------------------------------


@rule("base.building.1")
def settlements_of(game, params, player):
    """Return the number of settlement pieces that a player has on the board."""
    return params.settlements_per_player - game.settlements_left[player] - SETTLEMENTS_ASIDE(game, params, player)


@rule("base.building.3")
@answers(PUBLIC_POINTS)
def points_of_buildings(game, params, player, where):
    """A settlement is worth one point and a city two."""
    city_count = params.cities_per_player - game.cities_left[player]
    return settlements_of(game, params, player) + 2 * city_count


@rule("base.building.1")
@checks(PIECES_CONSERVED)
def pieces_conserved(game, params):
    for player in range(PLAYERS):
        road_count = int(game.edge_pieces_left[player, ROAD])
        settlement_count = int(game.settlements_left[player]) - CITIES_LAID(game, params, player)
        settlement_count += SETTLEMENTS_ASIDE(game, params, player)
        city_count = int(game.cities_left[player]) + CITIES_LAID(game, params, player)
        city_count -= CITIES_BUILT_OVER(game, params, player)
        for path in range(PATHS):
            road_count += game.edge_owner[path] == player and EDGE_PIECE_KIND(game, params, NOBODY, path) == ROAD
        for intersection in range(INTERSECTIONS):
            if game.building_owner[intersection] == player:
                settlement_count += game.building[intersection] == SETTLEMENT
                city_count += game.building[intersection] == CITY
        if (
            road_count != params.roads_per_player
            or settlement_count != params.settlements_per_player
            or city_count != params.cities_per_player
        ):
            return False
    return True
