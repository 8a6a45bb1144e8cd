"""Scores for The Wonders of Catan: claim a wonder as early as possible, and build it before anything else."""

from __future__ import annotations

from functools import partial

import numpy as np

from catan_agents.heuristic.base import my_buildings, my_production
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import goal, score, site_bonus
from catan_env.games.seafarers.wonders import (
    BRIDGE,
    BUILD_WONDER,
    CLAIM_WONDER,
    LEVELS,
    MONUMENT,
    THEATER,
    WALL,
    WONDERS,
)

CITY = 2
SITE = 2.0
"""Bonus, in pips, for a wall or bridge site while the player has no wonder."""


def my_levels(t: DecisionContext) -> np.ndarray:
    """Return the number of levels of each wonder that the seat to act has built, shape (n, wonders)."""
    return t.public("wonder_levels")[t.rows, t.seats]


def conditions(t: DecisionContext) -> np.ndarray:
    """Return whether the seat meets the condition for each wonder, as an (n, wonders) bool array."""
    rules, marks, own_buildings = t.engine.rules, t.topology.marks["wonder_site"], t.of(my_buildings)
    city_count = (own_buildings == CITY).sum(axis=1)
    is_at_site = own_buildings[:, marks.places] > 0
    coast_ends = t.topology.path_intersections[t.topology.coast_paths]
    has_city_at_harbor = ((own_buildings[:, coast_ends] == CITY).any(axis=2) & (t.public("harbor") >= 0)).any(axis=1)
    is_met = np.zeros((len(t.games), len(WONDERS)), bool)
    is_met[:, THEATER] = city_count >= rules["theater_cities"]
    is_met[:, BRIDGE] = (is_at_site & (np.asarray(marks.numbers["bridge"]) > 0)).any(axis=1)
    is_met[:, MONUMENT] = has_city_at_harbor & (t.public("road_length")[t.rows, t.seats] >= rules["monument_length"])
    is_met[:, WALL] = (is_at_site & (np.asarray(marks.numbers["wall"]) > 0)).any(axis=1)
    is_met[:, -1] = (city_count > 0) & (t.points[t.rows, t.seats] >= rules["castle_points"])
    return is_met


def is_claimed(t: DecisionContext) -> np.ndarray:
    """Return which wonder each player has claimed, as an (n, players, wonders) bool array."""
    return t.public("claimed_wonder")[:, :, None] == np.arange(len(WONDERS))


def is_mine(t: DecisionContext) -> np.ndarray:
    """Return which wonder the seat to act has claimed, as an (n, wonders) bool array."""
    return t.of(is_claimed)[t.rows, t.seats]


def wonders_open(t: DecisionContext) -> np.ndarray:
    """Return which wonders the seat could extend by a level, as an (n, wonders) bool array.

    Cards in hand are not considered. A seat without a wonder may build any that it could claim.
    """
    own_wonder, is_free = t.of(is_mine), ~t.of(is_claimed).any(axis=1)
    is_incomplete = own_wonder & (t.of(my_levels) < LEVELS)
    return np.where(np.any(own_wonder, axis=1)[:, None], is_incomplete, is_free & t.of(conditions))


def save_for(wonder: int, t: DecisionContext) -> tuple[np.ndarray, np.ndarray]:
    """Save for a level of a wonder, giving priority to a claimed one."""
    return t.of(wonders_open)[:, wonder], np.where(t.of(is_mine)[:, wonder], -1.5, 0.5)


for _k, _name in enumerate(WONDERS):
    goal(BUILD_WONDER, _name)(partial(save_for, _k))


@site_bonus("wonder_levels")
def sites_of_wonders(t: DecisionContext) -> np.ndarray:
    """Return the bonus for the wall and bridge sites, which are rare."""
    site_worth = np.zeros(t.topology.num_intersections)
    site_worth[t.topology.marks["wonder_site"].places] = SITE
    return site_worth * ~np.any(t.of(is_mine), axis=1)[:, None]


def suited_wonders(t: DecisionContext) -> np.ndarray:
    """Return how well the seat's production matches the price of each wonder, shape (n, wonders)."""
    prices = np.array([t.cost(name) for name in WONDERS])
    return (t.of(my_production)[:, None, :] * prices[:, :5]).sum(axis=2) / 10


@score(CLAIM_WONDER)
def claim_wonder(t: DecisionContext) -> np.ndarray:
    """Immediately claim the wonder that best matches the seat's production, before others do."""
    return 1200.0 + t.of(suited_wonders)


@score(BUILD_WONDER)
def build_wonder(t: DecisionContext) -> np.ndarray:
    """Build wonder levels before cities."""
    return 1100.0 + t.of(suited_wonders)
