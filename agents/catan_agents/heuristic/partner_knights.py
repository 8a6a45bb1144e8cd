"""Scores for Cities & Knights with trade partners: buy and keep commodities for improvements."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.cities_and_knights import COMMODITIES, discard_commodities_last, wanted_commodities
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score_bonus
from catan_agents.heuristic.trade_partners import NEEDS
from catan_env.games.trade_partners.partner_trade import PAY_PARTNER


def commodities_needed(t: DecisionContext) -> np.ndarray:
    """Return the commodities to collect for the next levels, shape (n, kinds).

    If only one commodity is missing for a level, it is included. Otherwise, only those in hand are.
    """
    hand, commodities_wanted = t.own("hands"), t.of(wanted_commodities)
    commodities_held = hand[:, COMMODITIES].astype(np.int64)
    cards_needed = np.zeros(hand.shape, np.int64)
    cards_needed[:, COMMODITIES] = np.where(
        commodities_held + 1 >= commodities_wanted, commodities_wanted, commodities_held
    )
    return cards_needed


NEEDS.append(("improvement", commodities_needed))


@score_bonus(PAY_PARTNER)
def pay_commodities_last(t: DecisionContext) -> np.ndarray:
    """Pay with commodities last if they are needed for the next level."""
    return t.of(discard_commodities_last) if t.has("improvement") else np.zeros(t.own("hands").shape)
