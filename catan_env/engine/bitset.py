"""Scans byte arrays, 32 entries at a time.

    for path in where_equal(game.edge_owner, player):
        ...

`where_equal`, `where_other`, `where_bit` and, for a field over an axis's `Bitset`, `where_in` return the entries that
pass a test. `&` combines tests on arrays over the same axis:

    where_equal(game.building_owner, player) & where_equal(game.building, CITY)

Functions may return such entries, `any_of` returns whether there are any, and `number_of` counts them. A loop tests a
whole block of 64 entries before visiting the first, so changes within the block do not affect it. Other functions
return the result for a block as a word with one bit per entry, starting with the lowest bit. A field over an axis's
`Bitset` stores such words, one per block (`set_bit`, `has_bit`).

A scanned array must be a field of a record, or be preceded in memory by at least 31 readable bytes.
"""

from catan_env.engine.compiler.bits import WORD_BITS, bits_of, common_entries, equal_entries, nth_bit
from catan_env.engine.compiler.bits import lowest as lowest
from catan_env.engine.compiler.entries import any_of as any_of
from catan_env.engine.compiler.entries import number_of as number_of
from catan_env.engine.compiler.entries import where_bit as where_bit
from catan_env.engine.compiler.entries import where_equal as where_equal
from catan_env.engine.compiler.entries import where_in as where_in
from catan_env.engine.compiler.entries import where_other as where_other
from catan_env.engine.compiler.marks import mark as mark


def num_words(length):
    """Return the number of blocks, of which the last may be shorter."""
    return (length + WORD_BITS - 1) // WORD_BITS


def with_bit(array, k, bit):
    """Return the entries of block k in which a bit is set."""
    return common_entries(array, k, 1 << int(bit))


def equal_to(array, k, value):
    """Return the entries of block k that equal `value`, which must be in the range -128 to 127."""
    return equal_entries(array, k, int(value))


def replace(array, old, new):
    """Replace every occurrence of `old` with `new`."""
    for entry in where_equal(array, old):
        array[entry] = new


def any_with_bit(array, bit):
    """Return whether a bit is set in any entry."""
    for k in range(num_words(len(array))):
        if with_bit(array, k, bit):
            return True
    return False


def count_with_bit(array, bit):
    """Return the number of entries in which a bit is set."""
    entry_count = 0
    for k in range(num_words(len(array))):
        entry_count += bits_of(with_bit(array, k, bit))
    return entry_count


def nth_with_bit(array, bit, rest):
    """Return the entry in which a bit is set that has exactly `rest` such entries before it."""
    k = 0
    found = with_bit(array, k, bit)
    while rest >= bits_of(found):
        rest -= bits_of(found)
        k += 1
        found = with_bit(array, k, bit)
    return WORD_BITS * k + nth_bit(found, rest)


def count_equal(array, value):
    """Return the number of entries that equal `value`."""
    entry_count = 0
    for k in range(num_words(len(array))):
        entry_count += bits_of(equal_to(array, k, value))
    return entry_count


def mark_with_bit(array, bit, first, mask):
    """Set `mask[first + entry]` for every entry in which a bit is set."""
    mark(where_bit(array, bit), first, mask)


def set_bit(words, entry, value):
    """Add an entry to a bitset, or remove it if `value` is false."""
    bit = 1 << int(entry) % WORD_BITS
    word = int(words[entry // WORD_BITS]) & ~bit
    words[entry // WORD_BITS] = word | bit if value else word


def has_bit(words, entry):
    """Return whether an entry is in a bitset."""
    return int(words[entry // WORD_BITS]) >> int(entry) % WORD_BITS & 1 != 0
