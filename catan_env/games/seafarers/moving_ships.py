"""Moving a ship: once per own turn, one at an open end of a line may be set elsewhere.

A ship inside a line between two own buildings has no open end, whatever stands between them, so that the third
condition follows from the second. Which ships have one is kept up to date, as only what happens beside a ship changes
that; the rest is looked at where ships may be taken up.
"""

from catan_env.engine.bitset import blocks, equal_to, first_of, is_noted, mark_with_bit, note
from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import Action, Count, Decision, Event, Field, Invariant, apply, checks, legal, rule, when
from catan_env.games.base.network import move_way, sites_for_ways, way_site
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.seafarers.ships import AT_SEA, BUILD_SHIP, NO_SHIP, SHIP
from catan_env.games.vocabulary import (
    DEGREE,
    ENDS_LINE,
    MAY_LAY,
    MAY_TAKE_UP,
    NOBODY_SEAT,
    NOTHING,
    PASSAGE_CHANGED,
    PATH_BLOCKS,
    PATHS,
    SETTLEMENT_BUILT,
    TURN_STARTED,
    WAY_BUILT,
    WAY_REMOVED,
)

FIELDS = (
    Field("ship_moved", (), "i1", 0, 1, "whether a ship was moved in this turn", show=Count()),
    Field(
        "open_ships",
        (PATH_BLOCKS,),
        "u4",
        0,
        2**32 - 1,
        "bit per path with a ship that has an open end",
        derived=True,
    ),
)

TAKE_SHIP = Action(
    "take_ship",
    "take up the ship on {}",
    PATHS,
    "an own ship with an open end, not built in this turn and away from the pirate, another place for it, and that no "
    "ship was moved in this turn",
)
ACTIONS = (TAKE_SHIP,)

SHIP_MOVED = Event("ship_moved", "`player` has moved a ship from path `where // PATHS` to path `where % PATHS`")
OPEN_SHIPS_CURRENT = Invariant("open_ships_current", "open_ships equals a recomputation")
MOVE_SHIP = Decision("move_ship", "set the ship that was taken up elsewhere", argument=PATHS)


@rule("seafarers.moving_ships.1")
@when(TURN_STARTED)
def a_ship_may_move(game, table, player, where):
    game.ship_moved = False


@rule("seafarers.moving_ships.2", "seafarers.moving_ships.3", "seafarers.cloth.6")
def is_open_end(game, table, seat, ship, intersection):
    """Whether a ship ends at an intersection: no other ship of its owner there, and no building of his."""
    if game.building_owner[intersection] == seat or ENDS_LINE(game, table, seat, intersection):
        return False
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        if path != NOTHING and path != ship and game.way[path] == seat and game.ships[path] != NO_SHIP:
            return False
    return True


def is_open(game, table, path):
    """Whether a ship with an open end lies on a path."""
    if game.ships[path] == NO_SHIP or game.way[path] == NOBODY_SEAT:
        return False
    ends = table.path_intersections[path]
    seat = game.way[path]
    return is_open_end(game, table, seat, path, ends[0]) or is_open_end(game, table, seat, path, ends[1])


def refresh_open_ships(game, table, intersection):
    """Brings up to date which of the ships that end at an intersection have an open end."""
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        if path != NOTHING and game.ships[path] != NO_SHIP:
            note(game.open_ships, path, is_open(game, table, path))


@rule("seafarers.moving_ships.2")
@when(SETTLEMENT_BUILT, PASSAGE_CHANGED)
def ends_at_a_piece(game, table, player, intersection):
    """A building or a knight closes the lines of its owner."""
    refresh_open_ships(game, table, intersection)


@rule("seafarers.moving_ships.2")
@when(WAY_BUILT, WAY_REMOVED)
def ends_at_a_ship(game, table, player, path):
    """A ship goes on from others, and leaves them with an open end."""
    note(game.open_ships, path, False)
    for end in range(2):
        refresh_open_ships(game, table, table.path_intersections[path, end])


