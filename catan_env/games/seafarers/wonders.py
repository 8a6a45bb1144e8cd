"""Wonders: each player may claim one of five and build it level by level; completing it wins the game.

A player may claim a wonder as soon as its condition is met, before paying anything. The claim stays valid even if the
condition later ceases to be met. The map marks the sites of the wall and the bridge, and the places next to the bridge.
"""

from catan_env.engine.decision_stack import RUNNING, finish
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    PLAYERS,
    Action,
    BoardArray,
    Count,
    Field,
    Invariant,
    Number,
    OneHot,
    Size,
    answers,
    apply,
    checks,
    legal,
    rule,
    when,
)
from catan_env.engine.small_sets import only
from catan_env.games.base.network import CITY
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.base.victory import all_points
from catan_env.games.vocabulary import BUILDING, COAST, HAND_CARDS, MAY_PLACE_INITIALLY, MAY_WIN, NOBODY, NOTHING

WONDER_SITES = Size("wonder_site")
"""Intersections closed to starting settlements; `params.wonder_site_wall` and `params.wonder_site_bridge` mark the
sites of the Great Wall and the Great Bridge."""
WONDERS = ("grand_theater", "great_bridge", "grand_monument", "great_wall", "grand_castle")
NUM_WONDERS = 5
THEATER, BRIDGE, MONUMENT, WALL, CASTLE = range(NUM_WONDERS)
LEVELS = 4
"""Number of levels in a complete wonder."""
LEVEL_PRICE = "price of a level: lumber, brick, wool, grain, ore"

FIELDS = (
    Field(
        "claimed_wonder",
        (PLAYERS,),
        "i1",
        NOTHING,
        NUM_WONDERS - 1,
        "wonder that each player has claimed, -1 for none",
        NOTHING,
        show=OneHot(WONDERS),
    ),
    Field(
        "wonder_levels",
        (PLAYERS, NUM_WONDERS),
        "i1",
        0,
        LEVELS,
        "levels of each wonder that each player has built",
        show=Count(),
        labels=WONDERS,
    ),
)
BOARD_ARRAYS = (
    BoardArray("wonder_site_wall", "marks.wonder_site.wall", "whether it is a site of the Great Wall", 0, 1),
    BoardArray("wonder_site_bridge", "marks.wonder_site.bridge", "whether it is a site of the Great Bridge", 0, 1),
)
NUMBERS = (
    Number("grand_theater_cost", (1, 1, 3, 0, 0), LEVEL_PRICE, 0, 30, over=HAND_CARDS),
    Number("great_bridge_cost", (3, 0, 1, 1, 0), LEVEL_PRICE, 0, 30, over=HAND_CARDS),
    Number("grand_monument_cost", (0, 0, 0, 3, 2), LEVEL_PRICE, 0, 30, over=HAND_CARDS),
    Number("great_wall_cost", (1, 3, 0, 1, 0), LEVEL_PRICE, 0, 30, over=HAND_CARDS),
    Number("grand_castle_cost", (0, 1, 0, 1, 3), LEVEL_PRICE, 0, 30, over=HAND_CARDS),
    Number("theater_cities", 2, "cities that the Grand Theater needs", 0, 30),
    Number("monument_length", 5, "length of the trade route that the Grand Monument needs", 0, 60),
    Number("castle_points", 6, "victory points that the Grand Castle needs", 0, 100),
)

CLAIM_WONDER = Action(
    "claim_wonder", "claim the {}", WONDERS, "a seat without a wonder, an unclaimed wonder, and its condition"
)
BUILD_WONDER = Action(
    "build_wonder", "build a level of the {}", WONDERS, "the seat's wonder, the price, and fewer than 4 levels"
)
ACTIONS = (CLAIM_WONDER, BUILD_WONDER)
ONE_OWNER = Invariant(
    "one_wonder_each", "no two players have claimed the same wonder, and levels are those of the claimed one"
)


@rule("seafarers.wonders.5")
@answers(MAY_PLACE_INITIALLY)
def sites_are_closed(game, params, player, intersection):
    return params.intersection_wonder_site[intersection] == NOTHING


# -- conditions --------------------------------------------------------------------------------------------


@rule("seafarers.wonders.1")
def has_building_at(game, params, player, marked):
    """Return whether a player has a building on a site marked 1 in `marked`."""
    for k in range(WONDER_SITES):
        if marked[k] and game.building_owner[params.wonder_site_intersections[k]] == player:
            return True
    return False


@rule("seafarers.wonders.1")
def has_city_at_harbor(game, params, player):
    for coast_index in range(COAST):
        if game.harbor[coast_index] != NOTHING:
            for end in range(2):
                intersection = params.coast_intersections[coast_index, end]
                if game.building_owner[intersection] == player and game.building[intersection] == CITY:
                    return True
    return False


