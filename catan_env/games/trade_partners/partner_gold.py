"""Discoveries of trade partners: their gold and what they find under the fog, for which their owners choose.

Players choose before partners.
"""

from catan_env.engine.decision_stack import decision_at_hand, pop, push
from catan_env.engine.declare import SETTLED, Decision, answers, apply, legal, rule, when
from catan_env.games.base.resources import MOST_OF_CHOICE, TAKE_CARD, cards_to_choose, supply_size, take_card
from catan_env.games.seafarers.gold import GOLD_FOUND, gold_of
from catan_env.games.trade_partners.partners import owner_of, partner_of
from catan_env.games.vocabulary import DECIDES_FOR, PRODUCED, acts, to_the_left

CHOOSE_FOR_PARTNER = Decision(
    "choose_for_partner", "take a resource card of choice for the trade partner", argument=MOST_OF_CHOICE
)


@rule("trade_partners.partner_gold.2")
@answers(DECIDES_FOR)
def owner_decides(game, table, color, where):
    """Nobody but a player has a trade partner."""
    return owner_of(color)


@rule("trade_partners.partner_gold.1")
@when(PRODUCED)
def partners_find_gold(game, table, player, number):
    """In turn order, after the players: what is pushed before theirs comes after it."""
    for k in range(table.num_players - 1, -1, -1):
        partner = partner_of(to_the_left(table, player, k))
        GOLD_FOUND(game, table, partner, gold_of(game, table, partner, number))


@rule("trade_partners.partner_gold.1")
@when(GOLD_FOUND)
def choose_for_gold_of_partner(game, table, color, cards):
    number = min(cards, supply_size(game))
    if not acts(table, color) and number > 0:
        push(game, CHOOSE_FOR_PARTNER, owner_of(color), number)


@rule("trade_partners.partner_gold.1")
@legal(CHOOSE_FOR_PARTNER)
def cards_to_choose_for_partner(game, table, seat, mask):
    cards_to_choose(game, table, seat, mask)


@rule("trade_partners.partner_gold.1")
@apply(TAKE_CARD, at=(CHOOSE_FOR_PARTNER,))
def take_card_for_partner(game, table, seat, resource):
    """Into the open hand."""
    take_card(game, table, partner_of(seat), resource)


@rule("trade_partners.partner_gold.1")
@when(SETTLED)
def lapse_choices_for_partners(game, table, player, where):
    """Cards due lapse when those who chose before have taken the last of the supply."""
    while decision_at_hand(game) == CHOOSE_FOR_PARTNER and supply_size(game) == 0:
        pop(game)
