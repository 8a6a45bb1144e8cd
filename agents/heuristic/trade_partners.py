"""Trade partners: a card that the plan lacks is bought for two that it does not need."""

from __future__ import annotations

import numpy as np

from agents.heuristic.base import deficit, discard_card, surplus
from agents.heuristic.scoring import NEVER, scores
from agents.heuristic.thought import Thought
from catan_env.rules.trade_partners.partner_trade import BUY_FROM_PARTNER, PAY_PARTNER

scores(PAY_PARTNER)(discard_card)


@scores(BUY_FROM_PARTNER)
def buy_from_partner(t: Thought) -> np.ndarray:
    """Rather than at most harbors: what is paid may be bought back."""
    price = t.engine.rules["partner_price"]
    spare = t.of(surplus).sum(axis=1) >= price
    return np.where(spare[:, None] & (t.of(deficit) > 0), 500.0 - price, NEVER)
