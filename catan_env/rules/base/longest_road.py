"""Longest Road: at least five roads in a row, with interruptions, ties, and the card set aside.

Sources: bigbox.md A5 ("Longest Road tie", "Loops", "Interruption"); bigbox_decisions.yaml `longest_road_measure`
(the longest trail: no road counted twice, intersections may repeat, opponents' buildings end it, own ones do not)
and `longest_road_tie`.
"""

from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Count,
    Field,
    Invariant,
    Number,
    SeatFlag,
    adds,
    checks,
    when,
)
from catan_env.rules.base.building import DEGREE, NONE
from catan_env.rules.vocabulary import NOBODY_SEAT, NOTHING, PATHS, ROAD_BUILT, SETTLEMENT_BUILT

FIELDS = (
    Field("road_length", (PLAYERS,), "i1", 0, 60, "length of each player's longest road", show=Count(), neutrals=True),
    Field(
        "longest_road",
        (),
        "i1",
        NOBODY_SEAT,
        7,
        "holder of Longest Road, nobody if it is set aside",
        NOBODY_SEAT,
        show=SeatFlag(),
        neutrals=True,
    ),
)
NUMBERS = (
    Number("longest_road_minimum", 5, "roads in a row that Longest Road takes", 1, 60),
    Number("longest_road_points", 2, "victory points of Longest Road", 0, 100),
)
LENGTHS_CURRENT = Invariant("road_lengths_current", "road_length and the holder of Longest Road equal a recomputation")


def is_blocked(game, seat, intersection):
    """Whether an opponent's building ends this seat's roads here."""
    return game.building[intersection] != NONE and game.building_owner[intersection] != seat


def longest_from(game, table, seat, intersection):
    """Longest trail of a seat's roads that goes on from an intersection it has arrived at."""
    longest = 0
    if not is_blocked(game, seat, intersection):
        for k in range(DEGREE):
            path = table.intersection_paths[intersection, k]
            if path != NOTHING and game.road[path] == seat:
                game.road[path] = NOBODY_SEAT  # taken off while the trail passes over it
                neighbor = table.intersection_neighbors[intersection, k]
                longest = max(longest, 1 + longest_from(game, table, seat, neighbor))
                game.road[path] = seat
    return longest


def longest_both_ways(game, table, seat, here, there):
    """Longest trail that goes on from `here` and, over other roads, from `there`."""
    longest = longest_from(game, table, seat, there)
    if not is_blocked(game, seat, here):
        for k in range(DEGREE):
            path = table.intersection_paths[here, k]
            if path != NOTHING and game.road[path] == seat:
                game.road[path] = NOBODY_SEAT
                neighbor = table.intersection_neighbors[here, k]
                longest = max(longest, 1 + longest_both_ways(game, table, seat, neighbor, there))
                game.road[path] = seat
    return longest


def longest_through(game, table, seat, path):
    """Longest trail over one road of a seat."""
    game.road[path] = NOBODY_SEAT
    ends = table.path_intersections
    longest = 1 + longest_both_ways(game, table, seat, ends[path, 0], ends[path, 1])
    game.road[path] = seat
    return longest


def longest_of(game, table, seat):
    """Longest trail of all roads of a seat."""
    longest = 0
    for path in range(PATHS):
        if game.road[path] == seat:
            longest = max(longest, longest_through(game, table, seat, path))
    return longest


@when(ROAD_BUILT)
def lengthen(game, table, player, path):
    """A new road can only make its owner's road longer, by a trail that passes over it."""
    length = longest_through(game, table, player, path)
    if length > game.road_length[player]:
        game.road_length[player] = length
        award_longest_road(game, table)


@when(SETTLEMENT_BUILT)
def interrupt(game, table, player, intersection):
    """A new settlement cuts an opponent's road that passes through."""
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        if path != NOTHING:
            owner = game.road[path]
            if owner != NOBODY_SEAT and owner != player:
                length = longest_of(game, table, owner)
                if length < game.road_length[owner]:
                    game.road_length[owner] = length
                    award_longest_road(game, table)


def rightful_holder(game, table):
    """Who holds Longest Road: the holder as long as nobody's road is longer, else the one player who alone leads,
    else nobody."""
    longest = 0
    leader = NOBODY_SEAT
    for player in range(PLAYERS):
        if game.road_length[player] > longest:
            longest = int(game.road_length[player])
            leader = player
        elif game.road_length[player] == longest:
            leader = NOBODY_SEAT
    if longest < table.longest_road_minimum:
        return NOBODY_SEAT
    holder = int(game.longest_road)
    if holder != NOBODY_SEAT and game.road_length[holder] == longest:
        return holder
    return leader


def award_longest_road(game, table):
    """Hands the card to its rightful holder, or sets it aside."""
    game.longest_road = rightful_holder(game, table)


@adds(PUBLIC_POINTS)
def points_of_longest_road(game, table, player):
    return table.longest_road_points if game.longest_road == player else 0


@checks(LENGTHS_CURRENT)
def lengths_current(game, table):
    for player in range(PLAYERS):
        if game.road_length[player] != longest_of(game, table, player):
            return False
    return game.longest_road == rightful_holder(game, table)
