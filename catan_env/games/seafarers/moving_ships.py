"""Moving ships: once per turn, a player may move a ship from the open end of a shipping line.

A ship between two of its owner's buildings has no open end, even if an opponent interrupts the line, so rule 3 follows
from rule 2. `open_ships` stores which ships have an open end and needs updating only when a piece next to a ship
changes. All other conditions are checked when the mask is built.
"""

from catan_env.engine.bitset import has_bit, mark_with_bit, set_bit, where_equal, where_in
from catan_env.engine.decision_stack import head_argument, pending, pop, push
from catan_env.engine.declare import Action, Count, Decision, Event, Field, Invariant, apply, checks, legal, rule, when
from catan_env.engine.small_sets import contains
from catan_env.games.base.network import move_edge_piece, seats_connected, sites_for_edge_pieces
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.seafarers.ships import AT_SEA, BUILD_SHIP, NO_SHIP, SHIP
from catan_env.games.vocabulary import (
    DEGREE,
    EDGE_PIECE_BUILT,
    EDGE_PIECE_REMOVED,
    ENDS_LINE,
    MAY_LAY,
    MAY_TAKE_UP,
    NOBODY,
    NOTHING,
    PASSAGE_CHANGED,
    PATH_BITSET,
    PATHS,
    SETTLEMENT_BUILT,
    TURN_STARTED,
)

FIELDS = (
    Field("ship_moved", (), "i1", 0, 1, "whether a ship was moved this turn", show=Count()),
    Field(
        "open_ships",
        (PATH_BITSET,),
        "u4",
        0,
        2**32 - 1,
        "bit set of the paths with a ship that has an open end",
        derived=True,
    ),
)

TAKE_SHIP = Action(
    "take_ship",
    "take up the ship on {}",
    PATHS,
    "the seat's ship with an open end, not built this turn and away from the pirate, another place for it, and no "
    "other ship moved this turn",
)
ACTIONS = (TAKE_SHIP,)

SHIP_MOVED = Event("ship_moved", "`player` has moved a ship from path `where // PATHS` to path `where % PATHS`")
OPEN_SHIPS_CURRENT = Invariant("open_ships_current", "open_ships matches a recomputation")
OWN_SHIP_TAKEN_UP = Invariant("own_ship_taken_up", "a player who moves a ship has taken up an own ship")
MOVE_SHIP = Decision("move_ship", "place the ship that was taken up", argument=PATHS)


@rule("seafarers.moving_ships.1")
@when(TURN_STARTED)
def a_ship_may_move(game, params, player, where):
    game.ship_moved = False


@rule("seafarers.moving_ships.2", "seafarers.moving_ships.3", "seafarers.cloth.6")
def is_open_end(game, params, seat, ship, intersection):
    """Return whether a ship's line ends at an intersection: its owner has no building and no other ship there."""
    if game.building_owner[intersection] == seat or ENDS_LINE(game, params, seat, intersection):
        return False
    other_ships = 0
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        own_ship = (game.edge_owner[path] == seat) & (game.ships[path] != NO_SHIP)
        other_ships += (path != NOTHING) & (path != ship) & own_ship
    return other_ships == 0


def is_open(game, params, path):
    """Return whether a path holds a ship with an open end."""
    if game.ships[path] == NO_SHIP or game.edge_owner[path] == NOBODY:
        return False
    ends = params.path_intersections[path]
    seat = game.edge_owner[path]
    return is_open_end(game, params, seat, path, ends[0]) or is_open_end(game, params, seat, path, ends[1])


def refresh_open_ships(game, params, intersection):
    """Update which ships at an intersection have an open end."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.ships[path] != NO_SHIP:
            set_bit(game.open_ships, path, is_open(game, params, path))


@rule("seafarers.moving_ships.2")
@when(SETTLEMENT_BUILT, PASSAGE_CHANGED)
def ends_at_a_piece(game, params, player, intersection):
    """A building or a knight closes its owner's lines."""
    refresh_open_ships(game, params, intersection)


@rule("seafarers.moving_ships.2")
@when(EDGE_PIECE_BUILT, EDGE_PIECE_REMOVED)
def ends_at_a_ship(game, params, player, path):
    """A new ship closes the ends it touches; removing a ship opens them."""
    set_bit(game.open_ships, path, False)
    for end in range(2):
        refresh_open_ships(game, params, params.path_intersections[path, end])


@rule("seafarers.ships.8")
def open_ships_of(game, seat):
    """Return a seat's ships with an open end, except those built this turn."""
    return where_equal(game.edge_owner, seat) & where_equal(game.ships, AT_SEA) & where_in(game.open_ships)


