"""Value-network features for every game, and for the base game and its extensions.

Production is the expected number of cards per roll, pips / 36. Of other players' hidden cards, only the number is used.
"""

from catan_agents.evaluation.base import chance_of, nearness, site_ahead, sites_at_once, worth_in_trade
from catan_agents.evaluation.features import ValueFeature, feature
from catan_env.board.terrain import DESERT
from catan_env.engine.bitset import where_equal
from catan_env.engine.declare import HIDDEN_POINTS, PUBLIC_POINTS
from catan_env.games.base import bank_trade as bank_trade_rules
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
    DEGREE,
    HAND_CARDS,
    HAND_LIMIT,
    HEX_BLOCKED,
    NOBODY,
    NOTHING,
    RATE,
    count_of,
)

LATE = 200
"""Maximum value of the feature `turn`."""
PATIENCE, HARDLY = 5.0, 0.02
"""Number of rolls at which the pace of a purchase is 1/2, and cards per roll added to the production of each kind."""
MOST_KNIGHTS, MOST_EDGE_PIECES = 3, 4
"""Maximum lead or deficit in a race, in knights and in edge pieces."""


# -- features of each player -------------------------------------------------------------------------------


@feature(
    ValueFeature("points", "public victory points"),
    ValueFeature("points_ahead", "lead in public victory points over the best opponent"),
    each=True,
    memo=True,
)
def points_of_player(game, params, player, seen):
    best_points = 0
    for opponent in range(params.num_players):
        if opponent != player:
            best_points = max(best_points, PUBLIC_POINTS(game, params, opponent))
    seen[0] = PUBLIC_POINTS(game, params, player)
    seen[1] = seen[0] - best_points


def ahead(params, counts, player, most):
    """Return a player's lead over the best opponent, clipped to the range -`most` to `most`."""
    best_count = 0
    for opponent in range(params.num_players):
        if opponent != player:
            best_count = max(best_count, int(counts[opponent]))
    return max(-most, min(most, int(counts[player]) - best_count))


def pace(cost, production, through_trade):
    """Return how soon production would cover a price: 1 means immediately, and 1/2 means after `PATIENCE` rolls.

    The estimate assumes that the cards are collected one after another.
    """
    rolls = 0.0
    for card in range(HAND_CARDS):
        rolls += cost[card] / (production[card] + through_trade + HARDLY)
    return PATIENCE / (PATIENCE + rolls)


def count_production(game, params, color, seen):
    """Add up a color's production by kind, the production that the robber blocks, its settlements and its cities."""
    for intersection in where_equal(game.building_owner, color):
        is_city = game.building[intersection] == CITY
        seen[HAND_CARDS + (2 if is_city else 1)] += 1.0
        for n in range(DEGREE):
            hex = params.intersection_hexes[intersection, n]
            if hex != NOTHING and game.terrain[hex] < DESERT:
                chance = chance_of(game.number[hex])
                if HEX_BLOCKED(game, params, NOBODY, hex):
                    seen[HAND_CARDS] += 2.0 * chance if is_city else chance
                else:
                    seen[params.first_card[game.terrain[hex]]] += chance
                    if is_city:
                        seen[params.second_card_of_city[game.terrain[hex]]] += chance


@feature(
    ValueFeature("production", "expected cards per roll, by kind", along=HAND_CARDS),
    ValueFeature("blocked", "expected cards per roll that the robber blocks"),
    ValueFeature("settlements", "settlements on the board"),
    ValueFeature("cities", "cities on the board"),
    ValueFeature("through_trade", "expected cards per roll if all are traded with the bank"),
    ValueFeature("pace_of_settlements", "how soon production pays for a settlement, from 0 to 1"),
    ValueFeature("pace_of_cities", "how soon production pays for a city, from 0 to 1"),
    of=(production_rules, network_rules, building_rules, bank_trade_rules),
    each=True,
    memo=True,
)
def production_of_player(game, params, player, seen):
    count_production(game, params, player, seen)
    through_trade = 0.0
    for card in range(HAND_CARDS):
        through_trade += seen[card] / RATE(game, params, player, card)
    seen[HAND_CARDS + 3] = through_trade
    seen[HAND_CARDS + 4] = pace(params.settlement_cost, seen, through_trade)
    seen[HAND_CARDS + 5] = pace(params.city_cost, seen, through_trade)


@feature(
    ValueFeature("site", "expected cards per roll of the best site that the player could settle now"),
    ValueFeature("sites", "number of sites that the player could settle now"),
    ValueFeature("site_ahead", "expected cards per roll of the best site that one more road reaches"),
    ValueFeature("edge_pieces_left", "road pieces left"),
    of=(building_rules, network_rules),
    each=True,
    memo=True,
)
def room_of_player(game, params, player, seen):
    seen[0], seen[1] = sites_at_once(game, params, player)
    seen[2] = site_ahead(game, params, player)
    seen[3] = game.edge_pieces_left[player, ROAD]


