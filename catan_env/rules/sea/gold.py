"""Gold fields: cards of one's choice.

Sources: seafarers.md 4. Who gets gold chooses in turn order, from the player who rolled on, card by card from what the
supply has; what it has no more lapses.
"""

from catan_env.board.terrain import GOLD
from catan_env.engine.declare import SETTLED, Event, when
from catan_env.engine.eights import eights, equal_to, first_of
from catan_env.engine.queue import decision_at_hand, pop
from catan_env.rules.base.founding import foundings
from catan_env.rules.base.network import CITY
from catan_env.rules.base.resources import CHOOSE_CARD, let_choose_cards, supply_size
from catan_env.rules.vocabulary import (
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


@when(GOLD_FOUND)
def choose_for_gold(game, table, player, cards):
    if acts(table, player):
        let_choose_cards(game, player, cards)


@when(PRODUCED)
def find_gold(game, table, player, number):
    for k in range(eights(HEXES)):
        rolled = equal_to(game.number, k, number)
        while rolled:
            if brings_gold(game, table, first_of(rolled, k)):
                for j in range(table.num_players - 1, -1, -1):
                    owner = to_the_left(table, player, j)
                    GOLD_FOUND(game, table, owner, gold_of(game, table, owner, number))
                return
            rolled &= rolled - 1


def brings_gold(game, table, hex):
    """Whether a hex, whose number is rolled, is a gold field that brings cards."""
    return game.terrain[hex] == GOLD and not HEX_BLOCKED(game, table, NOBODY_SEAT, hex)


def gold_of(game, table, owner, number):
    """Cards of choice that a roll brings a player: one for each settlement on a gold field, two for each city."""
    cards = 0
    for k in range(eights(HEXES)):
        rolled = equal_to(game.number, k, number)
        while rolled:
            hex = first_of(rolled, k)
            rolled &= rolled - 1
            if brings_gold(game, table, hex):
                for corner in range(CORNERS):
                    intersection = table.hex_intersections[hex, corner]
                    if intersection != NOTHING and game.building_owner[intersection] == owner:
                        cards += 1 + (game.building[intersection] == CITY)
    return cards


@when(SETTLEMENT_BUILT)
def first_gold(game, table, player, intersection):
    """The last settlement of the founding brings a card of choice for each gold field it is on."""
    if game.turn == 0 and game.settlements_left[player] == table.settlements_per_player - foundings(table):
        cards = 0
        for k in range(DEGREE):
            hex = table.intersection_hexes[intersection, k]
            cards += hex != NOTHING and game.terrain[hex] == GOLD
        GOLD_FOUND(game, table, player, cards)


@when(SETTLED)
def lapse_choices(game, table, player, where):
    """Cards due lapse when those who chose before have taken the last of the supply."""
    while decision_at_hand(game) == CHOOSE_CARD and supply_size(game) == 0:
        pop(game)
