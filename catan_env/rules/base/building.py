"""Roads, settlements and cities: where they may stand, what they cost, how they are built.

Sources: bigbox.md A4 (pieces; a city gives the settlement piece back), A5 ("Road Building with one piece or
place"); the Big Box text itself (the distance rule; a settlement needs an own road; no road goes on through an
opponent's building); base_rules.yaml `costs`, `pieces_per_player`, `victory_points`.

`road_sites` and `settlement_sites` hold for each place a bit per seat that could build there for the position
alone, kept up to date as pieces are set, so that legal actions need no search.
"""

from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    SETTLED,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    OneHot,
    SeatFlag,
    adds,
    apply,
    checks,
    legal,
    set_up,
    when,
)
from catan_env.engine.queue import head, head_seat, pop, push
from catan_env.rules.base.resources import can_pay, pay
from catan_env.rules.base.turns import BUILD, PLAY
from catan_env.rules.vocabulary import (
    CITY_BUILT,
    INTERSECTIONS,
    NOBODY_SEAT,
    NOTHING,
    PATHS,
    ROAD_BUILT,
    SETTLEMENT_BUILT,
)

NONE, SETTLEMENT, CITY = 0, 1, 2
DEGREE = 3

FIELDS = (
    Field(
        "road",
        (PATHS,),
        "i1",
        NOBODY_SEAT,
        7,
        "seat whose road lies on each path",
        NOBODY_SEAT,
        show=SeatFlag(),
        neutrals=True,
    ),
    Field(
        "building_owner",
        (INTERSECTIONS,),
        "i1",
        NOBODY_SEAT,
        7,
        "seat whose building stands on each intersection",
        NOBODY_SEAT,
        show=SeatFlag(),
        neutrals=True,
    ),
    Field("building", (INTERSECTIONS,), "i1", NONE, CITY, "0 nothing, 1 settlement, 2 city", show=OneHot(("city",), 2)),
    Field("roads_left", (PLAYERS,), "i1", 0, 60, "road pieces left", show=Count(), neutrals=True),
    Field("settlements_left", (PLAYERS,), "i1", 0, 30, "settlement pieces left", show=Count(), neutrals=True),
    Field("cities_left", (PLAYERS,), "i1", 0, 30, "city pieces left", show=Count()),
    Field("free_roads", (), "i1", 0, 15, "free roads still to be built", show=Count()),
    Field("road_sites", (PATHS,), "u1", 0, 255, "bit per seat that could build a road on each path"),
    Field("settlement_sites", (INTERSECTIONS,), "u1", 0, 255, "bit per seat that could build a settlement there"),
)
NUMBERS = (
    Number("roads_per_player", 15, "road pieces of each player", 2, 60),
    Number("settlements_per_player", 5, "settlement pieces of each player", 2, 30),
    Number("cities_per_player", 4, "city pieces of each player", 0, 30),
    Number("road_cost", (1, 1, 0, 0, 0), "price of a road: lumber, brick, wool, grain, ore", 0, 30),
    Number("settlement_cost", (1, 1, 1, 1, 0), "price of a settlement: lumber, brick, wool, grain, ore", 0, 30),
    Number("city_cost", (0, 0, 0, 2, 3), "price of a city: lumber, brick, wool, grain, ore", 0, 30),
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

FREE_ROAD = Decision("free_road", "build a road free of charge")
PIECES_CONSERVED = Invariant("pieces_conserved", "pieces on the board and pieces left make up the whole set")
SITES_CURRENT = Invariant("sites_current", "road_sites and settlement_sites equal a recomputation")


@set_up
def deal_pieces(game, table):
    for player in range(PLAYERS):
        game.roads_left[player] = table.roads_per_player
        game.settlements_left[player] = table.settlements_per_player
        game.cities_left[player] = table.cities_per_player


# -- where -------------------------------------------------------------------------------------------------


def is_clear(game, table, intersection):
    """Distance rule: no building here nor one path away."""
    if game.building[intersection] != NONE:
        return False
    for k in range(DEGREE):
        neighbor = table.intersection_neighbors[intersection, k]
        if neighbor != NOTHING and game.building[neighbor] != NONE:
            return False
    return True


def seats_reaching(game, table, path, intersection):
    """Bits of the seats that may go on from an intersection onto a path: the building's owner or, where nothing
    stands, the owners of roads that end there."""
    if game.building[intersection] != NONE:
        return 1 << game.building_owner[intersection]
    seats = 0
    for k in range(DEGREE):
        other = table.intersection_paths[intersection, k]
        if other != NOTHING and other != path and game.road[other] != NOBODY_SEAT:
            seats |= 1 << game.road[other]
    return seats


def road_site(game, table, path):
    """Bits of the seats that could build a road on a path."""
    if game.road[path] != NOBODY_SEAT:
        return 0
    first = seats_reaching(game, table, path, table.path_intersections[path, 0])
    return first | seats_reaching(game, table, path, table.path_intersections[path, 1])


def settlement_site(game, table, intersection):
    """Bits of the seats that could build a settlement on an intersection."""
    if not is_clear(game, table, intersection):
        return 0
    seats = 0
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        if path != NOTHING and game.road[path] != NOBODY_SEAT:
            seats |= 1 << game.road[path]
    return seats


def refresh_around(game, table, intersection):
    """Brings the sites of an intersection and its paths up to date."""
    game.settlement_sites[intersection] = settlement_site(game, table, intersection)
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        if path != NOTHING:
            game.road_sites[path] = road_site(game, table, path)


def can_build_road_somewhere(game, seat):
    """Whether a seat has a road piece and a place for it."""
    if game.roads_left[seat] == 0:
        return False
    for path in range(PATHS):
        if game.road_sites[path] & (1 << seat):
            return True
    return False


def can_build_settlement_somewhere(game, seat):
    """Whether a seat has a settlement piece and a place for it."""
    if game.settlements_left[seat] == 0:
        return False
    for intersection in range(INTERSECTIONS):
        if game.settlement_sites[intersection] & (1 << seat):
            return True
    return False


# -- setting pieces ----------------------------------------------------------------------------------------


def set_road(game, table, player, path):
    """Sets a road without announcing it."""
    game.road[path] = player
    game.roads_left[player] -= 1
    refresh_around(game, table, table.path_intersections[path, 0])
    refresh_around(game, table, table.path_intersections[path, 1])


def place_road(game, table, player, path):
    """Sets a road, whatever it cost."""
    set_road(game, table, player, path)
    ROAD_BUILT(game, table, player, path)


def place_settlement(game, table, player, intersection):
    """Sets a settlement, whatever it cost."""
    game.building[intersection] = SETTLEMENT
    game.building_owner[intersection] = player
    game.settlements_left[player] -= 1
    refresh_around(game, table, intersection)
    for k in range(DEGREE):
        neighbor = table.intersection_neighbors[intersection, k]
        if neighbor != NOTHING:
            game.settlement_sites[neighbor] = 0
    SETTLEMENT_BUILT(game, table, player, intersection)


def place_city(game, table, player, intersection):
    """Puts a city in place of a settlement, whose piece comes back."""
    game.building[intersection] = CITY
    game.settlements_left[player] += 1
    game.cities_left[player] -= 1
    CITY_BUILT(game, table, player, intersection)


def let_build_free_roads(game, player, number):
    """Makes a player build free roads, as many as have a place and a piece."""
    game.free_roads = number
    push(game, FREE_ROAD, player)


# -- actions -----------------------------------------------------------------------------------------------


def mark_roads(game, seat, mask):
    """Marks every path where a seat could build a road."""
    if game.roads_left[seat] > 0:
        bit = 1 << seat
        for path in range(PATHS):
            mask[BUILD_ROAD + path] = (game.road_sites[path] & bit) != 0


def mark_settlements(game, seat, mask):
    """Marks every intersection where a seat could build a settlement."""
    if game.settlements_left[seat] > 0:
        bit = 1 << seat
        for intersection in range(INTERSECTIONS):
            mask[BUILD_SETTLEMENT + intersection] = (game.settlement_sites[intersection] & bit) != 0


def mark_buildings(game, table, seat, mask):
    """Marks everything a seat can build and pay for."""
    if can_pay(game, seat, table.road_cost):
        mark_roads(game, seat, mask)
    if can_pay(game, seat, table.settlement_cost):
        mark_settlements(game, seat, mask)
    if game.cities_left[seat] > 0 and can_pay(game, seat, table.city_cost):
        for intersection in range(INTERSECTIONS):
            mask[BUILD_CITY + intersection] = (game.building[intersection] == SETTLEMENT) & (
                game.building_owner[intersection] == seat
            )


@legal(PLAY, BUILD)
def what_to_build(game, table, seat, mask):
    mark_buildings(game, table, seat, mask)


@legal(FREE_ROAD)
def free_road_places(game, table, seat, mask):
    mark_roads(game, seat, mask)


@apply(BUILD_ROAD)
def build_road(game, table, seat, path):
    pay(game, seat, table.road_cost)
    place_road(game, table, seat, path)


@apply(BUILD_ROAD, at=(FREE_ROAD,))
def build_free_road(game, table, seat, path):
    """What follows from the road is announced last, so that it is decided before the next free road."""
    game.free_roads -= 1
    set_road(game, table, seat, path)
    if game.free_roads == 0 or not can_build_road_somewhere(game, seat):
        game.free_roads = 0
        pop(game)
    ROAD_BUILT(game, table, seat, path)


@when(SETTLED)
def lapse_free_roads(game, table, player, where):
    """Free roads lapse if what followed from the last one has taken their last place."""
    if game.free_roads > 0 and head(game) == FREE_ROAD and not can_build_road_somewhere(game, head_seat(game)):
        game.free_roads = 0
        pop(game)


@apply(BUILD_SETTLEMENT)
def build_settlement(game, table, seat, intersection):
    pay(game, seat, table.settlement_cost)
    place_settlement(game, table, seat, intersection)


@apply(BUILD_CITY)
def build_city(game, table, seat, intersection):
    pay(game, seat, table.city_cost)
    place_city(game, table, seat, intersection)


@adds(PUBLIC_POINTS)
def points_of_buildings(game, table, player):
    """One point a settlement, two a city."""
    cities = table.cities_per_player - game.cities_left[player]
    return table.settlements_per_player - game.settlements_left[player] + 2 * cities


# -- invariants --------------------------------------------------------------------------------------------


@checks(PIECES_CONSERVED)
def pieces_conserved(game, table):
    for player in range(PLAYERS):
        roads = int(game.roads_left[player])
        settlements = int(game.settlements_left[player])
        cities = int(game.cities_left[player])
        for path in range(PATHS):
            roads += game.road[path] == player
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


@checks(SITES_CURRENT)
def sites_current(game, table):
    for path in range(PATHS):
        if game.road_sites[path] != road_site(game, table, path):
            return False
    for intersection in range(INTERSECTIONS):
        if game.settlement_sites[intersection] != settlement_site(game, table, intersection):
            return False
        if (game.building[intersection] == NONE) != (game.building_owner[intersection] == NOBODY_SEAT):
            return False
    return True
