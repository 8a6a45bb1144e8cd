"""The explorer: an open-ended road of one's own is built again elsewhere, free of charge.

The road lies where it was until its new place is chosen.
"""

from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import Action, Decision, Kind, apply, legal, rule
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.base.network import NONE, ROAD, set_way, take_way, way_site
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import DEGREE, NOBODY_SEAT, NOTHING, PATHS, WAY_BUILT, WAY_KIND

EXPLORER = Kind("explorer", HELPERS)
KINDS = (EXPLORER,)

MOVE_ROAD = Action(
    "move_road",
    "let the explorer move the road on {}",
    PATHS,
    "the explorer ready, an own road with an open end there, and another place for it",
)
ACTIONS = (MOVE_ROAD,)

REBUILD_ROAD = Decision("rebuild_road", "build the road that the explorer moves", argument=PATHS)


@rule("helpers.explorer.2")
def ends_open(game, table, path, intersection):
    """Whether a road's end touches neither a road nor a building of its owner."""
    if game.building[intersection] != NONE and game.building_owner[intersection] == game.way[path]:
        return False
    for k in range(DEGREE):
        other = table.intersection_paths[intersection, k]
        if other != NOTHING and other != path and game.way[other] == game.way[path]:
            return False
    return True


@rule("helpers.explorer.2")
def is_open_ended(game, table, path):
    """Whether at least one end of a road is open."""
    ends = table.path_intersections
    return ends_open(game, table, path, ends[path, 0]) or ends_open(game, table, path, ends[path, 1])


@rule("helpers.explorer.3")
def can_rebuild(game, table, seat, lifted, path):
    """Whether a seat could build a road on another path if one of its roads were off the board."""
    if path == lifted or not game.way_sites[ROAD, path] & (1 << seat):
        return False
    game.way[lifted] = NOBODY_SEAT
    seats = way_site(game, table, ROAD, path)
    game.way[lifted] = seat
    return (seats & (1 << seat)) != 0


@rule("helpers.explorer.3")
def can_move(game, table, seat, road):
    """Whether a road is a seat's own, has an open end and could be built elsewhere."""
    if game.way[road] != seat or WAY_KIND(game, table, seat, road) != ROAD or not is_open_ended(game, table, road):
        return False
    for path in range(PATHS):
        if can_rebuild(game, table, seat, road, path):
            return True
    return False


@rule("helpers.explorer.1")
@legal(PLAY, BUILD)
def may_move_road(game, table, seat, mask):
    if is_ready(game, seat, EXPLORER):
        for path in range(PATHS):
            mask[MOVE_ROAD + path] = can_move(game, table, seat, path)


@rule("helpers.explorer.1")
@apply(MOVE_ROAD)
def lift_road(game, table, seat, path):
    use(game, seat)
    push(game, REBUILD_ROAD, seat, path)


@rule("helpers.explorer.1")
@legal(REBUILD_ROAD)
def places_for_moved_road(game, table, seat, mask):
    lifted = head_argument(game)
    for path in range(PATHS):
        mask[BUILD_ROAD + path] = can_rebuild(game, table, seat, lifted, path)


@rule("helpers.explorer.1", "helpers.explorer.4")
@apply(BUILD_ROAD, at=(REBUILD_ROAD,))
def rebuild_road(game, table, seat, path):
    """The new road is there before the old one is announced as gone, so that Longest Road is found anew once."""
    lifted = head_argument(game)
    pop(game)
    set_way(game, table, seat, ROAD, path)
    take_way(game, table, seat, ROAD, lifted)
    WAY_BUILT(game, table, seat, path)
