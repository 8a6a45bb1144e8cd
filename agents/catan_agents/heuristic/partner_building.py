"""Mirrored building: partners' pieces go where they take no room from oneself, own roads to sites or on from an end.

What a partner is owed on a place of its own is lost to everybody: players whose partners take sites from each other
fill the board before anybody has the points to win.
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
"""What an open site is worth besides its production, in pips: a place for two points."""
AWAY = 0.7
"""A site one road further off is worth so much of one nearby."""
OPENED = 3.0
"""What it costs that a partner could settle a site, in pips, even if oneself could not come there."""
FIRST_SHARE, SHARE = 5.0, 0.2
"""What the production of a partner's settlement weighs beside the room it takes: when founded, and later."""
ONWARD, JOINING = 1.0, 2.0
"""Of a road that leads on from an end of the own ones, and of one that joins two ends: they may become the longest."""


def partners(t: DecisionContext) -> np.ndarray:
    """(n,) the color of the trade partner of the seat to act: the last colors are the partners, in turn order."""
    return t.public("edge_pieces_left").shape[1] - t.engine.num_players + t.seats


@RATES.append
def rates_of_partner(t: DecisionContext) -> np.ndarray:
    """(n, kinds) those at the harbors of the partner, in games with one."""
    if "partner_price" not in t.engine.rules:
        raise OptionError("Nobody has a trade partner here.")
    return t.public("trade_rate")[t.rows, t.of(partners)]


# -- room to grow ----------------------------------------------------------------------------------------------


def nearness(t: DecisionContext) -> np.ndarray:
    """(n, intersections) how near own ways and buildings are: 1 where they stand, less with every road it takes."""
    has_own_building = t.of(my_buildings) > 0
    is_reached = at(t.of(my_roads), t.topology.intersection_paths).any(axis=2) | has_own_building
    is_closed = (t.public("building") > 0) & ~has_own_building
    return within_reach(t, is_reached.astype(np.float64), t.public("edge_owner") < 0, AWAY, is_closed)


def room(t: DecisionContext) -> np.ndarray:
    """(n, intersections) what each open site is worth to the seat to act, in pips."""
    return np.where(t.of(open_sites), ROOM + t.of(site_values), 0.0)


def promise(t: DecisionContext) -> np.ndarray:
    """(n, intersections) the best site within reach of each intersection, worth less the further."""
    return within_reach(t, t.of(room), t.public("edge_owner") < 0, AWAY, closed=t.public("building") > 0)


def losses(t: DecisionContext) -> np.ndarray:
    """(n, intersections) what room a building of another color there would take from the seat to act."""
    own_room = t.of(room) * t.of(nearness)
    return own_room + at(own_room, t.topology.intersection_neighbors).sum(axis=2)


def gains(t: DecisionContext) -> np.ndarray:
    """(n, paths) what the sites are worth that the seat to act comes nearer to on each path."""
    end_nearness, end_promise = (values[:, t.topology.path_intersections] for values in (t.of(nearness), t.of(promise)))
    other_end_nearness = end_nearness[:, :, ::-1]
    return np.where(end_nearness < other_end_nearness, other_end_nearness * end_promise, 0.0).max(axis=2)


# -- scores ----------------------------------------------------------------------------------------------------


@score(BUILD_SETTLEMENT, of=mirrored_building)
def settle_for_oneself_or_partner(t: DecisionContext) -> np.ndarray:
    """A partner is founded where it has much to sell; later it gets what one misses least."""
    is_placed_initially = t.deciding("place_initial_partner_settlement")
    production_share = np.where(is_placed_initially, FIRST_SHARE, SHARE)[:, None]
    for_partner = (is_placed_initially | t.deciding("build_for_partner"))[:, None]
    return np.where(for_partner, production_share * t.of(site_values) - t.of(losses), build_settlement(t))


@score(BUILD_ROAD, of=mirrored_building)
def lay_road_for_oneself_or_partner(t: DecisionContext) -> np.ndarray:
    for_partner = t.deciding("build_for_partner") | t.deciding("place_initial_partner_road")
    return np.where(for_partner[:, None], _road_for_partner(t), _own_road(t))


def _road_for_partner(t: DecisionContext) -> np.ndarray:
    """(n, paths) off the own ways, and to no site that the partner would have to settle."""
    has_partner_road = at(t.public("edge_owner") == t.of(partners)[:, None], t.topology.intersection_paths).any(axis=2)
    opening_cost = np.where(t.of(open_sites) & ~has_partner_road, OPENED + t.of(losses), 0.0)
    return -t.of(gains) - opening_cost[:, t.topology.path_intersections].sum(axis=2)


def _own_road(t: DecisionContext) -> np.ndarray:
    """(n, paths) when one is laid at all, as elsewhere; but to sites however far, and for length from an end."""
    usual_scores, road_gains = build_road(t), t.of(gains)
    road_counts = at(t.of(my_roads), t.topology.intersection_paths).sum(axis=2)[:, t.topology.path_intersections]
    length_bonus = np.where(
        (road_counts == 1).all(axis=2), JOINING, np.where(road_counts.sum(axis=2) == 1, ONWARD, 0.0)
    )
    return np.where(usual_scores < 0, usual_scores, np.where(road_gains > 0, 200.0, 10.0) + road_gains + length_bonus)
