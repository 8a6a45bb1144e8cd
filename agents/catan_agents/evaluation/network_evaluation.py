"""Value networks, compiled with the rules: how likely a seat is to win, by what it sees of a position.

A network has two hidden layers, and lies in memory as one row of numbers (`row_of`). The rows that agents judge
positions by may hold such a network instead of the weights of the terms.
"""

from math import exp

import numpy as np

from catan_agents.evaluation.features import EXTRACT_FEATURES
from catan_env.engine.compiler.rows import FOUR, LANES, add_rows

WIN = 8.0
"""What a game that is surely won is worth, in victory points, before it is won: near an even chance of four players one
more point adds about an eighth."""
SIZES = 8
"""Numbers in front of the weights: three, and as many zeros as fill a line of memory."""
LINE = 64
"""Bytes that processors fetch at once."""
ENDS = 2
"""Behind the inputs of a layer: 1, which the biases are the weights of, and 0, to make up fours."""
MOST_INPUTS, MOST_UNITS = 640, 192
"""That there is room for in the pool."""
SEEN, WHICH = MOST_INPUTS, MOST_INPUTS + ENDS + FOUR
ROOM = SEEN + WHICH + (MOST_INPUTS + 2 * MOST_UNITS + LANES + 4 * ENDS) // 2
"""Of the pool: what is seen, which inputs are not 0, and, two in the place of one, 32-bit inputs and units."""


def row_of(layers):
    """A network in memory, 1-D float64, of the weights, (inputs, units), and biases, (units,), of each layer: how many
    inputs there are, how many units both hidden layers have, and the layers as 32-bit numbers, row by row: the weights
    of each input, the biases, and zeros."""
    sizes, numbers, inputs = [layers[0][0].shape[0]], [], layers[0][0].shape[0]
    for weights, biases in layers:
        units = -(-len(biases) // LANES) * LANES
        layer_rows = np.zeros((inputs + ENDS, units), np.float32)
        layer_rows[: len(weights), : len(biases)] = weights
        layer_rows[inputs, : len(biases)] = biases
        numbers.append(layer_rows.ravel())
        sizes.append(units)
        inputs = units
    numbers = np.concatenate(numbers).view(np.float64)
    memory = np.zeros(LINE // 8 + SIZES + len(numbers))
    network_row = memory[-memory.ctypes.data % LINE // 8 :][: SIZES + len(numbers)]
    network_row[:3], network_row[SIZES:] = sizes[:3], numbers
    return network_row


def layer(weights, at, inputs, which, units):
    """Adds up one layer from those inputs that are not 0, `ENDS` behind them. Returns where the next one's weights
    begin."""
    size = units.shape[0]
    units[:] = np.float32(0.0)
    last_input = inputs.shape[0] - 1
    count = 0
    for k in range(last_input):
        which[count] = k
        count += inputs[k] != 0
    for k in range(count, count + FOUR - 1):
        which[k] = last_input
    for k in range(0, count, FOUR):
        a, b, c, d = which[k], which[k + 1], which[k + 2], which[k + 3]
        row_starts = at + size * a, at + size * b, at + size * c, at + size * d
        add_rows(units, weights, row_starts, (inputs[a], inputs[b], inputs[c], inputs[d]))
    return at + size * (last_input + 1)


def keep_positive(units):
    """ReLU, and what stands behind inputs."""
    for unit in range(units.shape[0] - ENDS):
        units[unit] = max(units[unit], np.float32(0.0))
    units[-2], units[-1] = np.float32(1.0), np.float32(0.0)


def evaluate(game, params, seat, weights, pool):
    """What a position is worth to a seat, from 0 to `WIN`, by a network in memory."""
    input_count, first_units, second_units = int(weights[0]), int(weights[1]), int(weights[2])
    seen, nonzero_inputs = pool[:input_count], pool[SEEN : SEEN + WHICH].view(np.int64)
    seen[:] = 0.0
    EXTRACT_FEATURES(game, params, seat, seen)
    numbers, memory = weights[SIZES:].view(np.float32), pool[SEEN + WHICH :].view(np.float32)
    inputs = memory[: input_count + ENDS]
    for k in range(input_count):
        inputs[k] = seen[k]
    inputs[input_count], inputs[input_count + 1] = np.float32(1.0), np.float32(0.0)
    first_layer = memory[MOST_INPUTS + ENDS :][: first_units + ENDS]
    second_layer = memory[MOST_INPUTS + MOST_UNITS + 2 * ENDS :][: second_units + ENDS]
    logit = memory[MOST_INPUTS + 2 * MOST_UNITS + 3 * ENDS :][:LANES]
    weight_start = layer(numbers, 0, inputs, nonzero_inputs, first_layer[:first_units])
    keep_positive(first_layer)
    weight_start = layer(numbers, weight_start, first_layer, nonzero_inputs, second_layer[:second_units])
    keep_positive(second_layer)
    layer(numbers, weight_start, second_layer, nonzero_inputs, logit)
    return WIN / (1.0 + exp(-logit[0]))
