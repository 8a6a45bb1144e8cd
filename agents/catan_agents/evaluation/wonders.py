"""Terms for The Wonders of Catan: levels, and progress toward the next level and toward claiming a wonder."""

from math import sqrt

from catan_agents.evaluation.base import cards_of_seat, nearness
from catan_agents.evaluation.sea import gold_to_expect
from catan_agents.evaluation.terms import Term, measures
from catan_env.games.base import bank_trade as bank_trade_rules
from catan_env.games.base import longest_road as longest_road_rules
from catan_env.games.base import production as production_rules
from catan_env.games.base import victory as victory_rules
from catan_env.games.base.network import ROAD, is_clear
from catan_env.games.base.victory import all_points
from catan_env.games.seafarers import wonders as wonder_rules
from catan_env.games.seafarers.wonders import (
    BRIDGE,
    LEVELS,
    MONUMENT,
    NUM_WONDERS,
    THEATER,
    WALL,
    WONDER_SITES,
    cities_of,
    has_building_at,
    has_city_at_harbor,
    is_free,
    level_of,
    meets_condition,
    wonder_of,
)
from catan_env.games.vocabulary import COAST, DEGREE, HAND_CARDS, NOTHING, RATE

STEPS = 12
"""Number of bisection steps in `levels_per_roll`."""
AT_ONCE, NEAR, FAR = 0.6, 0.4, 0.2
"""Nearness of a wall or bridge site that can be settled now, one within reach of the next road, and any other."""


# -- costs of levels ---------------------------------------------------------------------------------------


def price_of_level(params, wonder, card):
    """Return the number of cards of a kind that a level costs."""
    if wonder == THEATER:
        return params.grand_theater_cost[card]
    if wonder == BRIDGE:
        return params.great_bridge_cost[card]
    if wonder == MONUMENT:
        return params.grand_monument_cost[card]
    if wonder == WALL:
        return params.great_wall_cost[card]
    return params.grand_castle_cost[card]


def nearness_of_level(game, params, seat, wonder):
    """Return how close the hand is to covering the price of a level, from 0 to 1."""
    if wonder == THEATER:
        return nearness(game, params, seat, params.grand_theater_cost)
    if wonder == BRIDGE:
        return nearness(game, params, seat, params.great_bridge_cost)
    if wonder == MONUMENT:
        return nearness(game, params, seat, params.grand_monument_cost)
    if wonder == WALL:
        return nearness(game, params, seat, params.great_wall_cost)
    return nearness(game, params, seat, params.grand_castle_cost)


def levels_per_roll(game, params, seat, wonder, pool):
    """Return the number of levels that the production from one roll can pay for, including bank trades.

    `pool` contains the production of each kind of card, followed by that of gold.
    """
    lowest_levels = 0.0
    highest_levels = 1.0
    for _ in range(STEPS):
        levels = (lowest_levels + highest_levels) / 2.0
        cards_left = pool[HAND_CARDS]
        for card in range(HAND_CARDS):
            surplus = pool[card] - levels * price_of_level(params, wonder, card)
            cards_left += surplus / RATE(game, params, seat, card) if surplus > 0.0 else surplus
        if cards_left >= 0.0:
            lowest_levels = levels
        else:
            highest_levels = levels
    return lowest_levels


# -- conditions --------------------------------------------------------------------------------------------


def nearness_of_site(game, params, seat, marked):
    """Return how close a seat is to having a building on one of the `marked` sites, from 0 to 1."""
    if has_building_at(game, params, seat, marked):
        return 1.0
    site_nearness = 0.0
    for site in range(WONDER_SITES):
        if marked[site]:
            intersection = params.wonder_site_intersections[site]
            if (game.settlement_sites[intersection] >> seat) & 1:
                return AT_ONCE
            if is_clear(game, params, intersection):
                site_nearness = max(site_nearness, FAR)
                for j in range(DEGREE):
                    path = params.intersection_paths[intersection, j]
                    if path != NOTHING and (game.edge_piece_sites[ROAD, path] >> seat) & 1:
                        site_nearness = NEAR
    return site_nearness


def has_settlement_at_harbor(game, params, player):
    for coast_path in range(COAST):
        if game.harbor[coast_path] != NOTHING:
            for end in range(2):
                if game.building_owner[params.coast_intersections[coast_path, end]] == player:
                    return True
    return False


def nearness_of_condition(game, params, seat, wonder):
    """Return how close a seat is to meeting a wonder's condition, from 0 to 1, even if the wonder has been claimed."""
    if meets_condition(game, params, seat, wonder):
        return 1.0
    if wonder == THEATER:
        return (1.0 + cities_of(game, params, seat)) / (1.0 + params.theater_cities)
    if wonder == BRIDGE:
        return nearness_of_site(game, params, seat, params.wonder_site_bridge)
    if wonder == WALL:
        return nearness_of_site(game, params, seat, params.wonder_site_wall)
    if wonder == MONUMENT:
        share = min(game.road_length[seat] / params.monument_length, 1.0)
        if has_city_at_harbor(game, params, seat):
            return (1.0 + share) / 2.0
        return (0.5 + share) / 2.0 if has_settlement_at_harbor(game, params, seat) else share / 2.0
    share = min(all_points(game, params, seat) / params.castle_points, 1.0)
    return share if cities_of(game, params, seat) > 0 else 0.8 * share


@measures(
    Term("levels_to_expect", "expected wonder levels per roll, with trade, times the nearness to its condition", 60.0),
    of=(wonder_rules, production_rules, bank_trade_rules, longest_road_rules, victory_rules),
    memo=True,
)
def way_to_a_wonder(game, params, seat, pool):
    cards_of_seat(game, params, seat, pool)
    pool[HAND_CARDS] = gold_to_expect(game, params, seat, pool)
    own_wonder = wonder_of(game, seat)
    expected_levels = 0.0
    for wonder in range(NUM_WONDERS):
        wonder_nearness = 0.0
        if own_wonder != NOTHING:
            wonder_nearness = 1.0 if wonder == own_wonder else 0.0
        elif is_free(game, wonder):
            wonder_nearness = nearness_of_condition(game, params, seat, wonder)
        if wonder_nearness > 0.0:
            expected_levels = max(expected_levels, wonder_nearness * levels_per_roll(game, params, seat, wonder, pool))
    return expected_levels


# -- levels ------------------------------------------------------------------------------------------------


@measures(
    Term("claimed_wonder", "whether the seat has claimed a wonder", 1.0),
    Term("wonder_levels", "levels of the seat's wonder", 6.0),
    Term("near_wonder", "nearness of the hand to a level of the seat's wonder, or of the best one to claim", 5.0),
    of=(wonder_rules, bank_trade_rules),
)
def levels_built(game, params, seat, pool):
    own_wonder, level = wonder_of(game, seat), level_of(game, seat)
    level_nearness = 0.0
    for wonder in range(NUM_WONDERS):
        if own_wonder != NOTHING:
            can_be_built = wonder == own_wonder and level < LEVELS
        else:
            can_be_built = is_free(game, wonder) and meets_condition(game, params, seat, wonder)
        if can_be_built:
            level_nearness = max(level_nearness, sqrt(nearness_of_level(game, params, seat, wonder)))
    return own_wonder != NOTHING, level, level_nearness
