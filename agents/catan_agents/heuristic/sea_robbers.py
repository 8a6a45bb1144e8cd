"""Scores for Sea Robbers: arm before battles, fight when it pays off, and deliver chests at once."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.base import robber_stays, worth_at
from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import LIKELY, NEVER, always, score
from catan_agents.heuristic.sea import PRIZES, loot_of_ships
from catan_env.games.sea_robbers.battles import ADD_JUG, ATTACK, FORGO_CARD
from catan_env.games.sea_robbers.chests import CALL_DEVER, REDEEM, SPARE_DEVER
from catan_env.games.sea_robbers.warships import CHASE, LEAVE_WARSHIP, MOVE_WARSHIP, PAY_TRIBUTE, PUSH_WARSHIP

CHEST = 8.0
"""Value, in pips, of sinking a ship, including its point and its chest."""
DEFEAT = 6.0
CARD_PAID = 3.0
"""Value, in pips, of each card paid."""
TRIBUTE = 1.0
"""Value of a path where opponents pay tribute, in pips blocked by the robber."""
ENOUGH_JUGS = np.array([3, 3, 5])
"""Number of jugs at which a battle pays off, indexed by the number of ships that the seat has sunk."""


def strong_enough(t: DecisionContext) -> np.ndarray:
    """Return whether the seat is more likely to win a battle than to lose it, as an (n,) bool array."""
    sunk = np.minimum(t.public("sunk")[t.rows, t.seats], 2)
    return t.public("jugs")[t.rows, t.seats] >= ENOUGH_JUGS[sunk]


def battles(t: DecisionContext) -> np.ndarray:
    """Return the value of the battle that a ship placed on each path would start, shape (n, paths)."""
    hexes = t.topology.marks["sea_robber"].places
    afloat = np.zeros((len(t.games), t.topology.num_hexes))
    afloat[:, hexes] = t.public("afloat")
    is_near = (at(afloat, t.topology.intersection_hexes).sum(axis=2) > 0)[:, t.topology.path_intersections].any(axis=2)
    return is_near * np.where(t.of(strong_enough), CHEST, -DEFEAT - 20.0)[:, None]


def tribute_due(t: DecisionContext) -> np.ndarray:
    """Return the tribute that a ship on each path would owe opponents, as negative values of shape (n, paths)."""
    is_others_warship = (t.public("warship") >= 0) & (t.public("warship") != t.seats[:, None])
    return -CARD_PAID * at(is_others_warship, t.topology.path_hexes).sum(axis=2)


PRIZES += [("afloat", battles), ("warship", tribute_due)]


@score(ADD_JUG)
def add_jug(t: DecisionContext) -> np.ndarray:
    """Until battles pay off, add jugs before building ships; after that, only use spare brick and ore."""
    has_plenty = (t.own("hands")[:, [1, 4]] >= 3).all(axis=1)
    return np.where(~t.of(strong_enough), 260.0, np.where(has_plenty, 100.0, -10.0))[:, None]


@score(MOVE_WARSHIP)
def move_warship(t: DecisionContext) -> np.ndarray:
    """Score the tribute at the new hex minus the tribute at the current hex; the robber stays where it is."""
    is_own_warship = t.public("warship") == t.seats[:, None]
    warship_hex = np.where(is_own_warship.any(axis=1), is_own_warship.argmax(axis=1), -1)
    return t.of(robber_stays) + t.of(tribute) + t.of(loot_of_ships) - worth_at(t.of(tribute), warship_hex)


def tribute(t: DecisionContext) -> np.ndarray:
    """Return the value of opponents' ships and ship sites around each hex, shape (n, hexes).

    The unit is one pip blocked by the robber.
    """
    is_other = np.arange(t.engine.num_players) != t.seats[:, None]
    is_open = (t.public("edge_piece_sites")[:, 1, :, None] >> np.arange(t.engine.num_players) & 1) * is_other[:, None]
    is_others_ship = (t.public("ships") > 0) & (t.public("edge_owner") != t.seats[:, None])
    return at(TRIBUTE * (is_open.sum(axis=2) + is_others_ship), t.topology.hex_paths).sum(axis=2)


always(0.0, ATTACK, PAY_TRIBUTE)
always(LIKELY, REDEEM)
always(10.0, CALL_DEVER)
always(0.0, SPARE_DEVER, LEAVE_WARSHIP)
always(NEVER, FORGO_CARD)
always(60.0, CHASE)
always(5.0, PUSH_WARSHIP)
