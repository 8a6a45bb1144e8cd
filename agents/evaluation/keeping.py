"""Terms that are kept: what was measured holds as long as all that was read for it stays as it is.

Most positions that a search compares differ in little: in cards, not on the board. Which fields a measure reads is
found in its byte code and that of all it asks, so nobody has to say it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from agents.evaluation.judging import ROOM
from catan_env.engine.binding import DISABLE_JIT
from catan_env.engine.blocks import BLOCK
from catan_env.engine.compose import Composition
from catan_env.engine.program import as_records

BYTE, WORD = ir.IntType(8), ir.IntType(64)
POOL = ROOM
"""Numbers in the pool that functions may count in; value networks need so many."""


class Memory(NamedTuple):
    """Memory to judge positions in. What is kept holds for one table only: `forget` it where another comes.

    Attributes:
        pool: (POOL,) float64, to count in.
        records: (measures, seats) records, the last position that was measured for each seat.
        held: (measures, seats) bool, whether there is one.
        found: (measures, seats, terms) float64, the terms.
    """

    pool: np.ndarray
    records: np.ndarray
    held: np.ndarray
    found: np.ndarray


def memory_for(blank: np.ndarray, seats: int, measures: int, terms: int) -> Memory:
    """Fresh memory for so many measures that are kept, of so many terms at most; `blank` as that of a program."""
    shape = max(measures, 1), seats
    records, held = as_records(np.tile(blank, shape)), np.zeros(shape, np.bool_)
    return Memory(np.zeros(POOL), records, held, np.zeros((*shape, terms)))


def forget(memory):
    """Keeps nothing."""
    for measure in range(memory.held.shape[0]):
        for seat in range(memory.held.shape[1]):
            memory.held[measure, seat] = False


def bytes_read(composition: Composition, function: Callable) -> np.ndarray:
    """(bytes of a record,) uint8: 255 for each that a function may read, 0 for all others."""
    dtype = composition.record_dtype
    read = np.zeros(dtype.itemsize, np.uint8)
    for kind, offset in (dtype.fields[name][:2] for name in composition.reads(function)):
        read[offset : offset + kind.itemsize] = 255
    return read


def windows(read: np.ndarray) -> Iterator[tuple[int, bytes]]:
    """(offset, mask) of as many neighbouring bytes as processors compare at once, until all have been looked at."""
    left = read.copy()
    while left.any():
        start = min(int(left.argmax()), max(len(left) - BLOCK, 0))
        yield start, left[start : start + BLOCK].tobytes()
        left[start : start + BLOCK] = 0


def comparer(read: np.ndarray) -> Callable:
    """`f(one, other)`: whether two records have the same bytes where `read` is 255."""
    places = tuple(windows(read))

    @intrinsic
    def alike(typing_context, one, other):
        def generate(context, builder, signature, arguments):
            block = ir.VectorType(BYTE, min(BLOCK, len(read)))

            def load(record, start):
                first = builder.gep(builder.bitcast(record, BYTE.as_pointer()), [WORD(start)])
                return builder.load(builder.bitcast(first, block.as_pointer()), align=1)

            differing = block([0] * block.count)
            for start, mask in places:
                both = [load(record, start) for record in arguments]
                differing = builder.or_(differing, builder.and_(builder.xor(*both), block(list(mask))))
            whole = builder.bitcast(differing, ir.IntType(8 * block.count))
            return builder.icmp_unsigned("==", whole, whole.type(0))

        return types.boolean(one, other), generate

    def alike_in_python(one, other):
        return all((a ^ b) & c == 0 for a, b, c in zip(one.tobytes(), other.tobytes(), read.tolist(), strict=True))

    return alike_in_python if DISABLE_JIT else alike
