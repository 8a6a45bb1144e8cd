"""Value networks, compiled with the rules, that evaluate a position from its features.

A network has two hidden layers and is stored as one row of numbers (`row_of`). Agents accept such a row instead of term
weights. It estimates the chance of winning or, if the row also holds term weights, corrects the weighted sum of terms.
"""

from hashlib import sha256
from math import exp
from typing import NamedTuple

import numpy as np

from catan_agents.evaluation.features import EXTRACT_FEATURES
from catan_env.engine.compiler.bits import lowest
from catan_env.engine.compiler.rows import FOUR, LANES, add_rows, copy_numbers, differing, digest, positive

WIN = 8.0
"""Value of a certain win, in victory points. With four evenly matched players, an extra point raises a player's chance
of winning by about 1/8."""
SIZES = 8
"""Length of the header, which contains three sizes, a stamp and the start of term weights, and is padded to a cache
line."""
STAMP = 3
"""Position in the header of a number made from the network's contents, by which `Sums` recognize it."""
TERM_WEIGHTS = 4
"""Position in the header of the index at which the term weights start, 0 if there are none."""
LINE = 64
"""Size of a cache line, in bytes."""
MOST_INPUTS, MOST_UNITS = 640, 512
"""Maximum sizes that fit in the pool."""
WEIGHT_STEP = 2.0**-24
"""Weights of the first layer are multiples of this, as all 16-bit numbers are."""
ROUNDING = 1.5 * 2.0**36
"""Adding and subtracting this number rounds a feature to a multiple of 2^-16."""
KEPT = 8
"""Number of sums that are kept; seats share them if there are more."""
VALUES = 4096
"""Number of values that are kept, a power of two."""
WORD = 64
"""Number of inputs that are compared before the first is added, one bit each."""
CHANGES = MOST_INPUTS + FOUR
SCRATCH = 1800
"""Length of the scratch space, which terms use while features are extracted. Afterwards it holds indices, changes of
features, and units as pairs of 32-bit numbers."""
POOL = SCRATCH + 1264
"""Length of the pool: the scratch space, and space where terms keep what they may need again."""


class Sums(NamedTuple):
    """The first layer's sums for the positions seen last, and the values of many positions.

    Positions that are compared in a search differ in few features, so only the changes are added. Weights and features
    are multiples of powers of two, so that 64-bit sums are exact, and do not depend on which positions came before.

    Many positions have equal features: the same moves in another order, or hidden cards that another player holds. Such
    a position has the value that was computed first. Digests of 64 bits distinguish features.

    Attributes:
        seen: (MOST_INPUTS,) float64, scratch space for the features of the current position.
        stamps: (KEPT,) float64, the stamp of the network; 0 marks unused sums.
        features: (KEPT, MOST_INPUTS) float64, the features of the position.
        units: (KEPT, MOST_UNITS + LANES) float64, the sums, then zeros.
        digests: (VALUES,) int64, the digest of the features and the network's stamp for each kept value; 0 marks an
            unused entry.
        values: (VALUES,) float64, the kept values.
    """

    seen: np.ndarray
    stamps: np.ndarray
    features: np.ndarray
    units: np.ndarray
    digests: np.ndarray
    values: np.ndarray


def make_sums():
    """Return unused sums."""
    return Sums(
        seen=np.zeros(MOST_INPUTS),
        stamps=np.zeros(KEPT),
        features=np.zeros((KEPT, MOST_INPUTS)),
        units=np.zeros((KEPT, MOST_UNITS + LANES)),
        digests=np.zeros(VALUES, np.int64),
        values=np.zeros(VALUES),
    )


