"""Trade partners' ships: placed and mirrored like roads, and never moved."""

from catan_env.engine.declare import PLAYERS, Feature, answers, apply, legal, rule, shows
from catan_env.games.base.network import mark_edge_pieces
from catan_env.games.seafarers.ships import BUILD_SHIP, SHIP, launch, place_initial_ship, ships_of_initial_settlement
from catan_env.games.trade_partners.mirrored_building import (
    BUILD_FOR_PARTNER,
    DEBTS_CHANGE,
    edge_pieces_owed,
    fitting_edge_piece,
)
from catan_env.games.trade_partners.partner_placement import PLACE_INITIAL_PARTNER_ROAD, may_place_initial_edge_piece
from catan_env.games.trade_partners.partners import partner_of

SHIPS_OWED = Feature("partner_ships_owed", PLAYERS, 60, "ships that each player owes the partner")


@rule("trade_partners.mirrored_building.14")
@shows(SHIPS_OWED)
def show_ships_owed(game, params, seat, player):
    return edge_pieces_owed(game, player, SHIP)


@rule("trade_partners.partner_placement.4")
@legal(PLACE_INITIAL_PARTNER_ROAD)
def ships_of_partner_settlement(game, params, seat, mask):
    """Partners start with as many ships as their owners."""
    if may_place_initial_edge_piece(game, params, seat, SHIP):
        ships_of_initial_settlement(game, params, partner_of(seat), mask)


@rule("trade_partners.partner_placement.4")
@apply(BUILD_SHIP, at=(PLACE_INITIAL_PARTNER_ROAD,))
def place_initial_partner_ship(game, params, seat, path):
    place_initial_ship(game, params, partner_of(seat), path)


@rule("trade_partners.partner_ships.1")
@legal(BUILD_FOR_PARTNER)
def ships_to_build_for_partner(game, params, seat, mask):
    if fitting_edge_piece(game, seat) == SHIP:
        mark_edge_pieces(game, partner_of(seat), SHIP, BUILD_SHIP, mask)


@rule("trade_partners.partner_ships.1")
@apply(BUILD_SHIP, at=(BUILD_FOR_PARTNER,))
def build_ship_for_partner(game, params, seat, path):
    launch(game, params, partner_of(seat), path)


@rule("trade_partners.mirrored_building.15")
@answers(DEBTS_CHANGE)
def ships_and_pirate_make_room(game, params, player, where):
    """A ship or the pirate frees up places when it leaves."""
    return True
