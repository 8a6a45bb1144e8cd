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
            jokers_used += 1  # jokers turn spare dice first, then gold
        if jokers_used <= helpful_jokers and gold_left >= 0:
            best_worth = max(best_worth, pool[basket_start] - worth_of_jokers(pool, tails, basket_start, jokers_used))
    return best_worth


def worth_of_jokers(pool, tails, first, used):
    """What so many jokers are worth that a basket takes, those for any side used last."""
    worth = 0.0
    for face in range(GOLD):
        lacking = int(pool[first + 1 + face]) - tails[face] + tails[face + 1]
        joker_count = max(min(lacking, int(pool[JOKERS_READY + face]), used), 0)
        worth += joker_count * pool[JOKER_WORTH + face]
        used -= joker_count
    return worth + used * pool[JOKER_WORTH + GOLD]


def roll_others(pool, steps, tails, dice):
    """Fills in the values of fewer dice, given those of all."""
    for dice_lying in range(dice - 1, -1, -1):
        begin_with(tails, dice_lying)
        for dice_number in range(steps[dice_lying], steps[dice_lying + 1]):
            value_sum = 0.0
            next_number = dice_number
            for face in range(FACES):
                next_number += steps[(face + 1) * WIDTH + tails[face] + 1]
                value_sum += pool[VALUES + next_number]
            pool[VALUES + dice_number] = value_sum / FACES
            go_on(tails)


def keep_best(pool, steps, tails, dice):
    """Makes each value the best that is had if some of its dice are taken up first, or, of all dice, if none are."""
    begin_with(tails, 0)
    for dice_number in range(steps[dice + 1]):
        if dice_number >= steps[dice]:
            pool[VALUES + dice_number] = pool[STANDING + dice_number - steps[dice]]
        smaller_number = dice_number
        for face in range(FACES):
            smaller_number -= steps[(face + 1) * WIDTH + tails[face]]
            if tails[face] > tails[face + 1]:
                pool[VALUES + dice_number] = max(pool[VALUES + dice_number], pool[VALUES + smaller_number])
        go_on(tails)


def number_of(steps, tails):
    """The number of dice with these tails."""
    dice_number = 0
    for face in range(FACES):
        dice_number += steps[face * WIDTH + tails[face]]
    return dice_number


def to_expect(game, params, pool, baskets):
    """What is to be expected of the dice of whoever is on turn, if baskets are worth what the pool says."""
    steps, tails = steps_and_tails(pool)
    decision = current_decision(game)
    dice_rolling = head_argument(game) if decision == DIE else int(game.dice_taken_up)
    if dice_rolling == 0 and decision != CHOOSE_DICE:
        tails_of(tails, game.dice_lying)
        if decision != CHOOSE_DIE:
            return bring(params, pool, tails, baskets)
        return turned(game, params, pool, tails, baskets)
    dice = count_of(game.dice_lying) + dice_rolling
    begin_with(tails, dice)
    for dice_number in range(steps[dice], steps[dice + 1]):
        worth_standing = bring(params, pool, tails, baskets)
        pool[STANDING + dice_number - steps[dice]] = pool[VALUES + dice_number] = worth_standing
        go_on(tails)
    for _ in range(params.rolls_per_turn - game.rolls_made):
        roll_others(pool, steps, tails, dice)
        keep_best(pool, steps, tails, dice)
    tails_of(tails, game.dice_lying)
    return pool[VALUES + number_of(steps, tails)]


def turned(game, params, pool, tails, baskets):
    """What is to be expected once a die is turned to the side that a joker gives."""
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