def padded(count):
    """Return a number of entries, increased to a multiple of `LANES`."""
    return -(-count // LANES) * LANES


def row_of(layers, term_weights=()):
    """Return a network as a single row, shape (numbers,), float64, aligned to a cache line.

    The header contains the number of inputs, the number of units in each hidden layer, a stamp and the start of the
    term weights. The first layer follows, rounded to multiples of `WEIGHT_STEP`, then the other layers, all as 32-bit
    numbers. Each layer consists of the weights of one input after the other, then biases. The number of units is padded
    with zeros to a multiple of `LANES`. The term weights come last.

    Args:
        layers: the weights of each layer, shape (inputs, units), and its biases, shape (units,).
        term_weights: (terms,) weights of the sum that the network corrects, if it does.
    """
    numbers, sizes, inputs = [], [layers[0][0].shape[0]], layers[0][0].shape[0]
    for weights, biases in layers:
        units = padded(len(biases))
        rows = np.zeros((inputs + 1, units))
        rows[: len(weights), : len(biases)], rows[-1, : len(biases)] = weights, biases
        if len(sizes) == 1:
            rows = np.round(rows / WEIGHT_STEP) * WEIGHT_STEP
        numbers.append(rows.astype(np.float32).ravel())
        sizes.append(units)
        inputs = units
    numbers = np.concatenate([np.concatenate(numbers).view(np.float64), term_weights])
    memory = np.zeros(LINE // 8 + SIZES + len(numbers))
    network_row = memory[-memory.ctypes.data % LINE // 8 :][: SIZES + len(numbers)]
    network_row[:STAMP], network_row[SIZES:] = sizes[:STAMP], numbers
    network_row[TERM_WEIGHTS] = len(network_row) - len(term_weights) if len(term_weights) else 0
    network_row[STAMP] = 1 + int.from_bytes(sha256(network_row).digest()[:6], "little")
    return network_row


def rounded(feature):
    """Return a feature as a multiple of 2^-16."""
    return (feature + ROUNDING) - ROUNDING


def add_changes(units, weights, seen, features, indices, changes):
    """Add to `units`, the first layer's sums, the changes of features between two positions.

    Args:
        weights: the network's numbers.
        seen: features of the latter position.
        features: features of the former position; receives those of the latter.
        indices, changes: scratch space.
    """
    count = 0
    for first in range(0, seen.shape[0], WORD):
        found = 0
        for k in range(first, min(first + WORD, seen.shape[0]), LANES):
            found |= differing(seen, features, k) << k - first
        while found:
            k = first + lowest(found)
            indices[count], changes[count] = units.shape[0] * k, rounded(seen[k]) - rounded(features[k])
            features[k] = seen[k]
            count += 1
            found &= found - 1
    for k in range(count, count + FOUR - 1):
        indices[k], changes[k] = 0, 0.0
    for k in range(0, count, FOUR):
        rows = indices[k], indices[k + 1], indices[k + 2], indices[k + 3]
        add_rows(units, weights, rows, (changes[k], changes[k + 1], changes[k + 2], changes[k + 3]))


def layer(units, weights, at, inputs, indices):
    """Set `units` to the weighted sums of the positive inputs, and return the start of the next layer's weights.

    Args:
        weights: 32-bit numbers, of which the layer's begin at `at`.
        inputs: sums of the layer before, then a 0, which pads groups of four.
        indices: scratch space.
    """
    size, last_input, count = units.shape[0], inputs.shape[0] - LANES, 0
    copy_numbers(units, weights, at + size * last_input)
    for first in range(0, last_input, WORD):
        found = 0
        for k in range(first, min(first + WORD, last_input), LANES):
            found |= positive(inputs, k) << k - first
        while found:
            indices[count] = first + lowest(found)
            count += 1
            found &= found - 1
    for k in range(count, count + FOUR - 1):
        indices[k] = last_input
    for k in range(0, count, FOUR):
        a, b, c, d = indices[k], indices[k + 1], indices[k + 2], indices[k + 3]
        rows = at + size * a, at + size * b, at + size * c, at + size * d
        factors = np.float32(inputs[a]), np.float32(inputs[b]), np.float32(inputs[c]), np.float32(inputs[d])
        add_rows(units, weights, rows, factors)
    return at + size * (last_input + 1)


def evaluate(game, params, seat, weights, cache):
    """Return a network's estimate of the value of a position to a seat, from 0 to `WIN`.

    If the row holds term weights, return the network's correction of the sum of terms, in the same unit.

    Args:
        weights: the network's row, see `row_of`.
        cache: an `EvalCache`.
    """
    sums = cache.sums
    seen = sums.seen[: padded(int(weights[0]))]
    seen[:] = 0.0
    EXTRACT_FEATURES(game, params, seat, seen, cache)
    key = digest(seen, int(weights[STAMP]))
    entry = key & (VALUES - 1)
    if sums.digests[entry] != key:
        sums.digests[entry] = key
        sums.values[entry] = compute(seat % KEPT, weights, cache)
    return sums.values[entry]


def compute(kept, weights, cache):
    """Return the network's output for the features in `seen`, as in `evaluate`.

    Args:
        kept: index of the sums to update.
    """
    input_count, first_size, second_size = int(weights[0]), int(weights[1]), int(weights[2])
    inputs, numbers = padded(input_count), weights[SIZES:].view(np.float32)
    seen, features = cache.sums.seen[:inputs], cache.sums.features[kept, :inputs]
    first_sums = cache.sums.units[kept, : first_size + LANES]
    if cache.sums.stamps[kept] != weights[STAMP]:
        cache.sums.stamps[kept] = weights[STAMP]
        features[:] = 0.0
        first_sums[:] = 0.0
        for unit in range(first_size):
            first_sums[unit] = numbers[input_count * first_size + unit]
    indices, changes = cache.pool[:CHANGES].view(np.int64), cache.pool[CHANGES : 2 * CHANGES]
    add_changes(first_sums[:first_size], numbers, seen, features, indices, changes)
    memory = cache.pool[2 * CHANGES :].view(np.float32)
    second_sums, logit = memory[: second_size + LANES], memory[MOST_UNITS + LANES :][:LANES]
    second_sums[second_size:] = np.float32(0.0)
    second_weights = layer(second_sums[:second_size], numbers, (input_count + 1) * first_size, first_sums, indices)
    layer(logit, numbers, second_weights, second_sums, indices)
    return float(logit[0]) if weights[TERM_WEIGHTS] > 0 else WIN / (1.0 + exp(-logit[0]))
