"""Looking through arrays of bytes a block of 32 entries at a time.

What is found in a block is a word with a bit for each entry, that of its first entry the lowest:

    for k in range(blocks(PATHS)):
        found = with_bit(game.way_sites[kind], k, seat)
        while found:
            path = first_of(found, k)
            found &= found - 1

A field over `Blocks` of an axis holds such words: its entry k is what is found in block k (`note`, `is_noted`).

Arrays are fields of records, or lie in memory behind at least 31 bytes that may be read.
"""

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from catan_env.engine.binding import DISABLE_JIT

BLOCK = 32
"""Entries of a block: as many bytes as processors compare at once."""


def blocks(length):
    """How many blocks there are, the last of them shorter."""
    return (length + BLOCK - 1) // BLOCK


def _load(context, builder, array_type, array, k):
    """Entries 32k to 32k + 31 of a contiguous array of bytes, or the last 32 where there are fewer; with how many bits
    what is found in them has to be shifted."""
    view = context.make_array(array_type)(context, builder, array)
    word, block = ir.IntType(64), ir.VectorType(ir.IntType(8), BLOCK)
    start = builder.mul(k, word(BLOCK))
    over = builder.sub(builder.add(start, word(BLOCK)), builder.extract_value(view.shape, 0))
    over = builder.select(builder.icmp_signed(">", over, word(0)), over, word(0))
    data = builder.bitcast(view.data, ir.IntType(8).as_pointer())
    place = builder.bitcast(builder.gep(data, [builder.sub(start, over)]), block.as_pointer())
    return builder.load(place, align=1), over


def _all_alike(builder, value):
    """A block of one and the same byte, the lowest of a word."""
    block = ir.VectorType(ir.IntType(8), BLOCK)
    one = builder.insert_element(block(ir.Undefined), builder.trunc(value, ir.IntType(8)), ir.IntType(32)(0))
    lanes = ir.VectorType(ir.IntType(32), BLOCK)
    return builder.shuffle_vector(one, block(ir.Undefined), lanes([0] * BLOCK))


def _bits(builder, found, over):
    """What was found in a block as a word."""
    word = builder.zext(builder.bitcast(found, ir.IntType(BLOCK)), ir.IntType(64))
    return builder.lshr(word, over)


@intrinsic
def equal_entries(typing_context, array, k, value):
    """Which of the entries 32k to 32k + 31 are equal to a value."""

    def generate(context, builder, signature, arguments):
        entries, over = _load(context, builder, signature.args[0], *arguments[:2])
        return _bits(builder, builder.icmp_unsigned("==", entries, _all_alike(builder, arguments[2])), over)

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def other_entries(typing_context, array, k, value):
    """Which of the entries 32k to 32k + 31 differ from a value."""

    def generate(context, builder, signature, arguments):
        entries, over = _load(context, builder, signature.args[0], *arguments[:2])
        return _bits(builder, builder.icmp_unsigned("!=", entries, _all_alike(builder, arguments[2])), over)

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def common_entries(typing_context, array, k, bits):
    """Which of the entries 32k to 32k + 31 have any of the bits of a value."""

    def generate(context, builder, signature, arguments):
        entries, over = _load(context, builder, signature.args[0], *arguments[:2])
        common = builder.and_(entries, _all_alike(builder, arguments[2]))
        return _bits(builder, builder.icmp_unsigned("!=", common, common.type([0] * BLOCK)), over)

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def lowest(typing_context, word):
    """Number of the lowest bit that is set in a word other than 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def bits_of(typing_context, word):
    """How many bits are set in a word."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


if DISABLE_JIT:

    def equal_entries(array, k, value):
        """Which of the entries 32k to 32k + 31 are equal to a value."""
        block = array[BLOCK * k : BLOCK * (k + 1)].tobytes()
        return sum(1 << place for place, entry in enumerate(block) if entry == value & 255)

    def other_entries(array, k, value):
        """Which of the entries 32k to 32k + 31 differ from a value."""
        block = array[BLOCK * k : BLOCK * (k + 1)].tobytes()
        return sum(1 << place for place, entry in enumerate(block) if entry != value & 255)

    def common_entries(array, k, bits):
        """Which of the entries 32k to 32k + 31 have any of the bits of a value."""
        block = array[BLOCK * k : BLOCK * (k + 1)].tobytes()
        return sum(1 << place for place, entry in enumerate(block) if entry & bits)

    def lowest(word):
        """Number of the lowest bit that is set in a word other than 0."""
        return (word & -word).bit_length() - 1

    def bits_of(word):
        """How many bits are set in a word."""
        return word.bit_count()


def first_of(found, k):
    """The first entry of what was found in a block, not nothing."""
    return BLOCK * k + lowest(found)


def with_bit(array, k, bit):
    """Those of a block that have a bit."""
    return common_entries(array, k, 1 << int(bit))


def equal_to(array, k, value):
    """Those of a block that are equal to a value, -128 to 127."""
    return equal_entries(array, k, int(value))


def other_than(array, k, value):
    """Those of a block that differ from a value, -128 to 127."""
    return other_entries(array, k, int(value))


def replace(array, old, new):
    """Puts one value in place of another."""
    for k in range(blocks(len(array))):
        found = equal_to(array, k, old)
        while found:
            array[first_of(found, k)] = new
            found &= found - 1


def any_with_bit(array, bit):
    """Whether any entry has a bit."""
    for k in range(blocks(len(array))):
        if with_bit(array, k, bit):
            return True
    return False


def count_with_bit(array, bit):
    """How many entries have a bit."""
    number = 0
    for k in range(blocks(len(array))):
        number += bits_of(with_bit(array, k, bit))
    return number


def count_equal(array, value):
    """How many entries are equal to a value."""
    number = 0
    for k in range(blocks(len(array))):
        number += bits_of(equal_to(array, k, value))
    return number


def mark_found(found, k, first, mask):
    """Sets the entries of a mask, from `first` on, of what was found in a block."""
    while found:
        mask[first + first_of(found, k)] = True
        found &= found - 1


def mark_with_bit(array, bit, first, mask):
    """Sets the entries of a mask, from `first` on, of those entries that have a bit."""
    for k in range(blocks(len(array))):
        mark_found(with_bit(array, k, bit), k, first, mask)


def note(words, entry, value):
    """Puts an entry into a set that is kept as words, or takes it out."""
    bit = 1 << int(entry) % BLOCK
    word = int(words[entry // BLOCK]) & ~bit
    words[entry // BLOCK] = word | bit if value else word


def is_noted(words, entry):
    """Whether an entry is in a set that is kept as words."""
    return int(words[entry // BLOCK]) >> int(entry) % BLOCK & 1 != 0
