"""Roads on paths and buildings on intersections: where players may place them.

Other modules can declare more kinds of edge pieces as entries of the axis `EDGE_PIECES` and answer `EDGE_PIECE_KIND`
for them. Edge pieces of different kinds connect only at a building of their owner. Prices are not part of this module.

For each place, `edge_piece_sites` and `settlement_sites` store one bit per seat that could build there, ignoring its
cards and remaining pieces. They are updated whenever a piece changes, so finding the legal actions requires no search.
"""

from catan_env.engine.bitset import any_with_bit, count_with_bit, mark_with_bit, where_equal
from catan_env.engine.declare import (
    PLAYERS,
    Count,
    Field,
    Invariant,
    Kind,
    OneHot,
    SeatFlag,
    answers,
    checks,
    rule,
)
from catan_env.engine.small_sets import EMPTY, only
from catan_env.games.vocabulary import (
    BUILDING_REMOVED,
    CITY_BUILT,
    DEGREE,
    EDGE_PIECE_BUILT,
    EDGE_PIECE_KIND,
    EDGE_PIECE_LEAVES,
    EDGE_PIECE_REMOVED,
    EDGE_PIECES,
    INTERSECTIONS,
    MAY_CONTINUE,
    MAY_LAY,
    MAY_PASS,
    MAY_SETTLE,
    NOBODY,
    NOTHING,
    OCCUPIED,
    PASSAGE_CHANGED,
    PATHS,
    SETTLEMENT_BUILT,
    SIDE_BY_SIDE,
)

NO_BUILDING, SETTLEMENT, CITY = 0, 1, 2
GONE_OVER = -2
"""Stored in place of the owner of an edge piece that a search has already visited."""
ROAD = Kind("road", EDGE_PIECES)
KINDS = (ROAD,)

FIELDS = (
    Field(
        "edge_owner",
        (PATHS,),
        "i1",
        NOBODY,
        7,
        "seat with an edge piece on each path",
        NOBODY,
        show=SeatFlag(),
        neutrals=True,
    ),
    Field(
        "building_owner",
        (INTERSECTIONS,),
        "i1",
        NOBODY,
        7,
        "seat with a building on each intersection",
        NOBODY,
        show=SeatFlag(),
        neutrals=True,
    ),
    Field(
        "building",
        (INTERSECTIONS,),
        "i1",
        NO_BUILDING,
        CITY,
        "building: 0 none, 1 settlement, 2 city",
        show=OneHot(("city",), 2),
    ),
    Field(
        "edge_pieces_left",
        (PLAYERS, EDGE_PIECES),
        "i1",
        0,
        60,
        "remaining edge pieces of each kind",
        show=Count(),
        neutrals=True,
    ),
    Field("settlements_left", (PLAYERS,), "i1", 0, 30, "settlement pieces left", show=Count(), neutrals=True),
    Field("cities_left", (PLAYERS,), "i1", 0, 30, "city pieces left", show=Count()),
    Field(
        "edge_piece_sites",
        (EDGE_PIECES, PATHS),
        "u1",
        0,
        255,
        "bit set of the seats that could place an edge piece of a kind on each path",
    ),
    Field(
        "settlement_sites", (INTERSECTIONS,), "u1", 0, 255, "bit set of the seats that could build a settlement there"
    ),
)
SITES_CURRENT = Invariant("sites_current", "edge_piece_sites and settlement_sites match a recomputation")


# -- where -------------------------------------------------------------------------------------------------


@rule("base.initial_placement.5", "base.network.7")
def is_clear(game, params, intersection):
    """Distance rule: no building may be here or one path away, and no other piece may be here."""
    if game.building[intersection] != NO_BUILDING or OCCUPIED(game, params, NOBODY, intersection):
        return False
    if SIDE_BY_SIDE(game, params, NOBODY, intersection):
        return True
    for k in range(DEGREE):
        neighbor = params.intersection_neighbors[intersection, k]
        if neighbor != NOTHING and game.building[neighbor] != NO_BUILDING:
            return False
    return True


@rule("base.network.8", "base.network.9")
@answers(MAY_PASS)
def no_building_of_others(game, params, player, intersection):
    """Edge pieces do not continue through an opponent's building."""
    return game.building[intersection] == NO_BUILDING or game.building_owner[intersection] == player


