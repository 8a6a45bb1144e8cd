"""Initial placement for trade partners: once all players have placed, they place the same pieces for their partners.

If no coast is left, roads are placed instead of ships.
"""

from catan_env.engine.decision_stack import head_argument, push_bottom
from catan_env.engine.declare import Decision, Invariant, apply, checks, legal, outcome, rule
from catan_env.games.base.building import BUILD_ROAD, BUILD_SETTLEMENT, settlements_of
from catan_env.games.base.initial_placement import (
    START_PLAYER,
    are_paired,
    initial_settlements_each,
    open_intersections,
    paths_of_initial_settlement,
    place_initial_road,
    place_initial_settlement,
)
from catan_env.games.base.network import ROAD
from catan_env.games.trade_partners.mirrored_building import edge_pieces_owed
from catan_env.games.trade_partners.partners import partner_of
from catan_env.games.vocabulary import DEGREE, EDGE_PIECES, INTERSECTIONS, MAY_LAY, NOTHING, to_the_left

PLACE_INITIAL_PARTNER_SETTLEMENT = Decision(
    "place_initial_partner_settlement", "place a settlement of the trade partner"
)
PLACE_INITIAL_PARTNER_ROAD = Decision(
    "place_initial_partner_road",
    "place the road next to the trade partner's new settlement",
    argument=INTERSECTIONS,
)
INITIAL_PARTNER_PIECES_PAIRED = Invariant(
    "initial_partner_pieces_paired", "a partner's settlement is followed by its road"
)


@rule("trade_partners.partner_placement.1")
@outcome(START_PLAYER)
def place_for_partners_afterwards(game, params, first):
    """Players place their partners' pieces in the same snake order."""
    for k in range(params.num_players):
        schedule_partner_placement(game, to_the_left(params, first, k))
    for k in range(params.num_players - 1, -1, -1):
        schedule_partner_placement(game, to_the_left(params, first, k))


@rule("trade_partners.partner_placement.1")
def schedule_partner_placement(game, player):
    """Let a player place a settlement and a road for their partner, after all decisions on the stack."""
    push_bottom(game, PLACE_INITIAL_PARTNER_SETTLEMENT, player)
    push_bottom(game, PLACE_INITIAL_PARTNER_ROAD, player)


@rule("trade_partners.partner_placement.2", "trade_partners.partner_placement.4", "trade_partners.partner_placement.5")
@legal(PLACE_INITIAL_PARTNER_SETTLEMENT)
def intersections_open_to_partner(game, params, seat, mask):
    """A partner's settlement must leave room for an owed edge piece if any intersection does (coasts may be full)."""
    open_intersections(game, params, partner_of(seat), mask)
    any_fits = False
    for intersection in range(INTERSECTIONS):
        any_fits = any_fits or (
            mask[BUILD_SETTLEMENT + intersection] and owed_edge_piece_fits(game, params, seat, intersection)
        )
    for intersection in range(INTERSECTIONS):
        if any_fits and mask[BUILD_SETTLEMENT + intersection]:
            mask[BUILD_SETTLEMENT + intersection] = owed_edge_piece_fits(game, params, seat, intersection)


@rule("trade_partners.partner_placement.4")
def owed_edge_piece_fits(game, params, seat, intersection):
    """Return whether an edge piece owed to a player's partner could be placed at an intersection.

    The intersection must not have an edge piece yet.
    """
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        for kind in range(EDGE_PIECES):
            if path != NOTHING and edge_pieces_owed(game, seat, kind) > 0 and MAY_LAY(game, params, kind, path):
                return True
    return False


@rule("trade_partners.partner_placement.4", "trade_partners.partner_placement.5")
def may_place_initial_edge_piece(game, params, seat, kind):
    """Return whether an edge piece of this kind is owed or no owed edge piece fits."""
    return edge_pieces_owed(game, seat, kind) > 0 or not owed_edge_piece_fits(game, params, seat, head_argument(game))


@rule("trade_partners.partner_placement.2", "trade_partners.partner_placement.4")
@legal(PLACE_INITIAL_PARTNER_ROAD)
def paths_of_partner_settlement(game, params, seat, mask):
    if may_place_initial_edge_piece(game, params, seat, ROAD):
        paths_of_initial_settlement(game, params, partner_of(seat), mask)


@rule("trade_partners.partner_placement.2", "trade_partners.partner_placement.3")
@apply(BUILD_SETTLEMENT, at=(PLACE_INITIAL_PARTNER_SETTLEMENT,))
def place_initial_partner_settlement(game, params, seat, intersection):
    """The last settlement yields starting resources, just as a player's does.

    A third settlement is not scheduled until the first has been placed, because the decision stack has no room for all
    at once.
    """
    partner = partner_of(seat)
    place_initial_settlement(game, params, partner, intersection)
    building_count = settlements_of(game, params, partner) + params.cities_per_player - game.cities_left[partner]
    if building_count == 1 and initial_settlements_each(game, params, partner) > 2:
        schedule_partner_placement(game, seat)


@rule("trade_partners.partner_placement.2")
@apply(BUILD_ROAD, at=(PLACE_INITIAL_PARTNER_ROAD,))
def place_initial_partner_road(game, params, seat, path):
    place_initial_road(game, params, partner_of(seat), path)


@rule("trade_partners.partner_placement.2")
@checks(INITIAL_PARTNER_PIECES_PAIRED)
def initial_partner_pieces_paired(game, params):
    return are_paired(game, PLACE_INITIAL_PARTNER_SETTLEMENT, PLACE_INITIAL_PARTNER_ROAD)
