"""How agents value harbors in games with Harbormaster."""

import numpy as np
from catan_agents.evaluation.features import ValueFeature, feature, steps_to
from catan_agents.evaluation.terms import Term, measures
from catan_agents.heuristic import DecisionContext, score_bonus, site_bonus
from catan_env.games.base.building import BUILD_CITY

from harbormaster import rules

HARBOR_PIPS = 1.0
"""Value of a harbor point in pips: it makes up for one pip less at a settlement."""


def at_harbors(t: DecisionContext):
    """Return whether each intersection is at a harbor, (n, intersections) bool."""
    is_at_harbor = np.zeros((len(t.games), t.topology.num_intersections), bool)
    coast_ends = t.topology.path_intersections[t.topology.coast_paths]
    game_indices, coast_indices = np.nonzero(t.public("harbor") >= 0)
    is_at_harbor[game_indices[:, None], coast_ends[coast_indices]] = True
    return is_at_harbor


@site_bonus("harbormaster")
def harbor_point_of_a_settlement(t: DecisionContext):
    return HARBOR_PIPS * t.of(at_harbors)


@score_bonus(BUILD_CITY, of=rules)
def harbor_point_of_a_city(t: DecisionContext):
    return HARBOR_PIPS * t.of(at_harbors)


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
def harbors_of_each(game, params, seat, seen):
    for player in range(params.num_players):
        steps = steps_to(params, seat, player)
        seen[2 * steps] = game.harbor_points[player]
        seen[2 * steps + 1] = game.harbormaster == player
