"""Small sets, such as sets of seats or card kinds, stored as integers with one bit per member.

`|` is the union of two sets, and `& ~` is their difference.
"""

from catan_env.engine.compiler.bits import bits_of, lowest
from catan_env.engine.compiler.entries import members_of

EMPTY = 0


def only(member):
    """Return the set with this single member."""
    return 1 << int(member)


def only_if(condition, member):
    """Return the set with this single member if a condition holds; otherwise, return the empty set."""
    return int(condition) << int(member)


def members(things):
    """Return the members of a set in ascending order, for use in a loop."""
    return members_of(int(things))


def contains(things, member):
    """Return whether an item is in a set."""
    return int(things) >> int(member) & 1 != 0


def count_members(things):
    """Return the number of members of a set."""
    return bits_of(int(things))


def first_member(things):
    """Return the lowest member of a nonempty set."""
    return lowest(int(things))
