"""Plus, Longest Road: whoever builds the marked road first holds it, until another has more roads in a row.

The net is a tree that begins with the start road, and the way to the first fork is longer than any arm, so the longest
trail leads from the start road to the furthest road built: `road_depth` (ROADS,) of the sheet counts roads up to there.
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
from catan_env.games.vocabulary import NOBODY_SEAT

FIELDS = (
    Field("road_length", (PLAYERS,), "i1", 0, 60, "most roads in a row on each sheet, without branches", show=Count()),
    Field("longest_road", (), "i1", NOBODY_SEAT, 7, "holder of Longest Road", NOBODY_SEAT, show=SeatFlag()),
)
NUMBERS = (Number("longest_road_points", 2, "victory points of Longest Road", 0, 100),)
ROUTES_CURRENT = Invariant("routes_current", "lengths equal a recomputation; the holder has the mark and most roads")


@rule("dice_game.sheet_route.2")
def trail_of(game, table, player):
    """Most roads in a row, the start road included."""
    longest = 0
    for road in range(ROADS):
        if game.roads_built[player, road]:
            longest = max(longest, table.road_depth[road])
    return longest


@rule("dice_game.sheet_route.1")
@set_up
def measure_start_roads(game, table):
    for player in range(table.num_players):
        game.road_length[player] = trail_of(game, table, player)


@rule("dice_game.sheet_route.1", "dice_game.sheet_route.2")
@when(ROAD_MARKED)
def award_longest_road(game, table, player, road):
    game.road_length[player] = trail_of(game, table, player)
    holder = game.longest_road
    if holder == NOBODY_SEAT:
        if road == table.marked_road:
            game.longest_road = player
    elif game.road_length[player] > game.road_length[holder]:
        game.longest_road = player


@rule("dice_game.sheet_route.1")
@answers(PUBLIC_POINTS)
def points_of_route(game, table, player, where):
    return table.longest_road_points if game.longest_road == player else 0


@rule("dice_game.sheet_points.4")
@checks(ROUTES_CURRENT)
def routes_current(game, table):
    holder = game.longest_road
    for player in range(table.num_players):
        if game.road_length[player] != trail_of(game, table, player):
            return False
        if game.roads_built[player, table.marked_road] and holder == NOBODY_SEAT:
            return False
        if holder != NOBODY_SEAT and game.road_length[player] > game.road_length[holder]:
            return False
    return holder == NOBODY_SEAT or game.roads_built[holder, table.marked_road] != 0
