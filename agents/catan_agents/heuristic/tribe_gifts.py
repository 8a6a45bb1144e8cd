"""Scores for The Forgotten Tribe: sail to the tribe's gifts."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.base import my_production
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score
from catan_agents.heuristic.sea import PRIZES
from catan_env.games.seafarers.tribe_gifts import CHOOSE_HARBOR

WORTH = np.array([9.0, 6.0, 4.0])
"""Values, in pips, of a point, a development card and a harbor."""
ANY_KIND = 0.3
"""Value of a harbor that trades any kind of card, per pip of the seat's production."""


def gifts(t: DecisionContext) -> np.ndarray:
    """Return the value of the gift on each path, shape (n, paths)."""
    gift_mark = t.topology.marks["gift"]
    path_worth = np.zeros(t.public("edge_owner").shape)
    path_worth[:, gift_mark.places] = t.public("gift") * WORTH[np.asarray(gift_mark.numbers["kind"])]
    return path_worth


@score(CHOOSE_HARBOR)
def choose_harbor(t: DecisionContext) -> np.ndarray:
    """Choose the harbor for the kind that the seat produces most."""
    pips = t.of(my_production)
    return np.concatenate([pips, ANY_KIND * pips.sum(axis=1, keepdims=True)], axis=1)


PRIZES.append(("gift", gifts))
