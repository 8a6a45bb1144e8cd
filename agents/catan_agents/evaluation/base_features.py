"""What value networks see of every game, and of the base game and all that is built on it.

Cards are counted per roll of the dice: pips / 36. What others hold hidden is seen by its number only.
"""

from catan_agents.evaluation.base import chance_of, nearness, site_ahead, sites_at_once, worth_in_trade
from catan_agents.evaluation.features import Aspect, sees, steps_to
from catan_env.board.terrain import DESERT
from catan_env.engine.bitset import blocks, equal_to, first_of
from catan_env.engine.declare import HIDDEN_POINTS, PUBLIC_POINTS
from catan_env.games.base import bank_trade as supply_trade_rules
from catan_env.games.base import building as building_rules
from catan_env.games.base import development_cards as development_cards_rules
from catan_env.games.base import largest_army as largest_army_rules
from catan_env.games.base import longest_road as longest_road_rules
from catan_env.games.base import network as network_rules
from catan_env.games.base import production as production_rules
from catan_env.games.base import resources as resources_rules
from catan_env.games.base import turns as turns_rules
from catan_env.games.base.development_cards import NUM_CARDS, deck_size
from catan_env.games.base.network import CITY, ROAD
from catan_env.games.base.resources import hand_size
from catan_env.games.vocabulary import (
    CARDS,
    DEGREE,
    HAND_LIMIT,
    HEX_BLOCKED,
    INTERSECTIONS,
    NOBODY_SEAT,
    NOTHING,
    RATE,
    count_of,
)

LATE = 200
"""Turns from which on a game is no longer told to be older."""
PATIENCE, HARDLY = 5.0, 0.02
"""Rolls after which a purchase is half as near, and cards of a roll where there are none to expect."""
MOST_KNIGHTS, MOST_WAYS = 3, 4
"""Pieces in a race that one can be seen to be ahead or behind."""


# -- of each player ----------------------------------------------------------------------------------------


@sees(
    Aspect("points", "victory points that everybody sees"),
    Aspect("points_ahead", "by how many of them the player is ahead of all others"),
    each=True,
)
def points_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        seen[2 * steps_to(table, seat, player)] = PUBLIC_POINTS(game, table, player)
    for k in range(table.num_players):
        best = 0.0
        for other in range(table.num_players):
            if other != k:
                best = max(best, seen[2 * other])
        seen[2 * k + 1] = seen[2 * k] - best


def ahead(table, counts, player, most):
    """By how much a player is ahead of all others, or behind the best of them, up to so many."""
    best = 0
    for other in range(table.num_players):
        if other != player:
            best = max(best, int(counts[other]))
    return max(-most, min(most, int(counts[player]) - best))


def pace(cost, production, through_trade):
    """How soon production alone would pay a price: 1 at once, 1/2 in `PATIENCE` rolls for one card after the other."""
    rolls = 0.0
    for card in range(CARDS):
        rolls += cost[card] / (production[card] + through_trade + HARDLY)
    return PATIENCE / (PATIENCE + rolls)


@sees(
    Aspect("production", "cards to expect from a roll, by kind", along=CARDS),
    Aspect("blocked", "cards that the robber keeps back"),
    Aspect("settlements", "settlements on the board"),
    Aspect("cities", "cities on the board"),
    Aspect("through_trade", "cards to expect in trade for all others"),
    Aspect("pace_of_settlements", "how soon production would pay a settlement"),
    Aspect("pace_of_cities", "how soon production would pay a city"),
    of=(production_rules, network_rules, building_rules, supply_trade_rules),
    each=True,
)
def production_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        first = (CARDS + 6) * steps_to(table, seat, player)
        for k in range(blocks(INTERSECTIONS)):
            owned = equal_to(game.building_owner, k, player)
            while owned:
                intersection = first_of(owned, k)
                owned &= owned - 1
                city = game.building[intersection] == CITY
                seen[first + CARDS + (2 if city else 1)] += 1.0
                for n in range(DEGREE):
                    hex = table.intersection_hexes[intersection, n]
                    if hex != NOTHING and game.terrain[hex] < DESERT:
                        chance = chance_of(game.number[hex])
                        if HEX_BLOCKED(game, table, NOBODY_SEAT, hex):
                            seen[first + CARDS] += 2.0 * chance if city else chance
                        else:
                            seen[first + table.first_card[game.terrain[hex]]] += chance
                            if city:
                                seen[first + table.second_card_of_city[game.terrain[hex]]] += chance
        production, last = seen[first : first + CARDS], first + CARDS + 3
        for card in range(CARDS):
            seen[last] += production[card] / RATE(game, table, player, card)
        seen[last + 1] = pace(table.settlement_cost, production, seen[last])
        seen[last + 2] = pace(table.city_cost, production, seen[last])


@sees(
    Aspect("site", "cards to expect from the best site where the player could settle at once"),
    Aspect("sites", "sites where the player could settle at once"),
    Aspect("site_ahead", "cards to expect from the best site one way further"),
    Aspect("ways_left", "road pieces left"),
    of=(building_rules, network_rules),
    each=True,
)
def room_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        first = 4 * steps_to(table, seat, player)
        seen[first], seen[first + 1] = sites_at_once(game, table, player)
        seen[first + 2] = site_ahead(game, table, player)
        seen[first + 3] = game.ways_left[player, ROAD]


