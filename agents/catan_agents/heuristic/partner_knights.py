"""Scores for Cities & Knights with trade partners: buy and keep commodities for improvements."""

from __future__ import annotations

from catan_agents.heuristic.cities_and_knights import discard_commodities_last, wanted_cards
from catan_agents.heuristic.scoring import score_bonus
from catan_agents.heuristic.trade_partners import NEED
from catan_env.games.cities_and_knights import improvements as improvement_rules
from catan_env.games.trade_partners.partner_trade import PAY_PARTNER

score_bonus(PAY_PARTNER, of=improvement_rules)(discard_commodities_last)


@NEED.contribution(of=improvement_rules)
def commodities_needed(game, params, seat, memo, card):
    """Return the commodities of a kind to collect for the next level.

    If only one commodity is missing for a level, it is included. Otherwise, only those in hand are.
    """
    wanted = wanted_cards(game, seat, card)
    return wanted if game.hands[seat, card] + 1 >= wanted else game.hands[seat, card]
