"""Longest Road: awarded for the longest unbranched route of at least five edge pieces.

Opponents' buildings interrupt a route. Edge pieces of different kinds connect only at a building of their owner. A
holder who is tied keeps the card; if the tie is between other players, the card is set aside.
"""

import numpy as np

from catan_env.engine.bitset import count_equal, replace, where_equal
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
    BUILDING_REMOVED,
    DEGREE,
    EDGE_PIECE_BUILT,
    EDGE_PIECE_KIND,
    EDGE_PIECE_LEAVES,
    EDGE_PIECE_REMOVED,
    EDGE_PIECES,
    MAY_PASS,
    NOBODY,
    NOTHING,
    PASSAGE_CHANGED,
    PATHS,
    PIECES_IN_HAND,
    SETTLEMENT_BUILT,
    rightful_holder,
    scores,
)

FIELDS = (
    Field("road_length", (PLAYERS,), "i1", 0, 60, "length of each player's longest road", show=Count(), neutrals=True),
    Field(
        "longest_road",
        (),
        "i1",
        NOBODY,
        7,
        "holder of Longest Road, or nobody",
        NOBODY,
        show=SeatFlag(),
        neutrals=True,
    ),
)
NUMBERS = (
    Number("longest_road_minimum", 5, "length required for Longest Road", 1, 60),
    Number("longest_road_points", 2, "victory points of Longest Road", 0, 100),
)
RING = -1
"""Returned instead of lengths if edge pieces form a ring, because rings require a different search."""
NO_LIMIT = 127
"""Longer than any trail, so that searches never stop early."""
LENGTHS_CURRENT = Invariant("road_lengths_current", "road_length and the holder of Longest Road match a recomputation")


# -- trails --------------------------------------------------------------------------------------------------
# A course is a directed path: `2 * path + end` heads for that end of the path. `onward` lists the courses that follow.


def path_of(course):
    """Return the path that a course follows."""
    return course >> 1


def end_of(params, course):
    """Return the intersection that a course leads to."""
    return params.path_intersections[path_of(course), course & 1]


def joins(game, params, seat, intersection, path, other):
    """Return whether a seat's trail can run from one edge piece to another at an intersection."""
    same_kind = EDGE_PIECE_KIND(game, params, seat, path) == EDGE_PIECE_KIND(game, params, seat, other)
    return EDGE_PIECES == 1 or (game.building_owner[intersection] == seat) | same_kind


@rule("base.longest_road.2")
def goes_on(game, params, seat, intersection, path, other):
    """Return whether a seat's trail that arrives along one path can continue along another."""
    # `&` and `|` evaluate both sides: branches would be mispredicted in most steps of a trail.
    return (game.edge_owner[other] == seat) & (other != NOTHING) & joins(game, params, seat, intersection, path, other)


@rule("base.longest_road.2")
def longest_on(game, params, seat, course, enough):
    """Return the length of a seat's longest trail beyond the end of a course, or any length of at least `enough`."""
    longest = 0
    path = path_of(course)
    intersection = end_of(params, course)
    if MAY_PASS(game, params, seat, intersection):
        game.edge_owner[path] = NOBODY  # removed during the recursion
        for k in range(DEGREE - 1):
            onward = np.int64(params.onward[course, k])
            if longest < enough and goes_on(game, params, seat, intersection, path, path_of(onward)):
                longest = max(longest, 1 + longest_on(game, params, seat, onward, enough - 1))
        game.edge_owner[path] = seat
    return longest


def edge_pieces_on(game, params, seat, course):
    """Return how many edge pieces can continue a seat's trail at the end of a course."""
    branch_count = 0
    path = path_of(course)
    intersection = end_of(params, course)
    if MAY_PASS(game, params, seat, intersection):
        for k in range(DEGREE - 1):
            branch_count += goes_on(game, params, seat, intersection, path, path_of(params.onward[course, k]))
    return branch_count


@rule("base.longest_road.2")
def tour(game, params, seat, course):
    """Visit and mark all edge pieces connected to the end of a course.

    Returns:
        length of the longest trail that starts at that end, and length of the longest trail anywhere beyond it; both
        are RING if there is a ring.
    """
    length_onward, longest_anywhere = 0, 0
    path = path_of(course)
    intersection = end_of(params, course)
    game.edge_owner[path] = GONE_OVER
    if MAY_PASS(game, params, seat, intersection):
        for k in range(DEGREE - 1):
            onward = np.int64(params.onward[course, k])
            if onward != NOTHING and game.edge_owner[path_of(onward)] == GONE_OVER:
                if joins(game, params, seat, intersection, path, path_of(onward)):
                    return RING, RING
            elif goes_on(game, params, seat, intersection, path, path_of(onward)):
                branch_length, longest_in_branch = tour(game, params, seat, onward)
                if branch_length == RING:
                    return RING, RING
                longest_anywhere = max(longest_anywhere, longest_in_branch, length_onward + 1 + branch_length)
                length_onward = max(length_onward, 1 + branch_length)
    return length_onward, longest_anywhere


