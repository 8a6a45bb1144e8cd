"""Terms for every game: victory points."""

from catan_agents.evaluation.terms import Term, measures
from catan_env.engine.declare import HIDDEN_POINTS, PUBLIC_POINTS


@measures(
    Term("points", "the seat's victory points, including hidden ones", 1.0),
    Term("leader_points", "public victory points of the best opponent", -0.3),
    Term("others_points", "sum of opponents' public victory points", -0.2),
    as_features=False,
)
def points_of_all(game, params, seat, pool):
    most_points = 0
    point_sum = 0
    for player in range(params.num_players):
        if player != seat:
            points = PUBLIC_POINTS(game, params, player)
            most_points = max(most_points, points)
            point_sum += points
    return PUBLIC_POINTS(game, params, seat) + HIDDEN_POINTS(game, params, seat), most_points, point_sum