@sees(
    Aspect("road_length", "ways of the longest road"),
    Aspect("longest_road", "whether the player holds Longest Road"),
    Aspect("road_ahead", "by how many ways the longest road is longer than those of all others"),
    of=longest_road_rules,
    each=True,
)
def road_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        first = 3 * steps_to(table, seat, player)
        seen[first] = game.road_length[player]
        seen[first + 1] = game.longest_road == player
        seen[first + 2] = ahead(table, game.road_length, player, MOST_WAYS)


@sees(
    Aspect("knights_played", "knights played"),
    Aspect("largest_army", "whether the player holds Largest Army"),
    Aspect("army_ahead", "by how many knights played the player is ahead of all others"),
    of=largest_army_rules,
    each=True,
)
def army_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        first = 3 * steps_to(table, seat, player)
        seen[first] = game.knights_played[player]
        seen[first + 1] = game.largest_army == player
        seen[first + 2] = ahead(table, game.knights_played, player, MOST_KNIGHTS)


@sees(Aspect("hand_size", "cards in hand"), of=resources_rules, each=True)
def hand_size_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        seen[steps_to(table, seat, player)] = hand_size(game, player)


@sees(Aspect("development_cards", "development cards in hand"), of=development_cards_rules, each=True)
def card_number_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        seen[steps_to(table, seat, player)] = count_of(game.cards[player])


@sees(
    Aspect("ease", "1 / rate of trading a kind of card with the supply", along=CARDS), of=supply_trade_rules, each=True
)
def rates_of_each(game, table, seat, seen):
    for player in range(table.num_players):
        first = CARDS * steps_to(table, seat, player)
        for card in range(CARDS):
            seen[first + card] = 1.0 / RATE(game, table, player, card)


@sees(
    Aspect("on_turn", "whether it is the player's turn"),
    Aspect("next_turn", "whether the player's turn is next"),
    of=turns_rules,
    each=True,
)
def turn_of_each(game, table, seat, seen):
    if game.on_turn != NOBODY_SEAT:
        seen[2 * steps_to(table, seat, game.on_turn)] = 1.0
    seen[2 * steps_to(table, seat, game.next_player) + 1] = 1.0


# -- of the seat itself, and of the position as a whole ----------------------------------------------------


@sees(
    Aspect("hand", "own cards, by kind", along=CARDS),
    Aspect("lacking", "whether the seat has none of a kind", along=CARDS),
    Aspect("cards_at_risk", "own cards that a 7 would take"),
    of=resources_rules,
)
def own_hand(game, table, seat, seen):
    size = hand_size(game, seat)
    for card in range(CARDS):
        seen[card] = game.hands[seat, card]
        seen[CARDS + card] = game.hands[seat, card] == 0
    if size > HAND_LIMIT(game, table, seat):
        seen[2 * CARDS] = size // 2


@sees(
    Aspect("near_settlement", "how near the hand comes to a settlement"),
    Aspect("near_city", "how near the hand comes to a city"),
    Aspect("near_road", "how near the hand comes to a road"),
    Aspect("worth_in_trade", "cards that the hand would fetch from the supply, in fractions"),
    Aspect("may_settle", "whether the seat has a settlement piece left"),
    of=(building_rules, network_rules, supply_trade_rules),
)
def own_purchases(game, table, seat, seen):
    seen[0] = nearness(game, table, seat, table.settlement_cost)
    seen[1] = nearness(game, table, seat, table.city_cost)
    seen[2] = nearness(game, table, seat, table.road_cost)
    seen[3] = worth_in_trade(game, table, seat)
    seen[4] = game.settlements_left[seat] > 0


DECK = tuple(Aspect(f"own_cards_{k}", "own development cards of a kind") for k in range(NUM_CARDS))
PLAYABLE = tuple(Aspect(f"playable_{k}", "those of them not bought in this turn") for k in range(NUM_CARDS))


@sees(
    *DECK,
    *PLAYABLE,
    Aspect("near_card", "how near the hand comes to a development card"),
    Aspect("card_played", "whether a development card was played in this turn"),
    Aspect("deck_size", "development cards left in the stack"),
    of=(development_cards_rules, supply_trade_rules),
)
def own_development_cards(game, table, seat, seen):
    for card in range(NUM_CARDS):
        seen[card] = game.cards[seat, card]
        seen[NUM_CARDS + card] = game.cards[seat, card] - game.new_cards[seat, card]
    seen[2 * NUM_CARDS] = nearness(game, table, seat, table.development_card_cost)
    seen[2 * NUM_CARDS + 1] = game.card_played
    seen[2 * NUM_CARDS + 2] = deck_size(game)


@sees(Aspect("hidden_points", "own victory points that nobody else sees"))
def own_hidden_points(game, table, seat, seen):
    seen[0] = HIDDEN_POINTS(game, table, seat)


@sees(
    Aspect("turn", "own turns of all players begun so far"),
    Aspect("founding", "whether no turn has begun"),
    Aspect("rolled", "whether the dice were rolled in this turn"),
    of=turns_rules,
)
def time_of_game(game, table, seat, seen):
    seen[0] = min(int(game.turn), LATE)
    seen[1] = game.turn == 0
    seen[2] = game.on_turn != NOBODY_SEAT and game.rolls_made > 0
