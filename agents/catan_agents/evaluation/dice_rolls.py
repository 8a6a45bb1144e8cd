"""The exact expected value of the remaining rolls in a turn when the best dice are kept after each roll.

Sets of dice are numbered by their tails. The tail of a face is the number of dice showing that face or a later one.
Numbering starts with the empty set, followed by all single dice, and so on. Adding a die increases the tails of its
face and all earlier faces by 1.

Dice pay for baskets of pieces. The pool holds the value of each basket and its price per face; the first basket is
empty.

The values of all sets of kept dice stay in the pool, with all that they depend on. So they are computed once for the
positions of a decision that differ only in the dice that are kept.
"""

import numpy as np

from catan_agents.evaluation.network_evaluation import SCRATCH
from catan_env.engine.decision_stack import current_decision, head_argument
from catan_env.games.dice_game.knight_jokers import CHOOSE_DIE
from catan_env.games.dice_game.rolling import CHOOSE_DICE, DIE, FACES, GOLD
from catan_env.games.vocabulary import count_of

STANDING = 128
"""Pool offset of the values of all full sets of dice if none are rerolled. Callers may use the space before it."""
STEPS = STANDING + 462
"""Pool offset of the table of increments in a set's number, indexed by face and tail length."""
WIDTH = 8
TAILS = STEPS + 7 * WIDTH
QUESTION = TAILS + WIDTH
"""Pool offset of all that the values of kept dice depend on: the numbers of baskets, dice, rolls left and gold dice per
other die, then jokers and baskets."""
JOKERS_READY = QUESTION + 4
JOKER_WORTH = JOKERS_READY + WIDTH
"""Pool offsets of the number of jokers per face and the value of one joker. Jokers for any face are listed under
gold."""
BASKETS = JOKER_WORTH + WIDTH
MOST_BASKETS = 40
ANSWERED = SCRATCH
"""Pool offset of the question that `VALUES` answers."""
VALUES = ANSWERED + BASKETS + WIDTH * MOST_BASKETS - QUESTION
"""Pool offset of the expected values of all sets of kept dice."""


def steps_and_tails(pool):
    """Fill in the steps in the pool, and return integer views of the steps and tails."""
    steps, tails = pool[STEPS:TAILS].view(np.int64), pool[TAILS:QUESTION].view(np.int64)
    for dice in range(WIDTH):
        steps[FACES * WIDTH + dice] = 1
    for face in range(FACES - 1, -1, -1):
        steps[face * WIDTH] = 0
        for dice in range(1, WIDTH):
            steps[face * WIDTH + dice] = steps[face * WIDTH + dice - 1] + steps[(face + 1) * WIDTH + dice]
    return steps, tails


def begin_with(tails, dice):
    """Set the tails to those of the first set that has `dice` dice."""
    for face in range(FACES + 1):
        tails[face] = 0
    tails[0] = dice


def advance(tails):
    """Advance the tails to the next set of dice."""
    face = FACES - 1
    while face > 0 and tails[face] == tails[face - 1]:
        tails[face] = 0
        face -= 1
    tails[face] += 1


def tails_of(tails, dice_lying):
    """Write the tails of a set of dice, given the number of dice per face."""
    tails[FACES] = 0
    for face in range(FACES - 1, -1, -1):
        tails[face] = tails[face + 1] + dice_lying[face]


def bring(params, pool, tails, baskets):
    """Return the value of a set of dice if none of them are rerolled.

    This is the value of the best basket that the dice can pay for with the help of gold and jokers, minus the value of
    the jokers used.
    """
    best_worth = pool[BASKETS]
    for basket in range(1, baskets):
        basket_start = BASKETS + WIDTH * basket
        if pool[basket_start] <= best_worth:
            continue
        dice_short = 0
        helpful_jokers = pool[JOKERS_READY + GOLD]
        spare_dice = 0
        for face in range(GOLD):
            lacking = int(pool[basket_start + 1 + face]) - tails[face] + tails[face + 1]
            if lacking > 0:
                dice_short += lacking
                helpful_jokers += min(lacking, pool[JOKERS_READY + face])
            else:
                spare_dice -= lacking
        gold_left = tails[GOLD] - int(pool[basket_start + 1 + GOLD])
        helpful_jokers = min(helpful_jokers, dice_short)
        jokers_used = 0
        while (
            jokers_used <= helpful_jokers
            and dice_short - jokers_used > (gold_left - max(jokers_used - spare_dice, 0)) // params.gold_rate
        ):
            jokers_used += 1  # jokers are used to turn spare dice first, then gold dice
        if jokers_used <= helpful_jokers and gold_left >= 0:
            best_worth = max(best_worth, pool[basket_start] - worth_of_jokers(pool, tails, basket_start, jokers_used))
    return best_worth


