"""Value networks, compiled with the rules: how likely a seat is to win, by what it sees of a position.

A network has two hidden layers, and lies in memory as one row of numbers: how many inputs and how many units each layer
has, then of each layer its biases, and its weights input by input. The rows that agents judge positions by may hold
such a network instead of the weights of the terms.
"""

from math import exp

from agents.evaluation.aspects import SEE

WIN = 8.0
"""What a game that is surely won is worth, in victory points, before it is won: near an even chance of four players one
more point adds about an eighth."""
SIZES = 3
"""Numbers in front of the weights."""
MOST_INPUTS, MOST_UNITS = 640, 192
"""That there is room for in the pool."""
FOUR = 4


def layer(weights, at, inputs, count, units, size):
    """Adds up one layer: four inputs at a time, none that are all zero. Returns where the next one's weights begin."""
    for unit in range(size):
        units[unit] = weights[at + unit]
    at += size
    for k in range(0, count - count % FOUR, FOUR):
        a, b, c, d = inputs[k], inputs[k + 1], inputs[k + 2], inputs[k + 3]
        if a != 0.0 or b != 0.0 or c != 0.0 or d != 0.0:
            of_a = weights[at : at + size]
            of_b = weights[at + size : at + 2 * size]
            of_c = weights[at + 2 * size : at + 3 * size]
            of_d = weights[at + 3 * size : at + 4 * size]
            for unit in range(size):
                units[unit] += (a * of_a[unit] + b * of_b[unit]) + (c * of_c[unit] + d * of_d[unit])
        at += FOUR * size
    for k in range(count - count % FOUR, count):
        of_a = weights[at : at + size]
        for unit in range(size):
            units[unit] += inputs[k] * of_a[unit]
        at += size
    return at


def keep_positive(units):
    for unit in range(units.shape[0]):
        units[unit] = max(units[unit], 0.0)


def judge(game, table, seat, weights, pool):
    """What a position is worth to a seat, from 0 to `WIN`, by a network in memory."""
    count, wide, narrow = int(weights[0]), int(weights[1]), int(weights[2])
    seen = pool[:count]
    for k in range(count):
        seen[k] = 0.0
    SEE(game, table, seat, seen)
    first = pool[MOST_INPUTS : MOST_INPUTS + wide]
    second = pool[MOST_INPUTS + MOST_UNITS : MOST_INPUTS + MOST_UNITS + narrow]
    at = layer(weights, SIZES, seen, count, first, wide)
    keep_positive(first)
    at = layer(weights, at, first, wide, second, narrow)
    keep_positive(second)
    logit = weights[at]
    for unit in range(narrow):
        logit += second[unit] * weights[at + 1 + unit]
    return WIN / (1.0 + exp(-logit))
