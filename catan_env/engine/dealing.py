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
    card_count = 0
    pool_count = 0
    for kind in range(len(row)):
        card_count += int(row[kind])
        pool_count += pool[kind]
        row[kind] = 0
    if card_count == pool_count:
        for kind in range(len(row)):
            row[kind] = pool[kind]
            pool[kind] = 0
        for _ in range(card_count):  # the stream goes on as if they were drawn one by one
            next_word(game)
        return
    for _ in range(card_count):
        cards_before = below(game, pool_count)
        drawn_kind = 0
        for kind in range(len(row)):
            cards_before -= pool[kind]
            drawn_kind += cards_before >= 0
        pool[drawn_kind] -= 1
        row[drawn_kind] += 1
        pool_count -= 1


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
