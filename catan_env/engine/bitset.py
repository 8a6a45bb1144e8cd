"""Scans of byte arrays in blocks of 32 entries.

A scan of a block returns a word with one bit per entry. The lowest bit belongs to the first entry:

    for k in range(num_words(PATHS)):
        found = with_bit(game.edge_piece_sites[kind], k, seat)
        while found:
            path = first_index(found, k)
            found = without_first(found)

A field over the `Bitset` of an axis stores such words, one per block (`set_bit`, `has_bit`).

A scanned array must be a field of a record, or at least 31 readable bytes must precede it in memory.
"""

from catan_env.engine.compiler.bits import WORD_BITS, bits_of, common_entries, equal_entries, lowest, other_entries


def num_words(length):
    """Return the number of blocks; the last one may be shorter."""
    return (length + WORD_BITS - 1) // WORD_BITS


def first_index(found, k):
    """Return the first entry in a nonzero result of block k."""
    return WORD_BITS * k + lowest(found)


def without_first(found):
    """Return a nonzero result without its first entry."""
    return found & (found - 1)


def with_bit(array, k, bit):
    """Return the entries of block k in which a bit is set."""
    return common_entries(array, k, 1 << int(bit))


def equal_to(array, k, value):
    """Return the entries of block k that equal a value in -128 .. 127."""
    return equal_entries(array, k, int(value))


def other_than(array, k, value):
    """Return the entries of block k that differ from a value in -128 .. 127."""
    return other_entries(array, k, int(value))


def replace(array, old, new):
    """Replace every occurrence of a value by another."""
    for k in range(num_words(len(array))):
        matching_bits = equal_to(array, k, old)
        while matching_bits:
            array[first_index(matching_bits, k)] = new
            matching_bits = without_first(matching_bits)


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


def count_equal(array, value):
    """Return the number of entries that equal a value."""
    entry_count = 0
    for k in range(num_words(len(array))):
        entry_count += bits_of(equal_to(array, k, value))
    return entry_count


def mark_bits(found, k, first, mask):
    """Set `mask[first + entry]` for every entry in the result of block k."""
    while found:
        mask[first + first_index(found, k)] = True
        found = without_first(found)


def mark_with_bit(array, bit, first, mask):
    """Set `mask[first + entry]` for every entry in which a bit is set."""
    for k in range(num_words(len(array))):
        mark_bits(with_bit(array, k, bit), k, first, mask)


def set_bit(words, entry, value):
    """Add an entry to a bitset, or remove it if `value` is false."""
    bit = 1 << int(entry) % WORD_BITS
    word = int(words[entry // WORD_BITS]) & ~bit
    words[entry // WORD_BITS] = word | bit if value else word


def has_bit(words, entry):
    """Return whether an entry is in a bitset."""
    return int(words[entry // WORD_BITS]) >> int(entry) % WORD_BITS & 1 != 0
