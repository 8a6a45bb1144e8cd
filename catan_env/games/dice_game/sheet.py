"""The sheet: roads, sites for settlements and cities, and knights, each with its price.

The scenario's sheet provides the arrays. `road_ends` (ROADS, 2) holds the two places that each road connects; the first
road is built at the start. `settlement_place` and `city_place` hold the places of the sites, and the `*_points` arrays
hold the value of each symbol.
"""

from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Event,
    Field,
    Invariant,
    Number,
    Size,
    apply,
    checks,
    legal,
    rule,
    set_up,
)
from catan_env.games.dice_game.rolling import FACES, SPEND

ROADS = Size("sheet_roads")
SETTLEMENTS = Size("sheet_settlements")
CITIES = Size("sheet_cities")
KNIGHTS = Size("sheet_knights")
START_ROAD = 0
ASCENDING = 0

FIELDS = (
    Field("roads_built", (PLAYERS, ROADS), "u1", 0, 1, "roads built on each sheet", show=Count()),
    Field("settlements_built", (PLAYERS, SETTLEMENTS), "u1", 0, 1, "settlements built on each sheet", show=Count()),
    Field("cities_built", (PLAYERS, CITIES), "u1", 0, 1, "cities built on each sheet", show=Count()),
    Field("knights_built", (PLAYERS, KNIGHTS), "u1", 0, 1, "knights built on each sheet", show=Count()),
)
NUMBERS = (
    Number("road_cost", (1, 1), "price of a road: lumber, brick, wool, grain, ore, gold", 0, 6, over=FACES),
    Number(
        "settlement_cost",
        (1, 1, 1, 1),
        "price of a settlement: lumber, brick, wool, grain, ore, gold",
        0,
        6,
        over=FACES,
    ),
    Number("city_cost", (0, 0, 0, 2, 3), "price of a city: lumber, brick, wool, grain, ore, gold", 0, 6, over=FACES),
    Number(
        "knight_cost", (0, 0, 1, 1, 1), "price of a knight: lumber, brick, wool, grain, ore, gold", 0, 6, over=FACES
    ),
    Number(
        "building_order",
        "ascending",
        "settlements, cities and knights are built in the order of the sheet, or in any order",
        choices=("ascending", "any"),
    ),
)

BUILD_ROAD = Action("build_road", "build {}", ROADS, "the price, and a built road at one of its ends")
BUILD_SETTLEMENT = Action(
    "build_settlement",
    "build {}",
    SETTLEMENTS,
    "the price, a built road at its site, and all earlier settlements if built in order",
)
BUILD_CITY = Action(
    "build_city", "build {}", CITIES, "the price, a built road at its site, and all earlier cities if built in order"
)
BUILD_KNIGHT = Action("build_knight", "build {}", KNIGHTS, "the price, and all earlier knights if built in order")
ACTIONS = (BUILD_ROAD, BUILD_SETTLEMENT, BUILD_CITY, BUILD_KNIGHT)

ROAD_MARKED = Event("road_marked", "`player` has built road `where` of the own sheet")
KNIGHT_MARKED = Event("knight_marked", "`player` has built knight `where` of the own sheet")
MARKED = Event("marked", "`player` has built a symbol worth `where` points")
SHEETS_POSSIBLE = Invariant(
    "sheets_possible", "roads connect to the start road, and buildings stand next to roads, in order"
)


@rule("dice_game.sheet.1", "dice_game.sheet.2", "dice_game.sheet.6")
@set_up
def build_start_roads(game, params):
    for player in range(params.num_players):
        game.roads_built[player, START_ROAD] = 1


def shows_price(game, price):
    """Return whether the dice show the resources for a price."""
    for face in range(FACES):
        if game.dice_lying[face] < price[face]:
            return False
    return True


def spend(game, price):
    """Set aside the dice for a price."""
    for face in range(FACES):
        game.dice_lying[face] -= price[face]


@rule("dice_game.sheet.6", "dice_game.sheet.8")
def is_reached(game, params, player, place):
    """Return whether any road built on a player's sheet ends at a place."""
    for road in range(ROADS):
        if game.roads_built[player, road] and (
            params.road_ends[road, 0] == place or params.road_ends[road, 1] == place
        ):
            return True
    return False


@rule("dice_game.sheet.9", "dice_game.sheet.12")
def is_due(params, built, k):
    """Return whether the k-th symbol of a kind can be built next: it has not been built and is next in order."""
    return built[k] == 0 and (k == 0 or built[k - 1] != 0 or params.building_order != ASCENDING)


