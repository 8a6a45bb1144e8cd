"""Scores for The Pirate Islands: build the line of ships, arm it with knights, and attack when the odds are good."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score, score_bonus
from catan_agents.heuristic.sea import LIMITS, PRIZES
from catan_env.games.base.development_cards import BUY_CARD, PLAY_KNIGHT
from catan_env.games.seafarers.fortresses import ATTACK_FORTRESS
from catan_env.games.seafarers.ships import BUILD_SHIP

NEXT_SHIP = 9.0
"""Value, in pips, of the next ship in the line. Nobody can win without recapturing their fortress."""
ENOUGH = 5
"""Number of warships to attack with, which gives a two-in-three chance of success."""
LEAST = 2
"""The fewest warships that can win an attack."""
PATIENCE, HASTE = 30, 5
"""Number of rounds after which the seat attacks with one warship fewer, and number of rounds before each further
reduction. Not every seat gets enough knights."""


HOLD_BACK = -1000.0
"""Penalty for a ship that completes the line too early."""


def own_line(t: DecisionContext) -> np.ndarray:
    """Return which paths belong to the seat's line, as an (n, paths) bool array."""
    lane_mark = t.topology.marks["lane"]
    is_own_lane = np.zeros(t.public("edge_owner").shape, bool)
    is_own_lane[:, lane_mark.places] = np.asarray(lane_mark.numbers["seat"]) == t.seats[:, None]
    return is_own_lane


def completes_too_early(t: DecisionContext) -> np.ndarray:
    """Return an (n, paths) bool mask of where a ship would force an attack with too few warships."""
    ships_missing = (t.of(own_line) & (t.public("edge_owner") != t.seats[:, None])).sum(axis=1)
    is_too_weak = my_warships(t) < t.of(warships_needed)
    return t.of(own_line) & (is_forced(t) & is_too_weak & (ships_missing == 1))[:, None]


def line(t: DecisionContext) -> np.ndarray:
    """Return the value of each path in the seat's line, shape (n, paths); 0 once the fortress has been recaptured."""
    return NEXT_SHIP * (t.of(own_line) & ~t.of(completes_too_early) & (my_lairs(t) > 0)[:, None])


PRIZES.append(("lairs", line))


def on_main_island(t: DecisionContext) -> np.ndarray:
    """Return the intersections off the seat's line where it may settle, as an (n, intersections) bool array."""
    return np.broadcast_to(_is_of_main_island(t)[t.topology.intersection_hexes].any(axis=1), t.public("building").shape)


def at_main_island(t: DecisionContext) -> np.ndarray:
    """Return the paths that may hold ships, including the seat's line, as an (n, paths) bool array."""
    return t.of(own_line) | _is_of_main_island(t)[t.topology.path_hexes].any(axis=1)


def _is_of_main_island(t: DecisionContext) -> np.ndarray:
    """Return which hexes belong to the main island, as a (hexes + 1,) bool array. The last entry is for no hex."""
    region_mark = t.topology.marks["region"]
    is_of_main_island = np.zeros(t.topology.num_hexes + 1, bool)
    is_of_main_island[region_mark.places] = np.asarray(region_mark.numbers["start"]) > 0
    return is_of_main_island


LIMITS.append(("lairs", on_main_island, at_main_island))


def my_lairs(t: DecisionContext) -> np.ndarray:
    """Return the number of lair tokens left at the seat's fortress, shape (n,)."""
    return t.public("lairs")[t.rows, t.seats]


def my_warships(t: DecisionContext) -> np.ndarray:
    """Return the seat's number of warships, shape (n,)."""
    return t.public("warships")[t.rows, t.seats]


@score_bonus(PLAY_KNIGHT)
def arm(t: DecisionContext) -> np.ndarray:
    """Play every knight immediately, because knights arm ships."""
    return np.full((len(t.games), 1), 400.0 if t.has("lairs") else 0.0)


@score_bonus(BUY_CARD)
def buy_knights(t: DecisionContext) -> np.ndarray:
    """Buy development cards while lairs are left at the fortress and the seat has too few warships."""
    if not t.has("lairs"):
        return np.zeros((len(t.games), 1))
    return np.where((my_lairs(t) > 0) & (my_warships(t) <= ENOUGH), 150.0, 0.0)[:, None]


def is_forced(t: DecisionContext) -> bool:
    """Return whether a seat with a complete line must attack."""
    return t.engine.rules["fortress_attack"] == "forced"


def warships_needed(t: DecisionContext) -> np.ndarray:
    """Return how many warships make the odds good enough, shape (n,). Seats that have waited long accept worse odds."""
    rounds_begun = t.public("turn").astype(int) // t.engine.num_players
    return np.clip(ENOUGH - (rounds_begun - PATIENCE + HASTE) // HASTE, LEAST, ENOUGH)


@score(ATTACK_FORTRESS)
def attack_fortress(t: DecisionContext) -> np.ndarray:
    """Attack at the end of the turn; if attacking is optional, do so only when the odds are good."""
    is_worthwhile = is_forced(t) | (my_warships(t) >= t.of(warships_needed))
    return np.where(is_worthwhile, 1.0, -10.0)[:, None]


@score_bonus(BUILD_SHIP)
def hold_back(t: DecisionContext) -> np.ndarray:
    """Hold back the last ship of the line until the odds of the attack are good."""
    if not t.has("lairs"):
        return np.zeros((len(t.games), 1))
    return np.where(t.of(completes_too_early), HOLD_BACK, 0.0)
