"""Looking through arrays of bytes a block of 32 entries at a time.

What is found in a block is a word with a bit for each entry, that of its first entry the lowest:

    for k in range(num_words(PATHS)):
        found = with_bit(game.edge_piece_sites[kind], k, seat)
        while found:
            path = first_index(found, k)
            found &= found - 1

A field over `Bitset` of an axis holds such words: its entry k is what is found in block k (`set_bit`, `has_bit`).

Arrays are fields of records, or lie in memory behind at least 31 bytes that may be read.
"""

from catan_env.engine.compiler.bits import WORD_BITS, bits_of, common_entries, equal_entries, lowest, other_entries


def num_words(length):
    """How many blocks there are, the last of them shorter."""
    return (length + WORD_BITS - 1) // WORD_BITS


def first_index(found, k):
    """The first entry of what was found in a block, not nothing."""
    return WORD_BITS * k + lowest(found)


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
    for k in range(num_words(len(array))):
        matching_bits = equal_to(array, k, old)
        while matching_bits:
            array[first_index(matching_bits, k)] = new
            matching_bits &= matching_bits - 1


def any_with_bit(array, bit):
    """Whether any entry has a bit."""
    for k in range(num_words(len(array))):
        if with_bit(array, k, bit):
            return True
    return False


def count_with_bit(array, bit):
    """How many entries have a bit."""
    entry_count = 0
    for k in range(num_words(len(array))):
        entry_count += bits_of(with_bit(array, k, bit))
    return entry_count


def count_equal(array, value):
    """How many entries are equal to a value."""
    entry_count = 0
    for k in range(num_words(len(array))):
        entry_count += bits_of(equal_to(array, k, value))
    return entry_count


def mark_bits(found, k, first, mask):
    """Sets the entries of a mask, from `first` on, of what was found in a block."""
    while found:
        mask[first + first_index(found, k)] = True
        found &= found - 1


def mark_with_bit(array, bit, first, mask):
    """Sets the entries of a mask, from `first` on, of those entries that have a bit."""
    for k in range(num_words(len(array))):
        mark_bits(with_bit(array, k, bit), k, first, mask)


def set_bit(words, entry, value):
    """Puts an entry into a set that is kept as words, or takes it out."""
    bit = 1 << int(entry) % WORD_BITS
    word = int(words[entry // WORD_BITS]) & ~bit
    words[entry // WORD_BITS] = word | bit if value else word


def has_bit(words, entry):
    """Whether an entry is in a set that is kept as words."""
    return int(words[entry // WORD_BITS]) >> int(entry) % WORD_BITS & 1 != 0
