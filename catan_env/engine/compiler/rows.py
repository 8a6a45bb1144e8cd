"""Intrinsics for the layers of small networks: sums of weighted rows, which numbers differ or are positive, digests."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from catan_env.engine.compiler.bits import all_alike
from catan_env.engine.compiler.jit import intrinsic_with
from catan_env.engine.compiler.record_bytes import GOLDEN, LONG

LANES = 16
"""Number of units that a processor adds at once. Layers are padded with units that are always 0."""
FOUR = 4
"""Number of inputs added per call."""


def add_rows_in_python(units, weights, at, inputs):
    """Add rows of weights, each multiplied by its input, to `units`. The rows start at indices `at`."""
    rows = weights[np.add.outer(at, np.arange(len(units)))].astype(units.dtype, copy=False)
    a, b, c, d = rows * np.array(inputs, units.dtype)[:, None]
    units += (a + b) + (c + d)


@intrinsic_with(add_rows_in_python)
def add_rows(typing_context, units, weights, at, inputs):
    """Add four rows of weights, each multiplied by its input, to `units`.

    `units` is 1-D float32 or float64, padded to a multiple of `LANES`. The rows start at indices `at` in `weights`,
    which is float32. Sums have the type of `units`. Those in float64 must be exact, since processors may add products
    without rounding them first.
    """

    def generate(context, builder, signature, arguments):
        target, weights = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
        )
        size = builder.extract_value(target.shape, 0)
        lanes_type = ir.VectorType(context.get_data_type(units.dtype), LANES)
        row_type = ir.VectorType(ir.FloatType(), LANES)
        align = units.dtype.bitwidth // 8

        def block(row_pointer, unit):
            row = builder.load(builder.bitcast(builder.gep(row_pointer, [unit]), row_type.as_pointer()), align=4)
            return row if lanes_type == row_type else builder.fpext(row, lanes_type)

        row_pointers = [builder.gep(weights.data, [builder.extract_value(arguments[2], k)]) for k in range(FOUR)]
        factors = [all_alike(builder, builder.extract_value(arguments[3], k), lanes_type) for k in range(FOUR)]
        with cgutils.for_range_slice(builder, size.type(0), size, size.type(LANES), size.type) as (unit, _):
            pointer = builder.bitcast(builder.gep(target.data, [unit]), lanes_type.as_pointer())
            blocks, sums = [block(row, unit) for row in row_pointers], builder.load(pointer, align=align)
            if units.dtype == types.float64:
                for factor, row in zip(factors, blocks, strict=True):
                    sums = multiply_add(builder, factor, row, sums)
            else:
                a, b, c, d = (builder.fmul(factor, row) for factor, row in zip(factors, blocks, strict=True))
                sums = builder.fadd(sums, builder.fadd(builder.fadd(a, b), builder.fadd(c, d)))
            builder.store(sums, pointer, align=align)
        return context.get_dummy_value()

    return types.void(units, weights, types.UniTuple(types.int64, FOUR), types.UniTuple(units.dtype, FOUR)), generate


def multiply_add(builder, factor, row, sums):
    """Return `factor * row + sums`, for vectors of `LANES` float64, in one instruction where the processor has one."""
    function_type = ir.FunctionType(sums.type, [sums.type] * 3)
    function = cgutils.get_or_insert_function(builder.module, function_type, f"llvm.fmuladd.v{LANES}f64")
    return builder.call(function, [factor, row, sums])


def copy_numbers_in_python(target, source, at):
    """Copy as many numbers as `target` holds from `source`, starting at index `at`."""
    target[:] = source[at : at + len(target)]


@intrinsic_with(copy_numbers_in_python)
def copy_numbers(typing_context, target, source, at):
    """Copy as many numbers as `target` holds from `source`, starting at index `at`.

    Both are 1-D and of the same type. They must not overlap.
    """

    def generate(context, builder, signature, arguments):
        targets, sources = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
        )
        size, place = builder.extract_value(targets.shape, 0), builder.gep(sources.data, [arguments[2]])
        cgutils.raw_memcpy(builder, targets.data, place, size, target.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(target, source, types.int64), generate


def differing_in_python(one, other, first):
    """Return a word with a bit for each of `LANES` numbers, from index `first`, in which two arrays differ."""
    return lanes_in_python(one[first : first + LANES] != other[first : first + LANES])


def positive_in_python(numbers, first):
    """Return a word with a bit for each of `LANES` numbers, from index `first`, that is above 0."""
    return lanes_in_python(numbers[first : first + LANES] > 0)


def lanes_in_python(found):
    """Return a word with one bit per entry, the first entry being the lowest bit."""
    return int.from_bytes(np.packbits(found, bitorder="little").tobytes(), "little")


@intrinsic_with(differing_in_python)
def differing(typing_context, one, other, first):
    """Return a word with a bit for each of `LANES` numbers, from index `first`, in which two float arrays differ."""

    def generate(context, builder, signature, arguments):
        lanes = [load_lanes(context, builder, signature.args[k], arguments[k], arguments[2]) for k in range(2)]
        return word_of(builder, builder.fcmp_unordered("!=", *lanes))

    return types.int64(one, other, types.int64), generate


@intrinsic_with(positive_in_python)
def positive(typing_context, numbers, first):
    """Return a word with a bit for each of `LANES` numbers, from index `first` of a float array, that is above 0."""

    def generate(context, builder, signature, arguments):
        lanes = load_lanes(context, builder, signature.args[0], *arguments)
        return word_of(builder, builder.fcmp_ordered(">", lanes, lanes.type(None)))

    return types.int64(numbers, types.int64), generate


def digest_in_python(numbers, start):
    """Return a 64-bit digest of an array of numbers and a starting value, which is never 0."""
    return hash((start, numbers.tobytes())) or 1


@intrinsic_with(digest_in_python)
def digest(typing_context, numbers, start):
    """Return a 64-bit digest of a 1-D float64 array, padded to a multiple of `LANES`, and a starting value.

    Equal numbers have equal digests; the digest is never 0.
    """

    def generate(context, builder, signature, arguments):
        numbers, start = arguments
        size = builder.extract_value(context.make_array(signature.args[0])(context, builder, numbers).shape, 0)
        factors = ir.VectorType(LONG, LANES)([GOLDEN * (2 * lane + 1) % 2**64 for lane in range(LANES)])

        def mixed(words, factors):
            half = LONG(32) if words.type == LONG else words.type([32] * LANES)
            return builder.mul(builder.xor(words, builder.lshr(words, half)), factors)

        lanes = cgutils.alloca_once_value(builder, factors)
        with cgutils.for_range_slice(builder, size.type(0), size, size.type(LANES), size.type) as (first, _):
            words = builder.bitcast(load_lanes(context, builder, signature.args[0], numbers, first), factors.type)
            builder.store(mixed(builder.xor(builder.load(lanes), words), factors), lanes)
        words, total = mixed(builder.load(lanes), factors), start
        for lane in range(LANES):
            total = builder.add(total, builder.extract_element(words, ir.IntType(32)(lane)))
        total = mixed(total, LONG(GOLDEN))
        total = builder.xor(total, builder.lshr(total, LONG(32)))
        return builder.select(builder.icmp_unsigned("==", total, LONG(0)), LONG(1), total)

    return types.int64(numbers, types.int64), generate


def load_lanes(context, builder, kind, value, first):
    """Load `LANES` numbers of an array from index `first`."""
    data = context.make_array(kind)(context, builder, value).data
    lanes_type = ir.VectorType(context.get_data_type(kind.dtype), LANES)
    return builder.load(
        builder.bitcast(builder.gep(data, [first]), lanes_type.as_pointer()), align=kind.dtype.bitwidth // 8
    )


def word_of(builder, found):
    """Convert a vector of truth values to a 64-bit word."""
    return builder.zext(builder.bitcast(found, ir.IntType(LANES)), ir.IntType(64))
