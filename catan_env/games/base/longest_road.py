"""Longest Road: at least five ways in a row, with interruptions, ties, and the card set aside.

Ways of different kinds are joined by an own building only.
"""

import numpy as np

from catan_env.engine.bitset import blocks, count_equal, equal_to, first_of, replace
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
    when,
)
from catan_env.games.base.network import GONE_OVER
from catan_env.games.vocabulary import (
    DEGREE,
    MAY_PASS,
    NOBODY_SEAT,
    NOTHING,
    PASSAGE_CHANGED,
    PATHS,
    SETTLEMENT_BUILT,
    WAY_BUILT,
    WAY_KIND,
    WAY_LEAVES,
    WAY_REMOVED,
    WAYS,
    rightful_holder,
    scores,
)

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
RING = -1
"""In place of lengths: there is a ring, so that a trail is not told by how far it leads."""
NO_LIMIT = 127
"""What no trail is as long as: it has to be measured to its end."""
LENGTHS_CURRENT = Invariant("road_lengths_current", "road_length and the holder of Longest Road equal a recomputation")


# -- trails --------------------------------------------------------------------------------------------------
# A course passes over a path towards one of its ends; `onward` has the courses that go on from there.


def joins(game, table, seat, intersection, path, other):
    """Whether a trail of a seat that passes an intersection may go over both of two ways that meet there."""
    if WAYS == 1 or game.building_owner[intersection] == seat:
        return True
    return WAY_KIND(game, table, seat, path) == WAY_KIND(game, table, seat, other)


@rule("base.longest_road.2")
def goes_on(game, table, seat, intersection, path, other):
    """Whether a trail of a seat that has come over a path goes on from an intersection over another."""
    return other != NOTHING and game.way[other] == seat and joins(game, table, seat, intersection, path, other)


@rule("base.longest_road.2")
def longest_on(game, table, seat, course, enough):
    """Longest trail of a seat's ways that goes on where a course over one of them ends, or any that is long enough."""
    longest = 0
    path = course >> 1
    here = table.path_intersections[path, course & 1]
    if MAY_PASS(game, table, seat, here):
        game.way[path] = NOBODY_SEAT  # taken off while the trail goes on
        for k in range(DEGREE - 1):
            onward = np.int64(table.onward[course, k])
            if longest < enough and goes_on(game, table, seat, here, path, onward >> 1):
                longest = max(longest, 1 + longest_on(game, table, seat, onward, enough - 1))
        game.way[path] = seat
    return longest


def ways_on(game, table, seat, course):
    """Over how many ways a seat's trail goes on where a course over one of them ends."""
    number = 0
    path = course >> 1
    here = table.path_intersections[path, course & 1]
    if MAY_PASS(game, table, seat, here):
        for k in range(DEGREE - 1):
            number += goes_on(game, table, seat, here, path, table.onward[course, k] >> 1)
    return number


@rule("base.longest_road.2")
def tour(game, table, seat, course):
    """Goes over all ways that hang together with a course's end, and marks them as gone over.

    Returns:
        the longest trail that goes on there, and the longest over any of these ways; RING for both if there is one.
    """
    far, longest = 0, 0
    path = course >> 1
    here = table.path_intersections[path, course & 1]
    game.way[path] = GONE_OVER
    if MAY_PASS(game, table, seat, here):
        for k in range(DEGREE - 1):
            onward = np.int64(table.onward[course, k])
            if onward != NOTHING and game.way[onward >> 1] == GONE_OVER:
                if joins(game, table, seat, here, path, onward >> 1):
                    return RING, RING
            elif goes_on(game, table, seat, here, path, onward >> 1):
                reach, most = tour(game, table, seat, onward)
                if reach == RING:
                    return RING, RING
                longest = max(longest, most, far + 1 + reach)
                far = max(far, 1 + reach)
    return far, longest


def end_tours(game, seat):
    """Takes the marks off a seat's ways."""
    replace(game.way, GONE_OVER, seat)


