"""Scores for mirrored building: keep partner pieces out of the seat's way, and build roads toward sites or for length.

Nobody can use a site that a partner occupies. If players put their partners on each other's sites, the board fills up
before anyone has enough points to win.
"""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.base import (
    RATES,
    build_road,
    build_settlement,
    my_buildings,
    my_roads,
    open_sites,
    site_values,
)
from catan_agents.heuristic.decision_context import DecisionContext, at, within_reach
from catan_agents.heuristic.scoring import score
from catan_env.errors import OptionError
from catan_env.games.base.building import BUILD_ROAD, BUILD_SETTLEMENT
from catan_env.games.trade_partners import mirrored_building

ROOM = 8.0
"""Value, in pips, of an open site in addition to its production."""
AWAY = 0.7
"""Discount per road on the way to a site."""
OPENED = 3.0
"""Cost, in pips, of opening a site to a partner, even if the seat cannot reach it."""
FIRST_SHARE, SHARE = 5.0, 0.2
"""Weight of what a partner settlement produces relative to the space it takes up, in initial placement and later."""
ONWARD, JOINING = 1.0, 2.0
"""Bonuses for a road that extends an end of the seat's roads and for one that joins two ends."""


def partners(t: DecisionContext) -> np.ndarray:
    """Return the color of the seat's trade partner, shape (n,). Partners have the last colors, in turn order."""
    return t.public("edge_pieces_left").shape[1] - t.engine.num_players + t.seats


@RATES.append
def rates_of_partner(t: DecisionContext) -> np.ndarray:
    """Return the rates at the partner's harbors, shape (n, kinds).

    Raises:
        OptionError: the scenario has no trade partners.
    """
    if "partner_price" not in t.engine.rules:
        raise OptionError("This scenario has no trade partners; use `t.rates`.")
    return t.public("trade_rate")[t.rows, t.of(partners)]


# -- room to grow ----------------------------------------------------------------------------------------------


def nearness(t: DecisionContext) -> np.ndarray:
    """Return how close the seat's routes and buildings are to each intersection, shape (n, intersections).

    The value is 1 at the seat's own pieces and is multiplied by `AWAY` for each road of distance from them.
    """
    has_own_building = t.of(my_buildings) > 0
    is_reached = at(t.of(my_roads), t.topology.intersection_paths).any(axis=2) | has_own_building
    is_closed = (t.public("building") > 0) & ~has_own_building
    return within_reach(t, is_reached.astype(np.float64), t.public("edge_owner") < 0, AWAY, is_closed)


def room(t: DecisionContext) -> np.ndarray:
    """Return the value, in pips, that each open site has for the seat to act, shape (n, intersections)."""
    return np.where(t.of(open_sites), ROOM + t.of(site_values), 0.0)


def promise(t: DecisionContext) -> np.ndarray:
    """Return the discounted value of the best site reachable from each intersection, shape (n, intersections)."""
    return within_reach(t, t.of(room), t.public("edge_owner") < 0, AWAY, closed=t.public("building") > 0)


def losses(t: DecisionContext) -> np.ndarray:
    """Return what the seat would lose if another color built at each intersection, shape (n, intersections)."""
    own_room = t.of(room) * t.of(nearness)
    return own_room + at(own_room, t.topology.intersection_neighbors).sum(axis=2)


def gains(t: DecisionContext) -> np.ndarray:
    """Return the value of the sites to which a road on each path would bring the seat closer, shape (n, paths)."""
    end_nearness, end_promise = (values[:, t.topology.path_intersections] for values in (t.of(nearness), t.of(promise)))
    other_end_nearness = end_nearness[:, :, ::-1]
    return np.where(end_nearness < other_end_nearness, other_end_nearness * end_promise, 0.0).max(axis=2)


# -- scores ----------------------------------------------------------------------------------------------------


@score(BUILD_SETTLEMENT, of=mirrored_building)
def settle_for_oneself_or_partner(t: DecisionContext) -> np.ndarray:
    """Place the partner's first settlement where it produces most, and later ones where the seat loses least."""
    is_placed_initially = t.deciding("place_initial_partner_settlement")
    production_share = np.where(is_placed_initially, FIRST_SHARE, SHARE)[:, None]
    for_partner = (is_placed_initially | t.deciding("build_for_partner"))[:, None]
    return np.where(for_partner, production_share * t.of(site_values) - t.of(losses), build_settlement(t))


@score(BUILD_ROAD, of=mirrored_building)
def lay_road_for_oneself_or_partner(t: DecisionContext) -> np.ndarray:
    for_partner = t.deciding("build_for_partner") | t.deciding("place_initial_partner_road")
    return np.where(for_partner[:, None], _road_for_partner(t), _own_road(t))


def _road_for_partner(t: DecisionContext) -> np.ndarray:
    """Score partner roads, shape (n, paths), favoring those away from the seat's routes that open no new sites."""
    has_partner_road = at(t.public("edge_owner") == t.of(partners)[:, None], t.topology.intersection_paths).any(axis=2)
    opening_cost = np.where(t.of(open_sites) & ~has_partner_road, OPENED + t.of(losses), 0.0)
    return -t.of(gains) - opening_cost[:, t.topology.path_intersections].sum(axis=2)


def _own_road(t: DecisionContext) -> np.ndarray:
    """Score the seat's own roads, shape (n, paths), favoring those toward sites at any distance, then longer routes.

    As in other games, the seat builds no road where `build_road` is negative.
    """
    usual_scores, road_gains = build_road(t), t.of(gains)
    road_counts = at(t.of(my_roads), t.topology.intersection_paths).sum(axis=2)[:, t.topology.path_intersections]
    length_bonus = np.where(
        (road_counts == 1).all(axis=2), JOINING, np.where(road_counts.sum(axis=2) == 1, ONWARD, 0.0)
    )
    return np.where(usual_scores < 0, usual_scores, np.where(road_gains > 0, 200.0, 10.0) + road_gains + length_bonus)
