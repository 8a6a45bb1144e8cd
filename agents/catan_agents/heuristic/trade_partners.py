"""Scores for trade partners: buy a missing card with two spare ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from catan_agents.heuristic.base import discard_card, plan
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import NEVER, score
from catan_env.games.trade_partners.partner_trade import BUY_FROM_PARTNER, PAY_PARTNER

NEEDS: list[tuple[str, Callable[[DecisionContext], np.ndarray]]] = []
"""Functions that return cards to collect in addition to the plan, shape (n, kinds), for games with the named field."""

score(PAY_PARTNER)(discard_card)


def needs(t: DecisionContext) -> np.ndarray:
    """Return the cards that the seat to act wants to collect, shape (n, kinds)."""
    return sum([t.of(need) for field, need in NEEDS if t.has(field)], t.of(plan))


@score(BUY_FROM_PARTNER)
def buy_from_partner(t: DecisionContext) -> np.ndarray:
    """Prefer trading with the partner to using most harbors, because the cards paid can be bought back."""
    price = t.engine.rules["partner_price"]
    hand = t.own("hands")
    has_spare = np.maximum(hand - t.of(needs), 0).sum(axis=1) >= price
    return np.where(has_spare[:, None] & (hand < t.of(needs)), 500.0 - price, NEVER)