@rule("base.longest_road.2")
def line_on(game, table, seat, course):
    """How many ways of a seat are in line from a course over one of them on, until there is not just one way on or it
    comes round to the first; and over how many it goes on where it ends."""
    first, ways = course >> 1, 1
    while True:
        number = ways_on(game, table, seat, course)
        if number != 1:
            return ways, number
        path = course >> 1
        here = table.path_intersections[path, course & 1]
        beyond = course
        for k in range(DEGREE - 1):
            onward = np.int64(table.onward[course, k])
            if goes_on(game, table, seat, here, path, onward >> 1):
                beyond = onward
        if beyond >> 1 == first:
            return ways, number
        course, ways = beyond, ways + 1


# -- the longest -----------------------------------------------------------------------------------------------


@rule("base.longest_road.2")
def longest_of(game, table, seat, enough):
    """Longest trail of all ways of a seat, or any that is long enough; 0 for a color that scores nothing."""
    longest, rings = 0, False
    if not scores(table, seat):
        return longest
    for k in range(blocks(PATHS)):
        own = equal_to(game.way, k, seat)
        while own:
            path = first_of(own, k)
            own &= own - 1
            for end in range(2):
                if longest < enough and game.way[path] == seat and ways_on(game, table, seat, 2 * path + end) == 0:
                    far, most = tour(game, table, seat, np.int64(2 * path + 1 - end))
                    longest = max(longest, most, 1 + far)
                    rings = rings or far == RING
    for k in range(blocks(PATHS)):
        rings = rings or equal_to(game.way, k, seat) != 0  # no blind end leads there
    end_tours(game, seat)
    if rings and longest < enough:
        longest = max(longest, longest_with_rings(game, table, seat, enough))
    return longest


def longest_with_rings(game, table, seat, enough):
    """Longest trail of all ways of a seat, some of which are rings, or any that is long enough.

    A trail that cannot be prolonged begins where an odd number of ways meet, or is a ring with all that hangs together
    with it. If neither end is a blind one, then all of its ways are on rings or between rings.
    """
    longest = 0
    for k in range(blocks(PATHS)):
        own = equal_to(game.way, k, seat)
        while own:
            path = first_of(own, k)
            own &= own - 1
            for end in range(2):
                if longest < enough and ways_on(game, table, seat, 2 * path + end) == 0:
                    course = np.int64(2 * path + 1 - end)
                    longest = max(longest, 1 + longest_on(game, table, seat, course, enough - 1))
    if longest < enough:
        if longest < leave_rings(game, table, seat):
            longest = max(longest, longest_between_forks(game, table, seat, enough))
        end_tours(game, seat)
    return longest


def leave_rings(game, table, seat):
    """Marks those ways of a seat as gone over that are neither on a ring nor between rings; returns how many are
    left."""
    for path in range(PATHS):
        if game.way[path] == seat:
            for end in range(2):
                if game.way[path] == seat and ways_on(game, table, seat, 2 * path + end) == 0:
                    go_to_fork(game, table, seat, np.int64(2 * path + 1 - end))
    return count_equal(game.way, seat)


def go_to_fork(game, table, seat, course):
    """Marks the ways in line from a course over one of them on as gone over, until there is not just one way on."""
    number = 1
    while number == 1:
        path = course >> 1
        here = table.path_intersections[path, course & 1]
        number = ways_on(game, table, seat, course)
        game.way[path] = GONE_OVER
        if number == 1:
            beyond = course
            for k in range(DEGREE - 1):
                onward = np.int64(table.onward[course, k])
                if goes_on(game, table, seat, here, path, onward >> 1):
                    beyond = onward
            course = beyond


@rule("base.longest_road.2")
def longest_between_forks(game, table, seat, enough):
    """Longest trail that begins at a fork, or anywhere on a ring, or any that is long enough."""
    longest = 0
    for path in range(PATHS):
        if longest < enough and game.way[path] == seat:
            for end in range(2):
                ways, number = line_on(game, table, seat, np.int64(2 * path + end))
                if ways == 1 and number > 1 or number == 1:
                    course = np.int64(2 * path + 1 - end)
                    longest = max(longest, 1 + longest_on(game, table, seat, course, enough - 1))
    return longest


