"""Terms for the base game and all games built on it: production, sites, purchases, and the two races.

Production is the expected number of cards per roll, pips / 36. A lead in a race rises from 0 to 1 as a seat gets closer
to the special card.
"""

from math import sqrt

from catan_agents.evaluation.terms import Term, avoids, measures, uncertain
from catan_env.board.terrain import DESERT
from catan_env.engine.bitset import where_bit, where_equal, where_other
from catan_env.engine.declare import PUBLIC_POINTS
from catan_env.games.base import bank_trade as bank_trade_rules
from catan_env.games.base import building as building_rules
from catan_env.games.base import development_cards as development_cards_rules
from catan_env.games.base import largest_army as largest_army_rules
from catan_env.games.base import longest_road as longest_road_rules
from catan_env.games.base import network as network_rules
from catan_env.games.base import player_trade as player_trade_rules
from catan_env.games.base import production as production_rules
from catan_env.games.base import victory as victory_rules
from catan_env.games.base.development_cards import KNIGHT, VICTORY_POINT
from catan_env.games.base.network import CITY, ROAD, can_build_settlement_somewhere, is_clear
from catan_env.games.base.resources import hand_size
from catan_env.games.vocabulary import (
    BRICK,
    DEGREE,
    GRAIN,
    HAND_CARDS,
    HAND_LIMIT,
    HEX_BLOCKED,
    LUMBER,
    NOBODY,
    NOTHING,
    ORE,
    RATE,
    WOOL,
    count_of,
)

WAYS_TO_ROLL = 36.0
SEVEN = 7
TRADED = 0.8
"""Fraction of a missing card that counts as covered if it can be obtained from the bank."""
RACE = 3.0
"""Number of missing pieces at which a seat is considered out of the race for a special card."""

avoids(player_trade_rules.MAKE_OFFER, player_trade_rules.COUNTER, player_trade_rules.ACCEPT)
uncertain(development_cards_rules.PLAY_MONOPOLY)


# -- expected cards ----------------------------------------------------------------------------------------


def pips_of(number):
    """Return the pips of a number token: how many of the 36 dice rolls match it. No token counts as 0 pips."""
    return 6 - abs(SEVEN - number) if number > 0 and number != SEVEN else 0


def chance_of(number):
    """Return the probability that a roll matches a number token. Without a token, it is 0."""
    return pips_of(number) / WAYS_TO_ROLL


@measures(
    Term("lumber_and_brick", "expected lumber and brick per roll", 3.0),
    Term("wool", "expected wool per roll", 2.0),
    Term("grain", "expected grain per roll", 4.0),
    Term("ore", "expected ore per roll", 4.0),
    Term("variety", "sum over kinds of the square root of the expected cards per roll", 0.7),
    Term("through_trade", "expected cards per roll if all are traded at the seat's rates", 2.0),
    Term("blocked", "expected cards per roll that the robber blocks", 2.0),
    Term("early", "expected cards per roll, times the share of points that the seat still needs", 4.0),
    Term(
        "others_production",
        "opponents' expected cards per roll, each weighted by 1 plus its share of the points to win",
        -1.0,
    ),
    of=(production_rules, network_rules, bank_trade_rules, victory_rules),
    memo=True,
    as_features=False,
)
def cards_to_expect(game, params, seat, pool):
    for k in range(HAND_CARDS + params.num_players):
        pool[k] = 0.0
    blocked_pips = 0
    for intersection in where_other(game.building_owner, NOBODY):
        owner = game.building_owner[intersection]
        if owner >= params.num_players:
            continue
        is_city = game.building[intersection] == CITY
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            if hex != NOTHING and game.terrain[hex] < DESERT:
                pips = pips_of(game.number[hex])
                if HEX_BLOCKED(game, params, NOBODY, hex):
                    if owner == seat:
                        blocked_pips += 2 * pips if is_city else pips
                elif owner == seat:
                    pool[params.first_card[game.terrain[hex]]] += pips
                    if is_city:
                        pool[params.second_card_of_city[game.terrain[hex]]] += pips
                else:
                    pool[HAND_CARDS + owner] += 2 * pips if is_city else pips
    others_pips = 0.0
    for player in range(params.num_players):
        others_pips += pool[HAND_CARDS + player] * (1.0 + PUBLIC_POINTS(game, params, player) / params.victory_points)
    variety = 0.0
    card_sum = 0.0
    through_trade = 0.0
    for card in range(HAND_CARDS):
        pool[card] /= WAYS_TO_ROLL
        variety += sqrt(pool[card])
        card_sum += pool[card]
        through_trade += pool[card] / RATE(game, params, seat, card)
    share_lacking = 1.0 - PUBLIC_POINTS(game, params, seat) / params.victory_points
    return (
        pool[LUMBER] + pool[BRICK],
        pool[WOOL],
        pool[GRAIN],
        pool[ORE],
        variety,
        through_trade,
        blocked_pips / WAYS_TO_ROLL,
        card_sum * share_lacking,
        others_pips / WAYS_TO_ROLL,
    )