@rule("seafarers.ships.8")
def may_move(game, table, seat, ship):
    """Whether a ship with an open end may be taken up, the choice of a new place apart: not built in this turn, not at
    the pirate's hex."""
    return game.ships[ship] == AT_SEA and MAY_LAY(game, table, SHIP, ship) and MAY_TAKE_UP(game, table, seat, ship)


@rule("seafarers.moving_ships.4")
def goes_without(game, table, seat, ship, path):
    """Whether a ship of a seat could lie on a path if the one that lies elsewhere were not there."""
    game.way[ship] = NOBODY_SEAT
    bit = way_site(game, table, SHIP, path) >> seat & 1
    game.way[ship] = seat
    return path != ship and bit != 0


@rule("seafarers.moving_ships.4")
def is_beside(table, path, other):
    """Whether two paths meet."""
    a = table.path_intersections[path]
    b = table.path_intersections[other]
    return a[0] == b[0] or a[0] == b[1] or a[1] == b[0] or a[1] == b[1]


@rule("seafarers.moving_ships.4")
def is_place(game, table, seat, ship, path):
    """Whether a ship that is taken up may be set on a path: only what it lies beside can depend on it."""
    if not game.way_sites[SHIP, path] >> seat & 1:
        return False
    return not is_beside(table, ship, path) or goes_without(game, table, seat, ship, path)


@rule("seafarers.moving_ships.4")
def has_another_place(game, table, seat, ship, sites):
    """Whether a ship could lie elsewhere once it is taken up; `sites` counts the paths where its owner could set one
    while it lies there: if there are more than can lie beside it, then at least one does not."""
    if sites > 2 * (DEGREE - 1):
        return True
    for end in range(2):
        for k in range(DEGREE):
            path = table.intersection_paths[table.path_intersections[ship, end], k]
            if path != NOTHING and game.way_sites[SHIP, path] >> seat & 1:
                sites -= 1
                if goes_without(game, table, seat, ship, path):
                    return True
    return sites > 0


@rule("seafarers.moving_ships.1")
@legal(PLAY, BUILD)
def ships_to_move(game, table, seat, mask):
    if not game.ship_moved and game.ways_left[seat, SHIP] < table.ships_per_player:
        sites = sites_for_ways(game, seat, SHIP)
        for k in range(blocks(PATHS)):
            open_ships = equal_to(game.way, k, seat) & int(game.open_ships[k])
            while open_ships:
                ship = first_of(open_ships, k)
                open_ships &= open_ships - 1
                if may_move(game, table, seat, ship) and has_another_place(game, table, seat, ship, sites):
                    mask[TAKE_SHIP + ship] = True


@rule("seafarers.moving_ships.1")
@apply(TAKE_SHIP)
def take_ship(game, table, seat, path):
    """The ship stays where it is until its new place is chosen, so that nothing is interrupted meanwhile."""
    game.ship_moved = True
    push(game, MOVE_SHIP, seat, path)


@rule("seafarers.moving_ships.1")
@legal(MOVE_SHIP)
def where_to_move(game, table, seat, mask):
    ship = head_argument(game)
    mark_with_bit(game.way_sites[SHIP], seat, BUILD_SHIP, mask)
    for end in range(2):
        for k in range(DEGREE):
            path = table.intersection_paths[table.path_intersections[ship, end], k]
            if path != NOTHING:
                mask[BUILD_SHIP + path] = is_place(game, table, seat, ship, path)


@rule("seafarers.moving_ships.1")
@apply(BUILD_SHIP, at=(MOVE_SHIP,))
def move_ship(game, table, seat, path):
    ship = head_argument(game)
    pop(game)
    sail(game, table, seat, ship, path)


def sail(game, table, seat, ship, path):
    """Moves a ship to another path."""
    game.ships[path] = AT_SEA
    move_way(game, table, seat, SHIP, ship, path)
    SHIP_MOVED(game, table, seat, ship * PATHS + path)


# -- invariants --------------------------------------------------------------------------------------------


@rule("seafarers.moving_ships.2")
@checks(OPEN_SHIPS_CURRENT)
def open_ships_current(game, table):
    for path in range(PATHS):
        if is_noted(game.open_ships, path) != is_open(game, table, path):
            return False
    return True
