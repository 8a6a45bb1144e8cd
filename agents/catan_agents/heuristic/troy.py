"""Scores for Troy: use spare cards to support the seat's city and to pay for ships."""

from __future__ import annotations

from catan_agents.heuristic.base import has_building_at_hex, my_production, pips_for, plan, robber_worth
from catan_agents.heuristic.generated import IMPOSSIBLE, goal, shared, site_bonus
from catan_agents.heuristic.scoring import NEVER, NO_GAIN, always, score
from catan_env.board.terrain import SEA
from catan_env.engine.decision_stack import head
from catan_env.engine.declare import PUBLIC_POINTS
from catan_env.games.base.resources import hand_size
from catan_env.games.troy import allegiance as allegiance_rules
from catan_env.games.troy import fleet as fleet_rules
from catan_env.games.troy.donations import DONATE, DONATE_MORE, END_DONATION
from catan_env.games.troy.fleet import BUILD_SHIP, CHOOSE_TRADE_GOODS
from catan_env.games.troy.pool_trade import SWAP_WITH_POOL, TAKE_FROM_POOL
from catan_env.games.troy.seafaring_people import MOVE_PEOPLE
from catan_env.games.vocabulary import CORNERS, DEGREE, HEXES, NOBODY, NOTHING, NUM_RESOURCES

DANGER = 3
"""Lead, in battles, at which a city is out of danger."""
THEFT = 4.0
"""Value of a stolen card, in pips lost by opponents."""
WAR_PIP = 0.8
"""Bonus per pip of a resource that supports the seat's city."""
FIRST_COAST = 4.0
"""Bonus, in pips, for the first building on the coast."""
SHIP_PIP = 1.0
"""Bonus per pip of a resource that ships cost but the seat does not produce."""

always(NO_GAIN, END_DONATION)
always(130.0, TAKE_FROM_POOL)


def spare(game, params, seat, memo, card):
    """Return how many cards of a kind neither the plan nor the next ship needs."""
    return max(game.hands[seat, card] - plan(game, params, seat, memo, card) - params.ship_cost[card], 0.0)


def supports_own_city(game, params, seat, card):
    """Return whether a kind of card supports the seat's city."""
    return params.card_supports[card] != 0 and params.card_supports[card] == game.side[seat] + 1


@shared()
def in_danger(game, params, seat, memo):
    """Return whether the other city can still win the war."""
    side = game.side[seat]
    return game.battles_won[1 - side] + DANGER > game.battles_won[side]


@shared()
def helps_ally(game, params, seat, memo):
    """Return whether winning one more battle would end the war with a possible ally tied or ahead."""
    if game.battles_won[game.side[seat]] + 1 < params.battles_to_end:
        return False
    for player in range(params.num_players):
        if player != seat and PUBLIC_POINTS(game, params, player) >= PUBLIC_POINTS(game, params, seat):
            return True
    return False


def is_open_sea(game, hex):
    """Return whether a hex is sea without a ship."""
    return game.terrain[hex] == SEA and game.ship_owner[hex] == NOBODY


def has_ship_beside(game, params, seat, hex):
    """Return whether the seat has a ship next to a hex."""
    for k in range(CORNERS):
        neighbor = params.hex_neighbors[hex, k]
        if neighbor != NOTHING and game.ship_owner[neighbor] == seat:
            return True
    return False


@shared()
def has_ship_place(game, params, seat, memo):
    """Return whether the seat has a ship left and a place for it."""
    if game.ships_left[seat] > 0:
        for hex in range(HEXES):
            if is_open_sea(game, hex):
                if has_building_at_hex(game, params, seat, hex) or has_ship_beside(game, params, seat, hex):
                    return True
    return False


@site_bonus(of=fleet_rules)
def coast(game, params, seat, memo, intersection):
    """Return the bonus for access to the sea, which ships require."""
    if not has_ship_place(game, params, seat, memo):
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            if hex != NOTHING and is_open_sea(game, hex):
                return FIRST_COAST
    return 0.0


@site_bonus(of=fleet_rules)
def cards_of_ships(game, params, seat, memo, intersection):
    """Return the bonus for resources that ships cost but the seat does not produce."""
    pips = 0
    for resource in range(NUM_RESOURCES):
        if params.ship_cost[resource] > 0 and my_production(game, params, seat, memo, resource) == 0:
            pips += pips_for(game, params, intersection, resource)
    return SHIP_PIP * pips


