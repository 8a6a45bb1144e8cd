"""The Pirate Islands: a line of ships to the fortress, knights that arm it, the attack when it is likely to win."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score, score_bonus
from catan_agents.heuristic.sea import LIMITS, PRIZES
from catan_env.games.base.development_cards import BUY_CARD, PLAY_KNIGHT
from catan_env.games.seafarers.fortresses import ATTACK_FORTRESS
from catan_env.games.seafarers.ships import BUILD_SHIP

NEXT_SHIP = 9.0
"""The next ship of one's line, in pips: without the fortress nobody wins."""
ENOUGH = 5
"""Warships with which an attack is made: two of three succeed."""
LEAST = 2
"""Fewer never succeed."""
PATIENCE, HASTE = 30, 5
"""Rounds after which one more warship is done without, and rounds until the next: not everybody gets enough knights."""


HOLD_BACK = -1000.0
"""What keeps the last ship of a line ashore."""


def own_line(t: DecisionContext) -> np.ndarray:
    """(n, paths) bool: the seat's own line."""
    lane_mark = t.topology.marks["lane"]
    is_own_lane = np.zeros(t.public("edge_owner").shape, bool)
    is_own_lane[:, lane_mark.places] = np.asarray(lane_mark.numbers["seat"]) == t.seats[:, None]
    return is_own_lane


def completes_too_early(t: DecisionContext) -> np.ndarray:
    """(n, paths) bool: where a ship would complete the line, so that the fortress is attacked with too few warships."""
    ships_missing = (t.of(own_line) & (t.public("edge_owner") != t.seats[:, None])).sum(axis=1)
    is_too_weak = my_warships(t) < t.of(warships_needed)
    return t.of(own_line) & (is_forced(t) & is_too_weak & (ships_missing == 1))[:, None]


def line(t: DecisionContext) -> np.ndarray:
    """(n, paths) the seat's own line, as long as the fortress is to be retaken."""
    return NEXT_SHIP * (t.of(own_line) & ~t.of(completes_too_early) & (my_lairs(t) > 0)[:, None])


PRIZES.append(("lairs", line))


def on_main_island(t: DecisionContext) -> np.ndarray:
    """(n, intersections) bool: where one may settle away from one's line."""
    return np.broadcast_to(_is_of_main_island(t)[t.topology.intersection_hexes].any(axis=1), t.public("building").shape)


def at_main_island(t: DecisionContext) -> np.ndarray:
    """(n, paths) bool: where ships may lie, the seat's own line included."""
    return t.of(own_line) | _is_of_main_island(t)[t.topology.path_hexes].any(axis=1)


def _is_of_main_island(t: DecisionContext) -> np.ndarray:
    """(hexes + 1,) bool: whether one may found there; false of the last, which stands for no hex."""
    region_mark = t.topology.marks["region"]
    is_of_main_island = np.zeros(t.topology.num_hexes + 1, bool)
    is_of_main_island[region_mark.places] = np.asarray(region_mark.numbers["start"]) > 0
    return is_of_main_island


LIMITS.append(("lairs", on_main_island, at_main_island))


def my_lairs(t: DecisionContext) -> np.ndarray:
    """(n,) lair tokens left at the seat's own fortress."""
    return t.public("lairs")[t.rows, t.seats]


def my_warships(t: DecisionContext) -> np.ndarray:
    """(n,) warships of the seat to act."""
    return t.public("warships")[t.rows, t.seats]


@score_bonus(PLAY_KNIGHT)
def arm(t: DecisionContext) -> np.ndarray:
    """Where knights are for that, none is kept."""
    return np.full((len(t.games), 1), 400.0 if t.has("lairs") else 0.0)


@score_bonus(BUY_CARD)
def buy_knights(t: DecisionContext) -> np.ndarray:
    """As long as the fortress stands and there are not enough of them."""
    if not t.has("lairs"):
        return np.zeros((len(t.games), 1))
    return np.where((my_lairs(t) > 0) & (my_warships(t) <= ENOUGH), 150.0, 0.0)[:, None]


def is_forced(t: DecisionContext) -> bool:
    """Whether a complete line has to attack."""
    return t.engine.rules["fortress_attack"] == "forced"


def warships_needed(t: DecisionContext) -> np.ndarray:
    """(n,) warships that make a good chance; a player who has waited long takes a worse one."""
    rounds_begun = t.public("turn").astype(int) // t.engine.num_players
    return np.clip(ENOUGH - (rounds_begun - PATIENCE + HASTE) // HASTE, LEAST, ENOUGH)


@score(ATTACK_FORTRESS)
def attack_fortress(t: DecisionContext) -> np.ndarray:
    """Last of all in a turn, and only with a good chance, if there is a choice."""
    is_worthwhile = is_forced(t) | (my_warships(t) >= t.of(warships_needed))
    return np.where(is_worthwhile, 1.0, -10.0)[:, None]


@score_bonus(BUILD_SHIP)
def hold_back(t: DecisionContext) -> np.ndarray:
    """The last ship of the line waits until the attack that follows has a good chance."""
    if not t.has("lairs"):
        return np.zeros((len(t.games), 1))
    return np.where(t.of(completes_too_early), HOLD_BACK, 0.0)
