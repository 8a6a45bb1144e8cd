"""Scores for the base game and for everything that builds on it."""

from __future__ import annotations

from catan_agents.evaluation.base import pips_of
from catan_agents.heuristic.generated import GOALS, IMPOSSIBLE, SITE_BONUS, Hook, goal, shared
from catan_agents.heuristic.scoring import LIKELY, NEVER, NO_GAIN, always, score
from catan_env.engine.bitset import any_of, any_with_bit, where_equal
from catan_env.engine.decision_stack import head
from catan_env.engine.declare import ANY, EVERY, PLAYERS, PUBLIC_POINTS
from catan_env.games.base.bank_trade import TRADE_WITH_BANK, given_of, received_of
from catan_env.games.base.building import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, FORGO_ROADS, FREE_ROAD
from catan_env.games.base.development_cards import (
    BUY_CARD,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
)
from catan_env.games.base.discarding import DISCARD_CARD
from catan_env.games.base.network import (
    SETTLEMENT,
    buildings_of,
    can_build_road_somewhere,
    can_build_settlement_somewhere,
)
from catan_env.games.base.player_trade import (
    ACCEPT,
    ASK_CARD,
    CANCEL_OFFER,
    CONFIRM,
    COUNTER,
    DECLINE,
    MAKE_OFFER,
    OFFER_CARD,
    SUBMIT_OFFER,
    WITHDRAW,
)
from catan_env.games.base.resources import TAKE_CARD, can_pay, hand_size
from catan_env.games.base.robber import MOVE_ROBBER
from catan_env.games.base.special_building import PASS
from catan_env.games.base.theft import STEAL
from catan_env.games.base.turns import END_TRADE, END_TURN, ROLL
from catan_env.games.vocabulary import (
    BRICK,
    COAST,
    CORNERS,
    DEGREE,
    GOODS,
    HAND_CARDS,
    INTERSECTIONS,
    LUMBER,
    NOBODY,
    NOTHING,
    NUM_RESOURCES,
    RATE,
    count_of,
    to_the_left,
)

WORTH = (1.0, 1.0, 0.8, 1.1, 1.1)
"""Value of one card of lumber, brick, wool, grain and ore."""
NEW_RESOURCE = 1.5
"""Multiplier applied to the pips of a resource that the player doesn't produce yet."""
HARBOR = 1.0

LAST_PIECES = 2
"""Once this few roads and ships are left, the seat declines free ones unless they lead to a site."""
MANY_CARDS = 7
"""Hands with more cards than this are worth spending."""

ROAD_IS_FREE = Hook("road_is_free", ANY)
"""Whether roads are free at the current decision."""
IS_SITE = Hook("is_site_of_map", EVERY)
"""Whether the map has a site on an intersection."""


# -- the board -------------------------------------------------------------------------------------------------


def pips_of_hex(game, hex):
    """Return the pips of a hex that produces a resource, or 0."""
    return pips_of(game.number[hex]) if game.terrain[hex] < NUM_RESOURCES else 0


def pips_around(game, params, intersection):
    """Return the pips of the resources around an intersection."""
    pips = 0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING:
            pips += pips_of_hex(game, hex)
    return pips


def my_building(game, seat, intersection):
    """Return the number of cards that the seat's building on an intersection produces: 0, 1 or 2."""
    return game.building[intersection] if game.building_owner[intersection] == seat else 0


@shared(NUM_RESOURCES)
def my_production(game, params, seat, memo, pips):
    """Fill in the pips around the seat's buildings, per resource, counting cities twice."""
    for intersection in where_equal(game.building_owner, seat):
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            if hex != NOTHING and game.terrain[hex] < NUM_RESOURCES:
                pips[game.terrain[hex]] += game.building[intersection] * pips_of(game.number[hex])


@shared(NUM_RESOURCES)
def worth_of_pip(game, params, seat, memo, worth):
    """Fill in the value of one more pip of each resource."""
    for resource in range(NUM_RESOURCES):
        is_new = my_production(game, params, seat, memo, resource) == 0
        worth[resource] = WORTH[resource] * (NEW_RESOURCE if is_new else 1.0)


