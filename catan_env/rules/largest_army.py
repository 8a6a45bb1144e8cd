"""Largest Army: three knights played, and more than anybody else.

Sources: bigbox.md A5 ("Largest Army"); bigbox_decisions.yaml `largest_army_tie`.
"""

from catan_env.engine.declare import PUBLIC_POINTS, Field, Number, SeatFlag, adds, when
from catan_env.rules.vocabulary import KNIGHT_PLAYED, NOBODY_SEAT

FIELDS = (Field("largest_army", (), "i1", NOBODY_SEAT, 7, "holder of Largest Army", NOBODY_SEAT, show=SeatFlag()),)
NUMBERS = (
    Number("largest_army_minimum", 3, "knights that Largest Army takes", 1, 100),
    Number("largest_army_points", 2, "victory points of Largest Army", 0, 100),
)


@when(KNIGHT_PLAYED)
def award_largest_army(game, table, player, where):
    """The holder keeps the card on a tie."""
    knights = game.knights_played[player]
    if knights >= table.largest_army_minimum:
        holder = game.largest_army
        if holder == NOBODY_SEAT or knights > game.knights_played[holder]:
            game.largest_army = player


@adds(PUBLIC_POINTS)
def points_of_largest_army(game, table, player):
    return table.largest_army_points if game.largest_army == player else 0
