"""Trading with the partner: a player may buy any card from their trade partner for any two cards.

The player first names the card and then pays one card at a time. Paying with cards of the same kind is legal but
pointless. The trade is possible whenever bank trades are, and does not count as a trade with another player.
"""

from catan_env.engine.decision_stack import current_decision, head_argument, pop, push
from catan_env.engine.declare import Action, Decision, Number, apply, legal, rule
from catan_env.engine.stacks import move_card
from catan_env.games.base.resources import hand_over, hand_size, mark_hand
from catan_env.games.trade_partners.partners import partner_of
from catan_env.games.vocabulary import BANK_TRADING, HAND_CARDS

MOST_CARDS = 10
TO_PARTNER = 0

NUMBERS = (
    Number("partner_price", 2, "price of a card of the own trade partner, in cards", 1, MOST_CARDS),
    Number("payment_to", "partner", "recipient of the cards paid to a trade partner", choices=("partner", "bank")),
)

BUY_FROM_PARTNER = Action(
    "buy_from_partner",
    "buy 1 {} of the trade partner",
    HAND_CARDS,
    "a card of this kind in the public hand of the seat's trade partner, and the price in hand",
)
PAY_PARTNER = Action("pay_partner", "pay 1 {} to the trade partner", HAND_CARDS, "a card of this kind in hand")
ACTIONS = (BUY_FROM_PARTNER, PAY_PARTNER)

PAY_FOR_CARD = Decision("pay_for_card", "pay the trade partner for a card", argument=HAND_CARDS)


@rule(
    "trade_partners.partner_trade.1",
    "trade_partners.partner_trade.3",
    "trade_partners.partner_trade.5",
    "trade_partners.partner_trade.6",
)
@legal(BANK_TRADING)
def cards_of_partner(game, params, seat, mask):
    if hand_size(game, seat) >= params.partner_price:
        mark_hand(game, partner_of(seat), BUY_FROM_PARTNER, mask)


@rule("trade_partners.partner_trade.1")
@apply(BUY_FROM_PARTNER)
def buy_from_partner(game, params, seat, card):
    for _ in range(params.partner_price):
        push(game, PAY_FOR_CARD, seat, card)


@rule("trade_partners.partner_trade.1", "trade_partners.partner_trade.4", "trade_partners.partner_trade.6")
@legal(PAY_FOR_CARD)
def cards_to_pay_with(game, params, seat, mask):
    mark_hand(game, seat, PAY_PARTNER, mask)


@rule("trade_partners.partner_trade.1", "trade_partners.partner_trade.2")
@apply(PAY_PARTNER)
def pay_partner(game, params, seat, card):
    """The bought card changes hands once the price is paid."""
    bought_card = head_argument(game)
    pop(game)
    if params.payment_to == TO_PARTNER:
        hand_over(game, seat, partner_of(seat), card)
    else:
        move_card(game.hands[seat], game.bank, card)
    if current_decision(game) != PAY_FOR_CARD:
        hand_over(game, partner_of(seat), seat, bought_card)
