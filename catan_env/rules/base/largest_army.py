"""Largest Army: three knights played, and more than anybody else; knights may be given up again.

Sources: bigbox.md A5 ("Largest Army"); bigbox_decisions.yaml `largest_army_tie`. When the holder falls
back, the card goes on as Longest Road does (bigbox.md A5, "Longest Road tie").
"""

from catan_env.engine.declare import PLAYERS, PUBLIC_POINTS, Field, Invariant, Number, SeatFlag, adds, checks, when
from catan_env.rules.vocabulary import KNIGHT_DISCARDED, KNIGHT_PLAYED, NOBODY_SEAT

FIELDS = (Field("largest_army", (), "i1", NOBODY_SEAT, 7, "holder of Largest Army", NOBODY_SEAT, show=SeatFlag()),)
NUMBERS = (
    Number("largest_army_minimum", 3, "knights that Largest Army takes", 1, 100),
    Number("largest_army_points", 2, "victory points of Largest Army", 0, 100),
)
LARGEST_ARMY_CURRENT = Invariant("largest_army_current", "the holder of Largest Army equals a recomputation")


def rightful_commander(game, table):
    """Who holds Largest Army: the holder as long as nobody has more knights, else the one player who alone leads,
    else nobody."""
    most = 0
    leader = NOBODY_SEAT
    for player in range(PLAYERS):
        if game.knights_played[player] > most:
            most = int(game.knights_played[player])
            leader = player
        elif game.knights_played[player] == most:
            leader = NOBODY_SEAT
    if most < table.largest_army_minimum:
        return NOBODY_SEAT
    holder = int(game.largest_army)
    if holder != NOBODY_SEAT and game.knights_played[holder] == most:
        return holder
    return leader


@when(KNIGHT_PLAYED, KNIGHT_DISCARDED)
def award_largest_army(game, table, player, where):
    """Hands the card to its rightful holder, or sets it aside."""
    game.largest_army = rightful_commander(game, table)


@adds(PUBLIC_POINTS)
def points_of_largest_army(game, table, player):
    return table.largest_army_points if game.largest_army == player else 0


@checks(LARGEST_ARMY_CURRENT)
def largest_army_current(game, table):
    return game.largest_army == rightful_commander(game, table)
