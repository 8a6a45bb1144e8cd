"""Gold fields: cards of one's choice.

Players choose in turn order, starting with the player who rolled, card by card, from what the bank has.
"""

from catan_env.board.terrain import GOLD
from catan_env.engine.decision_stack import decision_at_hand, pop
from catan_env.engine.declare import SETTLED, Event, rule, when
from catan_env.games.base.initial_placement import foundings
from catan_env.games.base.network import CITY
from catan_env.games.base.resources import CHOOSE_CARD, let_choose_cards, supply_size
from catan_env.games.vocabulary import (
    CORNERS,
    DEGREE,
    HEX_BLOCKED,
    HEXES,
    NOBODY_SEAT,
    NOTHING,
    PRODUCED,
    SETTLEMENT_BUILT,
    acts,
    to_the_left,
)

GOLD_FOUND = Event("gold_found", "gold brings `player` as many cards of choice as `where` says")


@rule("seafarers.gold.1")
@when(GOLD_FOUND)
def choose_for_gold(game, table, player, cards):
    if acts(table, player):
        let_choose_cards(game, player, cards)


@rule("seafarers.gold.1", "seafarers.gold.2")
@when(PRODUCED)
def find_gold(game, table, player, number):
    for hex in range(HEXES):
        if brings_gold(game, table, hex, number):
            for k in range(table.num_players - 1, -1, -1):
                owner = to_the_left(table, player, k)
                GOLD_FOUND(game, table, owner, gold_of(game, table, owner, number))
            break


@rule("seafarers.gold.1", "seafarers.gold.4")
def brings_gold(game, table, hex, number):
    """Whether a hex is a gold field that a roll makes bring cards."""
    if game.terrain[hex] != GOLD or game.number[hex] != number:
        return False
    return not HEX_BLOCKED(game, table, NOBODY_SEAT, hex)


@rule("seafarers.gold.1")
def gold_of(game, table, owner, number):
    """Cards of choice that a roll brings a player: one for each settlement on a gold field, two for each city."""
    cards = 0
    for hex in range(HEXES):
        if brings_gold(game, table, hex, number):
            for corner in range(CORNERS):
                intersection = table.hex_intersections[hex, corner]
                if intersection != NOTHING and game.building_owner[intersection] == owner:
                    cards += 1 + (game.building[intersection] == CITY)
    return cards


@rule("seafarers.gold.3")
@when(SETTLEMENT_BUILT)
def first_gold(game, table, player, intersection):
    """The last settlement of the founding brings a card of choice for each gold field it is on."""
    if game.turn == 0 and game.settlements_left[player] == table.settlements_per_player - foundings(table):
        cards = 0
        for k in range(DEGREE):
            hex = table.intersection_hexes[intersection, k]
            cards += hex != NOTHING and game.terrain[hex] == GOLD
        GOLD_FOUND(game, table, player, cards)


@rule("seafarers.gold.2")
@when(SETTLED)
def lapse_choices(game, table, player, where):
    """Cards due lapse when those who chose before have taken the last of the supply."""
    while decision_at_hand(game) == CHOOSE_CARD and supply_size(game) == 0:
        pop(game)
