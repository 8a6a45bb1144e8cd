"""Mirrored building: at the end of a turn, the trade partner gets the pieces that its owner has more of.

For each kind of piece, a partner is owed the number by which its owner has more on the board. Both start with equal
sets, so the debt is the difference between their remaining pieces. It is suspended while the partner has none left. The
owner builds everything that fits for free: roads first, then other edge pieces, then cities, then settlements. This is
part of the owner's turn and can still win the game, for example when a partner's settlement interrupts a route.
"""

from catan_env.engine.decision_stack import RUNNING, current_decision, head_seat, replace
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    ANY,
    PLAYERS,
    Decision,
    Feature,
    Invariant,
    Question,
    apply,
    checks,
    legal,
    rule,
    shows,
    when,
)
from catan_env.games.base.building import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, mark_cities
from catan_env.games.base.network import (
    ROAD,
    can_build_settlement_somewhere,
    can_lay_somewhere,
    mark_edge_pieces,
    mark_sites,
    place_city,
    place_edge_piece,
    place_settlement,
)
from catan_env.games.base.turns import BUILD, END_TURN, PLAY, end_turn
from catan_env.games.base.victory import win_on_own_turn
from catan_env.games.trade_partners.partners import partner_of
from catan_env.games.vocabulary import CITIES_LAID, EDGE_PIECES, NOBODY

BUILD_FOR_PARTNER = Decision("build_for_partner", "build for the trade partner")
ROADS_OWED = Feature("partner_roads_owed", PLAYERS, 60, "roads that each player owes the partner")
CITIES_OWED = Feature("partner_cities_owed", PLAYERS, 30, "cities that each player owes the partner")
SETTLEMENTS_OWED = Feature("partner_settlements_owed", PLAYERS, 30, "settlements that each player owes the partner")
DEBTS_CHANGE = Question(
    "debts_change", "whether debts to the partner of `player` can arise or become payable in other turns", ANY
)
DEBTS_PAID = Invariant("debts_paid", "no partner lacks a piece that could have been built in an earlier turn")


# -- debts -------------------------------------------------------------------------------------------------


@rule(
    "trade_partners.mirrored_building.3",
    "trade_partners.mirrored_building.9",
    "trade_partners.mirrored_building.10",
    "trade_partners.mirrored_building.12",
    "trade_partners.mirrored_building.14",
    "trade_partners.mirrored_building.15",
    "trade_partners.mirrored_building.20",
)
def edge_pieces_owed(game, seat, kind):
    """Return how many edge pieces of a kind a player's partner is owed."""
    return max(int(game.edge_pieces_left[partner_of(seat), kind]) - int(game.edge_pieces_left[seat, kind]), 0)


@rule(
    "trade_partners.mirrored_building.3", "trade_partners.mirrored_building.18", "trade_partners.mirrored_building.19"
)
def cities_owed(game, params, seat):
    """Return how many cities a player's partner is owed, not counting the owner's cities lying on their sides."""
    city_difference = int(game.cities_left[partner_of(seat)]) - int(game.cities_left[seat])
    return max(city_difference - CITIES_LAID(game, params, seat), 0)


@rule("trade_partners.mirrored_building.3", "trade_partners.mirrored_building.8", "trade_partners.mirrored_building.18")
def settlements_owed(game, seat):
    """Return how many settlements a player's partner is owed."""
    return max(int(game.settlements_left[partner_of(seat)]) - int(game.settlements_left[seat]), 0)


@rule("trade_partners.mirrored_building.3")
@shows(ROADS_OWED)
def show_roads_owed(game, params, seat, player):
    return edge_pieces_owed(game, player, ROAD)


@rule("trade_partners.mirrored_building.3")
@shows(CITIES_OWED)
def show_cities_owed(game, params, seat, player):
    return cities_owed(game, params, player)


@rule("trade_partners.mirrored_building.3")
@shows(SETTLEMENTS_OWED)
def show_settlements_owed(game, params, seat, player):
    return settlements_owed(game, player)