def pips_for(game, params, intersection, resource):
    """Return the pips of one resource around an intersection."""
    pips = 0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.terrain[hex] == resource:
            pips += pips_of(game.number[hex])
    return pips


@shared(INTERSECTIONS)
def site_value(game, params, seat, memo, values):
    """Fill in the value, in pips, of a settlement at each intersection for the seat."""
    for coast in range(COAST):
        if game.harbor[coast] >= 0:
            for end in range(2):
                values[params.coast_intersections[coast, end]] = HARBOR
    for intersection in range(INTERSECTIONS):
        value = 0.0
        for resource in range(NUM_RESOURCES):
            pips = pips_for(game, params, intersection, resource)
            value += pips * worth_of_pip(game, params, seat, memo, resource)
        value += values[intersection]
        values[intersection] = SITE_BONUS(game, params, seat, memo, intersection, value)


@shared(INTERSECTIONS)
def is_open_site(game, params, seat, memo, is_open):
    """Mark the sites of the map that are free of buildings, as are their neighbors."""
    for intersection in range(INTERSECTIONS):
        is_open[intersection] = keeps_distance(game, params, intersection) and IS_SITE(
            game, params, seat, memo, intersection, True
        )


def keeps_distance(game, params, intersection):
    """Return whether an intersection and its neighbors are free of buildings."""
    if game.building[intersection] > 0:
        return False
    for k in range(DEGREE):
        neighbor = params.intersection_neighbors[intersection, k]
        if neighbor != NOTHING and game.building[neighbor] > 0:
            return False
    return True


@shared(INTERSECTIONS)
def open_site_value(game, params, seat, memo, values):
    """Fill in the value of each open site, in pips; 0 for other intersections."""
    for intersection in range(INTERSECTIONS):
        if is_open_site(game, params, seat, memo, intersection):
            values[intersection] = site_value(game, params, seat, memo, intersection)


def has_site(game, seat):
    """Return whether the seat could settle somewhere now, given the cards and a piece."""
    return any_with_bit(game.settlement_sites, seat)


def has_own_edge_piece(game, params, seat, intersection):
    """Return whether one of the seat's edge pieces ends at an intersection."""
    return count_own_edge_pieces(game, params, seat, intersection) > 0


def count_own_edge_pieces(game, params, seat, intersection):
    """Return the number of edge pieces of a seat or color that end at an intersection."""
    pieces = 0
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        pieces += path != NOTHING and game.edge_owner[path] == seat
    return pieces


def is_reached(game, params, seat, intersection):
    """Return whether the seat has an edge piece or a building at an intersection."""
    return game.building_owner[intersection] == seat or has_own_edge_piece(game, params, seat, intersection)


# -- plans -----------------------------------------------------------------------------------------------------


@shared(HAND_CARDS)
def plan(game, params, seat, memo, price):
    """Fill in the price that the seat is saving for.

    This is the price, among the purchases available to the seat, for which it is missing the fewest cards. A handicap
    is added for roads and development cards.
    """
    GOALS(game, params, seat, memo, price)


@goal(BUILD_CITY, "city")
def save_for_a_city(game, params, seat, memo):
    can_build = game.cities_left[seat] > 0 and any_of(buildings_of(game, seat, SETTLEMENT))
    return 0.0 if can_build else IMPOSSIBLE


@goal(BUILD_SETTLEMENT, "settlement")
def save_for_a_settlement(game, params, seat, memo):
    return 0.0 if can_build_settlement_somewhere(game, seat) else IMPOSSIBLE


@goal(BUILD_ROAD, "road")
def save_for_a_road(game, params, seat, memo):
    if can_build_settlement_somewhere(game, seat) or not can_build_road_somewhere(game, seat):
        return IMPOSSIBLE
    return 1.5


@goal(BUY_CARD, "development_card")
def save_for_a_development_card(game, params, seat, memo):
    return 2.0


def worth_of_card(card):
    """Return the value of one card of a kind. Commodities and other non-resources have value 1."""
    return WORTH[card] if card < NUM_RESOURCES else 1.0


def deficit(game, params, seat, memo, card):
    """Return how many cards of a kind the plan still needs."""
    return max(plan(game, params, seat, memo, card) - game.hands[seat, card], 0.0)


