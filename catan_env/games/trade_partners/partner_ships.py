"""Ships of trade partners: founded and mirrored like roads, kind by kind, and never moved."""

from catan_env.engine.declare import PLAYERS, Feature, answers, apply, legal, rule, shows
from catan_env.games.base.network import mark_ways
from catan_env.games.seafarers.ships import BUILD_SHIP, SHIP, found_ship, launch, ships_of_founded_settlement
from catan_env.games.trade_partners.mirrored_building import BUILD_FOR_PARTNER, DEBTS_CHANGE, fitting_way, ways_owed
from catan_env.games.trade_partners.partner_placement import FOUND_PARTNER_ROAD, may_found_way
from catan_env.games.trade_partners.partners import partner_of

SHIPS_OWED = Feature("partner_ships_owed", PLAYERS, 60, "ships that each player's partner is to get")


@rule("trade_partners.mirrored_building.14")
@shows(SHIPS_OWED)
def show_ships_owed(game, table, seat, player):
    return ways_owed(game, player, SHIP)


@rule("trade_partners.partner_placement.4")
@legal(FOUND_PARTNER_ROAD)
def ships_of_partner_settlement(game, table, seat, mask):
    """As many as the owner has founded with."""
    if may_found_way(game, table, seat, SHIP):
        ships_of_founded_settlement(game, table, partner_of(seat), mask)


@rule("trade_partners.partner_placement.4")
@apply(BUILD_SHIP, at=(FOUND_PARTNER_ROAD,))
def found_partner_ship(game, table, seat, path):
    found_ship(game, table, partner_of(seat), path)


@rule("trade_partners.partner_ships.1")
@legal(BUILD_FOR_PARTNER)
def ships_to_build_for_partner(game, table, seat, mask):
    if fitting_way(game, seat) == SHIP:
        mark_ways(game, partner_of(seat), SHIP, BUILD_SHIP, mask)


@rule("trade_partners.partner_ships.1")
@apply(BUILD_SHIP, at=(BUILD_FOR_PARTNER,))
def build_ship_for_partner(game, table, seat, path):
    launch(game, table, partner_of(seat), path)


@rule("trade_partners.mirrored_building.15")
@answers(DEBTS_CHANGE)
def ships_and_pirate_make_room(game, table, player, where):
    """They leave places that were closed."""
    return True
