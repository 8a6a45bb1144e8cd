"""How agents value harbors in games with Harbormaster."""

from catan_agents.evaluation.features import ValueFeature, feature
from catan_agents.evaluation.terms import Term, measures
from catan_agents.heuristic import score_bonus, shared, site_bonus
from catan_env.games.base.building import BUILD_CITY
from catan_env.games.vocabulary import COAST, INTERSECTIONS

from harbormaster import rules

HARBOR_PIPS = 1.0
"""Value of a harbor point in pips: it makes up for one pip less at a settlement."""


@shared(INTERSECTIONS)
def harbor_value(game, params, seat, memo, values):
    """Fill in the value of a harbor point at each intersection with a harbor, in pips."""
    for coast in range(COAST):
        if game.harbor[coast] >= 0:
            for end in range(2):
                values[params.coast_intersections[coast, end]] = HARBOR_PIPS


@site_bonus(of=rules)
def harbor_point_of_a_settlement(game, params, seat, memo, intersection):
    return harbor_value(game, params, seat, memo, intersection)


@score_bonus(BUILD_CITY, of=rules)
def harbor_point_of_a_city(game, params, seat, memo, intersection):
    return harbor_value(game, params, seat, memo, intersection)


@measures(
    Term("harbor_points", "harbor points of the seat, as a share of those that Harbormaster needs, at most 1", 0.3),
    of=rules,
    as_features=False,
)
def harbor_points(game, params, seat, pool):
    return min(1.0, game.harbor_points[seat] / params.harbormaster_minimum)


@feature(
    ValueFeature("harbor_points", "harbor points of the player"),
    ValueFeature("harbormaster", "whether the player holds Harbormaster"),
    of=rules,
    each=True,
)
def harbors_of_player(game, params, player, seen):
    seen[0] = game.harbor_points[player]
    seen[1] = game.harbormaster == player
