"""Small sets, such as sets of seats or of kinds of cards: integers with one bit per member.

`|` is the union and `& ~` the difference of two sets.
"""

from catan_env.engine.compiler.bits import bits_of, lowest

EMPTY = 0


def only(member):
    """Return the set with one member."""
    return 1 << int(member)


def contains(things, member):
    """Return whether an item is in a set."""
    return int(things) >> int(member) & 1 != 0


def count_members(things):
    """Return the number of members of a set."""
    return bits_of(int(things))


def first_member(things):
    """Return the lowest member of a nonempty set."""
    return lowest(int(things))
