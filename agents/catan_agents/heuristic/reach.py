"""How far routes reach: what pieces on the way to a place are worth."""

from catan_agents.heuristic.generated import shared
from catan_env.games.vocabulary import DEGREE, INTERSECTIONS, NOTHING

HORIZON = 6
"""How many edge pieces ahead `spread` looks."""


@shared(INTERSECTIONS)
def nothing(game, params, seat, memo, values):
    """Fill in 0 for every intersection."""


@shared(INTERSECTIONS)
def scratch(game, params, seat, memo, values):
    """Buffer for `spread`."""


def spread(params, values, is_open, is_closed, away, scratch):
    """Replace each intersection's value by the best discounted value reachable from it.

    Args:
        values: (INTERSECTIONS,) value of each intersection itself, at least 0.
        is_open: (PATHS,) nonzero for paths on which further edge pieces can be placed.
        is_closed: (INTERSECTIONS,) nonzero for intersections that routes cannot pass through.
        away: discount per edge piece.
        scratch: (INTERSECTIONS,) buffer.
    """
    for _ in range(HORIZON):
        has_changed = False
        for intersection in range(INTERSECTIONS):
            scratch[intersection] = 0.0 if is_closed[intersection] else values[intersection]
        for intersection in range(INTERSECTIONS):
            for k in range(DEGREE):
                neighbor = params.intersection_neighbors[intersection, k]
                if neighbor != NOTHING and is_open[params.intersection_paths[intersection, k]]:
                    value = away * scratch[neighbor]
                    if value > values[intersection]:
                        values[intersection] = value
                        has_changed = True
        if not has_changed:
            break
