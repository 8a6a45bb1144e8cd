"""The explorer: move a road that has an open end to another place for free.

The road stays in place until the player has chosen its new place.
"""

from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import Action, Decision, Kind, apply, legal, rule
from catan_env.engine.small_sets import contains
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.base.network import NO_BUILDING, ROAD, edge_piece_site, set_edge_piece, take_edge_piece
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import DEGREE, EDGE_PIECE_BUILT, EDGE_PIECE_KIND, NOBODY, NOTHING, PATHS

EXPLORER = Kind("explorer", HELPERS)
KINDS = (EXPLORER,)

MOVE_ROAD = Action(
    "move_road",
    "let the explorer move the road on {}",
    PATHS,
    "the explorer ready, the seat's road with an open end there, and another place for it",
)
ACTIONS = (MOVE_ROAD,)

REBUILD_ROAD = Decision("rebuild_road", "place the road that the explorer moves", argument=PATHS)


@rule("helpers.explorer.2")
def ends_open(game, params, path, intersection):
    """Return whether one end of a road touches no other road or building of the road's owner."""
    if game.building[intersection] != NO_BUILDING and game.building_owner[intersection] == game.edge_owner[path]:
        return False
    for k in range(DEGREE):
        other_path = params.intersection_paths[intersection, k]
        if other_path != NOTHING and other_path != path and game.edge_owner[other_path] == game.edge_owner[path]:
            return False
    return True


@rule("helpers.explorer.2")
def is_open_ended(game, params, path):
    """Return whether at least one end of a road is open."""
    ends = params.path_intersections
    return ends_open(game, params, path, ends[path, 0]) or ends_open(game, params, path, ends[path, 1])


@rule("helpers.explorer.3")
def can_rebuild(game, params, seat, lifted, path):
    """Return whether a seat could build a road on a path if one of its roads were taken off the board."""
    if path == lifted or not contains(game.edge_piece_sites[ROAD, path], seat):
        return False
    game.edge_owner[lifted] = NOBODY
    seats = edge_piece_site(game, params, ROAD, path)
    game.edge_owner[lifted] = seat
    return contains(seats, seat)


@rule("helpers.explorer.3")
def can_move(game, params, seat, road):
    """Return whether a road belongs to a seat, has an open end and could be rebuilt elsewhere."""
    if (
        game.edge_owner[road] != seat
        or EDGE_PIECE_KIND(game, params, seat, road) != ROAD
        or not is_open_ended(game, params, road)
    ):
        return False
    for path in range(PATHS):
        if can_rebuild(game, params, seat, road, path):
            return True
    return False


@rule("helpers.explorer.1")
@legal(PLAY, BUILD)
def may_move_road(game, params, seat, mask):
    if is_ready(game, seat, EXPLORER):
        for path in range(PATHS):
            mask[MOVE_ROAD + path] = can_move(game, params, seat, path)


@rule("helpers.explorer.1")
@apply(MOVE_ROAD)
def lift_road(game, params, seat, path):
    use(game, seat)
    push(game, REBUILD_ROAD, seat, path)


@rule("helpers.explorer.1")
@legal(REBUILD_ROAD)
def places_for_moved_road(game, params, seat, mask):
    lifted = head_argument(game)
    for path in range(PATHS):
        mask[BUILD_ROAD + path] = can_rebuild(game, params, seat, lifted, path)


@rule("helpers.explorer.1", "helpers.explorer.4")
@apply(BUILD_ROAD, at=(REBUILD_ROAD,))
def rebuild_road(game, params, seat, path):
    """Place the new road before removing the old one, so that Longest Road is awarded only once."""
    lifted = head_argument(game)
    pop(game)
    set_edge_piece(game, params, seat, ROAD, path)
    take_edge_piece(game, params, seat, ROAD, lifted)
    EDGE_PIECE_BUILT(game, params, seat, path)
