"""Both dice of a roll, for rules that need more than their sum.

`turns` draws only the sum. This module then draws the first die conditional on that sum, so the pair is distributed
like two fair dice. Cities & Knights rolls `red_die` and `yellow_die` itself before the sum and does not need this
module.

List this module after those that push decisions in response to a roll, so the dice are drawn before anyone decides.
"""

from catan_env.engine.decision_stack import CHANCE, pop, push
from catan_env.engine.declare import Count, Draw, Event, Field, outcome, rule, weights, when
from catan_env.games.vocabulary import DICE_ROLLED

PIPS = tuple(str(face) for face in range(1, 7))

FIELDS = (
    Field("first_die", (), "i1", 0, 6, "the first die of the last roll, 0 before it is known", show=Count()),
    Field("second_die", (), "i1", 0, 6, "the second die of the last roll, 0 before it is known", show=Count()),
)
FIRST_DIE = Draw("first_die", "the first die shows {}", PIPS)
BOTH_DICE_KNOWN = Event(
    "both_dice_known", "`game.first_die` and `game.second_die` of the roll `where` of `player` are known"
)


@rule("base.turns.2")
@when(DICE_ROLLED)
def throw_first_die(game, params, player, number):
    game.first_die = 0
    game.second_die = 0
    push(game, FIRST_DIE, CHANCE)


@rule("base.turns.2")
@weights(FIRST_DIE)
def faces_that_fit(game, params, weights):
    """The second die makes up the rest of the sum."""
    for face in range(len(PIPS)):
        rest = game.dice - (face + 1)
        weights[face] = 1 <= rest <= 6


@rule("base.turns.2")
@outcome(FIRST_DIE)
def dice_lie(game, params, face):
    pop(game)
    game.first_die = face + 1
    game.second_die = game.dice - game.first_die
    BOTH_DICE_KNOWN(game, params, game.on_turn, game.dice)
