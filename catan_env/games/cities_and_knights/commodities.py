"""Commodities: paper, cloth and coin, cards that cities produce along with resources.

The rule numbers of `base.production` determine what cities produce.
"""

from catan_env.engine.declare import Kind, Number, answers, rule
from catan_env.games.vocabulary import CARDS_IN_PLAY, HAND_CARDS

PAPER, CLOTH, COIN = Kind("paper", HAND_CARDS), Kind("cloth", HAND_CARDS), Kind("coin", HAND_CARDS)
KINDS = (PAPER, CLOTH, COIN)
NUM_COMMODITIES = 3

NUMBERS = (Number("bank_per_commodity", 12, "commodity cards of each kind", 1, 30),)


def is_commodity(card):
    """Return whether a kind of card is a commodity."""
    return PAPER <= card < PAPER + NUM_COMMODITIES


def commodities_of(game, player):
    """Return how many commodities a player holds."""
    card_count = 0
    for card in range(PAPER, PAPER + NUM_COMMODITIES):
        card_count += int(game.hands[player, card])
    return card_count


@rule("cities_and_knights.commodities.1")
@answers(CARDS_IN_PLAY)
def commodity_cards(game, params, player, card):
    return params.bank_per_commodity if is_commodity(card) else 0
