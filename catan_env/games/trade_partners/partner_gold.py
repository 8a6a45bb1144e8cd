"""Trade partners' gold and discoveries: the owner chooses the cards and the order of exploration.

Players' own choices come before those for partners.
"""

from catan_env.engine.decision_stack import current_decision, pop, push
from catan_env.engine.declare import ACTION_RESOLVED, Decision, answers, apply, legal, rule, when
from catan_env.games.base.resources import MOST_OF_CHOICE, TAKE_CARD, bank_size, cards_to_choose, take_card
from catan_env.games.seafarers.gold import GOLD_FOUND, gold_of
from catan_env.games.trade_partners.partners import owner_of, partner_of
from catan_env.games.vocabulary import DECIDES_FOR, PRODUCED, acts, to_the_left

CHOOSE_FOR_PARTNER = Decision(
    "choose_for_partner", "take any resource card for the trade partner", argument=MOST_OF_CHOICE
)


@rule("trade_partners.partner_gold.2")
@answers(DECIDES_FOR)
def owner_decides(game, params, color, where):
    """A trade partner's owner decides for it."""
    return owner_of(color)


@rule("trade_partners.partner_gold.1")
@when(PRODUCED)
def partners_find_gold(game, params, player, number):
    """Choices for partners are made in turn order, after those of the players."""
    for k in range(params.num_players - 1, -1, -1):
        partner = partner_of(to_the_left(params, player, k))
        GOLD_FOUND(game, params, partner, gold_of(game, params, partner, number))


@rule("trade_partners.partner_gold.1")
@when(GOLD_FOUND)
def choose_for_gold_of_partner(game, params, color, cards):
    card_count = min(cards, bank_size(game))
    if not acts(params, color) and card_count > 0:
        push(game, CHOOSE_FOR_PARTNER, owner_of(color), card_count)


@rule("trade_partners.partner_gold.1")
@legal(CHOOSE_FOR_PARTNER)
def cards_to_choose_for_partner(game, params, seat, mask):
    cards_to_choose(game, params, seat, mask)


@rule("trade_partners.partner_gold.1")
@apply(TAKE_CARD, at=(CHOOSE_FOR_PARTNER,))
def take_card_for_partner(game, params, seat, resource):
    """The card goes into the partner's open hand."""
    take_card(game, params, partner_of(seat), resource)


@rule("trade_partners.partner_gold.1")
@when(ACTION_RESOLVED)
def lapse_choices_for_partners(game, params, player, where):
    """Any pending choices lapse once the bank is empty."""
    while current_decision(game) == CHOOSE_FOR_PARTNER and bank_size(game) == 0:
        pop(game)
