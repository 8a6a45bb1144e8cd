"""The Forgotten Tribe: sailing for its gifts."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.base import my_production
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score
from catan_agents.heuristic.sea import PRIZES
from catan_env.games.seafarers.tribe_gifts import CHOOSE_HARBOR

WORTH = np.array([9.0, 6.0, 4.0])
"""A point, a development card, a harbor, in pips."""
ANY_KIND = 0.3
"""What a harbor for every kind is worth of one for all that comes in."""


def gifts(t: DecisionContext) -> np.ndarray:
    """(n, paths) the gifts that still lie there."""
    gift_mark = t.topology.marks["gift"]
    path_worth = np.zeros(t.public("edge_owner").shape)
    path_worth[:, gift_mark.places] = t.public("gift") * WORTH[np.asarray(gift_mark.numbers["kind"])]
    return path_worth


@score(CHOOSE_HARBOR)
def choose_harbor(t: DecisionContext) -> np.ndarray:
    """That of which most comes in."""
    pips = t.of(my_production)
    return np.concatenate([pips, ANY_KIND * pips.sum(axis=1, keepdims=True)], axis=1)


PRIZES.append(("gift", gifts))
