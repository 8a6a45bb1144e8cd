"""Cloth for Catan: sailing to villages, above all those with likely numbers and cloth left."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import LIKELY, score
from catan_agents.heuristic.sea import PIPS, PRIZES
from catan_env.games.seafarers.cloth_pirate import STEAL_CLOTH

FIRST_CLOTH = 4.0
"""The cloth that opens trade, in pips."""
CLOTH_PIP = 1.6
"""A pip of a village: half a point each time."""


def villages(t: DecisionContext) -> np.ndarray:
    """(n, paths) what the villages at their ends promise to who does not trade with them."""
    mark = t.topology.marks["village"]
    promise = FIRST_CLOTH + CLOTH_PIP * PIPS[np.asarray(mark.numbers["number"])]
    stock = t.public("village_cloth")
    fresh = ~t.public("trades")[t.rows, t.seats].astype(bool)
    worth = np.zeros((len(t.games), t.topology.num_intersections))
    worth[:, mark.places] = promise * np.minimum(stock, 3) / 3 * fresh
    return at(worth, t.topology.path_intersections).max(axis=2)


PRIZES.append(("village_cloth", villages))


@score(STEAL_CLOTH)
def steal_cloth(t: DecisionContext) -> np.ndarray:
    """Rather a cloth than a card, from whoever leads."""
    opponents = len(t.engine.actions.ids("steal_cloth"))
    others = (t.seats[:, None] + 1 + np.arange(opponents)) % t.engine.num_players
    return LIKELY + np.take_along_axis(t.points, others, axis=1)
