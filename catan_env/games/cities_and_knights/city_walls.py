"""City walls: each wall raises its owner's hand limit by two cards when a 7 is rolled."""

from catan_env.engine.bitset import any_of, mark, where_equal
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Field,
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
from catan_env.games.base.network import CITY, buildings_of
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.vocabulary import BUILDING, BUILDING_REMOVED, CITY_LOST, HAND_CARDS, HAND_LIMIT, INTERSECTIONS

FIELDS = (
    Field("wall", (INTERSECTIONS,), "u1", 0, 1, "whether each intersection has a city wall", show=Count()),
    Field("walls_left", (PLAYERS,), "i1", 0, 30, "city walls left", show=Count()),
)
NUMBERS = (
    Number("walls_per_player", 3, "city walls of each player", 0, 30),
    Number("cards_per_wall", 2, "increase of the hand limit per city wall", 0, 30),
    Number("wall_cost", (0, 2, 0, 0, 0), "price of a wall: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS),
)

BUILD_WALL = Action(
    "build_wall",
    "build a city wall on {}",
    INTERSECTIONS,
    "the seat's city there, without a wall, the price and a wall piece",
)
ACTIONS = (BUILD_WALL,)
WALLS_CONSERVED = Invariant(
    "walls_conserved", "walls stand under cities, and with the remaining walls add up to the full set"
)


@rule("cities_and_knights.city_walls.3")
@set_up
def deal_walls(game, params):
    for player in range(PLAYERS):
        game.walls_left[player] = params.walls_per_player


@rule("cities_and_knights.city_walls.1")
def cities_without_wall(game, seat):
    """Return the intersections of a player's cities without walls."""
    return buildings_of(game, seat, CITY) & where_equal(game.wall, False)


def can_build_wall(game, seat):
    """Return whether a player has a wall left and a city to put it on."""
    return game.walls_left[seat] > 0 and any_of(cities_without_wall(game, seat))


def mark_wall_sites(game, seat, mask):
    """Mark the cities on which a player may place a wall."""
    if game.walls_left[seat] > 0:
        mark(cities_without_wall(game, seat), BUILD_WALL, mask)


def place_wall(game, seat, intersection):
    """Place a wall without charging for it."""
    game.wall[intersection] = True
    game.walls_left[seat] -= 1


@rule("cities_and_knights.city_walls.1")
@legal(BUILDING)
def walls_to_build(game, params, seat, mask):
    if can_pay(game, seat, params.wall_cost):
        mark_wall_sites(game, seat, mask)


@rule("cities_and_knights.city_walls.1")
@apply(BUILD_WALL)
def build_wall(game, params, seat, intersection):
    pay(game, seat, params.wall_cost)
    place_wall(game, seat, intersection)


@rule("cities_and_knights.city_walls.4")
@when(CITY_LOST, BUILDING_REMOVED)
def lose_wall(game, params, player, intersection):
    if game.wall[intersection]:
        game.wall[intersection] = False
        game.walls_left[player] += 1


@rule("cities_and_knights.city_walls.2")
@answers(HAND_LIMIT)
def cards_behind_walls(game, params, player, where):
    return params.cards_per_wall * (params.walls_per_player - game.walls_left[player])


@rule("cities_and_knights.city_walls.3")
@checks(WALLS_CONSERVED)
def walls_conserved(game, params):
    for player in range(PLAYERS):
        wall_count = int(game.walls_left[player])
        for intersection in range(INTERSECTIONS):
            wall_count += game.wall[intersection] and game.building_owner[intersection] == player
        if wall_count != params.walls_per_player:
            return False
    for intersection in range(INTERSECTIONS):
        if game.wall[intersection] and game.building[intersection] != CITY:
            return False
    return True
