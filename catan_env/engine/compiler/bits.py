"""Intrinsics that scan 32 entries of a byte array at a time. Rules use them through `engine/bitset.py`."""

from llvmlite import ir
from numba import types
from numba.core import cgutils

from catan_env.engine.compiler.jit import intrinsic_with

WORD_BITS = 32
"""Number of entries in a block, which is the number of bytes that processors compare at once."""
SLOW_DEPOSIT = ("znver1", "znver2")
"""Processors that have the instruction `pdep`, but take longer for it than for a loop over the bits."""


def _load(context, builder, array_type, array, k):
    """Load entries 32k to 32k + 31 of a contiguous byte array, or its last 32 entries if the block is shorter.

    Return the entries and the number of bits to shift a result by.
    """
    view = context.make_array(array_type)(context, builder, array)
    word_type, block_type = ir.IntType(64), ir.VectorType(ir.IntType(8), WORD_BITS)
    start = builder.mul(k, word_type(WORD_BITS))
    over = builder.sub(builder.add(start, word_type(WORD_BITS)), builder.extract_value(view.shape, 0))
    over = builder.select(builder.icmp_signed(">", over, word_type(0)), over, word_type(0))
    data = builder.bitcast(view.data, ir.IntType(8).as_pointer())
    pointer = builder.bitcast(builder.gep(data, [builder.sub(start, over)]), block_type.as_pointer())
    return builder.load(pointer, align=1), over


def all_alike(builder, value, vector_type):
    """Return a vector in which every lane is `value`."""
    first_lane = builder.insert_element(vector_type(ir.Undefined), value, ir.IntType(32)(0))
    lane_numbers = ir.VectorType(ir.IntType(32), vector_type.count)([0] * vector_type.count)
    return builder.shuffle_vector(first_lane, vector_type(ir.Undefined), lane_numbers)


def _bits(builder, found, over):
    """Pack the flags of a block into the bits of a word."""
    word = builder.zext(builder.bitcast(found, ir.IntType(WORD_BITS)), ir.IntType(64))
    return builder.lshr(word, over)


def scan_block(context, builder, test, array_type, array, k, value):
    """Return a bitmask of the entries 32k to 32k + 31 that pass a test.

    The tests select entries that are "equal" to a value, are "other" than the value, share any "bits" with it, have the
    "bit" with that index set, or are "in" a bitset.
    """
    if test == "in":
        view = context.make_array(array_type)(context, builder, array)
        last = builder.sub(builder.extract_value(view.shape, 0), k.type(1))
        over = builder.icmp_signed(">", k, last)
        word = builder.load(builder.gep(view.data, [builder.select(over, last, k)]))
        return builder.select(over, k.type(0), builder.zext(word, k.type))
    entries, over = _load(context, builder, array_type, array, k)

    def in_every_lane(number):
        return all_alike(builder, builder.trunc(number, ir.IntType(8)), entries.type)

    if test in ("equal", "other"):
        sign = "==" if test == "equal" else "!="
        return _bits(builder, builder.icmp_unsigned(sign, entries, in_every_lane(value)), over)
    bits = builder.shl(value.type(1), value) if test == "bit" else value
    common = builder.and_(entries, in_every_lane(bits))
    return _bits(builder, builder.icmp_unsigned("!=", common, common.type([0] * WORD_BITS)), over)


def lowest_bit(builder, word):
    """Return the index of the lowest set bit in a nonzero word."""
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


def equal_entries_in_python(array, k, value):
    """Return a bitmask of the entries 32k to 32k + 31 that equal a value."""
    block = array[WORD_BITS * k : WORD_BITS * (k + 1)].tobytes()
    return sum(1 << position for position, entry in enumerate(block) if entry == value & 255)


def other_entries_in_python(array, k, value):
    """Return a bitmask of the entries 32k to 32k + 31 that differ from a value."""
    block = array[WORD_BITS * k : WORD_BITS * (k + 1)].tobytes()
    return sum(1 << position for position, entry in enumerate(block) if entry != value & 255)


def common_entries_in_python(array, k, bits):
    """Return a bitmask of the entries 32k to 32k + 31 that share any bit with a value."""
    block = array[WORD_BITS * k : WORD_BITS * (k + 1)].tobytes()
    return sum(1 << position for position, entry in enumerate(block) if entry & bits)


def members_in_python(words, k, value):
    """Return a bitmask of the entries 32k to 32k + 31 that are in a bitset."""
    return int(words[k])


def _scan(test, plain_version):
    @intrinsic_with(plain_version)
    def entries(typing_context, array, k, value):
        def generate(context, builder, signature, arguments):
            return scan_block(context, builder, test, signature.args[0], *arguments)

        return types.int64(array, types.int64, types.int64), generate

    return entries


equal_entries = _scan("equal", equal_entries_in_python)
common_entries = _scan("bits", common_entries_in_python)


def lowest_in_python(word):
    """Return the index of the lowest set bit in a nonzero word."""
    return (word & -word).bit_length() - 1


@intrinsic_with(lowest_in_python)
def lowest(typing_context, word):
    """Return the index of the lowest set bit in a nonzero word."""

    def generate(context, builder, signature, arguments):
        return lowest_bit(builder, arguments[0])

    return types.int64(types.int64), generate


def bits_of_in_python(word):
    """Return the number of set bits in a word."""
    return word.bit_count()


@intrinsic_with(bits_of_in_python)
def bits_of(typing_context, word):
    """Return the number of set bits in a word."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def nth_bit_in_python(word, n):
    """Return the index of the set bit that has exactly `n` set bits below it."""
    for _ in range(n):
        word &= word - 1
    return lowest_in_python(word)


def deposits_bits(context):
    """Return whether the processor moves a bit to the n-th set bit of a word with one fast instruction."""
    _, processor, features = context.codegen().magic_tuple()
    return "+bmi2" in features.split(",") and processor not in SLOW_DEPOSIT


@intrinsic_with(nth_bit_in_python)
def nth_bit(typing_context, word, n):
    """Return the index of the set bit that has exactly `n` set bits below it."""

    def generate(context, builder, signature, arguments):
        word, n = arguments
        one = word.type(1)
        if deposits_bits(context):
            deposit_type = ir.FunctionType(word.type, [word.type, word.type])
            deposit = cgutils.get_or_insert_function(builder.module, deposit_type, "llvm.x86.bmi.pdep.64")
            return lowest_bit(builder, builder.call(deposit, [builder.shl(one, n), word]))
        remaining = cgutils.alloca_once_value(builder, word)
        with cgutils.for_range(builder, n):
            word = builder.load(remaining)
            builder.store(builder.and_(word, builder.sub(word, one)), remaining)
        return lowest_bit(builder, builder.load(remaining))

    return types.int64(types.int64, types.int64), generate
