"""Scores for Cities & Knights with Seafarers: knights chase the pirate away from the seat's ships."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.cities_and_knights import alarm
from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import score_bonus
from catan_agents.heuristic.sea import FREE_SHIPS
from catan_env.games.cities_and_knights.knight_actions import TAKE_KNIGHT

CALM = 0.3
"""Value of `alarm` below which a knight may be made inactive."""
FREE_SHIPS.append("relocate_ship")


@score_bonus(TAKE_KNIGHT)
def chase_the_pirate(t: DecisionContext) -> np.ndarray:
    """While the barbarians are far off, choose a knight next to a pirate that is pinning the seat's ships."""
    if not t.has("pirate"):
        return np.zeros((len(t.games), 1))
    pirate_hex = t.public("pirate").astype(np.int64)
    is_own_ship = (t.public("edge_owner") == t.seats[:, None]) & (t.public("ships") > 0)
    has_own_ship = np.any(at(is_own_ship, t.topology.hex_paths), axis=2)
    is_troubled = (pirate_hex >= 0) & has_own_ship[t.rows, np.maximum(pirate_hex, 0)]
    is_beside_pirate = (t.topology.intersection_hexes[None] == pirate_hex[:, None, None]).any(axis=2)
    must_choose = t.deciding("betray") | t.deciding("drive_out")
    is_worthwhile = is_troubled & ~must_choose & (t.of(alarm) < CALM)
    return np.where(is_beside_pirate & is_worthwhile[:, None], 550.0, 0.0)