@rule("base.longest_road.2")
def longest_with(game, table, seat, path, enough):
    """Longest trail over a way of a seat, or, if that hangs together with a ring, over any of its ways; or any that is
    long enough."""
    for end in range(2):
        if ways_on(game, table, seat, 2 * path + end) == 0:
            return 1 + longest_on(game, table, seat, np.int64(2 * path + 1 - end), enough - 1)
    far, _ = tour(game, table, seat, np.int64(2 * path))
    back = far
    if far != RING:
        back, _ = tour(game, table, seat, np.int64(2 * path + 1))
    end_tours(game, seat)
    return longest_with_rings(game, table, seat, enough) if back == RING else far + 1 + back


@rule("base.longest_road.1", "base.longest_road.8")
@when(WAY_BUILT)
def lengthen(game, table, player, path):
    """A new way can only make its owner's road longer, by a trail that passes over it. If one of that length was there
    before a way left, it does not matter whether another is."""
    if scores(table, player):
        known = int(game.road_length[player])
        length = longest_with(game, table, player, path, NO_LIMIT)
        if length > known and length >= -known:
            game.road_length[player] = length
            award_longest_road(game, table)


def lead_through(game, table, player, intersection):
    """Whether several ways of a player meet at an intersection."""
    ways = 0
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        ways += path != NOTHING and game.way[path] == player
    return ways > 1


@rule("base.longest_road.2")
def joins_kinds(game, table, player, intersection):
    """Whether a player's ways of different kinds meet at an intersection."""
    if WAYS > 1:
        kind = -1
        for k in range(DEGREE):
            path = table.intersection_paths[intersection, k]
            if path != NOTHING and game.way[path] == player:
                other = WAY_KIND(game, table, player, path)
                if kind != -1 and other != kind:
                    return True
                kind = other
    return False


@rule("base.longest_road.3")
@when(SETTLEMENT_BUILT)
def interrupt(game, table, player, intersection):
    """A new settlement cuts an opponent's road that passes through, and joins own ways of different kinds."""
    for seat in range(len(game.road_length)):
        if lead_through(game, table, seat, intersection):
            if seat != player or joins_kinds(game, table, player, intersection):
                remeasure(game, table, seat, NO_LIMIT)


@rule("base.longest_road.3")
@when(PASSAGE_CHANGED)
def remeasure_through(game, table, player, intersection):
    """Measures anew the road of every other player whose ways meet there."""
    for seat in range(len(game.road_length)):
        if seat != player and lead_through(game, table, seat, intersection):
            remeasure(game, table, seat, NO_LIMIT)


@rule("base.longest_road.3")
def remeasure(game, table, player, enough):
    """Measures a player's road anew, after something else than a new way has changed it, if it is not long enough."""
    game.road_length[player] = longest_of(game, table, player, enough)
    award_longest_road(game, table)


@rule("base.longest_road.3")
@when(WAY_LEAVES)
def forget_length(game, table, player, path):
    """Without a way over which a trail is the longest nobody knows whether another is as long: till then, its length
    is negative."""
    length = int(game.road_length[player])
    if scores(table, player) and longest_with(game, table, player, path, length) >= length:
        game.road_length[player] = -length


@rule("base.longest_road.2")
@when(WAY_REMOVED)
def measure_rest(game, table, player, path):
    """Measures the road that was forgotten, if no new way has brought it to light: no trail is longer, but over a way
    that is still to be announced."""
    length = -int(game.road_length[player])
    if length > 0:
        remeasure(game, table, player, length)


@rule("base.longest_road.4", "base.longest_road.5", "base.longest_road.6", "base.longest_road.7")
def rightful_owner(game, table):
    """Who holds Longest Road."""
    return rightful_holder(game.road_length, game.longest_road, table.longest_road_minimum)


@rule("base.longest_road.4")
def award_longest_road(game, table):
    """Hands the card to its rightful holder, or sets it aside."""
    game.longest_road = rightful_owner(game, table)


@rule("base.longest_road.1")
@answers(PUBLIC_POINTS)
def points_of_longest_road(game, table, player, where):
    return table.longest_road_points * (game.longest_road == player)


@rule("base.longest_road.7")
@checks(LENGTHS_CURRENT)
def lengths_current(game, table):
    for player in range(PLAYERS):
        if game.road_length[player] != longest_of(game, table, player, NO_LIMIT):
            return False
    return game.longest_road == rightful_owner(game, table)
