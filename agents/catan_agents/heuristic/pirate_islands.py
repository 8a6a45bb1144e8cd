"""Scores for The Pirate Islands: build the line of ships, arm it with knights, attack with a good chance."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score, score_bonus
from catan_agents.heuristic.sea import LIMITS, PRIZES
from catan_env.games.base.development_cards import BUY_CARD, PLAY_KNIGHT
from catan_env.games.seafarers.fortresses import ATTACK_FORTRESS
from catan_env.games.seafarers.ships import BUILD_SHIP

NEXT_SHIP = 9.0
"""Value of the next ship of the line, in pips. Nobody wins without recapturing the fortress."""
ENOUGH = 5
"""Number of warships for an attack, which then succeeds two times out of three."""
LEAST = 2
"""Smallest number of warships that can succeed."""
PATIENCE, HASTE = 30, 5
"""Rounds after which the seat attacks with one warship less, and rounds until the next reduction. Not everybody gets
enough knights."""


HOLD_BACK = -1000.0
"""Penalty of a ship that completes the line too early."""


def own_line(t: DecisionContext) -> np.ndarray:
    """Return the paths of the seat's line, (n, paths) bool."""
    lane_mark = t.topology.marks["lane"]
    is_own_lane = np.zeros(t.public("edge_owner").shape, bool)
    is_own_lane[:, lane_mark.places] = np.asarray(lane_mark.numbers["seat"]) == t.seats[:, None]
    return is_own_lane


def completes_too_early(t: DecisionContext) -> np.ndarray:
    """Return where a ship would force an attack with too few warships, (n, paths) bool."""
    ships_missing = (t.of(own_line) & (t.public("edge_owner") != t.seats[:, None])).sum(axis=1)
    is_too_weak = my_warships(t) < t.of(warships_needed)
    return t.of(own_line) & (is_forced(t) & is_too_weak & (ships_missing == 1))[:, None]


def line(t: DecisionContext) -> np.ndarray:
    """Return the value of each path of the seat's line until the fortress is recaptured, (n, paths)."""
    return NEXT_SHIP * (t.of(own_line) & ~t.of(completes_too_early) & (my_lairs(t) > 0)[:, None])


PRIZES.append(("lairs", line))


def on_main_island(t: DecisionContext) -> np.ndarray:
    """Return the intersections where the seat may settle away from its line, (n, intersections) bool."""
    return np.broadcast_to(_is_of_main_island(t)[t.topology.intersection_hexes].any(axis=1), t.public("building").shape)


def at_main_island(t: DecisionContext) -> np.ndarray:
    """Return the paths where ships may lie, the seat's line included, (n, paths) bool."""
    return t.of(own_line) | _is_of_main_island(t)[t.topology.path_hexes].any(axis=1)


def _is_of_main_island(t: DecisionContext) -> np.ndarray:
    """Return the hexes of the main island, (hexes + 1,) bool. The last entry stands for no hex."""
    region_mark = t.topology.marks["region"]
    is_of_main_island = np.zeros(t.topology.num_hexes + 1, bool)
    is_of_main_island[region_mark.places] = np.asarray(region_mark.numbers["start"]) > 0
    return is_of_main_island


LIMITS.append(("lairs", on_main_island, at_main_island))


def my_lairs(t: DecisionContext) -> np.ndarray:
    """Return the lair tokens left at the seat's fortress, (n,)."""
    return t.public("lairs")[t.rows, t.seats]


def my_warships(t: DecisionContext) -> np.ndarray:
    """Return the number of the seat's warships, (n,)."""
    return t.public("warships")[t.rows, t.seats]


@score_bonus(PLAY_KNIGHT)
def arm(t: DecisionContext) -> np.ndarray:
    """Play every knight at once, since knights arm ships."""
    return np.full((len(t.games), 1), 400.0 if t.has("lairs") else 0.0)


@score_bonus(BUY_CARD)
def buy_knights(t: DecisionContext) -> np.ndarray:
    """Buy development cards while the fortress stands and the seat has too few warships."""
    if not t.has("lairs"):
        return np.zeros((len(t.games), 1))
    return np.where((my_lairs(t) > 0) & (my_warships(t) <= ENOUGH), 150.0, 0.0)[:, None]


def is_forced(t: DecisionContext) -> bool:
    """Return whether a complete line must attack."""
    return t.engine.rules["fortress_attack"] == "forced"


def warships_needed(t: DecisionContext) -> np.ndarray:
    """Return the number of warships for a good chance, (n,). Seats that have waited long accept a worse one."""
    rounds_begun = t.public("turn").astype(int) // t.engine.num_players
    return np.clip(ENOUGH - (rounds_begun - PATIENCE + HASTE) // HASTE, LEAST, ENOUGH)


@score(ATTACK_FORTRESS)
def attack_fortress(t: DecisionContext) -> np.ndarray:
    """Attack at the end of the turn; if the attack is optional, only with a good chance."""
    is_worthwhile = is_forced(t) | (my_warships(t) >= t.of(warships_needed))
    return np.where(is_worthwhile, 1.0, -10.0)[:, None]


@score_bonus(BUILD_SHIP)
def hold_back(t: DecisionContext) -> np.ndarray:
    """Delay the last ship of the line until the attack has a good chance."""
    if not t.has("lairs"):
        return np.zeros((len(t.games), 1))
    return np.where(t.of(completes_too_early), HOLD_BACK, 0.0)
