"""Terms for Cloth for Catan: progress toward the next point, expected cloth, and reachable villages."""

from catan_agents.evaluation.base import chance_of
from catan_agents.evaluation.sea import AWAY, FAR, sail
from catan_agents.evaluation.terms import Term, measures
from catan_env.games.base import network as network_rules
from catan_env.games.seafarers import cloth as cloth_rules
from catan_env.games.seafarers import ships as ship_rules
from catan_env.games.seafarers.cloth import VILLAGES

PLENTY = 3
"""Amount of cloth at which a village is considered well stocked."""
ROLLS = 12.0
"""Number of rolls over which a new village is assumed to supply cloth."""


def lasting(game, village):
    """Return how well stocked a village is, as a fraction of `PLENTY` from 0 to 1."""
    return min(int(game.village_cloth[village]), PLENTY) / PLENTY


@measures(
    Term("part_of_point", "the seat's cloth toward its next point, as a share of a point", 1.5),
    Term("cloth_to_expect", "expected cloth per roll, discounted for villages with little left", 10.0),
    of=cloth_rules,
)
def own_cloth(game, params, seat, pool):
    expected = 0.0
    for village in range(VILLAGES):
        if game.trades[seat, village]:
            expected += chance_of(params.village_number[village]) * lasting(game, village)
    return game.cloth[seat] % params.cloth_for_a_point / params.cloth_for_a_point, expected


@measures(
    Term("village_ahead", "expected points from the best new village, discounted per ship on the way", 1.6),
    of=(cloth_rules, ship_rules, network_rules),
    memo=True,
)
def villages_ahead(game, params, seat, pool):
    sail(game, params, seat, pool)
    best_promise = 0.0
    for village in range(VILLAGES):
        ships = pool[params.village_intersections[village]]
        if not game.trades[seat, village] and ships < FAR:
            promise = 1.0 + ROLLS * chance_of(params.village_number[village])
            best_promise = max(best_promise, promise * lasting(game, village) * AWAY**ships)
    return best_promise / params.cloth_for_a_point