@rule("base.network.4", "base.network.5")
def seats_reaching(game, params, kind, path, intersection):
    """Return the set of seats that may continue from an intersection onto a path.

    These are the building's owner or, if there is no building, the owners of edge pieces of this kind that end there.
    """
    if game.building_owner[intersection] != NOBODY:
        return only(game.building_owner[intersection])
    seats = EMPTY
    for k in range(DEGREE):
        other_path = params.intersection_paths[intersection, k]
        owner = game.edge_owner[other_path]
        if (owner != NOBODY) & (other_path != NOTHING) & (other_path != path):
            if EDGE_PIECE_KIND(game, params, owner, other_path) == kind:
                if MAY_PASS(game, params, owner, intersection) and MAY_CONTINUE(game, params, owner, intersection):
                    seats |= only(owner)
    return seats


@rule("base.network.4")
def seats_connected(game, params, kind, path):
    """Return the set of seats that may continue onto a path from either end."""
    seats_at_first_end = seats_reaching(game, params, kind, path, params.path_intersections[path, 0])
    return seats_at_first_end | seats_reaching(game, params, kind, path, params.path_intersections[path, 1])


@rule("base.network.4")
def edge_piece_site(game, params, kind, path):
    """Return the set of seats that could place an edge piece of this kind on a path."""
    if game.edge_owner[path] != NOBODY or not MAY_LAY(game, params, kind, path):
        return 0
    return seats_connected(game, params, kind, path)


@rule("base.network.6")
def settlement_site(game, params, intersection):
    """Return the set of seats that could build a settlement on an intersection."""
    if not is_clear(game, params, intersection):
        return 0
    seats = EMPTY
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] != NOBODY:
            if MAY_SETTLE(game, params, game.edge_owner[path], intersection):
                seats |= only(game.edge_owner[path])
    return seats


def buildings_of(game, seat, kind):
    """Return the intersections where a seat has a building of this kind."""
    return where_equal(game.building_owner, seat) & where_equal(game.building, kind)


def refresh_path(game, params, path):
    """Update the sites for every kind of edge piece on a path."""
    for kind in range(EDGE_PIECES):
        game.edge_piece_sites[kind, path] = edge_piece_site(game, params, kind, path)


@rule("base.network.4")
def refresh_around(game, params, intersection):
    """Update the sites at an intersection and on its paths."""
    game.settlement_sites[intersection] = settlement_site(game, params, intersection)
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING:
            refresh_path(game, params, path)


def sites_for_edge_pieces(game, seat, kind):
    """Return the number of paths where a seat could place an edge piece, ignoring its cards and remaining pieces."""
    return count_with_bit(game.edge_piece_sites[kind], seat)


def can_lay_somewhere(game, seat, kind):
    """Return whether a seat has an edge piece of this kind left and a place to put it."""
    return game.edge_pieces_left[seat, kind] > 0 and any_with_bit(game.edge_piece_sites[kind], seat)


@rule("base.network.10")
def can_build_road_somewhere(game, seat):
    """Return whether a seat has a road piece left and a place to build it."""
    return can_lay_somewhere(game, seat, ROAD)


def can_build_settlement_somewhere(game, seat):
    """Return whether a seat has a settlement piece left and a place to build it."""
    return game.settlements_left[seat] > 0 and any_with_bit(game.settlement_sites, seat)


# -- marking -----------------------------------------------------------------------------------------------


@rule("base.network.2")
def mark_edge_pieces(game, seat, kind, first, mask):
    """Mark every path where a seat could place an edge piece of this kind. Action ids start at `first`."""
    if game.edge_pieces_left[seat, kind] > 0:
        mark_with_bit(game.edge_piece_sites[kind], seat, first, mask)


@rule("base.network.2")
def mark_sites(game, seat, first, mask):
    """Mark every intersection where a seat could build a settlement. Action ids start at `first`."""
    if game.settlements_left[seat] > 0:
        mark_with_bit(game.settlement_sites, seat, first, mask)


# -- setting pieces ----------------------------------------------------------------------------------------


@rule("base.network.1")
def set_edge_piece(game, params, player, kind, path):
    """Place an edge piece without announcing it."""
    game.edge_owner[path] = player
    game.edge_pieces_left[player, kind] -= 1
    for other_kind in range(EDGE_PIECES):
        game.edge_piece_sites[other_kind, path] = 0
    for end in range(2):
        lead_to(game, params, player, kind, params.path_intersections[path, end])


