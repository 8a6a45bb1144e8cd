"""Dealing hidden cards anew, for `@redeals` functions: what is unseen goes into a pool, and is drawn from it again.

A row is an array of cards by kind. A pool is such an array of int64, lent to `@redeals` functions.
"""

from catan_env.engine.random import below, next_word


def empty(pool):
    """Takes everything out of a pool."""
    for kind in range(len(pool)):
        pool[kind] = 0


def collect(pool, row):
    """Counts the cards of a row into a pool; the row keeps them, for its size is known."""
    for kind in range(len(row)):
        pool[kind] += row[kind]


def deal_again(game, pool, row):
    """Puts other cards in place of those of a row, each card of the pool as likely as any other."""
    number = 0
    left = 0
    for kind in range(len(row)):
        number += int(row[kind])
        left += pool[kind]
        row[kind] = 0
    if number == left:
        for kind in range(len(row)):
            row[kind] = pool[kind]
            pool[kind] = 0
        for _ in range(number):  # the stream goes on as if they were drawn one by one
            next_word(game)
        return
    for _ in range(number):
        rest = below(game, left)
        drawn = 0
        for kind in range(len(row)):
            rest -= pool[kind]
            drawn += rest >= 0
        pool[drawn] -= 1
        row[drawn] += 1
        left -= 1


def deal_stack_again(game, pool, seat, held, new, stack):
    """Deals anew what others drew from a stack, and the stack.

    `held` and `new` (players, kinds): what each player holds, and which of them are new; how many of both is known.
    """
    empty(pool)
    collect(pool, stack)
    for player in range(len(held)):
        if player != seat:
            collect(pool, held[player])
            for kind in range(len(stack)):
                held[player, kind] -= new[player, kind]
    for player in range(len(held)):
        if player != seat:
            deal_again(game, pool, held[player])
            deal_again(game, pool, new[player])
            for kind in range(len(stack)):
                held[player, kind] += new[player, kind]
    deal_again(game, pool, stack)
