"""Substitutes: replace one card of a price with a card of another kind.

A pair of kinds describes the substitution: the first kind is paid and the second is spared.
"""

from catan_env.engine.declare import rule
from catan_env.engine.stacks import move_card
from catan_env.games.base.bank_trade import given_of, received_of
from catan_env.games.base.resources import pay
from catan_env.games.vocabulary import HAND_CARDS, NUM_RESOURCES


@rule("helpers.mendicant.1")
def price_with(cost, pair, card):
    """Return how many cards of a kind must be paid for a price if a substitution is made."""
    return cost[card] + (card == given_of(pair)) - (card == received_of(pair))


@rule("helpers.mendicant.1", "helpers.scholar.1")
def can_pay_with(game, seat, cost, pair):
    """Return whether a seat can pay a price by substituting a resource for one of the required cards."""
    if cost[received_of(pair)] == 0 or given_of(pair) >= NUM_RESOURCES:
        return False
    for card in range(HAND_CARDS):
        if game.hands[seat, card] < price_with(cost, pair, card):
            return False
    return True


@rule("helpers.mendicant.1")
def mark_substitutes(game, seat, cost, first, mask):
    """Mark every substitution with which a seat can pay a price. Action ids start at `first`."""
    for pair in range(HAND_CARDS * (HAND_CARDS - 1)):
        mask[first + pair] = can_pay_with(game, seat, cost, pair)


@rule("helpers.mendicant.2")
def pay_with(game, seat, cost, pair):
    """Pay a price using a substitution."""
    given_card = given_of(pair)
    spared_card = received_of(pair)
    pay(game, seat, cost)
    move_card(game.hands[seat], game.bank, given_card)
    move_card(game.bank, game.hands[seat], spared_card)
