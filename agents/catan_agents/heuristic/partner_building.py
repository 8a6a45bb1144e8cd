"""Scores for mirrored building: keep partner pieces out of the seat's way, and build roads toward sites or for length.

Nobody can use a site that a partner occupies. If players put their partners on each other's sites, the board fills up
before anyone has enough points to win.
"""

from __future__ import annotations

from catan_agents.heuristic.base import (
    build_road,
    build_settlement,
    count_own_edge_pieces,
    has_own_edge_piece,
    is_open_site,
    is_reached,
    site_value,
)
from catan_agents.heuristic.generated import shared
from catan_agents.heuristic.reach import scratch, spread
from catan_agents.heuristic.scoring import score
from catan_env.engine.decision_stack import head
from catan_env.games.base.building import BUILD_ROAD, BUILD_SETTLEMENT
from catan_env.games.trade_partners import mirrored_building
from catan_env.games.trade_partners.mirrored_building import BUILD_FOR_PARTNER
from catan_env.games.trade_partners.partner_placement import (
    PLACE_INITIAL_PARTNER_ROAD,
    PLACE_INITIAL_PARTNER_SETTLEMENT,
)
from catan_env.games.trade_partners.partners import partner_of
from catan_env.games.vocabulary import DEGREE, INTERSECTIONS, NOBODY, NOTHING, PATHS

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


# -- room to grow ----------------------------------------------------------------------------------------------


@shared(PATHS)
def is_free_path(game, params, seat, memo, is_free):
    """Mark the paths without an edge piece."""
    for path in range(PATHS):
        is_free[path] = game.edge_owner[path] == NOBODY


@shared(INTERSECTIONS)
def is_closed_by_others(game, params, seat, memo, is_closed):
    """Mark the intersections with a building of another color."""
    for intersection in range(INTERSECTIONS):
        owner = game.building_owner[intersection]
        is_closed[intersection] = owner != NOBODY and owner != seat


@shared(INTERSECTIONS)
def is_built_on(game, params, seat, memo, values):
    """Mark the intersections with a building."""
    for intersection in range(INTERSECTIONS):
        values[intersection] = game.building_owner[intersection] != NOBODY


@shared(INTERSECTIONS, is_free_path, is_closed_by_others, scratch)
def nearness(game, params, seat, memo, values, is_open, is_closed, scratch):
    """Fill in how close the seat's routes and buildings are to each intersection.

    The value is 1 at the seat's own pieces and is multiplied by `AWAY` for each road of distance from them.
    """
    for intersection in range(INTERSECTIONS):
        values[intersection] = is_reached(game, params, seat, intersection)
    spread(params, values, is_open, is_closed, AWAY, scratch)


def room(game, params, seat, memo, intersection):
    """Return the value, in pips, that an open site has for the seat."""
    is_open = is_open_site(game, params, seat, memo, intersection)
    return ROOM + site_value(game, params, seat, memo, intersection) if is_open else 0.0


@shared(INTERSECTIONS, is_free_path, is_built_on, scratch)
def promise(game, params, seat, memo, values, is_open, is_closed, scratch):
    """Fill in the discounted value of the best site reachable from each intersection."""
    for intersection in range(INTERSECTIONS):
        values[intersection] = room(game, params, seat, memo, intersection)
    spread(params, values, is_open, is_closed, AWAY, scratch)


def own_room(game, params, seat, memo, intersection):
    """Return the value of an intersection for the seat, discounted by its distance."""
    return room(game, params, seat, memo, intersection) * nearness(game, params, seat, memo, intersection)


@shared(INTERSECTIONS)
def loss(game, params, seat, memo, values):
    """Compute the loss to the seat if another color built at each intersection."""
    for intersection in range(INTERSECTIONS):
        neighbors_room = 0.0
        for k in range(DEGREE):
            neighbor = params.intersection_neighbors[intersection, k]
            if neighbor != NOTHING:
                neighbors_room += own_room(game, params, seat, memo, neighbor)
        values[intersection] = own_room(game, params, seat, memo, intersection) + neighbors_room


@shared(PATHS)
def gain_of_road(game, params, seat, memo, values):
    """Fill in the value of the sites to which a road on each path would bring the seat closer."""
    for path in range(PATHS):
        for end in range(2):
            new_end, old_end = params.path_intersections[path, end], params.path_intersections[path, 1 - end]
            near = nearness(game, params, seat, memo, old_end)
            if nearness(game, params, seat, memo, new_end) < near:
                values[path] = max(values[path], near * promise(game, params, seat, memo, new_end))


# -- scores ----------------------------------------------------------------------------------------------------


@score(BUILD_SETTLEMENT, of=mirrored_building)
def settle_for_oneself_or_partner(game, params, seat, memo, intersection):
    """Place the partner's first settlement where it produces most, and later ones where the seat loses least."""
    is_placed_initially = head(game) == PLACE_INITIAL_PARTNER_SETTLEMENT
    if not is_placed_initially and head(game) != BUILD_FOR_PARTNER:
        return build_settlement(game, params, seat, memo, intersection)
    share = FIRST_SHARE if is_placed_initially else SHARE
    value = share * site_value(game, params, seat, memo, intersection)
    return value - loss(game, params, seat, memo, intersection)


@score(BUILD_ROAD, of=mirrored_building)
def lay_road_for_oneself_or_partner(game, params, seat, memo, path):
    if head(game) == BUILD_FOR_PARTNER or head(game) == PLACE_INITIAL_PARTNER_ROAD:
        return road_for_partner(game, params, seat, memo, path)
    return own_road(game, params, seat, memo, path)


def road_for_partner(game, params, seat, memo, path):
    """Score a partner's road: favor those away from the seat's routes that open no new sites."""
    opening_cost = 0.0
    for end in range(2):
        intersection = params.path_intersections[path, end]
        if is_open_site(game, params, seat, memo, intersection):
            if not has_own_edge_piece(game, params, partner_of(seat), intersection):
                opening_cost += OPENED + loss(game, params, seat, memo, intersection)
    return -gain_of_road(game, params, seat, memo, path) - opening_cost


def own_road(game, params, seat, memo, path):
    """Score a road of the seat: first by sites ahead, at any distance, then by the length of the route.

    As in other games, the seat builds no road where `build_road` is negative.
    """
    usual_score = build_road(game, params, seat, memo, path)
    if usual_score < 0:
        return usual_score
    first_count = count_own_edge_pieces(game, params, seat, params.path_intersections[path, 0])
    second_count = count_own_edge_pieces(game, params, seat, params.path_intersections[path, 1])
    length_bonus = 0.0
    if first_count == 1 and second_count == 1:
        length_bonus = JOINING
    elif first_count + second_count == 1:
        length_bonus = ONWARD
    gain = gain_of_road(game, params, seat, memo, path)
    return (200.0 if gain > 0 else 10.0) + gain + length_bonus