def surplus(game, params, seat, memo, card):
    """Return how many cards of a kind in hand the plan does not need."""
    return max(game.hands[seat, card] - plan(game, params, seat, memo, card), 0.0)


def lacks_something(game, params, seat, memo):
    """Return whether the plan still needs any cards."""
    for card in range(HAND_CARDS):
        if deficit(game, params, seat, memo, card) > 0:
            return True
    return False


def spoils_plan(game, params, seat, memo, price):
    """Return whether paying a price would use up cards that the plan needs."""
    for card in range(HAND_CARDS):
        wanted = plan(game, params, seat, memo, card)
        if max(wanted - (game.hands[seat, card] - price[card]), 0) > deficit(game, params, seat, memo, card):
            return True
    return False


# -- scores -----------------------------------------------------------------------------------------------------


@score(BUILD_CITY)
def build_city(game, params, seat, memo, intersection):
    return 1000.0 + pips_around(game, params, intersection)


@score(BUILD_SETTLEMENT)
def build_settlement(game, params, seat, memo, intersection):
    return 900.0 + site_value(game, params, seat, memo, intersection)


@ROAD_IS_FREE.contribution()
def is_free_road(game, params, seat, memo, where):
    return head(game) == FREE_ROAD


@shared()
def road_is_worthwhile(game, params, seat, memo):
    """Return whether the seat builds roads: not while it has a site, unless they are free or it has plenty of cards."""
    if not can_pay(game, seat, params.road_cost) or game.on_turn < 0 or not has_site(game, seat):
        return True
    has_plenty = game.hands[seat, LUMBER] >= 3 and game.hands[seat, BRICK] >= 3
    return ROAD_IS_FREE(game, params, seat, memo, 0, has_plenty)


def value_in_reach(game, params, seat, memo, intersection):
    """Return the value of an open site here, or half that of one a road away."""
    value = open_site_value(game, params, seat, memo, intersection)
    for k in range(DEGREE):
        neighbor = params.intersection_neighbors[intersection, k]
        if neighbor != NOTHING:
            value = max(value, 0.5 * open_site_value(game, params, seat, memo, neighbor))
    return value


def road_gain(game, params, seat, memo, path):
    """Return the value of the best site to which a road on a path leads."""
    gain = 0.0
    for end in range(2):
        intersection = params.path_intersections[path, end]
        if not is_reached(game, params, seat, intersection):
            gain = max(gain, value_in_reach(game, params, seat, memo, intersection))
    return gain


@score(BUILD_ROAD)
def build_road(game, params, seat, memo, path):
    """Score each road by the best site it leads to.

    A road that leads to no site and only adds length gets a low score.
    """
    if not road_is_worthwhile(game, params, seat, memo):
        return -10.0
    gain = road_gain(game, params, seat, memo, path)
    return (200.0 if gain > 0 else 10.0) + gain


@score(FORGO_ROADS)
def forgo_free_roads(game, params, seat, memo, argument):
    """Decline free roads when few pieces are left, unless a road leads to a site."""
    return 100.0 if count_of(game.edge_pieces_left[seat]) <= LAST_PIECES else NO_GAIN


@score(BUY_CARD)
def buy_development_card(game, params, seat, memo, argument):
    """Buy if the plan does not need the cards or the hand has more than seven cards."""
    if hand_size(game, seat) > MANY_CARDS:
        return 150.0
    return -10.0 if spoils_plan(game, params, seat, memo, params.development_card_cost) else 150.0


@score(TRADE_WITH_BANK)
def trade_with_bank(game, params, seat, memo, pair):
    """Trade cards that the plan does not need for one that it still needs."""
    given = given_of(pair)
    rate = RATE(game, params, seat, given)
    if surplus(game, params, seat, memo, given) < rate:
        return NEVER
    return 500.0 - rate if deficit(game, params, seat, memo, received_of(pair)) > 0 else NEVER


@score(DISCARD_CARD)
def discard_card(game, params, seat, memo, card):
    return 10.0 * surplus(game, params, seat, memo, card) + game.hands[seat, card] - worth_of_card(card)


