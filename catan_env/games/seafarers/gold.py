"""Gold fields: they produce resources of the player's choice.

Players choose one card at a time from the bank, in turn order, starting with the player who rolled.
"""

from catan_env.board.terrain import GOLD
from catan_env.engine.bitset import where_equal
from catan_env.engine.decision_stack import current_decision, pop
from catan_env.engine.declare import ACTION_RESOLVED, Event, rule, when
from catan_env.games.base.building import settlements_of
from catan_env.games.base.initial_placement import initial_settlements_each
from catan_env.games.base.network import CITY
from catan_env.games.base.resources import CHOOSE_CARD, bank_size, let_choose_cards
from catan_env.games.vocabulary import (
    CORNERS,
    DEGREE,
    HEX_BLOCKED,
    NOBODY,
    NOTHING,
    PRODUCED,
    SETTLEMENT_BUILT,
    acts,
    to_the_left,
)

GOLD_FOUND = Event("gold_found", "`player` takes `where` cards of any kind for gold")


@rule("seafarers.gold.1")
@when(GOLD_FOUND)
def choose_for_gold(game, params, player, cards):
    if acts(params, player):
        let_choose_cards(game, player, cards)


@rule("seafarers.gold.1", "seafarers.gold.2", "seafarers.gold.4")
@when(PRODUCED)
def find_gold(game, params, player, number):
    for hex in gold_fields(game, number):
        if not HEX_BLOCKED(game, params, NOBODY, hex):
            for k in range(params.num_players - 1, -1, -1):
                owner = to_the_left(params, player, k)
                GOLD_FOUND(game, params, owner, gold_of(game, params, owner, number))
            break


def gold_fields(game, number):
    """Return the gold fields with a given number."""
    return where_equal(game.terrain, GOLD) & where_equal(game.number, number)


@rule("seafarers.gold.1", "seafarers.gold.4")
def gold_of(game, params, owner, number):
    """Return how many cards a roll brings a player: one per settlement and two per city at gold fields."""
    card_count = 0
    for hex in gold_fields(game, number):
        if not HEX_BLOCKED(game, params, NOBODY, hex):
            for corner in range(CORNERS):
                intersection = params.hex_intersections[hex, corner]
                if intersection != NOTHING and game.building_owner[intersection] == owner:
                    card_count += 1 + (game.building[intersection] == CITY)
    return card_count


@rule("seafarers.gold.3")
@when(SETTLEMENT_BUILT)
def first_gold(game, params, player, intersection):
    """The last starting settlement brings one card of the player's choice for each adjacent gold field."""
    if game.turn == 0 and settlements_of(game, params, player) == initial_settlements_each(game, params, player):
        card_count = 0
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            card_count += hex != NOTHING and game.terrain[hex] == GOLD
        GOLD_FOUND(game, params, player, card_count)


@rule("seafarers.gold.2")
@when(ACTION_RESOLVED)
def lapse_choices(game, params, player, where):
    """Any pending choices lapse once the bank is empty."""
    while current_decision(game) == CHOOSE_CARD and bank_size(game) == 0:
        pop(game)