@rule("seafarers.wonders.1")
def cities_of(game, params, player):
    """Return how many cities a player has built."""
    return params.cities_per_player - game.cities_left[player]


@rule("seafarers.wonders.1")
def meets_condition(game, params, player, wonder):
    """Return whether a player meets a wonder's condition, regardless of whether the wonder is taken."""
    if wonder == THEATER:
        return cities_of(game, params, player) >= params.theater_cities
    if wonder == BRIDGE:
        return has_building_at(game, params, player, params.wonder_site_bridge)
    if wonder == MONUMENT:
        return has_city_at_harbor(game, params, player) and game.road_length[player] >= params.monument_length
    if wonder == WALL:
        return has_building_at(game, params, player, params.wonder_site_wall)
    return cities_of(game, params, player) > 0 and all_points(game, params, player) >= params.castle_points


# -- claiming ----------------------------------------------------------------------------------------------


@rule("seafarers.wonders.2")
def wonder_of(game, player):
    """Return the wonder that a player has claimed; -1 if there is none."""
    return int(game.claimed_wonder[player])


@rule("seafarers.wonders.2")
def is_free(game, wonder):
    """Return whether nobody has claimed a wonder."""
    for player in range(PLAYERS):
        if game.claimed_wonder[player] == wonder:
            return False
    return True


@rule("seafarers.wonders.1", "seafarers.wonders.2")
@legal(BUILDING)
def wonders_to_claim(game, params, seat, mask):
    if wonder_of(game, seat) == NOTHING:
        for wonder in range(NUM_WONDERS):
            mask[CLAIM_WONDER + wonder] = is_free(game, wonder) and meets_condition(game, params, seat, wonder)


@rule("seafarers.wonders.1")
@apply(CLAIM_WONDER)
def claim_wonder(game, params, seat, wonder):
    game.claimed_wonder[seat] = wonder


# -- building ----------------------------------------------------------------------------------------------


@rule("seafarers.wonders.4")
def level_of(game, player):
    """Return how many levels of a wonder a player has built."""
    wonder = wonder_of(game, player)
    return int(game.wonder_levels[player, wonder]) if wonder != NOTHING else 0


@rule("seafarers.wonders.3")
def can_pay_level(game, params, player, wonder):
    """Return whether a player holds the cards for one level."""
    if wonder == THEATER:
        return can_pay(game, player, params.grand_theater_cost)
    if wonder == BRIDGE:
        return can_pay(game, player, params.great_bridge_cost)
    if wonder == MONUMENT:
        return can_pay(game, player, params.grand_monument_cost)
    if wonder == WALL:
        return can_pay(game, player, params.great_wall_cost)
    return can_pay(game, player, params.grand_castle_cost)


@rule("seafarers.wonders.3")
def pay_level(game, params, player, wonder):
    """Pay the price of one level to the bank."""
    if wonder == THEATER:
        pay(game, player, params.grand_theater_cost)
    elif wonder == BRIDGE:
        pay(game, player, params.great_bridge_cost)
    elif wonder == MONUMENT:
        pay(game, player, params.grand_monument_cost)
    elif wonder == WALL:
        pay(game, player, params.great_wall_cost)
    else:
        pay(game, player, params.grand_castle_cost)


@rule("seafarers.wonders.3")
@legal(BUILDING)
def wonders_to_build(game, params, seat, mask):
    wonder = wonder_of(game, seat)
    if wonder != NOTHING and game.wonder_levels[seat, wonder] < LEVELS:
        mask[BUILD_WONDER + wonder] = can_pay_level(game, params, seat, wonder)


@rule("seafarers.wonders.3")
@apply(BUILD_WONDER)
def build_wonder(game, params, seat, wonder):
    pay_level(game, params, seat, wonder)
    game.wonder_levels[seat, wonder] += 1


# -- winning -----------------------------------------------------------------------------------------------


@rule("seafarers.wonders.4")
@answers(MAY_WIN)
def has_the_highest_wonder(game, params, player, where):
    """A player can win on points only if their wonder is higher than every other player's."""
    for opponent in range(params.num_players):
        if opponent != player and level_of(game, opponent) >= level_of(game, player):
            return False
    return True


@rule("seafarers.wonders.4")
@when(ACTION_RESOLVED)
def win_by_a_wonder(game, params, player, where):
    """A completed wonder wins regardless of points."""
    builder = game.on_turn
    if builder != NOBODY and game.ended == RUNNING and level_of(game, builder) == LEVELS:
        finish(game, only(builder))


@rule("seafarers.wonders.2")
@checks(ONE_OWNER)
def one_wonder_each(game, params):
    for player in range(PLAYERS):
        for wonder in range(NUM_WONDERS):
            if game.claimed_wonder[player] != wonder and game.wonder_levels[player, wonder] > 0:
                return False
        for other in range(player):
            if game.claimed_wonder[player] != NOTHING and game.claimed_wonder[player] == game.claimed_wonder[other]:
                return False
    return True
