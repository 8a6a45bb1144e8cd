"""Looking through arrays of bytes eight entries at a time.

What is found of entries 8k to 8k + 7 is a word with the lowest bit of each byte, that of entry 8k in the lowest byte:

    for k in range(eights(PATHS)):
        found = with_bit(game.way_sites[kind], k, seat)
        while found:
            path = first_of(found, k)
            found &= found - 1

Arrays are fields of records, or lie in memory behind at least eight bytes that may be read. Sums, differences and
products stay within 63 bits: compiled code may take for granted that they do.
"""

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from catan_env.engine.binding import DISABLE_JIT

EACH = 0x0101010101010101
"""The lowest bit of each byte."""
HIGHEST = ~0x7F7F7F7F7F7F7F7F
"""The highest bit of each byte."""


def eights(length):
    """How many times eight entries there are, the last of them fewer."""
    return (length + 7) >> 3


@intrinsic
def entries(typing_context, array, k):
    """Entries 8k to 8k + 7 of a contiguous array of bytes as a word, the first lowest, 0 beyond its end."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        word, byte = ir.IntType(64), ir.IntType(8)
        start = builder.shl(arguments[1], word(3))
        over = builder.sub(builder.add(start, word(8)), builder.extract_value(view.shape, 0))
        over = builder.select(builder.icmp_signed(">", over, word(0)), over, word(0))
        data = builder.bitcast(view.data, byte.as_pointer())
        place = builder.bitcast(builder.gep(data, [builder.sub(start, over)]), word.as_pointer())
        return builder.lshr(builder.load(place, align=1), builder.shl(over, word(3)))

    return types.int64(array, types.int64), generate


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

    def entries(array, k):
        """Entries 8k to 8k + 7 of a contiguous array of bytes as a word, the first lowest, 0 beyond its end."""
        return int.from_bytes(array[8 * k : 8 * k + 8].tobytes(), "little")

    def lowest(word):
        """Number of the lowest bit that is set in a word other than 0."""
        return (word & -word).bit_length() - 1

    def bits_of(word):
        """How many bits are set in a word."""
        return word.bit_count()


def first_of(found, k):
    """The first entry of what was found, not nothing."""
    return 8 * k + (lowest(found) >> 3)


def with_bit(array, k, bit):
    """Those of eight entries that have a bit."""
    return entries(array, k) >> int(bit) & EACH


def equal_to(array, k, value):
    """Those of eight entries that are equal to a value, -128 to 127."""
    other = entries(array, k) ^ (EACH * (int(value) & 127))
    if value < 0:
        other ^= HIGHEST
    other |= other >> 4
    other |= other >> 2
    other |= other >> 1
    there = len(array) - 8 * k
    return ~other & (EACH & ((1 << 8 * there) - 1) if there < 8 else EACH)


def replace(array, old, new):
    """Puts one value in place of another."""
    for k in range(eights(len(array))):
        found = equal_to(array, k, old)
        while found:
            array[first_of(found, k)] = new
            found &= found - 1


def any_with_bit(array, bit):
    """Whether any entry has a bit."""
    for k in range(eights(len(array))):
        if with_bit(array, k, bit):
            return True
    return False


def count_with_bit(array, bit):
    """How many entries have a bit."""
    number = 0
    for k in range(eights(len(array))):
        number += bits_of(with_bit(array, k, bit))
    return number


def mark_with_bit(array, bit, first, mask):
    """Sets the entries of a mask, from `first` on, of those entries that have a bit."""
    for k in range(eights(len(array))):
        found = with_bit(array, k, bit)
        while found:
            mask[first + first_of(found, k)] = True
            found &= found - 1