def lead_to(game, params, player, kind, intersection):
    """Add the sites that a player gains at one end of a new edge piece."""
    seat_bit = only(player)
    if is_clear(game, params, intersection) and MAY_SETTLE(game, params, player, intersection):
        game.settlement_sites[intersection] |= seat_bit
    if game.building[intersection] == NO_BUILDING:
        if MAY_PASS(game, params, player, intersection) and MAY_CONTINUE(game, params, player, intersection):
            for k in range(DEGREE):
                path = params.intersection_paths[intersection, k]
                if path != NOTHING and game.edge_owner[path] == NOBODY and MAY_LAY(game, params, kind, path):
                    game.edge_piece_sites[kind, path] |= seat_bit


def clear_edge_piece(game, params, kind, path):
    """Update all sites around a path from which an edge piece has been removed."""
    refresh_path(game, params, path)
    for end in range(2):
        intersection = params.path_intersections[path, end]
        game.settlement_sites[intersection] = settlement_site(game, params, intersection)
        for k in range(DEGREE):
            other_path = params.intersection_paths[intersection, k]
            if other_path != NOTHING and other_path != path:
                game.edge_piece_sites[kind, other_path] = edge_piece_site(game, params, kind, other_path)


def place_edge_piece(game, params, player, kind, path):
    """Place an edge piece and announce it. The caller handles payment."""
    set_edge_piece(game, params, player, kind, path)
    EDGE_PIECE_BUILT(game, params, player, path)


def take_edge_piece(game, params, player, kind, path):
    """Remove an edge piece from the board and return it to its owner."""
    EDGE_PIECE_LEAVES(game, params, player, path)
    game.edge_owner[path] = NOBODY
    game.edge_pieces_left[player, kind] += 1
    clear_edge_piece(game, params, kind, path)
    EDGE_PIECE_REMOVED(game, params, player, path)


def move_edge_piece(game, params, player, kind, path, to):
    """Move an edge piece to another path.

    Both events follow the move, first for the new path and then for the old, since the piece is never off the board.
    """
    EDGE_PIECE_LEAVES(game, params, player, path)
    game.edge_owner[path] = NOBODY
    set_edge_piece(game, params, player, kind, to)
    game.edge_pieces_left[player, kind] += 1
    clear_edge_piece(game, params, kind, path)
    EDGE_PIECE_BUILT(game, params, player, to)
    EDGE_PIECE_REMOVED(game, params, player, path)


@rule("base.network.1", "base.network.7")
def place_settlement(game, params, player, intersection):
    """Place a settlement and announce it. The caller handles payment."""
    game.building[intersection] = SETTLEMENT
    game.building_owner[intersection] = player
    game.settlements_left[player] -= 1
    refresh_around(game, params, intersection)
    for k in range(DEGREE):
        neighbor = params.intersection_neighbors[intersection, k]
        if neighbor != NOTHING:
            game.settlement_sites[neighbor] = settlement_site(game, params, neighbor)
    SETTLEMENT_BUILT(game, params, player, intersection)


@rule("base.network.3", "base.building.2")
def place_city(game, params, player, intersection):
    """Replace a settlement with a city and return the settlement piece to its owner."""
    game.building[intersection] = CITY
    game.settlements_left[player] += 1
    game.cities_left[player] -= 1
    CITY_BUILT(game, params, player, intersection)


def remove_building(game, params, intersection):
    """Remove a building, return its piece to its owner, and announce the removal.

    Anything that depends on the building, such as a harbor, a wall or a longer road, is handled in response to
    `BUILDING_REMOVED`.
    """
    player = game.building_owner[intersection]
    if game.building[intersection] == CITY:
        game.cities_left[player] += 1
    else:
        game.settlements_left[player] += 1
    game.building[intersection] = NO_BUILDING
    game.building_owner[intersection] = NOBODY
    refresh_around(game, params, intersection)
    for k in range(DEGREE):
        neighbor = params.intersection_neighbors[intersection, k]
        if neighbor != NOTHING:
            game.settlement_sites[neighbor] = settlement_site(game, params, neighbor)
    PASSAGE_CHANGED(game, params, player, intersection)
    BUILDING_REMOVED(game, params, player, intersection)


# -- invariants --------------------------------------------------------------------------------------------


@rule("base.network.4")
@checks(SITES_CURRENT)
def sites_current(game, params):
    for path in range(PATHS):
        for kind in range(EDGE_PIECES):
            if game.edge_piece_sites[kind, path] != edge_piece_site(game, params, kind, path):
                return False
    for intersection in range(INTERSECTIONS):
        if game.settlement_sites[intersection] != settlement_site(game, params, intersection):
            return False
        if (game.building[intersection] == NO_BUILDING) != (game.building_owner[intersection] == NOBODY):
            return False
    return True
