"""Two rolls per turn, with different sums.

`rolls_per_turn` in `turns.py` grants the second roll. Rolling until the sum differs is equivalent to a single draw that
excludes the first sum.
"""

from catan_env.engine.declare import rule, weights
from catan_env.games.base.turns import DICE, LOWEST_SUM


@rule("two_player.second_roll.2")
@weights(DICE)
def another_sum(game, params, weights):
    """Exclude the previous sum of this turn from the draw."""
    if game.rolls_made > 0:
        weights[game.dice - LOWEST_SUM] = 0
