"""Terms for Troy: ships and commerce points, the war, and the expected contents of the pool.

The pool is hidden; the terms assume that every card the seat cannot see is equally likely to be in it.
"""

from catan_agents.evaluation.base import cards_of_seat, nearness
from catan_agents.evaluation.terms import Term, measures
from catan_env.board.terrain import SEA
from catan_env.engine.decision_stack import current_decision
from catan_env.games.base import bank_trade as bank_trade_rules
from catan_env.games.base import network as network_rules
from catan_env.games.base import production as production_rules
from catan_env.games.troy import donations as donation_rules
from catan_env.games.troy import fleet as fleet_rules
from catan_env.games.troy import war as war_rules
from catan_env.games.troy.allegiance import NUM_CITIES
from catan_env.games.troy.donations import DONATE_MORE, pool_size
from catan_env.games.troy.fleet import reaches, ships_of
from catan_env.games.vocabulary import (
    CARDS_IN_PLAY,
    HAND_CARDS,
    HEXES,
    NOBODY,
)

# -- ships -------------------------------------------------------------------------------------------------


def commerce_of(game, params, seat):
    """Return a seat's commerce points, including those for a donation in progress."""
    under_way = game.on_turn == seat and current_decision(game) == DONATE_MORE
    return int(game.commerce[seat]) + (params.commerce_of_donation if under_way else 0)


@measures(
    Term("ship_place", "1 if the seat has a place for its next ship", 0.8),
    of=(fleet_rules, network_rules),
    memo=True,
)
def places_for_ships(game, params, seat, pool):
    """Return 1 if the seat has a place for its next ship, else 0.

    The term applies once the seat has two buildings, which is early enough to reach the sea.
    """
    building_pieces = params.settlements_per_player - game.settlements_left[seat] + params.cities_per_player
    if game.ships_left[seat] > 0 and building_pieces - game.cities_left[seat] > 1:
        for hex in range(HEXES):
            if game.terrain[hex] == SEA and game.ship_owner[hex] == NOBODY and reaches(game, params, seat, hex):
                return 1.0
    return 0.0


@measures(
    Term("ships", "ships that the seat has built", 0.8),
    Term("ship_points_ahead", "progress to the next ship that scores, times its points", 0.5),
    Term("commerce", "commerce points, up to the cost of the next two ships", 0.2),
    Term("near_ship", "nearness of the hand to a ship, if the seat has the commerce points", 0.5),
    of=(fleet_rules, donation_rules, bank_trade_rules),
)
def ships_and_commerce(game, params, seat, pool):
    ships = ships_of(game, params, seat)
    last_scoring_ship = 0
    points_ahead = 0.0
    for ship in range(params.ships_per_player):
        if params.ship_points[ship] > 0:
            if ship + 1 > ships:
                points_ahead = params.ship_points[ship] * (ships - last_scoring_ship) / (ship + 1 - last_scoring_ship)
                break
            last_scoring_ship = ship + 1
    ships_left = int(game.ships_left[seat])
    commerce = commerce_of(game, params, seat)
    near_ship = (
        nearness(game, params, seat, params.ship_cost) if ships_left > 0 and commerce >= params.ship_commerce else 0.0
    )
    return ships, points_ahead, min(commerce, min(ships_left, 2) * params.ship_commerce), near_ship


# -- the war -----------------------------------------------------------------------------------------------


@measures(
    Term("war_cards", "expected cards per roll that support the seat's city", 0.8),
    Term("ships_to_expect", "ships that the expected cards of a roll pay for, without trade", 3.0),
    of=(war_rules, fleet_rules, production_rules, network_rules),
    memo=True,
)
def cards_for_war_and_ships(game, params, seat, pool):
    cards_of_seat(game, params, seat, pool)
    war_cards = 0.0
    ships = 1.0
    for card in range(HAND_CARDS):
        if params.card_supports[card] == game.side[seat] + 1:
            war_cards += pool[card]
        if params.ship_cost[card] > 0:
            ships = min(ships, pool[card] / params.ship_cost[card])
    return war_cards, ships


@measures(
    Term("pool_balance", "expected surplus of cards for the seat's city over the other one, in a full pool", 0.2),
    Term("donated", "cards donated by all players, in the pool and for battles won", -0.1),
    of=(war_rules, donation_rules),
)
def war_and_pool(game, params, seat, pool):
    balance = 0
    unseen_count = 0
    for card in range(HAND_CARDS):
        card_count = CARDS_IN_PLAY(game, params, NOBODY, card) - int(game.bank[card]) - int(game.hands[seat, card])
        unseen_count += card_count
        if params.card_supports[card] == game.side[seat] + 1:
            balance += card_count
        elif params.card_supports[card] > 0:
            balance -= card_count
    battle_count = 0
    for city in range(NUM_CITIES):
        battle_count += int(game.battles_won[city])
    cards_donated = pool_size(game) + params.cards_of_battle * battle_count
    return params.pool_of_battle * balance / unseen_count if unseen_count > 0 else 0.0, cards_donated
