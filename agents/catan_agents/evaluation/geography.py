"""Terms for country maps: distant town sites, chips at crossings, and canal tokens."""

from catan_agents.evaluation.base import nearness
from catan_agents.evaluation.terms import Term, measures
from catan_env.engine.bitset import where_bit
from catan_env.games.base import bank_trade as bank_trade_rules
from catan_env.games.base import building as building_rules
from catan_env.games.base.network import NO_BUILDING, ROAD, is_clear
from catan_env.games.geography import canal_tokens as canal_rules
from catan_env.games.geography import crossing_chips as chip_rules
from catan_env.games.geography import town_sites as site_rules
from catan_env.games.geography.canal_tokens import ANY_PAIR
from catan_env.games.geography.town_sites import CROSSINGS, is_site
from catan_env.games.vocabulary import (
    DEGREE,
    INTERSECTIONS,
    MAY_CONTINUE,
    MAY_PASS,
    NOBODY,
    NOTHING,
)

REACH = 4
"""Number of roads to look ahead."""
FAR = REACH + 1
CONTESTED = 0.5
"""Factor for chips that another player can reach with no more roads than the seat needs."""


# -- roads ahead -------------------------------------------------------------------------------------------


def is_reached(game, params, player, intersection):
    """Return whether a player has a building or an edge piece at an intersection."""
    if game.building_owner[intersection] == player:
        return True
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == player:
            return True
    return False


def reach_by_roads(game, params, player, distances, queue):
    """Write the number of roads that a player needs to reach each intersection.

    Intersections more than `REACH` roads away get `FAR`. `queue` is scratch space.
    """
    for intersection in range(INTERSECTIONS):
        distances[intersection] = FAR
    queue_end = 0
    for path in where_bit(game.edge_piece_sites[ROAD], player):
        for end in range(2):
            intersection = params.path_intersections[path, end]
            if distances[intersection] == FAR:
                if is_reached(game, params, player, intersection):
                    distances[intersection] = 0
                else:
                    distances[intersection] = 1
                    queue[queue_end] = intersection
                    queue_end += 1
    queue_start = 0
    while queue_start < queue_end:
        intersection = int(queue[queue_start])
        queue_start += 1
        road_count = distances[intersection] + 1
        may_continue = MAY_PASS(game, params, player, intersection) and MAY_CONTINUE(game, params, player, intersection)
        if road_count < FAR and game.building[intersection] == NO_BUILDING and may_continue:
            for k in range(DEGREE):
                path = params.intersection_paths[intersection, k]
                if path != NOTHING and game.edge_owner[path] == NOBODY:
                    neighbor = params.intersection_neighbors[intersection, k]
                    if distances[neighbor] == FAR and not is_reached(game, params, player, neighbor):
                        distances[neighbor] = road_count
                        queue[queue_end] = neighbor
                        queue_end += 1


@measures(
    Term("sites_beyond", "free sites two to four roads away, each divided by its number of roads", 0.1),
    of=(building_rules, site_rules),
    memo=True,
    as_features=False,
)
def sites_beyond(game, params, seat, pool):
    site_sum = 0.0
    if game.settlements_left[seat] > 0 and game.edge_pieces_left[seat, ROAD] > 0:
        distances = pool[:INTERSECTIONS]
        reach_by_roads(game, params, seat, distances, pool[INTERSECTIONS:])
        for intersection in range(INTERSECTIONS):
            roads = distances[intersection]
            if 1 < roads < FAR and is_site(params, intersection) and is_clear(game, params, intersection):
                site_sum += 1.0 / roads
    return site_sum


# -- chips at crossings ------------------------------------------------------------------------------------


@measures(
    Term("chips_ahead", "points of chips up to four roads away, each divided by (1 + roads) squared", 2.0),
    of=(building_rules, site_rules, chip_rules),
    memo=True,
    as_features=False,
)
def chips_in_reach(game, params, seat, pool):
    worth_sum = 0.0
    if game.edge_pieces_left[seat, ROAD] > 0:
        own_distances = pool[:INTERSECTIONS]
        other_distances = pool[INTERSECTIONS : 2 * INTERSECTIONS]
        queue = pool[2 * INTERSECTIONS :]
        reach_by_roads(game, params, seat, own_distances, queue)
        nearest_other = pool[3 * INTERSECTIONS : 3 * INTERSECTIONS + CROSSINGS]
        for crossing in range(CROSSINGS):
            nearest_other[crossing] = FAR
        for player in range(params.num_players):
            if player != seat:
                reach_by_roads(game, params, player, other_distances, queue)
                for intersection in range(INTERSECTIONS):
                    crossing = params.intersection_vp[intersection]
                    if crossing != NOTHING:
                        nearest_other[crossing] = min(nearest_other[crossing], other_distances[intersection])
        for intersection in range(INTERSECTIONS):
            crossing = params.intersection_vp[intersection]
            if crossing != NOTHING and game.crossing_chip[crossing] and own_distances[intersection] < FAR:
                worth = params.points_of_chip / (1.0 + own_distances[intersection]) ** 2
                if nearest_other[crossing] <= own_distances[intersection]:
                    worth *= CONTESTED
                worth_sum += worth
    return worth_sum


@measures(
    Term("near_chip", "nearness of the hand to a road, if the road would take a chip", 0.4),
    of=(building_rules, bank_trade_rules, chip_rules),
    as_features=False,
)
def next_chip(game, params, seat, pool):
    if game.edge_pieces_left[seat, ROAD] > 0:
        for path in where_bit(game.edge_piece_sites[ROAD], seat):
            for end in range(2):
                crossing = params.intersection_vp[params.path_intersections[path, end]]
                if crossing != NOTHING and game.crossing_chip[crossing]:
                    return nearness(game, params, seat, params.road_cost)
    return 0.0


# -- canal tokens ------------------------------------------------------------------------------------------


def joins_canal_sites(game, params, seat, path):
    """Return the number of additional pairs of canal sites that a road would connect.

    A pair is connected by two roads that meet at a junction between the two sites.
    """
    pair_count = 0
    for end in range(2):
        site = params.intersection_canal_site[params.path_intersections[path, end]]
        middle = params.path_intersections[path, 1 - end]
        if site != NOTHING and not is_site(params, middle):
            for k in range(DEGREE):
                joining_path = params.intersection_paths[middle, k]
                if joining_path != NOTHING and game.edge_owner[joining_path] == seat:
                    joined_site = params.intersection_canal_site[params.intersection_neighbors[middle, k]]
                    if joined_site != NOTHING and joined_site != site:
                        west, east = min(joined_site, site), max(joined_site, site)
                        if params.canal_pairs == ANY_PAIR or east == west + 1:
                            pair_count += 1 - (int(game.canal_joined[seat, west]) >> east & 1)
    return pair_count


@measures(
    Term("canal_tokens", "the seat's canal tokens", 0.2),
    Term("canal_ahead", "canal tokens that one more road could earn, summed over all paths", 0.1),
    of=(building_rules, canal_rules),
    as_features=False,
)
def tokens_of_canal(game, params, seat, pool):
    tokens_ahead = 0
    if game.edge_pieces_left[seat, ROAD] > 0 and game.canal_bank > 0:
        for path in where_bit(game.edge_piece_sites[ROAD], seat):
            tokens_ahead += joins_canal_sites(game, params, seat, path)
    return game.canal_tokens[seat], tokens_ahead
