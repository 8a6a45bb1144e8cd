"""Terms for Seafarers: sites that ships can reach, new islands, and gold."""

from catan_agents.evaluation.base import WAYS_TO_ROLL, pips_around, pips_of
from catan_agents.evaluation.terms import Term, measures
from catan_env.board.terrain import GOLD
from catan_env.engine.bitset import where_bit, where_equal
from catan_env.games.base import network as network_rules
from catan_env.games.base.network import CITY, is_clear
from catan_env.games.seafarers import gold as gold_rules
from catan_env.games.seafarers import islands as island_rules
from catan_env.games.seafarers import ships as ship_rules
from catan_env.games.seafarers.islands import NO_ISLAND, new_island_at
from catan_env.games.seafarers.ships import SHIP
from catan_env.games.vocabulary import (
    DEGREE,
    HEX_BLOCKED,
    INTERSECTIONS,
    MAY_CONTINUE,
    MAY_LAY,
    MAY_PASS,
    MAY_SETTLE,
    NOBODY,
    NOTHING,
)

FAR = 7
"""Places at least this many ships away are considered out of reach."""
AWAY = 0.75
"""Discount per ship needed to reach a place."""


# -- places that ships can reach ---------------------------------------------------------------------------


def sail(game, params, seat, pool):
    """Write the number of ships needed to reach each intersection, or `FAR` if it is out of reach.

    The numbers are written to the start of the pool; the entries that follow are scratch space.
    """
    for intersection in range(INTERSECTIONS):
        pool[intersection] = FAR
    ships_left = min(int(game.edge_pieces_left[seat, SHIP]), FAR - 1)
    queue_length = 0
    for path in where_bit(game.edge_piece_sites[SHIP], seat):
        for end in range(2):
            intersection = params.path_intersections[path, end]
            if ships_left > 0 and pool[intersection] == FAR:
                pool[intersection] = 1
                pool[INTERSECTIONS + queue_length] = intersection
                queue_length += 1
    queue_index = 0
    while queue_index < queue_length:
        intersection = int(pool[INTERSECTIONS + queue_index])
        queue_index += 1
        ships = int(pool[intersection]) + 1
        if ships > ships_left or not goes_on(game, params, seat, intersection):
            continue
        for j in range(DEGREE):
            path = params.intersection_paths[intersection, j]
            if path != NOTHING and game.edge_owner[path] == NOBODY and MAY_LAY(game, params, SHIP, path):
                far_end = params.path_intersections[path, 0] + params.path_intersections[path, 1] - intersection
                if pool[far_end] == FAR:
                    pool[far_end] = ships
                    pool[INTERSECTIONS + queue_length] = far_end
                    queue_length += 1


def goes_on(game, params, seat, intersection):
    """Return whether a line of ships can continue past an intersection."""
    return MAY_PASS(game, params, seat, intersection) and MAY_CONTINUE(game, params, seat, intersection)


def gold_around(game, params, intersection):
    """Return the sum of pips on gold hexes around an intersection."""
    pips = 0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.terrain[hex] == GOLD:
            pips += pips_of(game.number[hex])
    return pips


@measures(
    Term("site_by_sea", "expected cards per roll of the best site in reach, discounted per ship on the way", 0.5),
    Term("island_ahead", "points for the nearest new island with a site, discounted per ship on the way", 0.8),
    of=(island_rules, ship_rules, network_rules, gold_rules),
    memo=True,
)
def sites_at_sea(game, params, seat, pool):
    """Return the production of the best reachable site, and the points of the nearest new island.

    Islands are ignored during initial placement, when production matters more.
    """
    sail(game, params, seat, pool)
    best_pips = 0.0
    nearest_island = 0.0
    if game.settlements_left[seat] > 0:
        for intersection in range(INTERSECTIONS):
            at_once = game.settlement_sites[intersection] >> seat & 1
            if at_once or pool[intersection] < FAR and may_be_settled(game, params, seat, intersection):
                share = 1.0 if at_once else AWAY ** pool[intersection]
                pips = pips_around(game, params, intersection) + gold_around(game, params, intersection)
                best_pips = max(best_pips, share * pips)
                if game.turn > 0 and new_island_at(game, params, seat, intersection) != NO_ISLAND:
                    nearest_island = max(nearest_island, share)
    return best_pips / WAYS_TO_ROLL, params.island_points * nearest_island


def may_be_settled(game, params, seat, intersection):
    """Return whether a seat could settle at an intersection if it had a route there."""
    return is_clear(game, params, intersection) and MAY_SETTLE(game, params, seat, intersection)


# -- gold ----------------------------------------------------------------------------------------------------


@measures(
    Term("gold", "expected cards of choice per roll", 5.0),
    of=(gold_rules, network_rules),
    memo=True,
    as_features=False,
)
def gold_to_expect(game, params, seat, pool):
    return gold_pips(game, params, seat) / WAYS_TO_ROLL


def gold_pips(game, params, seat):
    """Return the pips on gold hexes around a seat's buildings, counting cities twice."""
    pips = 0
    for intersection in where_equal(game.building_owner, seat):
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            if hex != NOTHING and game.terrain[hex] == GOLD and not HEX_BLOCKED(game, params, NOBODY, hex):
                pips += pips_of(game.number[hex]) * (1 + (game.building[intersection] == CITY))
    return pips
