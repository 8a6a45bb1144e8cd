"""Intrinsics that hash, compare and copy selected bytes of records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from zlib import crc32

import numpy as np
from llvmlite import ir
from numba import types

from catan_env.engine.compiler.bits import WORD_BITS
from catan_env.engine.compiler.jit import intrinsic_with

ENTRIES = 64
"""Number of entries in a table of cached results, keyed by a part of the record; a power of two."""
BYTE, WORD, LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)
GOLDEN = 0x9E3779B97F4A7C15


def _windows(part: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield an (offset, mask) pair for each block; together, the blocks cover all bytes of the part."""
    bytes_left = np.frombuffer(part, np.uint8).copy()
    while bytes_left.any():
        start = min(int(bytes_left.argmax()), max(len(bytes_left) - WORD_BITS, 0))
        yield start, bytes_left[start : start + WORD_BITS].tobytes()
        bytes_left[start : start + WORD_BITS] = 0


def _bytes_of(record: np.void) -> np.ndarray:
    """Return a copy of a record's bytes, shape (bytes,), uint8."""
    return np.frombuffer(record.tobytes(), np.uint8)


def _place(builder: ir.IRBuilder, record: ir.Value, start: int, size: int) -> ir.Value:
    """Return a pointer to a block within a record."""
    byte_pointer = builder.gep(builder.bitcast(record, BYTE.as_pointer()), [LONG(start)])
    return builder.bitcast(byte_pointer, ir.VectorType(BYTE, size).as_pointer())


def _load(builder: ir.IRBuilder, record: ir.Value, start: int, mask: bytes) -> ir.Value:
    """Load a block of a record, zeroing the bytes outside the part."""
    block = builder.load(_place(builder, record, start, len(mask)), align=1)
    return builder.and_(block, ir.VectorType(BYTE, len(mask))(list(mask)))


def hasher(part: bytes) -> Callable:
    """Return `f(game)`, which hashes this part of a record to a table index."""
    windows = tuple(_windows(part))
    mask_bytes = np.frombuffer(part, np.uint8)

    def entry_in_python(record):
        return crc32(_bytes_of(record) & mask_bytes) % ENTRIES

    @intrinsic_with(entry_in_python)
    def entry_of(typing_context, game):
        def generate(context, builder, signature, arguments):
            lane_count = min(WORD_BITS, len(part)) // 4
            vector_type = ir.VectorType(WORD, lane_count)
            lane_sums = vector_type([0] * lane_count)
            for k, (start, mask) in enumerate(windows):
                words = builder.bitcast(_load(builder, arguments[0], start, mask), vector_type)
                factors = [GOLDEN * (lane_count * k + lane + 1) % 2**64 >> 32 | 1 for lane in range(lane_count)]
                lane_sums = builder.add(lane_sums, builder.mul(words, vector_type(factors)))
            lane_total = LONG(0)
            for k in range(lane_count):
                lane_total = builder.add(lane_total, builder.zext(builder.extract_element(lane_sums, WORD(k)), LONG))
            return builder.lshr(builder.mul(lane_total, LONG(GOLDEN)), LONG(64 - ENTRIES.bit_length() + 1))

        return types.int64(game), generate

    return entry_of


def comparer(part: bytes) -> Callable:
    """Return `f(one, other)`, which tests whether two records agree in this part."""
    windows = tuple(_windows(part))
    mask_bytes = np.frombuffer(part, np.uint8)

    def alike_in_python(one, other):
        return not ((_bytes_of(one) ^ _bytes_of(other)) & mask_bytes).any()

    @intrinsic_with(alike_in_python)
    def alike(typing_context, one, other):
        def generate(context, builder, signature, arguments):
            size = min(WORD_BITS, len(part))
            differing_bytes = ir.VectorType(BYTE, size)([0] * size)
            for start, mask in windows:
                block, other_block = (_load(builder, record, start, mask) for record in arguments)
                differing_bytes = builder.or_(differing_bytes, builder.xor(block, other_block))
            differing_word = builder.bitcast(differing_bytes, ir.IntType(8 * size))
            return builder.icmp_unsigned("==", differing_word, differing_word.type(0))

        return types.boolean(one, other), generate

    return alike


def copier(part: bytes) -> Callable:
    """Return `f(one, other)`, which copies this part, and any bytes in between, from `other` to `one`."""
    windows = tuple(_windows(part))

    def copy_in_python(one, other):
        for name in one.dtype.names:
            one[name] = other[name]

    @intrinsic_with(copy_in_python)
    def copy_part(typing_context, one, other):
        def generate(context, builder, signature, arguments):
            for start, mask in windows:
                target, source = (_place(builder, record, start, len(mask)) for record in arguments)
                builder.store(builder.load(source, align=1), target, align=1)
            return context.get_dummy_value()

        return types.none(one, other), generate

    return copy_part
