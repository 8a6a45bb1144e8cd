"""Helpers for `@redeals` functions, which collect unseen cards in a pool and deal them again at random.

A row is an array of card counts by kind. A pool is an int64 row that `@redeals` functions receive.
"""

from catan_env.engine.random import below, next_word
from catan_env.engine.stacks import clear_row


def collect(pool, row):
    """Add a row's cards to a pool. The row keeps its cards as a record of how many to deal."""
    for kind in range(len(row)):
        pool[kind] += row[kind]


def deal_again(game, pool, row):
    """Replace a row's cards with random cards from the pool, all of which are equally likely."""
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
        for _ in range(card_count):  # advance the stream as if the cards were drawn one by one
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


def deal_pile_again(game, pool, seat, held, pile):
    """Sample the other players' hidden cards, shape (players, kinds), and an unseen pile. Any deal is possible."""
    clear_row(pool)
    collect(pool, pile)
    for player in range(len(held)):
        if player != seat:
            collect(pool, held[player])
    for player in range(len(held)):
        if player != seat:
            deal_again(game, pool, held[player])
    deal_again(game, pool, pile)


def deal_stack_again(game, pool, seat, held, new, stack):
    """Sample the cards that other players have drawn from a stack, and the stack itself.

    `held` and `new`, each of shape (players, kinds), hold the counts of each player's cards and of the new cards among
    them. Neither total changes.
    """
    clear_row(pool)
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