@rule("seafarers.ships.8")
def may_move(game, params, seat, ship):
    """Return whether a ship is not next to the pirate and its owner may take it up."""
    return MAY_LAY(game, params, SHIP, ship) and MAY_TAKE_UP(game, params, seat, ship)


@rule("seafarers.moving_ships.4")
def goes_without(game, params, seat, ship, path):
    """Return whether a path where a seat could place a ship is still connected to its pieces without one ship."""
    game.edge_owner[ship] = NOBODY
    seats = seats_connected(game, params, SHIP, path)
    game.edge_owner[ship] = seat
    return contains(seats, seat)


@rule("seafarers.moving_ships.4")
def is_beside(params, path, other):
    """Return whether two paths share an end."""
    ends = params.path_intersections[path]
    other_ends = params.path_intersections[other]
    return ends[0] == other_ends[0] or ends[0] == other_ends[1] or ends[1] == other_ends[0] or ends[1] == other_ends[1]


@rule("seafarers.moving_ships.4")
def is_place(game, params, seat, ship, path):
    """Return whether a ship may move to a path. The ship's presence matters only for paths adjacent to it."""
    if not contains(game.edge_piece_sites[SHIP, path], seat):
        return False
    return not is_beside(params, ship, path) or goes_without(game, params, seat, ship, path)


@rule("seafarers.moving_ships.4")
def has_another_place(game, params, seat, ship, sites):
    """Return whether a ship can be moved anywhere else.

    `sites` is the number of paths where its owner could place a ship now. If this exceeds the number of paths adjacent
    to the ship, at least one of them does not depend on the ship.
    """
    if sites > 2 * (DEGREE - 1):
        return True
    for end in range(2):
        for k in range(DEGREE):
            path = params.intersection_paths[params.path_intersections[ship, end], k]
            if path != NOTHING and contains(game.edge_piece_sites[SHIP, path], seat):
                sites -= 1
                if goes_without(game, params, seat, ship, path):
                    return True
    return sites > 0


@rule("seafarers.moving_ships.1")
@legal(PLAY, BUILD)
def ships_to_move(game, params, seat, mask):
    if not game.ship_moved and game.edge_pieces_left[seat, SHIP] < params.ships_per_player:
        site_count = sites_for_edge_pieces(game, seat, SHIP)
        for ship in open_ships_of(game, seat):
            if may_move(game, params, seat, ship):
                if has_another_place(game, params, seat, ship, site_count):
                    mask[TAKE_SHIP + ship] = True


@rule("seafarers.moving_ships.1")
@apply(TAKE_SHIP)
def take_ship(game, params, seat, path):
    """The ship stays on its path until the player chooses a new one, so no line is interrupted in the meantime."""
    game.ship_moved = True
    push(game, MOVE_SHIP, seat, path)


@rule("seafarers.moving_ships.1")
@legal(MOVE_SHIP)
def where_to_move(game, params, seat, mask):
    ship = head_argument(game)
    mark_with_bit(game.edge_piece_sites[SHIP], seat, BUILD_SHIP, mask)
    for end in range(2):
        for k in range(DEGREE):
            path = params.intersection_paths[params.path_intersections[ship, end], k]
            if path != NOTHING:
                mask[BUILD_SHIP + path] = is_place(game, params, seat, ship, path)


@rule("seafarers.moving_ships.1")
@apply(BUILD_SHIP, at=(MOVE_SHIP,))
def move_ship(game, params, seat, path):
    ship = head_argument(game)
    pop(game)
    sail(game, params, seat, ship, path)


def sail(game, params, seat, ship, path):
    """Move a ship to another path."""
    game.ships[path] = AT_SEA
    move_edge_piece(game, params, seat, SHIP, ship, path)
    SHIP_MOVED(game, params, seat, ship * PATHS + path)


# -- invariants --------------------------------------------------------------------------------------------


@rule("seafarers.moving_ships.2")
@checks(OPEN_SHIPS_CURRENT)
def open_ships_current(game, params):
    for path in range(PATHS):
        if has_bit(game.open_ships, path) != is_open(game, params, path):
            return False
    return True


@rule("seafarers.moving_ships.1")
@checks(OWN_SHIP_TAKEN_UP)
def own_ship_taken_up(game, params):
    for position in pending(game, MOVE_SHIP):
        path = int(game.decision_arguments[position])
        if game.ships[path] == NO_SHIP or game.edge_owner[path] != game.decision_seats[position]:
            return False
    return True