@rule(
    "dice_game.sheet.3",
    "dice_game.sheet.4",
    "dice_game.sheet.5",
    "dice_game.sheet.6",
    "dice_game.sheet.7",
    "dice_game.sheet.8",
    "dice_game.sheet.9",
    "dice_game.sheet.10",
)
@legal(SPEND)
def what_to_build(game, params, seat, mask):
    if shows_price(game, params.road_cost):
        for road in range(ROADS):
            if game.roads_built[seat, road] == 0:
                ends = params.road_ends[road]
                mask[BUILD_ROAD + road] = is_reached(game, params, seat, ends[0]) or is_reached(
                    game, params, seat, ends[1]
                )
    if shows_price(game, params.settlement_cost):
        for k in range(SETTLEMENTS):
            mask[BUILD_SETTLEMENT + k] = is_due(params, game.settlements_built[seat], k) and is_reached(
                game, params, seat, params.settlement_place[k]
            )
    if shows_price(game, params.city_cost):
        for k in range(CITIES):
            mask[BUILD_CITY + k] = is_due(params, game.cities_built[seat], k) and is_reached(
                game, params, seat, params.city_place[k]
            )
    if shows_price(game, params.knight_cost):
        for k in range(KNIGHTS):
            mask[BUILD_KNIGHT + k] = is_due(params, game.knights_built[seat], k)


@rule("dice_game.sheet.3")
@apply(BUILD_ROAD)
def build_road(game, params, seat, road):
    spend(game, params.road_cost)
    game.roads_built[seat, road] = 1
    ROAD_MARKED(game, params, seat, road)
    MARKED(game, params, seat, params.road_points[road])


@rule("dice_game.sheet.3")
@apply(BUILD_SETTLEMENT)
def build_settlement(game, params, seat, k):
    spend(game, params.settlement_cost)
    game.settlements_built[seat, k] = 1
    MARKED(game, params, seat, params.settlement_points[k])


@rule("dice_game.sheet.4")
@apply(BUILD_CITY)
def build_city(game, params, seat, k):
    spend(game, params.city_cost)
    game.cities_built[seat, k] = 1
    MARKED(game, params, seat, params.city_points[k])


@rule("dice_game.sheet.3")
@apply(BUILD_KNIGHT)
def build_knight(game, params, seat, k):
    spend(game, params.knight_cost)
    game.knights_built[seat, k] = 1
    KNIGHT_MARKED(game, params, seat, k)
    MARKED(game, params, seat, params.knight_points[k])


@rule("dice_game.sheet.1")
def points_on_sheet(game, params, player):
    """Return the points of all symbols marked on a sheet."""
    points = 0
    for road in range(ROADS):
        points += int(game.roads_built[player, road]) * params.road_points[road]
    for k in range(SETTLEMENTS):
        points += int(game.settlements_built[player, k]) * params.settlement_points[k]
    for k in range(CITIES):
        points += int(game.cities_built[player, k]) * params.city_points[k]
    for k in range(KNIGHTS):
        points += int(game.knights_built[player, k]) * params.knight_points[k]
    return points


@rule("dice_game.sheet.11")
@checks(SHEETS_POSSIBLE)
def sheets_possible(game, params):  # noqa: C901 (a sequence of checks)
    """Roads are listed in outward order, so each built road begins where an earlier built road ends."""
    for player in range(params.num_players):
        if not game.roads_built[player, START_ROAD]:
            return False
        for road in range(1, ROADS):
            if game.roads_built[player, road]:
                is_joined = False
                for other_road in range(road):
                    is_joined |= (
                        game.roads_built[player, other_road] != 0
                        and params.road_ends[other_road, 1] == params.road_ends[road, 0]
                    )
                if not is_joined:
                    return False
        for k in range(SETTLEMENTS):
            if game.settlements_built[player, k] and not (
                in_order(params, game.settlements_built[player], k)
                and is_reached(game, params, player, params.settlement_place[k])
            ):
                return False
        for k in range(CITIES):
            if game.cities_built[player, k] and not (
                in_order(params, game.cities_built[player], k)
                and is_reached(game, params, player, params.city_place[k])
            ):
                return False
        for k in range(KNIGHTS):
            if game.knights_built[player, k] and not in_order(params, game.knights_built[player], k):
                return False
    return True


def in_order(params, built, k):
    """Return whether the symbol before the k-th is built or any order is allowed."""
    return k == 0 or built[k - 1] != 0 or params.building_order != ASCENDING