@feature(
    ValueFeature("road_length", "edge pieces in the player's longest road"),
    ValueFeature("longest_road", "whether the player holds Longest Road"),
    ValueFeature("road_ahead", "lead in road length over the best opponent"),
    of=longest_road_rules,
    each=True,
)
def road_of_player(game, params, player, seen):
    seen[0] = game.road_length[player]
    seen[1] = game.longest_road == player
    seen[2] = ahead(params, game.road_length, player, MOST_EDGE_PIECES)


@feature(
    ValueFeature("knights_played", "knights that the player has played"),
    ValueFeature("largest_army", "whether the player holds Largest Army"),
    ValueFeature("army_ahead", "lead in knights played over the best opponent"),
    of=largest_army_rules,
    each=True,
)
def army_of_player(game, params, player, seen):
    seen[0] = game.knights_played[player]
    seen[1] = game.largest_army == player
    seen[2] = ahead(params, game.knights_played, player, MOST_KNIGHTS)


@feature(ValueFeature("hand_size", "cards in hand"), of=resources_rules, each=True)
def hand_size_of_player(game, params, player, seen):
    seen[0] = hand_size(game, player)


@feature(ValueFeature("development_cards", "development cards in hand"), of=development_cards_rules, each=True)
def card_number_of_player(game, params, player, seen):
    seen[0] = count_of(game.development_cards[player])


@feature(
    ValueFeature("ease", "1 divided by the rate at which the player trades a kind with the bank", along=HAND_CARDS),
    of=bank_trade_rules,
    each=True,
    memo=True,
)
def rates_of_player(game, params, player, seen):
    for card in range(HAND_CARDS):
        seen[card] = 1.0 / RATE(game, params, player, card)


@feature(
    ValueFeature("on_turn", "whether it is the player's turn"),
    ValueFeature("next_turn", "whether the player's turn is next"),
    of=turns_rules,
    each=True,
)
def turn_of_player(game, params, player, seen):
    seen[0] = game.on_turn == player
    seen[1] = game.next_player == player


# -- features of the seat itself and of the whole position -------------------------------------------------


@feature(
    ValueFeature("hand", "the seat's cards, by kind", along=HAND_CARDS),
    ValueFeature("lacking", "whether the seat has no card of a kind", along=HAND_CARDS),
    ValueFeature("cards_at_risk", "cards that the seat would discard on a 7"),
    of=resources_rules,
)
def own_hand(game, params, seat, seen):
    own_hand_size = hand_size(game, seat)
    for card in range(HAND_CARDS):
        seen[card] = game.hands[seat, card]
        seen[HAND_CARDS + card] = game.hands[seat, card] == 0
    if own_hand_size > HAND_LIMIT(game, params, seat):
        seen[2 * HAND_CARDS] = own_hand_size // 2


@feature(
    ValueFeature("near_settlement", "nearness of the hand to a settlement"),
    ValueFeature("near_city", "nearness of the hand to a city"),
    ValueFeature("near_road", "nearness of the hand to a road"),
    ValueFeature("worth_in_trade", "cards that the bank would give for the hand, including fractions"),
    ValueFeature("may_settle", "whether the seat has a settlement piece left"),
    of=(building_rules, network_rules, bank_trade_rules),
)
def own_purchases(game, params, seat, seen):
    seen[0] = nearness(game, params, seat, params.settlement_cost)
    seen[1] = nearness(game, params, seat, params.city_cost)
    seen[2] = nearness(game, params, seat, params.road_cost)
    seen[3] = worth_in_trade(game, params, seat)
    seen[4] = game.settlements_left[seat] > 0


DECK = tuple(ValueFeature(f"own_cards_{k}", "the seat's development cards of a kind") for k in range(NUM_CARDS))
PLAYABLE = tuple(
    ValueFeature(f"playable_{k}", "the seat's development cards of a kind, without those bought this turn")
    for k in range(NUM_CARDS)
)


@feature(
    *DECK,
    *PLAYABLE,
    ValueFeature("near_card", "nearness of the hand to a development card"),
    ValueFeature("card_played", "whether a development card was played this turn"),
    ValueFeature("deck_size", "development cards left in the stack"),
    of=(development_cards_rules, bank_trade_rules),
)
def own_development_cards(game, params, seat, seen):
    for card in range(NUM_CARDS):
        seen[card] = game.development_cards[seat, card]
        seen[NUM_CARDS + card] = game.development_cards[seat, card] - game.new_development_cards[seat, card]
    seen[2 * NUM_CARDS] = nearness(game, params, seat, params.development_card_cost)
    seen[2 * NUM_CARDS + 1] = game.card_played
    seen[2 * NUM_CARDS + 2] = deck_size(game)


@feature(ValueFeature("hidden_points", "the seat's hidden victory points"))
def own_hidden_points(game, params, seat, seen):
    seen[0] = HIDDEN_POINTS(game, params, seat)


@feature(
    ValueFeature("turn", "turns started so far, by all players"),
    ValueFeature("initial_placement", "whether the first turn has not started yet"),
    ValueFeature("rolled", "whether the dice were rolled this turn"),
    of=turns_rules,
)
def time_of_game(game, params, seat, seen):
    seen[0] = min(int(game.turn), LATE)
    seen[1] = game.turn == 0
    seen[2] = game.on_turn != NOBODY and game.rolls_made > 0