@site_bonus(of=allegiance_rules)
def cards_of_war(game, params, seat, memo, intersection):
    """Return the bonus for resources that can be donated to the seat's city."""
    pips = 0
    for resource in range(NUM_RESOURCES):
        if supports_own_city(game, params, seat, resource):
            pips += pips_for(game, params, intersection, resource)
    return WAR_PIP * pips


def has_commerce(game, params, seat):
    """Return whether the seat has enough commerce points for a ship."""
    return game.commerce[seat] >= params.ship_commerce


@goal(BUILD_SHIP, "ship")
def save_for_a_ship(game, params, seat, memo):
    """Save for a ship if there is a place for it and the seat has enough commerce points."""
    return 0.0 if has_commerce(game, params, seat) and has_ship_place(game, params, seat, memo) else IMPOSSIBLE


def cards_to_donate(game, params, seat, memo, card):
    """Return how many cards of a kind the seat would donate: spare ones or, in danger, all that ships do not need."""
    if not supports_own_city(game, params, seat, card) or not in_danger(game, params, seat, memo):
        return spare(game, params, seat, memo, card)
    saves = has_commerce(game, params, seat) and game.ships_left[seat] > 0
    return max(game.hands[seat, card] - (params.ship_cost[card] if saves else 0), 0.0)


def wants_commerce(game, params, seat, memo):
    """Return whether the seat needs the commerce points of a donation for its next ship."""
    needs_points = game.ships_left[seat] > 0 and not has_commerce(game, params, seat)
    return needs_points or has_ship_place(game, params, seat, memo)


@score(DONATE)
def donate(game, params, seat, memo, card):
    """Donate spare cards that support the seat's city.

    While its city is in danger, the seat also donates cards that its plan needs. It stops if the next battle could hand
    victory to an ally. To gain a ship's commerce points, it donates one card that supports neither city or, when not in
    danger, one that supports the other city.
    """
    cards = cards_to_donate(game, params, seat, memo, card)
    if cards == 0:
        return NEVER
    if supports_own_city(game, params, seat, card) and not helps_ally(game, params, seat, memo):
        return 260.0 + cards
    if head(game) == DONATE_MORE or not wants_commerce(game, params, seat, memo):
        return NEVER
    if params.card_supports[card] == 0:
        return 160.0 + cards
    return (NEVER if in_danger(game, params, seat, memo) else 60.0) + cards


@score(BUILD_SHIP)
def build_ship(game, params, seat, memo, hex):
    """Place ships next to plenty of open sea to leave room for more."""
    open_neighbors = 0
    for k in range(CORNERS):
        neighbor = params.hex_neighbors[hex, k]
        open_neighbors += neighbor != NOTHING and is_open_sea(game, neighbor)
    return 650.0 + open_neighbors


@score(CHOOSE_TRADE_GOODS)
def choose_trade_goods(game, params, seat, memo, resource):
    """Choose the resource that the seat produces most."""
    return 10.0 + my_production(game, params, seat, memo, resource)


@score(SWAP_WITH_POOL)
def swap_with_pool(game, params, seat, memo, card):
    """Swap a spare card that supports the seat's city for an unknown card from the pool."""
    has_spare = spare(game, params, seat, memo, card) > 0
    return 120.0 if has_spare and supports_own_city(game, params, seat, card) else NEVER


def is_victim(game, params, seat, owner):
    """Return whether an owner is an opponent with cards."""
    return owner != NOBODY and owner != seat and owner < params.num_players and hand_size(game, owner) > 0


@score(MOVE_PEOPLE)
def move_people(game, params, seat, memo, hex):
    """Harm opponents as with the robber, but prefer hexes where a card can be stolen."""
    can_steal = is_victim(game, params, seat, game.ship_owner[hex])
    if game.ship_owner[hex] == NOBODY:
        for k in range(CORNERS):
            corner = params.hex_intersections[hex, k]
            can_steal |= corner != NOTHING and is_victim(game, params, seat, game.building_owner[corner])
    return robber_worth(game, params, seat, memo, hex) + (THEFT if can_steal else 0.0)