def end_tours(game, seat):
    """Unmark a seat's edge pieces."""
    replace(game.edge_owner, GONE_OVER, seat)


@rule("base.longest_road.2")
def line_on(game, params, seat, course):
    """Follow a course for as long as exactly one edge piece continues it.

    Returns:
        number of edge pieces followed, and number of edge pieces that continue from the last; the latter is 1 if the
        course returns to its first piece.
    """
    first_path, edge_piece_count = path_of(course), 1
    while True:
        branch_count = edge_pieces_on(game, params, seat, course)
        if branch_count != 1:
            return edge_piece_count, branch_count
        path = path_of(course)
        intersection = end_of(params, course)
        next_course = course
        for k in range(DEGREE - 1):
            onward = np.int64(params.onward[course, k])
            if goes_on(game, params, seat, intersection, path, path_of(onward)):
                next_course = onward
        if path_of(next_course) == first_path:
            return edge_piece_count, branch_count
        course, edge_piece_count = next_course, edge_piece_count + 1


# -- the longest -----------------------------------------------------------------------------------------------


@rule("base.longest_road.2")
def longest_of(game, params, seat, enough):
    """Return the length of a seat's longest trail, or any length of at least `enough`.

    For colors that do not score, the length is 0.
    """
    longest, has_rings = 0, False
    if not scores(params, seat):
        return longest
    for path in where_equal(game.edge_owner, seat):
        for end in range(2):
            if (
                longest < enough
                and game.edge_owner[path] == seat
                and edge_pieces_on(game, params, seat, 2 * path + end) == 0
            ):
                length_onward, longest_in_tour = tour(game, params, seat, np.int64(2 * path + 1 - end))
                longest = max(longest, longest_in_tour, 1 + length_onward)
                has_rings = has_rings or length_onward == RING
    has_rings = has_rings or count_equal(game.edge_owner, seat) > 0  # not reachable from a dead end
    end_tours(game, seat)
    if has_rings and longest < enough:
        longest = max(longest, longest_with_rings(game, params, seat, enough))
    return longest


def longest_with_rings(game, params, seat, enough):
    """Return the length of a seat's longest trail when edge pieces form rings, or any length of at least `enough`.

    A trail that cannot be extended either starts where an odd number of edge pieces meet, or is closed and covers
    everything connected to it. If neither of its ends is a dead end, all its pieces are on or between rings.
    """
    longest = 0
    for path in where_equal(game.edge_owner, seat):
        for end in range(2):
            if longest < enough and edge_pieces_on(game, params, seat, 2 * path + end) == 0:
                course = np.int64(2 * path + 1 - end)
                longest = max(longest, 1 + longest_on(game, params, seat, course, enough - 1))
    if longest < enough:
        if longest < leave_rings(game, params, seat):
            longest = max(longest, longest_between_forks(game, params, seat, enough))
        end_tours(game, seat)
    return longest


def leave_rings(game, params, seat):
    """Mark all of a seat's edge pieces except those on or between rings; return how many remain unmarked."""
    for path in range(PATHS):
        if game.edge_owner[path] == seat:
            for end in range(2):
                if game.edge_owner[path] == seat and edge_pieces_on(game, params, seat, 2 * path + end) == 0:
                    go_to_fork(game, params, seat, np.int64(2 * path + 1 - end))
    return count_equal(game.edge_owner, seat)


def go_to_fork(game, params, seat, course):
    """Mark the edge pieces along a course up to the next fork or dead end."""
    branch_count = 1
    while branch_count == 1:
        path = path_of(course)
        intersection = end_of(params, course)
        branch_count = edge_pieces_on(game, params, seat, course)
        game.edge_owner[path] = GONE_OVER
        if branch_count == 1:
            next_course = course
            for k in range(DEGREE - 1):
                onward = np.int64(params.onward[course, k])
                if goes_on(game, params, seat, intersection, path, path_of(onward)):
                    next_course = onward
            course = next_course


@rule("base.longest_road.2")
def longest_between_forks(game, params, seat, enough):
    """Return the length of the longest trail starting at a fork or on a ring, or any length of at least `enough`."""
    longest = 0
    for path in range(PATHS):
        if longest < enough and game.edge_owner[path] == seat:
            for end in range(2):
                edge_piece_count, branch_count = line_on(game, params, seat, np.int64(2 * path + end))
                if edge_piece_count == 1 and branch_count > 1 or branch_count == 1:
                    course = np.int64(2 * path + 1 - end)
                    longest = max(longest, 1 + longest_on(game, params, seat, course, enough - 1))
    return longest