@score(TAKE_CARD)
def take_card(game, params, seat, memo, resource):
    return 10.0 * deficit(game, params, seat, memo, resource) + WORTH[resource]


@score(PLAY_MONOPOLY)
def play_monopoly(game, params, seat, memo, resource):
    return 600.0 + 10.0 * deficit(game, params, seat, memo, resource) - game.bank[resource]


@shared(PLAYERS)
def weight_of_player(game, params, seat, memo, weights):
    """Fill in the value of harming each player; negative for the seat itself, 0 for neutral players.

    The more points an opponent has, the higher its weight.
    """
    for player in range(params.num_players):
        weights[player] = 1.0 + 0.2 * PUBLIC_POINTS(game, params, player)
    weights[seat] *= -5.0


def weight_of(game, params, seat, memo, owner):
    """Return the value of harming an owner; 0 for nobody."""
    return weight_of_player(game, params, seat, memo, owner) if owner != NOBODY else 0.0


def robber_worth(game, params, seat, memo, hex):
    """Return the owner-weighted pips that the robber would block on a hex."""
    harm = 0.0
    for k in range(CORNERS):
        corner = params.hex_intersections[hex, k]
        if corner != NOTHING and game.building[corner] > 0:
            harm += game.building[corner] * weight_of(game, params, seat, memo, game.building_owner[corner])
    return pips_of_hex(game, hex) * harm


def robber_stays(game, params, seat, memo):
    """Return the value of the robber's current hex; 0 if the robber is off the board."""
    return robber_worth(game, params, seat, memo, game.robber) if game.robber != NOTHING else 0.0


@score(MOVE_ROBBER)
def move_robber(game, params, seat, memo, hex):
    """Do the most harm to the leaders, and spare the seat's own hexes."""
    return robber_worth(game, params, seat, memo, hex)


@score(STEAL)
def steal(game, params, seat, memo, opponent):
    """Steal from the leading opponent among those with cards."""
    player = to_the_left(params, seat, opponent + 1)
    return (10.0 if hand_size(game, player) > 0 else 0.0) + PUBLIC_POINTS(game, params, player)


def has_building_at_hex(game, params, seat, hex):
    """Return whether the seat has a building at a hex."""
    for k in range(CORNERS):
        corner = params.hex_intersections[hex, k]
        if corner != NOTHING and game.building_owner[corner] == seat:
            return True
    return False


def is_blocked(game, params, seat):
    """Return whether the robber is at one of the seat's buildings."""
    return game.robber != NOTHING and has_building_at_hex(game, params, seat, game.robber)


@score(PLAY_KNIGHT)
def play_knight(game, params, seat, memo, argument):
    """Play a knight immediately if the robber blocks the seat; otherwise, wait until after the roll."""
    return 800.0 if is_blocked(game, params, seat) else 40.0


@score(ACCEPT)
def accept(game, params, seat, memo, argument):
    """Accept an offer that gives cards the plan still needs in exchange for cards it does not.

    Decline offers that ask for anything other than cards, and offers from players close to victory.
    """
    offerer = max(game.on_turn, 0)
    if PUBLIC_POINTS(game, params, offerer) >= params.victory_points - 2:
        return -10.0
    useful_cards = 0.0
    for good in range(GOODS):
        if good >= HAND_CARDS:
            if game.wants[offerer, good] > 0:
                return -10.0
        elif game.wants[offerer, good] > surplus(game, params, seat, memo, good):
            return -10.0
        else:
            useful_cards += min(game.gives[offerer, good], deficit(game, params, seat, memo, good))
    return 10.0 if useful_cards > 0 else -10.0


always(50.0, ROLL)
always(NO_GAIN, END_TURN, END_TRADE, PASS, DECLINE, WITHDRAW)
always(700.0, PLAY_ROAD_BUILDING)
always(650.0, PLAY_YEAR_OF_PLENTY)
always(10.0, CONFIRM)
always(-100.0, MAKE_OFFER, COUNTER)
always(LIKELY, OFFER_CARD, ASK_CARD, SUBMIT_OFFER, CANCEL_OFFER)  # finish or cancel an offer in progress
