"""With Seafarers: a knight closes its owner's shipping lines and must always be next to a road or ship."""

from catan_env.engine.declare import answers, rule
from catan_env.games.vocabulary import DEGREE, ENDS_LINE, MAY_TAKE_UP, NOTHING


@rule("cities_and_knights.sea_lines.1")
@answers(ENDS_LINE)
def own_knight_closes_line(game, params, player, intersection):
    return game.knight_owner[intersection] == player


@rule("cities_and_knights.sea_lines.2")
@answers(MAY_TAKE_UP)
def no_knight_is_isolated(game, params, player, ship):
    """A ship cannot move if that would leave one of its owner's knights without a road or ship."""
    for end in range(2):
        intersection = params.path_intersections[ship, end]
        if game.knight_owner[intersection] == player and own_edge_pieces_at(game, params, player, intersection) == 1:
            return False
    return True


def own_edge_pieces_at(game, params, player, intersection):
    """Return how many of a player's roads and ships meet at an intersection."""
    edge_piece_count = 0
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        edge_piece_count += path != NOTHING and game.edge_owner[path] == player
    return edge_piece_count
