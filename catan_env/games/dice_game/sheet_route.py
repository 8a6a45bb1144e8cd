"""Plus: Longest Road goes to the first player to build the marked road, until another player has a longer route.

The roads form a tree that begins with the start road. The trunk up to the first fork is longer than any branch, so the
longest trail runs from the start road to the most distant road built. The sheet's `road_depth` (ROADS,) counts the
roads up to and including each road.
"""

from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Count,
    Field,
    Invariant,
    Number,
    SeatFlag,
    answers,
    checks,
    rule,
    set_up,
    when,
)
from catan_env.games.dice_game.sheet import ROAD_MARKED, ROADS
from catan_env.games.vocabulary import NOBODY

FIELDS = (
    Field("road_length", (PLAYERS,), "i1", 0, 60, "longest route without branches on each sheet", show=Count()),
    Field("longest_road", (), "i1", NOBODY, 7, "holder of Longest Road", NOBODY, show=SeatFlag()),
)
NUMBERS = (Number("longest_road_points", 2, "victory points of Longest Road", 0, 100),)
ROUTES_CURRENT = Invariant(
    "routes_current", "lengths match a recomputation, and the holder has the marked road and the longest route"
)


@rule("dice_game.sheet_route.2")
def trail_of(game, params, player):
    """Return the length of the longest chain of built roads, including the start road."""
    longest = 0
    for road in range(ROADS):
        if game.roads_built[player, road]:
            longest = max(longest, params.road_depth[road])
    return longest


@rule("dice_game.sheet_route.1")
@set_up
def measure_start_roads(game, params):
    for player in range(params.num_players):
        game.road_length[player] = trail_of(game, params, player)


@rule("dice_game.sheet_route.1", "dice_game.sheet_route.2")
@when(ROAD_MARKED)
def award_longest_road(game, params, player, road):
    game.road_length[player] = trail_of(game, params, player)
    holder = game.longest_road
    if holder == NOBODY:
        if road == params.marked_road:
            game.longest_road = player
    elif game.road_length[player] > game.road_length[holder]:
        game.longest_road = player


@rule("dice_game.sheet_route.1")
@answers(PUBLIC_POINTS)
def points_of_route(game, params, player, where):
    return params.longest_road_points if game.longest_road == player else 0


@rule("dice_game.sheet_points.4")
@checks(ROUTES_CURRENT)
def routes_current(game, params):
    holder = game.longest_road
    for player in range(params.num_players):
        if game.road_length[player] != trail_of(game, params, player):
            return False
        if game.roads_built[player, params.marked_road] and holder == NOBODY:
            return False
        if holder != NOBODY and game.road_length[player] > game.road_length[holder]:
            return False
    return holder == NOBODY or game.roads_built[holder, params.marked_road] != 0
