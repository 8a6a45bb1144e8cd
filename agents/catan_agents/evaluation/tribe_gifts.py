"""Term for The Forgotten Tribe: point gifts that ships can reach."""

from catan_agents.evaluation.terms import Term, measures
from catan_env.engine.bitset import where_bit
from catan_env.games.seafarers import ships as ship_rules
from catan_env.games.seafarers import tribe_gifts as tribe_rules
from catan_env.games.seafarers.ships import SHIP
from catan_env.games.seafarers.tribe_gifts import GIFTS, POINT
from catan_env.games.vocabulary import DEGREE, MAY_LAY, MAY_PASS, NOBODY, NOTHING, PATHS

STEPS = 4
"""Number of ships to look ahead."""
AWAY = 0.7
"""Discount per additional ship needed to reach a gift."""


def reach_of_ships(game, params, seat, pool):
    """Write the number of ships needed to occupy each path, or 0 if it is out of reach."""
    for path in range(PATHS):
        pool[path] = 0.0
    for path in where_bit(game.edge_piece_sites[SHIP], seat):
        pool[path] = 1.0
    for step in range(1, STEPS):
        for path in range(PATHS):
            if pool[path] == step:
                for end in range(2):
                    intersection = params.path_intersections[path, end]
                    if MAY_PASS(game, params, seat, intersection):
                        for k in range(DEGREE):
                            next_path = params.intersection_paths[intersection, k]
                            if next_path != NOTHING and pool[next_path] == 0.0 and game.edge_owner[next_path] == NOBODY:
                                if MAY_LAY(game, params, SHIP, next_path):
                                    pool[next_path] = step + 1.0


@measures(
    Term("point_gifts", "gifts of points in reach, discounted per further ship on the way", 0.6),
    of=(tribe_rules, ship_rules),
    memo=True,
)
def gifts_in_reach(game, params, seat, pool):
    """Return the discounted number of point gifts within reach.

    Other gifts are ignored, because cards and harbors are not worth a detour.
    """
    points = 0.0
    if game.edge_pieces_left[seat, SHIP] > 0:
        reach_of_ships(game, params, seat, pool)
        for gift in range(GIFTS):
            steps = pool[params.gift_paths[gift]]
            if game.gift[gift] and params.gift_kind[gift] == POINT and steps > 0.0:
                points += AWAY ** (steps - 1.0)
    return points