@rule("trade_partners.mirrored_building.6")
def fitting_edge_piece(game, seat):
    """Return the first kind of edge piece that is owed and can be placed; `EDGE_PIECES` if there is none."""
    for kind in range(EDGE_PIECES):
        if edge_pieces_owed(game, seat, kind) > 0 and can_lay_somewhere(game, partner_of(seat), kind):
            return kind
    return EDGE_PIECES


@rule("trade_partners.mirrored_building.7")
def city_fits(game, params, seat):
    """Return whether a city is owed and the partner has a settlement to upgrade."""
    return (
        cities_owed(game, params, seat) > 0 and game.settlements_left[partner_of(seat)] < params.settlements_per_player
    )


@rule("trade_partners.mirrored_building.6")
def settlement_fits(game, seat):
    """Return whether a settlement is owed and can be placed."""
    return settlements_owed(game, seat) > 0 and can_build_settlement_somewhere(game, partner_of(seat))


@rule("trade_partners.mirrored_building.4", "trade_partners.mirrored_building.16")
def something_fits(game, params, seat):
    """Return whether any of the pieces owed to a player's partner can be built."""
    return fitting_edge_piece(game, seat) != EDGE_PIECES or city_fits(game, params, seat) or settlement_fits(game, seat)


# -- the last part of the turn -----------------------------------------------------------------------------


@rule("trade_partners.mirrored_building.1", "trade_partners.mirrored_building.17")
@apply(END_TURN, at=(PLAY, BUILD))
def continue_with_partner(game, params, seat, argument):
    """The turn ends once nothing more can be built for the partner."""
    replace(game, BUILD_FOR_PARTNER, seat)


@rule("trade_partners.mirrored_building.1", "trade_partners.mirrored_building.4")
@legal(BUILD_FOR_PARTNER)
def what_to_build_for_partner(game, params, seat, mask):
    """Roads and other edge pieces come first, one kind at a time, then cities, then settlements."""
    if fitting_edge_piece(game, seat) != EDGE_PIECES:
        if fitting_edge_piece(game, seat) == ROAD:
            mark_edge_pieces(game, partner_of(seat), ROAD, BUILD_ROAD, mask)
    elif city_fits(game, params, seat):
        mark_cities(game, partner_of(seat), mask)
    else:
        mark_sites(game, partner_of(seat), BUILD_SETTLEMENT, mask)


@rule("trade_partners.mirrored_building.1", "trade_partners.mirrored_building.2")
@apply(BUILD_ROAD, at=(BUILD_FOR_PARTNER,))
def build_road_for_partner(game, params, seat, path):
    place_edge_piece(game, params, partner_of(seat), ROAD, path)


@rule("trade_partners.mirrored_building.7")
@apply(BUILD_CITY, at=(BUILD_FOR_PARTNER,))
def build_city_for_partner(game, params, seat, intersection):
    place_city(game, params, partner_of(seat), intersection)


@rule("trade_partners.mirrored_building.7")
@apply(BUILD_SETTLEMENT, at=(BUILD_FOR_PARTNER,))
def build_settlement_for_partner(game, params, seat, intersection):
    place_settlement(game, params, partner_of(seat), intersection)


@rule("trade_partners.mirrored_building.1", "trade_partners.mirrored_building.5", "trade_partners.mirrored_building.11")
@when(ACTION_RESOLVED)
def end_turn_when_nothing_fits(game, params, player, where):
    """A win is checked for before the turn ends."""
    if current_decision(game) == BUILD_FOR_PARTNER and not something_fits(game, params, head_seat(game)):
        win_on_own_turn(game, params, player, where)
        if game.ended == RUNNING:
            end_turn(game, params, head_seat(game), 0)


@rule("trade_partners.mirrored_building.5")
@checks(DEBTS_PAID)
def debts_paid(game, params):
    """This applies to players who are not on turn, after the initial placement."""
    for seat in range(params.num_players):
        if game.on_turn != NOBODY and game.on_turn != seat and not DEBTS_CHANGE(game, params, seat):
            if something_fits(game, params, seat):
                return False
    return True
