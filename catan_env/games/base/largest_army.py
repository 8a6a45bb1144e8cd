"""Largest Army: awarded to the player with the most knights, but no fewer than three.

Players may give up knights they have played. If this causes a tie, the card is set aside; otherwise it goes to the sole
leader.
"""

from catan_env.engine.declare import PUBLIC_POINTS, Field, Invariant, Number, SeatFlag, answers, checks, rule, when
from catan_env.games.vocabulary import KNIGHT_DISCARDED, KNIGHT_PLAYED, NOBODY, rightful_holder

FIELDS = (Field("largest_army", (), "i1", NOBODY, 7, "holder of Largest Army", NOBODY, show=SeatFlag()),)
NUMBERS = (
    Number("largest_army_minimum", 3, "knights required for Largest Army", 1, 100),
    Number("largest_army_points", 2, "victory points of Largest Army", 0, 100),
)
LARGEST_ARMY_CURRENT = Invariant("largest_army_current", "the holder of Largest Army matches a recomputation")


@rule("base.largest_army.2", "base.largest_army.3")
def rightful_commander(game, params):
    """Return the seat that should hold Largest Army."""
    return rightful_holder(game.knights_played, game.largest_army, params.largest_army_minimum)


@rule("base.largest_army.1", "base.largest_army.3")
@when(KNIGHT_PLAYED)
def award_largest_army(game, params, player, where):
    """Give the card to its rightful holder, or set it aside."""
    game.largest_army = rightful_commander(game, params)


@rule("base.largest_army.3")
@when(KNIGHT_DISCARDED)
def stake_largest_army(game, params, player, where):
    """A holder who gives up a knight keeps the card only while still strictly ahead."""
    if game.largest_army == player:
        game.largest_army = NOBODY
    award_largest_army(game, params, player, where)


@rule("base.largest_army.1")
@answers(PUBLIC_POINTS)
def points_of_largest_army(game, params, player, where):
    return params.largest_army_points * (game.largest_army == player)


@rule("base.largest_army.3")
@checks(LARGEST_ARMY_CURRENT)
def largest_army_current(game, params):
    return game.largest_army == rightful_commander(game, params)
