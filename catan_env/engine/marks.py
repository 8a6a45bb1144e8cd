"""Legal actions as sets of bits, which rules see as their `mask`.

Kernels clear, count and search these sets; `bitset.mark` adds all entries that pass a test at once.
"""

from catan_env.engine.compiler.bits import bits_of, nth_bit
from catan_env.engine.compiler.marks import MARK_BITS, unpack, word_of
from catan_env.engine.compiler.marks import marks_of as marks_of
from catan_env.engine.declare import Composed

mask_words = Composed("mask_words")
"""Number of words that the scenario's actions take."""
mask_blocks = Composed("mask_blocks")
"""Number of blocks of 32 actions that the scenario's actions take."""


def clear_marks(words, i):
    """Remove all marks from row `i` of an array of words, and return the row as a set of actions."""
    for k in range(mask_words()):
        words[i, k] = 0
    return marks_of(words, i)


def any_mark(marks):
    """Return whether any action is marked."""
    found = 0
    for k in range(mask_words()):
        found |= word_of(marks, k)
    return found != 0


def count_marks(marks):
    """Return the number of marked actions."""
    mark_count = 0
    for k in range(mask_words()):
        mark_count += bits_of(word_of(marks, k))
    return mark_count


def nth_mark(marks, rest):
    """Return the marked action that has exactly `rest` marked actions before it."""
    k = 0
    word = word_of(marks, k)
    while rest >= bits_of(word):
        rest -= bits_of(word)
        k += 1
        word = word_of(marks, k)
    return MARK_BITS * k + nth_bit(word, rest)


def only_mark(marks):
    """Return the only marked action, or -1 if none or several are marked."""
    return nth_mark(marks, 0) if count_marks(marks) == 1 else -1


def write_mask(marks, masks, i):
    """Write a set of actions to row `i` of an array of bool, one entry per action."""
    unpack(marks, masks, i, mask_blocks())
