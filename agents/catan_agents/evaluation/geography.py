"""Maps of countries: crossings with chips and sites of towns several roads off, and the tokens of a canal."""

from catan_agents.evaluation.base import nearness
from catan_agents.evaluation.terms import Term, measures
from catan_env.engine.bitset import blocks, first_of, with_bit
from catan_env.games.base import bank_trade as supply_trade_rules
from catan_env.games.base import building as building_rules
from catan_env.games.base.network import NONE, ROAD, is_clear
from catan_env.games.geography import canal_tokens as canal_rules
from catan_env.games.geography import crossing_chips as chip_rules
from catan_env.games.geography import town_sites as site_rules
from catan_env.games.geography.canal_tokens import ANY_PAIR
from catan_env.games.geography.town_sites import CROSSINGS, is_site
from catan_env.games.vocabulary import (
    DEGREE,
    INTERSECTIONS,
    MAY_GO_ON,
    MAY_PASS,
    NOBODY_SEAT,
    NOTHING,
    PATHS,
)

REACH = 4
"""Roads that a seat looks ahead."""
FAR = REACH + 1
CONTESTED = 0.5
"""Of a chip to which another is as near or nearer, so much counts."""


# -- roads ahead -------------------------------------------------------------------------------------------


def is_reached(game, table, player, intersection):
    """Whether a player has a building or a way at an intersection."""
    if game.building_owner[intersection] == player:
        return True
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        if path != NOTHING and game.way[path] == player:
            return True
    return False


def reach_by_roads(game, table, player, distances, queue):
    """Writes how many roads a player lacks to each intersection, `FAR` where none of `REACH` lead."""
    for intersection in range(INTERSECTIONS):
        distances[intersection] = FAR
    last = 0
    for block in range(blocks(PATHS)):
        ways = with_bit(game.way_sites[ROAD], block, player)
        while ways:
            path = first_of(ways, block)
            ways &= ways - 1
            for end in range(2):
                intersection = table.path_intersections[path, end]
                if distances[intersection] == FAR:
                    if is_reached(game, table, player, intersection):
                        distances[intersection] = 0
                    else:
                        distances[intersection] = 1
                        queue[last] = intersection
                        last += 1
    first = 0
    while first < last:
        intersection = int(queue[first])
        first += 1
        further = distances[intersection] + 1
        passes = MAY_PASS(game, table, player, intersection) and MAY_GO_ON(game, table, player, intersection)
        if further < FAR and game.building[intersection] == NONE and passes:
            for k in range(DEGREE):
                path = table.intersection_paths[intersection, k]
                if path != NOTHING and game.way[path] == NOBODY_SEAT:
                    neighbor = table.intersection_neighbors[intersection, k]
                    if distances[neighbor] == FAR and not is_reached(game, table, player, neighbor):
                        distances[neighbor] = further
                        queue[last] = neighbor
                        last += 1


@measures(
    Term("sites_beyond", "free sites two to four roads off, each by its roads", 0.1),
    of=(building_rules, site_rules),
    kept=True,
)
def sites_beyond(game, table, seat, pool):
    number = 0.0
    if game.settlements_left[seat] > 0 and game.ways_left[seat, ROAD] > 0:
        distances = pool[:INTERSECTIONS]
        reach_by_roads(game, table, seat, distances, pool[INTERSECTIONS:])
        for intersection in range(INTERSECTIONS):
            roads = distances[intersection]
            if 1 < roads < FAR and is_site(table, intersection) and is_clear(game, table, intersection):
                number += 1.0 / roads
    return number


# -- chips of crossings ------------------------------------------------------------------------------------


@measures(
    Term("chips_ahead", "points of chips up to four roads off, by the square of roads and one", 2.0),
    of=(building_rules, site_rules, chip_rules),
    kept=True,
)
def chips_in_reach(game, table, seat, pool):
    together = 0.0
    if game.ways_left[seat, ROAD] > 0:
        own = pool[:INTERSECTIONS]
        others = pool[INTERSECTIONS : 2 * INTERSECTIONS]
        queue = pool[2 * INTERSECTIONS :]
        reach_by_roads(game, table, seat, own, queue)
        nearest = pool[3 * INTERSECTIONS : 3 * INTERSECTIONS + CROSSINGS]
        for crossing in range(CROSSINGS):
            nearest[crossing] = FAR
        for player in range(table.num_players):
            if player != seat:
                reach_by_roads(game, table, player, others, queue)
                for intersection in range(INTERSECTIONS):
                    crossing = table.intersection_vp[intersection]
                    if crossing != NOTHING:
                        nearest[crossing] = min(nearest[crossing], others[intersection])
        for intersection in range(INTERSECTIONS):
            crossing = table.intersection_vp[intersection]
            if crossing != NOTHING and game.crossing_chip[crossing] and own[intersection] < FAR:
                worth = table.points_of_chip / (1.0 + own[intersection]) ** 2
                if nearest[crossing] <= own[intersection]:
                    worth *= CONTESTED
                together += worth
    return together


@measures(
    Term("near_chip", "how near the hand comes to a road, if it takes a chip", 0.4),
    of=(building_rules, supply_trade_rules, chip_rules),
)
def next_chip(game, table, seat, pool):
    if game.ways_left[seat, ROAD] > 0:
        for block in range(blocks(PATHS)):
            ways = with_bit(game.way_sites[ROAD], block, seat)
            while ways:
                path = first_of(ways, block)
                ways &= ways - 1
                for end in range(2):
                    crossing = table.intersection_vp[table.path_intersections[path, end]]
                    if crossing != NOTHING and game.crossing_chip[crossing]:
                        return nearness(game, table, seat, table.road_cost)
    return 0.0


# -- tokens of the canal -----------------------------------------------------------------------------------


def joins_canal_sites(game, table, seat, path):
    """How many pairs of canal sites, not joined before, a road would join over the junction at one of its ends."""
    pairs = 0
    for end in range(2):
        site = table.intersection_canal_site[table.path_intersections[path, end]]
        middle = table.path_intersections[path, 1 - end]
        if site != NOTHING and not is_site(table, middle):
            for k in range(DEGREE):
                other = table.intersection_paths[middle, k]
                if other != NOTHING and game.way[other] == seat:
                    joined = table.intersection_canal_site[table.intersection_neighbors[middle, k]]
                    if joined != NOTHING and joined != site:
                        west, east = min(joined, site), max(joined, site)
                        if table.canal_pairs == ANY_PAIR or east == west + 1:
                            pairs += 1 - (int(game.canal_joined[seat, west]) >> east & 1)
    return pairs


@measures(
    Term("canal_tokens", "own canal tokens", 0.2),
    Term("canal_ahead", "canal tokens that one road more brings", 0.1),
    of=(building_rules, canal_rules),
)
def tokens_of_canal(game, table, seat, pool):
    ahead = 0
    if game.ways_left[seat, ROAD] > 0 and game.canal_supply > 0:
        for block in range(blocks(PATHS)):
            ways = with_bit(game.way_sites[ROAD], block, seat)
            while ways:
                ahead += joins_canal_sites(game, table, seat, first_of(ways, block))
                ways &= ways - 1
    return game.canal_tokens[seat], ahead
