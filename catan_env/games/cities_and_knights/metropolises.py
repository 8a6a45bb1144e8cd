"""Metropolises: the first player to reach level 4 of a track gets its metropolis; the first to reach level 5 keeps it.

In older editions (`metropolis_needs_city` = 0), a player may buy the level without having a city for the metropolis but
then does not get the metropolis.
"""

from catan_env.engine.bitset import any_of, mark, where_equal
from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import (
    PUBLIC_POINTS,
    Action,
    Decision,
    Field,
    Invariant,
    Number,
    OneHot,
    SeatFlag,
    answers,
    apply,
    checks,
    legal,
    rule,
    when,
)
from catan_env.games.base.network import CITY, buildings_of
from catan_env.games.cities_and_knights.improvements import IMPROVED, LEVELS, MAY_IMPROVE, TRACKS
from catan_env.games.vocabulary import INTERSECTIONS, NOBODY

PLAIN = 0
FIRST_LEVEL = 4

FIELDS = (
    Field(
        "metropolis",
        (INTERSECTIONS,),
        "i1",
        PLAIN,
        3,
        "0 for no metropolis, else 1 + its track",
        show=OneHot(("science", "trade", "politics"), 1),
    ),
    Field(
        "metropolis_owner",
        (TRACKS,),
        "i1",
        NOBODY,
        7,
        "seat that has the metropolis of each track",
        NOBODY,
        show=SeatFlag(),
    ),
)
NUMBERS = (
    Number("metropolis_points", 2, "victory points of a metropolis, in addition to its city", 0, 100),
    Number(
        "metropolis_needs_city",
        1,
        "whether buying the level of a metropolis requires a city for it (1) or not (0, older rules)",
        0,
        1,
    ),
)

CHOOSE_CITY = Action(
    "choose_city", "choose the city on {}", INTERSECTIONS, "the seat's city there, without a metropolis"
)
ACTIONS = (CHOOSE_CITY,)

PLACE_METROPOLIS = Decision("place_metropolis", "place the metropolis on an own city", argument=TRACKS)
METROPOLISES_OWNED = Invariant("metropolises_owned", "every metropolis stands on a city of its owner")


def plain_cities_of(game, seat):
    """Return the intersections where a player has a city without a metropolis."""
    return buildings_of(game, seat, CITY) & where_equal(game.metropolis, PLAIN)


def has_plain_city(game, seat):
    """Return whether a player has a city without a metropolis."""
    return any_of(plain_cities_of(game, seat))


def mark_plain_cities(game, seat, mask):
    """Mark a player's cities that have no metropolis."""
    mark(plain_cities_of(game, seat), CHOOSE_CITY, mask)


@rule("cities_and_knights.metropolises.3", "cities_and_knights.metropolises.5")
def brings_metropolis(game, seat, track, level):
    """Return whether a player who reaches a given level of a track gets its metropolis.

    From level 4 on, the player gets a metropolis that nobody holds; at level 5, also one whose holder is below level 5.
    """
    holder = game.metropolis_owner[track]
    if level < FIRST_LEVEL or holder == seat:
        return False
    return holder == NOBODY or (level == LEVELS and game.improvement[holder, track] < LEVELS)


@rule("cities_and_knights.metropolises.2")
@answers(MAY_IMPROVE)
def has_city_for_metropolis(game, params, seat, track):
    level = game.improvement[seat, track] + 1
    if not params.metropolis_needs_city or not brings_metropolis(game, seat, track, level):
        return True
    return has_plain_city(game, seat)


@rule("cities_and_knights.metropolises.1", "cities_and_knights.metropolises.3", "cities_and_knights.metropolises.4")
@when(IMPROVED)
def win_metropolis(game, params, seat, track):
    """The previous holder keeps the city."""
    if brings_metropolis(game, seat, track, game.improvement[seat, track]) and has_plain_city(game, seat):
        game.metropolis_owner[track] = NOBODY
        for intersection in range(INTERSECTIONS):
            if game.metropolis[intersection] == track + 1:
                game.metropolis[intersection] = PLAIN
        push(game, PLACE_METROPOLIS, seat, track)


@rule("cities_and_knights.metropolises.1")
@legal(PLACE_METROPOLIS)
def cities_for_metropolis(game, params, seat, mask):
    mark_plain_cities(game, seat, mask)


@rule("cities_and_knights.metropolises.1")
@apply(CHOOSE_CITY, at=(PLACE_METROPOLIS,))
def place_metropolis(game, params, seat, intersection):
    track = head_argument(game)
    pop(game)
    game.metropolis[intersection] = track + 1
    game.metropolis_owner[track] = seat


@rule("cities_and_knights.metropolises.1")
@answers(PUBLIC_POINTS)
def points_of_metropolises(game, params, player, where):
    metropolis_count = 0
    for track in range(TRACKS):
        metropolis_count += game.metropolis_owner[track] == player
    return metropolis_count * params.metropolis_points


@rule("cities_and_knights.metropolises.1")
@checks(METROPOLISES_OWNED)
def metropolises_owned(game, params):
    for track in range(TRACKS):
        metropolis_count = 0
        for intersection in range(INTERSECTIONS):
            if game.metropolis[intersection] == track + 1:
                metropolis_count += 1
                if game.building[intersection] != CITY:
                    return False
                if game.building_owner[intersection] != game.metropolis_owner[track]:
                    return False
        if metropolis_count != (game.metropolis_owner[track] != NOBODY):
            return False
    return True
