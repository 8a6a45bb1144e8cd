"""Whole payments: if the bank cannot pay all claims for a kind of card, it pays none, even to a single player.

Under the game's rules, a sole claimant gets whatever cards are left. Used by the scenario "base+whole_payments". This
module reads `income` as `base.production` leaves it.
"""

from catan_env.board.terrain import DESERT
from catan_env.engine.bitset import where_equal
from catan_env.engine.declare import PLAYERS, rule, when
from catan_env.games.base.network import CITY
from catan_env.games.vocabulary import CORNERS, DICE_ROLLED, HAND_CARDS, HEX_BLOCKED, NOBODY, NOTHING, SEVEN


@rule("options.whole_payments.1")
@when(DICE_ROLLED)
def return_part_payments(game, params, player, number):
    """Return partial payments to the bank. A partial payment always leaves the bank with no cards of that kind."""
    if number != SEVEN:
        for card in range(HAND_CARDS):
            payee = only_payee(game, card)
            if payee != NOBODY and game.bank[card] == 0:
                paid_count = int(game.income[payee, card])
                if claims_of(game, params, number, payee, card) > paid_count:
                    game.hands[payee, card] -= paid_count
                    game.bank[card] += paid_count
                    game.income[payee, card] = 0


def only_payee(game, card):
    """Return the only player with income of a kind, or NOBODY."""
    payee = NOBODY
    for owner in range(PLAYERS):
        if game.income[owner, card] > 0:
            if payee != NOBODY:
                return NOBODY
            payee = owner
    return payee


def claims_of(game, params, number, player, card):
    """Return how many cards of a kind a player claims for a roll."""
    claimed_count = 0
    for hex in where_equal(game.number, number):
        terrain = game.terrain[hex]
        if terrain < DESERT and not HEX_BLOCKED(game, params, NOBODY, hex):
            for corner in range(CORNERS):
                intersection = params.hex_intersections[hex, corner]
                if intersection != NOTHING and game.building_owner[intersection] == player:
                    claimed_count += params.first_card[terrain] == card
                    if game.building[intersection] == CITY:
                        claimed_count += params.second_card_of_city[terrain] == card
    return claimed_count
