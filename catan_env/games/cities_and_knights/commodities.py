"""Commodities: paper, cloth and coin, cards beside the resources.

Numbers of `base.production` say what a city brings.
"""

from catan_env.engine.declare import Kind, Number, answers, rule
from catan_env.games.vocabulary import CARDS, CARDS_IN_PLAY

PAPER, CLOTH, COIN = Kind("paper", CARDS), Kind("cloth", CARDS), Kind("coin", CARDS)
KINDS = (PAPER, CLOTH, COIN)
NUM_COMMODITIES = 3

NUMBERS = (Number("supply_per_commodity", 12, "commodity cards of each kind", 1, 30),)


def is_commodity(card):
    """Whether a kind of cards is a commodity."""
    return PAPER <= card < PAPER + NUM_COMMODITIES


def commodities_of(game, player):
    """Commodities in a player's hand."""
    cards = 0
    for card in range(PAPER, PAPER + NUM_COMMODITIES):
        cards += int(game.hands[player, card])
    return cards


@rule("cities_and_knights.commodities.1")
@answers(CARDS_IN_PLAY)
def commodity_cards(game, table, player, card):
    return table.supply_per_commodity if is_commodity(card) else 0