def cards_of_seat(game, params, seat, pool):
    """Write a seat's production of each kind of card to the first entries of the pool, ignoring blocked hexes."""
    for card in range(HAND_CARDS):
        pool[card] = 0.0
    for intersection in where_equal(game.building_owner, seat):
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            if hex != NOTHING and game.terrain[hex] < DESERT and not HEX_BLOCKED(game, params, NOBODY, hex):
                chance = chance_of(game.number[hex])
                pool[params.first_card[game.terrain[hex]]] += chance
                if game.building[intersection] == CITY:
                    pool[params.second_card_of_city[game.terrain[hex]]] += chance


# -- sites and upcoming purchases --------------------------------------------------------------------------


def pips_around(game, params, intersection):
    """Return the sum of pips around an intersection, including blocked hexes."""
    pips = 0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.terrain[hex] < DESERT:
            pips += pips_of(game.number[hex])
    return pips


def sites_at_once(game, params, player):
    """Return the production of the best site where a player can settle now, and the number of such sites."""
    best_pips = 0
    site_count = 0
    for intersection in where_bit(game.settlement_sites, player):
        best_pips = max(best_pips, pips_around(game, params, intersection))
        site_count += 1
    return best_pips / WAYS_TO_ROLL, site_count


def site_ahead(game, params, player):
    """Return the production of the best site that a player can reach with one more road."""
    best_pips = 0
    for path in where_bit(game.edge_piece_sites[ROAD], player):
        for end in range(2):
            intersection = params.path_intersections[path, end]
            if not (game.settlement_sites[intersection] >> player) & 1 and is_clear(game, params, intersection):
                best_pips = max(best_pips, pips_around(game, params, intersection))
    return best_pips / WAYS_TO_ROLL


def nearness(game, params, seat, cost):
    """Return how close a hand is to covering a price, from 0 to 1.

    The result is the square of the fraction covered. Squaring favors hands that almost cover one price over hands that
    half cover several.
    """
    price = 0
    cards_lacking = 0
    for card in range(HAND_CARDS):
        price += cost[card]
        cards_lacking += max(cost[card] - int(game.hands[seat, card]), 0)
    if cards_lacking == 0:
        return 1.0
    cards_by_trade = 0
    for card in range(HAND_CARDS):
        surplus = int(game.hands[seat, card]) - cost[card]
        if surplus > 0:
            cards_by_trade += int(surplus / RATE(game, params, seat, card))
    share_covered = 1.0 - (cards_lacking - TRADED * min(cards_lacking, cards_by_trade)) / price
    return share_covered * share_covered


def worth_in_trade(game, params, seat):
    """Return the number of cards, including fractions, that a hand would get from the bank in exchange."""
    card_sum = 0.0
    for card in range(HAND_CARDS):
        if game.hands[seat, card] > 0:
            card_sum += game.hands[seat, card] / RATE(game, params, seat, card)
    return card_sum


