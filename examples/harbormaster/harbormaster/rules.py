"""Harbormaster: the player with the most harbor points, 3 at least, holds a card worth 2 victory points.

A settlement at a harbor is worth 1 harbor point, a city 2. On a tie the holder keeps the card.

Sources: the variant of the same name in Traders & Barbarians.
"""

from catan_env.engine.bitset import where_equal
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
from catan_env.games.base.network import CITY
from catan_env.games.vocabulary import (
    BUILDING_CHANGED,
    DEGREE,
    HARBOR_PLACED,
    NOBODY,
    NOTHING,
    rightful_holder,
)

FIELDS = (
    Field("harbor_points", (PLAYERS,), "i1", 0, 60, "harbor points of each player", show=Count()),
    Field("harbormaster", (), "i1", NOBODY, 7, "holder of Harbormaster, -1 for none", NOBODY, show=SeatFlag()),
)
NUMBERS = (
    Number("harbormaster_minimum", 3, "harbor points that Harbormaster needs", 1, 40),
    Number("harbormaster_points", 2, "victory points of Harbormaster", 0, 100),
)
HARBOR_POINTS_CURRENT = Invariant("harbor_points_current", "harbor points equal a recount of the board")
HARBORMASTER_CURRENT = Invariant("harbormaster_current", "the holder of Harbormaster equals a recomputation")


def is_at_harbor(game, params, intersection):
    """Return whether an intersection lies at a harbor."""
    for k in range(DEGREE):
        coast = params.intersection_coast[intersection, k]
        if coast != NOTHING and game.harbor[coast] != NOTHING:
            return True
    return False


def points_at_harbors(game, params, player):
    """Count the harbor points of a player on the board."""
    points = 0
    for intersection in where_equal(game.building_owner, player):
        if is_at_harbor(game, params, intersection):
            points += 2 if game.building[intersection] == CITY else 1
    return points


@when(*BUILDING_CHANGED, HARBOR_PLACED)
def pass_harbormaster_on(game, params, player, where):
    """Count the player's points again, and give the card to its rightful holder."""
    game.harbor_points[player] = points_at_harbors(game, params, player)
    game.harbormaster = rightful_holder(game.harbor_points, game.harbormaster, params.harbormaster_minimum)


@answers(PUBLIC_POINTS)
def points_of_harbormaster(game, params, player, where):
    return params.harbormaster_points * (game.harbormaster == player)


@checks(HARBOR_POINTS_CURRENT)
def harbor_points_current(game, params):
    for player in range(PLAYERS):
        if game.harbor_points[player] != points_at_harbors(game, params, player):
            return False
    return True


@checks(HARBORMASTER_CURRENT)
def harbormaster_current(game, params):
    return game.harbormaster == rightful_holder(game.harbor_points, game.harbormaster, params.harbormaster_minimum)