def worth_of_jokers(pool, tails, first, used):
    """Return the total value of the jokers used for a basket; jokers for any face are used last."""
    worth = 0.0
    for face in range(GOLD):
        lacking = int(pool[first + 1 + face]) - tails[face] + tails[face + 1]
        joker_count = max(min(lacking, int(pool[JOKERS_READY + face]), used), 0)
        worth += joker_count * pool[JOKER_WORTH + face]
        used -= joker_count
    return worth + used * pool[JOKER_WORTH + GOLD]


def roll_others(pool, steps, tails, dice):
    """Compute the values of smaller sets, whose missing dice will be rolled, from the values of full sets."""
    for dice_lying in range(dice - 1, -1, -1):
        begin_with(tails, dice_lying)
        for dice_number in range(steps[dice_lying], steps[dice_lying + 1]):
            value_sum = 0.0
            next_number = dice_number
            for face in range(FACES):
                next_number += steps[(face + 1) * WIDTH + tails[face] + 1]
                value_sum += pool[VALUES + next_number]
            pool[VALUES + dice_number] = value_sum / FACES
            advance(tails)


def keep_best(pool, steps, tails, dice):
    """Replace each value with the best one attainable by picking up some dice; full sets may also be kept whole."""
    begin_with(tails, 0)
    for dice_number in range(steps[dice + 1]):
        if dice_number >= steps[dice]:
            pool[VALUES + dice_number] = pool[STANDING + dice_number - steps[dice]]
        smaller_number = dice_number
        for face in range(FACES):
            smaller_number -= steps[(face + 1) * WIDTH + tails[face]]
            if tails[face] > tails[face + 1]:
                pool[VALUES + dice_number] = max(pool[VALUES + dice_number], pool[VALUES + smaller_number])
        advance(tails)


def number_of(steps, tails):
    """Return the number of the set with the given tails."""
    dice_number = 0
    for face in range(FACES):
        dice_number += steps[face * WIDTH + tails[face]]
    return dice_number


def to_expect(game, params, pool, baskets):
    """Return the expected value of the current player's dice, given the baskets in the pool."""
    steps, tails = steps_and_tails(pool)
    decision = current_decision(game)
    dice_rolling = head_argument(game) if decision == DIE else int(game.dice_taken_up)
    if dice_rolling == 0 and decision != CHOOSE_DICE:
        tails_of(tails, game.dice_lying)
        if decision != CHOOSE_DIE:
            return bring(params, pool, tails, baskets)
        return turned(game, params, pool, tails, baskets)
    dice = count_of(game.dice_lying) + dice_rolling
    rolls_left = params.rolls_per_turn - game.rolls_made
    pool[QUESTION] = baskets
    pool[QUESTION + 1] = dice
    pool[QUESTION + 2] = rolls_left
    pool[QUESTION + 3] = params.gold_rate
    length = BASKETS + WIDTH * baskets - QUESTION
    if not is_answered(pool, length):
        value_kept_dice(params, pool, steps, tails, baskets, dice, rolls_left)
        for k in range(length):
            pool[ANSWERED + k] = pool[QUESTION + k]
    tails_of(tails, game.dice_lying)
    return pool[VALUES + number_of(steps, tails)]


def is_answered(pool, length):
    """Return whether the values in the pool answer the question in it, which has this length."""
    for k in range(length):
        if pool[ANSWERED + k] != pool[QUESTION + k]:
            return False
    return True


def value_kept_dice(params, pool, steps, tails, baskets, dice, rolls_left):
    """Compute the values of all sets of up to `dice` kept dice."""
    begin_with(tails, dice)
    for dice_number in range(steps[dice], steps[dice + 1]):
        worth_standing = bring(params, pool, tails, baskets)
        pool[STANDING + dice_number - steps[dice]] = pool[VALUES + dice_number] = worth_standing
        advance(tails)
    for _ in range(rolls_left):
        roll_others(pool, steps, tails, dice)
        keep_best(pool, steps, tails, dice)


def turned(game, params, pool, tails, baskets):
    """Return the best value attainable by turning one die to the face of the joker."""
    joker_side = head_argument(game)
    best_worth = -np.inf
    for face in range(FACES):
        if face != joker_side and game.dice_lying[face] > 0:
            for side in range(FACES):
                tails[side] += (side <= joker_side) - (side <= face)
            best_worth = max(best_worth, bring(params, pool, tails, baskets))
            for side in range(FACES):
                tails[side] -= (side <= joker_side) - (side <= face)
    return best_worth
