"""The Pirate Islands: a line of ships to the fortress, knights that arm it, the attack when it is likely to win."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score, score_bonus
from catan_agents.heuristic.sea import PRIZES
from catan_env.games.base.development_cards import BUY_CARD, PLAY_KNIGHT
from catan_env.games.seafarers.fortresses import ATTACK_FORTRESS

NEXT_SHIP = 9.0
"""The next ship of one's line, in pips: without the fortress nobody wins."""
ENOUGH = 5
"""Warships with which an attack is made: two of three succeed."""
LEAST = 2
"""Fewer never succeed."""
PATIENCE, HASTE = 30, 5
"""Rounds after which one more warship is done without, and rounds until the next: not everybody gets enough knights."""


def line(t: DecisionContext) -> np.ndarray:
    """(n, paths) the seat's own line, as long as the fortress is to be retaken."""
    lane_mark = t.topology.marks["lane"]
    is_own_lane = np.zeros(t.public("edge_owner").shape)
    is_own_lane[:, lane_mark.places] = np.asarray(lane_mark.numbers["seat"]) == t.seats[:, None]
    return NEXT_SHIP * is_own_lane * (my_lairs(t) > 0)[:, None]


PRIZES.append(("lairs", line))


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


@score(ATTACK_FORTRESS)
def attack_fortress(t: DecisionContext) -> np.ndarray:
    """Last of all in a turn, and only with a good chance; who has waited long takes a worse one."""
    rounds_begun = t.public("turn").astype(int) // t.engine.num_players
    warships_needed = np.clip(ENOUGH - (rounds_begun - PATIENCE + HASTE) // HASTE, LEAST, ENOUGH)
    return np.where(my_warships(t) >= warships_needed, 1.0, -10.0)[:, None]
