"""Scores for Cloth for Catan: sail to villages that have good numbers and still have cloth."""

from __future__ import annotations

from catan_agents.evaluation.base import pips_of
from catan_agents.heuristic.scoring import LIKELY, score
from catan_agents.heuristic.sea import PRIZE
from catan_env.engine.declare import PUBLIC_POINTS
from catan_env.games.seafarers import cloth as cloth_rules
from catan_env.games.seafarers.cloth_pirate import STEAL_CLOTH
from catan_env.games.vocabulary import NOTHING, to_the_left

FIRST_CLOTH = 4.0
"""Value, in pips, of the first cloth from a village, which opens trade with it."""
CLOTH_PIP = 1.6
"""Value per pip of the number on a village; each cloth is worth half a point."""


@PRIZE.contribution(of=cloth_rules)
def villages(game, params, seat, memo, path):
    """Return the value of the better of the new villages at the ends of a path."""
    value = 0.0
    for end in range(2):
        village = params.intersection_village[params.path_intersections[path, end]]
        if village != NOTHING and not game.trades[seat, village]:
            promise = FIRST_CLOTH + CLOTH_PIP * pips_of(params.village_number[village])
            value = max(value, promise * min(game.village_cloth[village], 3) / 3)
    return value


@score(STEAL_CLOTH)
def steal_cloth(game, params, seat, memo, opponent):
    """Steal cloth rather than a card, preferably from the leader."""
    return LIKELY + PUBLIC_POINTS(game, params, to_the_left(params, seat, opponent + 1))