@measures(
    Term("site", "expected cards per roll of the best site that the seat could settle now", 2.0),
    Term("sites", "number of sites that the seat could settle now, at most three", 0.1),
    Term("site_ahead", "expected cards per roll of the best site that one more road reaches", 1.2),
    of=(building_rules, network_rules, bank_trade_rules),
    memo=True,
    as_features=False,
)
def sites_in_reach(game, params, seat, pool):
    best_site = 0.0
    site_count = 0
    if game.settlements_left[seat] > 0:
        best_site, site_count = sites_at_once(game, params, seat)
    best_site_ahead = 0.0
    if game.edge_pieces_left[seat, ROAD] > 0:
        best_site_ahead = site_ahead(game, params, seat)
    return best_site, min(site_count, 3), best_site_ahead


@measures(
    Term("near_settlement", "nearness of the hand to a settlement, if the seat has a site and a piece", 0.8),
    Term("near_city", "nearness of the hand to a city, if the seat has a settlement and a piece", 0.8),
    Term("near_road", "nearness of the hand to a road, if the seat has no site or no settlement piece", 0.3),
    Term("cards", "cards that the bank would give for the hand, including fractions", 0.05),
    Term("cards_at_risk", "cards that the seat would discard on a 7", -0.08),
    Term("others_cards", "cards in opponents' hands", -0.01),
    of=(building_rules, network_rules, bank_trade_rules),
    as_features=False,
)
def prospects(game, params, seat, pool):
    may_settle = can_build_settlement_somewhere(game, seat)
    near_city = 0.0
    if game.cities_left[seat] > 0 and game.settlements_left[seat] < params.settlements_per_player:
        near_city = nearness(game, params, seat, params.city_cost)
    own_hand_size = hand_size(game, seat)
    cards_at_risk = own_hand_size // 2 if own_hand_size > HAND_LIMIT(game, params, seat) else 0
    others_cards = -own_hand_size
    for player in range(params.num_players):
        others_cards += hand_size(game, player)
    return (
        nearness(game, params, seat, params.settlement_cost) if may_settle else 0.0,
        near_city,
        0.0 if may_settle else nearness(game, params, seat, params.road_cost),
        worth_in_trade(game, params, seat),
        cards_at_risk,
        others_cards,
    )


# -- development cards and the races -----------------------------------------------------------------------


@measures(
    Term("near_card", "nearness of the hand to a development card", 0.1),
    Term("knights", "knight cards in hand", 0.3),
    Term("progress", "playable development cards in hand other than knights", 0.3),
    of=(development_cards_rules, bank_trade_rules),
    as_features=False,
)
def cards_in_hand(game, params, seat, pool):
    other_cards = (
        count_of(game.development_cards[seat])
        - game.development_cards[seat, KNIGHT]
        - game.development_cards[seat, VICTORY_POINT]
    )
    near_card = nearness(game, params, seat, params.development_card_cost)
    return near_card, game.development_cards[seat, KNIGHT], other_cards


def lead(params, counts, seat, minimum):
    """Return how close a seat is to a special card, from 0 to 1.

    At 1, the seat has the required minimum and is ahead of all other players. Each missing piece costs 1 / `RACE`.
    """
    best_count = 0
    for player in range(params.num_players):
        if player != seat:
            best_count = max(best_count, int(counts[player]))
    return max(0.0, 1.0 - max(max(best_count + 1, minimum) - int(counts[seat]), 0) / RACE)


@measures(
    Term("road_length", "edge pieces in the seat's longest road", 0.05),
    Term("road_lead", "lead in the race for Longest Road, from 0 to 1", 0.3),
    of=longest_road_rules,
    as_features=False,
)
def road_race(game, params, seat, pool):
    return game.road_length[seat], lead(params, game.road_length, seat, params.longest_road_minimum)


@measures(
    Term("knights_played", "knights that the seat has played", 0.1),
    Term("army_lead", "lead in the race for Largest Army, from 0 to 1", 0.3),
    of=largest_army_rules,
    as_features=False,
)
def army_race(game, params, seat, pool):
    return game.knights_played[seat], lead(params, game.knights_played, seat, params.largest_army_minimum)
