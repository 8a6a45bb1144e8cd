"""Sets of a few things, such as seats or kinds of cards: a number with a bit for each member.

`|` unites two sets, `& ~` takes the members of one out of another.
"""

from catan_env.engine.compiler.bits import bits_of, lowest

EMPTY = 0


def only(member):
    """The set of one thing."""
    return 1 << int(member)


def contains(things, member):
    """Whether a thing is in a set."""
    return int(things) >> int(member) & 1 != 0


def count_members(things):
    """How many things are in a set."""
    return bits_of(int(things))


def first_member(things):
    """The lowest member of a set that is not empty."""
    return lowest(int(things))