@rule("base.longest_road.2")
def longest_with(game, params, seat, path, enough):
    """Return the length of a seat's longest trail through a path, or any length of at least `enough`.

    If the path is connected to rings, the trail need not contain it.
    """
    for end in range(2):
        if edge_pieces_on(game, params, seat, 2 * path + end) == 0:
            return 1 + longest_on(game, params, seat, np.int64(2 * path + 1 - end), enough - 1)
    length_forward, _ = tour(game, params, seat, np.int64(2 * path))
    length_backward = length_forward
    if length_forward != RING:
        length_backward, _ = tour(game, params, seat, np.int64(2 * path + 1))
    end_tours(game, seat)
    return (
        longest_with_rings(game, params, seat, enough)
        if length_backward == RING
        else length_forward + 1 + length_backward
    )


@rule("base.longest_road.1", "base.longest_road.8")
@when(EDGE_PIECE_BUILT)
def lengthen(game, params, player, path):
    """A new edge piece can lengthen its owner's road only through a trail that contains it.

    While the stored length is negative (see `forget_length`), a new trail replaces it if at least as long.
    """
    if scores(params, player):
        known_length = int(game.road_length[player])
        length = longest_with(game, params, player, path, NO_LIMIT)
        if length > known_length and length >= -known_length:
            game.road_length[player] = length
            award_longest_road(game, params, path)


def lead_through(game, params, player, intersection):
    """Return whether several of a player's edge pieces meet at an intersection."""
    edge_piece_count = 0
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        edge_piece_count += path != NOTHING and game.edge_owner[path] == player
    return edge_piece_count > 1


@rule("base.longest_road.2")
def joins_kinds(game, params, player, intersection):
    """Return whether edge pieces of different kinds meet at an intersection."""
    if EDGE_PIECES > 1:
        kind = -1
        for k in range(DEGREE):
            path = params.intersection_paths[intersection, k]
            if path != NOTHING and game.edge_owner[path] == player:
                other_kind = EDGE_PIECE_KIND(game, params, player, path)
                if kind != -1 and other_kind != kind:
                    return True
                kind = other_kind
    return False


@rule("base.longest_road.3")
@when(SETTLEMENT_BUILT)
def interrupt(game, params, player, intersection):
    """A new settlement interrupts opponents' roads and connects its owner's edge pieces of different kinds."""
    for seat in range(len(game.road_length)):
        if lead_through(game, params, seat, intersection):
            if seat != player or joins_kinds(game, params, player, intersection):
                remeasure(game, params, seat, NO_LIMIT)


@rule("base.longest_road.3")
@when(PASSAGE_CHANGED)
def remeasure_through(game, params, player, intersection):
    """Remeasure other players' roads that run through an intersection."""
    for seat in range(len(game.road_length)):
        if seat != player and lead_through(game, params, seat, intersection):
            remeasure(game, params, seat, NO_LIMIT)


@rule("base.longest_road.3")
@when(BUILDING_REMOVED)
def separate_kinds(game, params, player, intersection):
    """Without the building, edge pieces of different kinds no longer connect."""
    if joins_kinds(game, params, player, intersection):
        remeasure(game, params, player, NO_LIMIT)


@rule("base.longest_road.3")
def remeasure(game, params, player, enough):
    """Remeasure a player's road after any change other than a new edge piece, stopping at a length of `enough`."""
    game.road_length[player] = longest_of(game, params, player, enough)
    award_longest_road(game, params, NOTHING)


@rule("base.longest_road.3")
@when(EDGE_PIECE_LEAVES)
def forget_length(game, params, player, path):
    """If the departing edge piece is part of a longest trail, negate the length, as it may no longer be valid."""
    length = int(game.road_length[player])
    if scores(params, player) and longest_with(game, params, player, path, length) >= length:
        game.road_length[player] = -length


@rule("base.longest_road.2")
@when(EDGE_PIECE_REMOVED)
def measure_rest(game, params, player, path):
    """Remeasure the road unless a new edge piece has already restored its length.

    Only trails through a piece that has yet to be announced can be longer than before.
    """
    length = -int(game.road_length[player])
    if length > 0:
        remeasure(game, params, player, length)


@rule("base.longest_road.4", "base.longest_road.5", "base.longest_road.6", "base.longest_road.7")
def rightful_owner(game, params):
    """Return the seat that should hold Longest Road."""
    return rightful_holder(game.road_length, game.longest_road, params.longest_road_minimum)


@rule("base.longest_road.4")
def award_longest_road(game, params, path):
    """Once all pieces are placed, give the card to its rightful holder or set it aside.

    `path` is where a new edge piece was placed, or NOTHING.
    """
    if not PIECES_IN_HAND(game, params, NOBODY, path):
        game.longest_road = rightful_owner(game, params)


@rule("base.longest_road.1")
@answers(PUBLIC_POINTS)
def points_of_longest_road(game, params, player, where):
    return params.longest_road_points * (game.longest_road == player)


@rule("base.longest_road.7")
@checks(LENGTHS_CURRENT)
def lengths_current(game, params):
    for player in range(PLAYERS):
        if game.road_length[player] != longest_of(game, params, player, NO_LIMIT):
            return False
    return PIECES_IN_HAND(game, params, NOBODY, NOTHING) or game.longest_road == rightful_owner(game, params)
