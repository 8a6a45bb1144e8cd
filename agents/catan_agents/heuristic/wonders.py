"""Scores for The Wonders of Catan: claim a wonder as early as possible, and build it before anything else."""

from __future__ import annotations

from catan_agents.heuristic.base import my_production
from catan_agents.heuristic.generated import IMPOSSIBLE, goal, site_bonus
from catan_agents.heuristic.scoring import score
from catan_env.engine.declare import PUBLIC_POINTS
from catan_env.games.seafarers import wonders as wonder_rules
from catan_env.games.seafarers.wonders import (
    BRIDGE,
    BUILD_WONDER,
    CASTLE,
    CLAIM_WONDER,
    LEVELS,
    MONUMENT,
    THEATER,
    WALL,
    WONDERS,
    cities_of,
    meets_condition,
)
from catan_env.games.vocabulary import NOTHING, NUM_RESOURCES

SITE = 2.0
"""Bonus, in pips, for a wall or bridge site while the player has no wonder."""


def is_claimed(game, params, wonder):
    """Return whether a player has claimed a wonder."""
    for player in range(params.num_players):
        if game.claimed_wonder[player] == wonder:
            return True
    return False


def could_claim(game, params, seat, wonder):
    """Return whether the seat can claim a wonder, based on its public points alone."""
    if wonder == CASTLE:
        return cities_of(game, params, seat) > 0 and PUBLIC_POINTS(game, params, seat) >= params.castle_points
    return meets_condition(game, params, seat, wonder)


@goal(BUILD_WONDER, *WONDERS)
def save_for_a_level(game, params, seat, memo, wonder):
    """Save for a level of a wonder, giving priority to a claimed one.

    A seat without a wonder may save for any that it could claim.
    """
    if game.claimed_wonder[seat] == wonder:
        return -1.5 if game.wonder_levels[seat, wonder] < LEVELS else IMPOSSIBLE
    if game.claimed_wonder[seat] != NOTHING or is_claimed(game, params, wonder):
        return IMPOSSIBLE
    return 0.5 if could_claim(game, params, seat, wonder) else IMPOSSIBLE


@site_bonus(of=wonder_rules)
def site_of_wonder(game, params, seat, memo, intersection):
    """Return the bonus for the wall and bridge sites, which are rare."""
    is_rare = params.intersection_wonder_site[intersection] != NOTHING
    return SITE if is_rare and game.claimed_wonder[seat] == NOTHING else 0.0


def pips_to_pay(game, params, seat, memo, price):
    """Return the seat's pips of each card of a price, summed."""
    pips = 0.0
    for resource in range(NUM_RESOURCES):
        pips += my_production(game, params, seat, memo, resource) * price[resource]
    return pips


def suitability(game, params, seat, memo, wonder):
    """Return how well the seat's production matches the price of a wonder."""
    if wonder == THEATER:
        return pips_to_pay(game, params, seat, memo, params.grand_theater_cost) / 10
    if wonder == BRIDGE:
        return pips_to_pay(game, params, seat, memo, params.great_bridge_cost) / 10
    if wonder == MONUMENT:
        return pips_to_pay(game, params, seat, memo, params.grand_monument_cost) / 10
    if wonder == WALL:
        return pips_to_pay(game, params, seat, memo, params.great_wall_cost) / 10
    return pips_to_pay(game, params, seat, memo, params.grand_castle_cost) / 10


@score(CLAIM_WONDER)
def claim_wonder(game, params, seat, memo, wonder):
    """Immediately claim the wonder that best matches the seat's production, before others do."""
    return 1200.0 + suitability(game, params, seat, memo, wonder)


@score(BUILD_WONDER)
def build_wonder(game, params, seat, memo, wonder):
    """Build wonder levels before cities."""
    return 1100.0 + suitability(game, params, seat, memo, wonder)
