"""Two rolls a turn with different sums.

`rolls_per_turn` of the turns makes the player roll again. Rolling until the sum differs is the same as drawing
from the other sums in proportion, which keeps a roll one draw.
"""

from catan_env.engine.declare import rule, weights
from catan_env.games.base.turns import DICE, LOWEST_SUM


@rule("two_player.second_roll.2")
@weights(DICE)
def another_sum(game, params, weights):
    """Takes the sum of the roll before in the same turn out of the draw."""
    if game.rolls_made > 0:
        weights[game.dice - LOWEST_SUM] = 0
