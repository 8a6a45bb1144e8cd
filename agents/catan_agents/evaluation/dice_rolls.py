"""What the dice of a turn may still bring: all rolls that are left averaged exactly, the best dice kept each time.

What dice show is numbered by its tails, how many show a side or any that comes after it: first no dice, then one, and
so on. With one die more that shows a side, the tails of this side and of all before it are longer by one.

Dice pay for baskets of pieces. They lie in the pool, what each is worth and its price by side, the empty one first.
"""

import numpy as np

from catan_env.engine.decision_stack import current_decision, head_argument
from catan_env.games.dice_game.knight_jokers import CHOOSE_DIE
from catan_env.games.dice_game.rolling import CHOOSE_DICE, DIE, FACES, GOLD
from catan_env.games.vocabulary import count_of

VALUES = 0
"""In the pool: what is to be expected if dice lie there and all others are rolled; free before."""
STANDING = 924
"""What all dice of a turn bring if they stay as they are."""
STEPS = STANDING + 462
"""How many numbers lie between dice with tails of a side so long and without them."""
WIDTH = 8
TAILS = STEPS + 7 * WIDTH
JOKERS_READY = TAILS + WIDTH
JOKER_WORTH = JOKERS_READY + WIDTH
"""Jokers by the side they give, those for any side as gold, and what one of them is worth."""
BASKETS = JOKER_WORTH + WIDTH
MOST_BASKETS = 40


def steps_and_tails(pool):
    """The integers of the pool, steps filled in."""
    steps, tails = pool[STEPS:TAILS].view(np.int64), pool[TAILS:JOKERS_READY].view(np.int64)
    for dice in range(WIDTH):
        steps[FACES * WIDTH + dice] = 1
    for face in range(FACES - 1, -1, -1):
        steps[face * WIDTH] = 0
        for dice in range(1, WIDTH):
            steps[face * WIDTH + dice] = steps[face * WIDTH + dice - 1] + steps[(face + 1) * WIDTH + dice]
    return steps, tails


def begin_with(tails, dice):
    """The tails of the first of so many dice."""
    for face in range(FACES + 1):
        tails[face] = 0
    tails[0] = dice


def go_on(tails):
    """The tails of the next number."""
    face = FACES - 1
    while face > 0 and tails[face] == tails[face - 1]:
        tails[face] = 0
        face -= 1
    tails[face] += 1


def tails_of(tails, dice_lying):
    """The tails of dice by side."""
    tails[FACES] = 0
    for face in range(FACES - 1, -1, -1):
        tails[face] = tails[face + 1] + dice_lying[face]


def bring(params, pool, tails, baskets):
    """What dice bring if they stay as they are: the best basket that they pay for with gold and jokers, less what the
    jokers are worth."""
    best = pool[BASKETS]
    for basket in range(1, baskets):
        first = BASKETS + WIDTH * basket
        if pool[first] <= best:
            continue
        short = 0
        helpful = pool[JOKERS_READY + GOLD]
        spare = 0
        for face in range(GOLD):
            lacking = int(pool[first + 1 + face]) - tails[face] + tails[face + 1]
            if lacking > 0:
                short += lacking
                helpful += min(lacking, pool[JOKERS_READY + face])
            else:
                spare -= lacking
        gold = tails[GOLD] - int(pool[first + 1 + GOLD])
        helpful = min(helpful, short)
        used = 0
        while used <= helpful and short - used > (gold - max(used - spare, 0)) // params.gold_rate:
            used += 1  # jokers turn spare dice first, then gold
        if used <= helpful and gold >= 0:
            best = max(best, pool[first] - worth_of_jokers(pool, tails, first, used))
    return best


def worth_of_jokers(pool, tails, first, used):
    """What so many jokers are worth that a basket takes, those for any side used last."""
    worth = 0.0
    for face in range(GOLD):
        lacking = int(pool[first + 1 + face]) - tails[face] + tails[face + 1]
        some = max(min(lacking, int(pool[JOKERS_READY + face]), used), 0)
        worth += some * pool[JOKER_WORTH + face]
        used -= some
    return worth + used * pool[JOKER_WORTH + GOLD]


def roll_others(pool, steps, tails, dice):
    """Fills in the values of fewer dice, given those of all."""
    for lying in range(dice - 1, -1, -1):
        begin_with(tails, lying)
        for number in range(steps[lying], steps[lying + 1]):
            total = 0.0
            more = number
            for face in range(FACES):
                more += steps[(face + 1) * WIDTH + tails[face] + 1]
                total += pool[VALUES + more]
            pool[VALUES + number] = total / FACES
            go_on(tails)


def keep_best(pool, steps, tails, dice):
    """Makes each value the best that is had if some of its dice are taken up first, or, of all dice, if none are."""
    begin_with(tails, 0)
    for number in range(steps[dice + 1]):
        if number >= steps[dice]:
            pool[VALUES + number] = pool[STANDING + number - steps[dice]]
        less = number
        for face in range(FACES):
            less -= steps[(face + 1) * WIDTH + tails[face]]
            if tails[face] > tails[face + 1]:
                pool[VALUES + number] = max(pool[VALUES + number], pool[VALUES + less])
        go_on(tails)


def number_of(steps, tails):
    """The number of dice with these tails."""
    number = 0
    for face in range(FACES):
        number += steps[face * WIDTH + tails[face]]
    return number


def to_expect(game, params, pool, baskets):
    """What is to be expected of the dice of whoever is on turn, if baskets are worth what the pool says."""
    steps, tails = steps_and_tails(pool)
    at_hand = current_decision(game)
    rolling = head_argument(game) if at_hand == DIE else int(game.dice_taken_up)
    if rolling == 0 and at_hand != CHOOSE_DICE:
        tails_of(tails, game.dice_lying)
        if at_hand != CHOOSE_DIE:
            return bring(params, pool, tails, baskets)
        return turned(game, params, pool, tails, baskets)
    dice = count_of(game.dice_lying) + rolling
    begin_with(tails, dice)
    for number in range(steps[dice], steps[dice + 1]):
        standing = bring(params, pool, tails, baskets)
        pool[STANDING + number - steps[dice]] = pool[VALUES + number] = standing
        go_on(tails)
    for _ in range(params.rolls_per_turn - game.rolls_made):
        roll_others(pool, steps, tails, dice)
        keep_best(pool, steps, tails, dice)
    tails_of(tails, game.dice_lying)
    return pool[VALUES + number_of(steps, tails)]


def turned(game, params, pool, tails, baskets):
    """What is to be expected once a die is turned to the side that a joker gives."""
    wanted = head_argument(game)
    best = -np.inf
    for face in range(FACES):
        if face != wanted and game.dice_lying[face] > 0:
            for side in range(FACES):
                tails[side] += (side <= wanted) - (side <= face)
            best = max(best, bring(params, pool, tails, baskets))
            for side in range(FACES):
                tails[side] -= (side <= wanted) - (side <= face)
    return best
