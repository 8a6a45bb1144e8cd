"""Scores for Cloth for Catan: sail to villages that have good numbers and still have cloth."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import LIKELY, score
from catan_agents.heuristic.sea import PIPS, PRIZES
from catan_env.games.seafarers.cloth_pirate import STEAL_CLOTH

FIRST_CLOTH = 4.0
"""Value, in pips, of the first cloth from a village, which opens trade with it."""
CLOTH_PIP = 1.6
"""Value per pip of the number on a village; each cloth is worth half a point."""


def villages(t: DecisionContext) -> np.ndarray:
    """Return the value of the better of the new villages at the ends of each path, shape (n, paths)."""
    village_mark = t.topology.marks["village"]
    village_promise = FIRST_CLOTH + CLOTH_PIP * PIPS[np.asarray(village_mark.numbers["number"])]
    cloth_left = t.public("village_cloth")
    is_untraded = ~t.public("trades")[t.rows, t.seats].astype(bool)
    village_worth = np.zeros((len(t.games), t.topology.num_intersections))
    village_worth[:, village_mark.places] = village_promise * np.minimum(cloth_left, 3) / 3 * is_untraded
    return at(village_worth, t.topology.path_intersections).max(axis=2)


PRIZES.append(("village_cloth", villages))


@score(STEAL_CLOTH)
def steal_cloth(t: DecisionContext) -> np.ndarray:
    """Steal cloth rather than a card, preferably from the leader."""
    opponent_count = len(t.engine.actions.ids("steal_cloth"))
    opponent_seats = (t.seats[:, None] + 1 + np.arange(opponent_count)) % t.engine.num_players
    return LIKELY + np.take_along_axis(t.points, opponent_seats, axis=1)
