"""Scores for trade partners: buy a missing card with two spare ones."""

from __future__ import annotations

from catan_agents.heuristic.base import discard_card, plan
from catan_agents.heuristic.generated import Hook, shared
from catan_agents.heuristic.scoring import NEVER, score
from catan_env.engine.declare import SUM
from catan_env.games.trade_partners.partner_trade import BUY_FROM_PARTNER, PAY_PARTNER
from catan_env.games.vocabulary import HAND_CARDS

NEED = Hook("cards_needed", SUM)
"""Cards of a kind to collect in addition to the plan."""

score(PAY_PARTNER)(discard_card)


def need(game, params, seat, memo, card):
    """Return how many cards of a kind the seat wants to collect."""
    return NEED(game, params, seat, memo, card, plan(game, params, seat, memo, card))


@shared()
def cards_to_spare(game, params, seat, memo):
    """Return the number of cards in hand that the seat does not want to collect."""
    cards = 0.0
    for card in range(HAND_CARDS):
        cards += max(game.hands[seat, card] - need(game, params, seat, memo, card), 0.0)
    return cards


@score(BUY_FROM_PARTNER)
def buy_from_partner(game, params, seat, memo, card):
    """Prefer trading with the partner to using most harbors, because the cards paid can be bought back."""
    if cards_to_spare(game, params, seat, memo) < params.partner_price:
        return NEVER
    is_missing = game.hands[seat, card] < need(game, params, seat, memo, card)
    return 500.0 - params.partner_price if is_missing else NEVER
