"""Value networks, compiled with the rules, that estimate the chance of winning from the features of a position.

A network has two hidden layers and is stored as one row of numbers (`row_of`). Agents accept such a row instead of term
weights.
"""

from math import exp

import numpy as np

from catan_agents.evaluation.features import EXTRACT_FEATURES
from catan_env.engine.compiler.rows import FOUR, LANES, add_rows

WIN = 8.0
"""Value of a certain win, in victory points. With four evenly matched players, an extra point raises a player's chance
of winning by about 1/8."""
SIZES = 8
"""Length of the header, which contains three sizes and is padded to a cache line."""
LINE = 64
"""Size of a cache line, in bytes."""
ENDS = 2
"""Number of entries after the inputs of a layer: a 1 for the biases, and a 0 that pads groups of four."""
MOST_INPUTS, MOST_UNITS = 640, 192
"""Maximum sizes that fit in the pool."""
SEEN, WHICH = MOST_INPUTS, MOST_INPUTS + ENDS + FOUR
POOL = 1800
"""Length of the scratch space of terms."""
ROOM = SEEN + max(POOL, WHICH + (MOST_INPUTS + 2 * MOST_UNITS + LANES + 4 * ENDS) // 2)
"""Length of the pool. It starts with the features. The rest is scratch space of terms while features are extracted,
then holds indices of nonzero inputs, and inputs and units as pairs of 32-bit numbers."""


def row_of(layers):
    """Return a network as a single row, shape (numbers,), float64, aligned to a cache line.

    The header contains the number of inputs and the number of units in each hidden layer. It is followed by the layers
    as 32-bit numbers, one input at a time: weights, then biases, then zeros. The number of units is padded to a
    multiple of `LANES`.

    Args:
        layers: the weights of each layer, shape (inputs, units), and its biases, shape (units,).
    """
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
    """Write the weighted sums of one layer to `units` and return the offset of the weights of the next layer.

    Zero inputs are skipped; `which` receives the indices of the nonzero ones. The last `ENDS` inputs are a 1 and a 0.
    """
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
    """Apply ReLU in place and set the last `ENDS` entries to 1 and 0."""
    for unit in range(units.shape[0] - ENDS):
        units[unit] = max(units[unit], np.float32(0.0))
    units[-2], units[-1] = np.float32(1.0), np.float32(0.0)


def evaluate(game, params, seat, weights, pool):
    """Return a network's estimate of the value of a position to a seat, from 0 to `WIN`."""
    input_count, first_units, second_units = int(weights[0]), int(weights[1]), int(weights[2])
    seen, nonzero_inputs = pool[:input_count], pool[SEEN : SEEN + WHICH].view(np.int64)
    seen[:] = 0.0
    EXTRACT_FEATURES(game, params, seat, seen, pool[SEEN:])
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
