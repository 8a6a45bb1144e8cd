"""Longest Road: at least five ways in a row, with interruptions, ties, and the card set aside.

Sources: bigbox.md A5 ("Longest Road tie", "Loops", "Interruption"); bigbox_decisions.yaml `longest_road_measure`
(the longest trail: no way counted twice, intersections may repeat, opponents' buildings end it, own ones do not)
and `longest_road_tie`. Ways of different kinds are joined by an own building only.
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
    when,
)
from catan_env.rules.vocabulary import (
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
UNMEASURED = 0
"""In place of the length of a road between a way's leaving and its having been removed."""
LENGTHS_CURRENT = Invariant("road_lengths_current", "road_length and the holder of Longest Road equal a recomputation")


def goes_on(game, table, seat, intersection, kind, path):
    """Whether a trail of a seat, over a way of a kind so far, goes on from an intersection over a path."""
    if path == NOTHING or game.way[path] != seat:
        return False
    return WAYS == 1 or WAY_KIND(game, table, seat, path) == kind or game.building_owner[intersection] == seat


def longest_from(game, table, seat, intersection, kind):
    """Longest trail of a seat's ways that goes on from an intersection it has arrived at over a kind of way."""
    longest = 0
    if MAY_PASS(game, table, seat, intersection):
        for k in range(DEGREE):
            path = table.intersection_paths[intersection, k]
            if goes_on(game, table, seat, intersection, kind, path):
                game.way[path] = NOBODY_SEAT  # taken off while the trail passes over it
                neighbor = table.intersection_neighbors[intersection, k]
                over = WAY_KIND(game, table, seat, path)
                longest = max(longest, 1 + longest_from(game, table, seat, neighbor, over))
                game.way[path] = seat
    return longest


def longest_over(game, table, seat, path, end):
    """Longest trail of a seat that begins with one of its ways, over that one's end 0 or 1."""
    kind = WAY_KIND(game, table, seat, path)
    game.way[path] = NOBODY_SEAT
    longest = 1 + longest_from(game, table, seat, table.path_intersections[path, end], kind)
    game.way[path] = seat
    return longest


def meeting(game, table, seat, intersection, kind):
    """Ways of a seat that meet at an intersection such that a trail goes on from one of a kind, which is among them,
    over the others."""
    number = 1
    if MAY_PASS(game, table, seat, intersection):
        number = 0
        for k in range(DEGREE):
            number += goes_on(game, table, seat, intersection, kind, table.intersection_paths[intersection, k])
    return number


def line_on(game, table, seat, path, end):
    """How many ways of a seat are in line from one on, over its end 0 or 1, until there is not just one way on or it
    comes round to the first; and how many meet where it ends."""
    over, here, ways = path, table.path_intersections[path, end], 1
    while True:
        kind = WAY_KIND(game, table, seat, over)
        number = meeting(game, table, seat, here, kind)
        if number != 2:
            return ways, number
        onward, beyond = over, here
        for k in range(DEGREE):
            other = table.intersection_paths[here, k]
            if other != over and goes_on(game, table, seat, here, kind, other):
                onward, beyond = other, table.intersection_neighbors[here, k]
        if onward == path:
            return ways, number
        over, here, ways = onward, beyond, ways + 1


def longest_of(game, table, seat):
    """Longest trail of all ways of a seat, 0 for a color that scores nothing.

    A trail that cannot be prolonged begins where an odd number of ways meet, or is a ring with all that hangs together
    with it. If neither end is a blind one, then none of the ways between a blind end and the next fork is in it.
    """
    longest, others = 0, 0
    if not scores(table, seat):
        return longest
    for path in range(PATHS):
        if game.way[path] == seat:
            others += 1
            kind = WAY_KIND(game, table, seat, path)
            for end in range(2):
                if meeting(game, table, seat, table.path_intersections[path, end], kind) == 1:
                    longest = max(longest, longest_over(game, table, seat, path, 1 - end))
                    ways, number = line_on(game, table, seat, path, 1 - end)
                    if number != 1:
                        others -= ways
    if others > longest:
        longest = max(longest, longest_between_forks(game, table, seat))
    return longest


def longest_between_forks(game, table, seat):
    """Longest trail that begins at a fork, or anywhere on a ring."""
    longest = 0
    for path in range(PATHS):
        if game.way[path] == seat:
            for end in range(2):
                ways, number = line_on(game, table, seat, path, end)
                if ways == 1 and number > 2 or number == 2:
                    longest = max(longest, longest_over(game, table, seat, path, 1 - end))
    return longest


def longest_with(game, table, seat, path):
    """Longest trail over a way of a seat beyond which only one of its ends leads; over any of its ways if both do."""
    kind = WAY_KIND(game, table, seat, path)
    for end in range(2):
        if meeting(game, table, seat, table.path_intersections[path, end], kind) == 1:
            return longest_over(game, table, seat, path, 1 - end)
    return longest_of(game, table, seat)


@when(WAY_BUILT)
def lengthen(game, table, player, path):
    """A new way can only make its owner's road longer, by a trail that passes over it."""
    if scores(table, player):
        length = longest_with(game, table, player, path)
        if length > game.road_length[player]:
            game.road_length[player] = length
            award_longest_road(game, table)


def lead_through(game, table, player, intersection):
    """Whether several ways of a player meet at an intersection."""
    ways = 0
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        ways += path != NOTHING and game.way[path] == player
    return ways > 1


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


@when(SETTLEMENT_BUILT)
def interrupt(game, table, player, intersection):
    """A new settlement cuts an opponent's road that passes through, and joins own ways of different kinds."""
    for seat in range(len(game.road_length)):
        if lead_through(game, table, seat, intersection):
            if seat != player or joins_kinds(game, table, player, intersection):
                remeasure(game, table, seat)


@when(PASSAGE_CHANGED)
def remeasure_through(game, table, player, intersection):
    """Measures anew the road of everybody whose ways meet there."""
    for seat in range(len(game.road_length)):
        if lead_through(game, table, seat, intersection):
            remeasure(game, table, seat)


def remeasure(game, table, player):
    """Measures a player's road anew, after something else than a new way has changed it."""
    game.road_length[player] = longest_of(game, table, player)
    award_longest_road(game, table)


@when(WAY_LEAVES)
def forget_length(game, table, player, path):
    """Without a way over which a trail is the longest nobody knows how long the others are."""
    if scores(table, player) and longest_with(game, table, player, path) >= game.road_length[player]:
        game.road_length[player] = UNMEASURED


@when(WAY_REMOVED)
def measure_rest(game, table, player, path):
    """Measures the road that was forgotten."""
    if game.road_length[player] == UNMEASURED:
        remeasure(game, table, player)


def rightful_owner(game, table):
    """Who holds Longest Road."""
    return rightful_holder(game.road_length, game.longest_road, table.longest_road_minimum)


def award_longest_road(game, table):
    """Hands the card to its rightful holder, or sets it aside."""
    game.longest_road = rightful_owner(game, table)


@answers(PUBLIC_POINTS)
def points_of_longest_road(game, table, player, where):
    return table.longest_road_points if game.longest_road == player else 0


@checks(LENGTHS_CURRENT)
def lengths_current(game, table):
    for player in range(PLAYERS):
        if game.road_length[player] != longest_of(game, table, player):
            return False
    return game.longest_road == rightful_owner(game, table)
