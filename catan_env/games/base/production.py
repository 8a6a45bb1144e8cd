"""Production: hexes with the rolled number yield cards to the buildings around them."""

from catan_env.board.terrain import DESERT
from catan_env.engine.bitset import where_equal
from catan_env.engine.declare import PLAYERS, Count, Field, Number, rule, when
from catan_env.games.base.network import CITY
from catan_env.games.vocabulary import (
    CORNERS,
    DICE_ROLLED,
    HAND_CARDS,
    HEX_BLOCKED,
    NOBODY,
    NOTHING,
    PRODUCED,
    SEVEN,
    holds_cards,
)

FIELDS = (
    Field(
        "income",
        (PLAYERS, HAND_CARDS),
        "i1",
        0,
        120,
        "cards that each player received from the last roll",
        show=Count(),
    ),
)
TERRAINS = ", ".join(("forest", "hills", "pasture", "fields", "mountains"))
NUMBERS = (
    Number("first_card", (0, 1, 2, 3, 4), f"kind of card that a building receives: {TERRAINS}", along=HAND_CARDS),
    Number(
        "second_card_of_city",
        (0, 1, 2, 3, 4),
        f"kind of the second card that a city receives: {TERRAINS}",
        along=HAND_CARDS,
    ),
)


@rule("base.production.1", "base.production.2")
@when(DICE_ROLLED)
def produce(game, params, player, number):
    clear_income(game)
    if number != SEVEN:
        for hex in where_equal(game.number, number):
            if game.terrain[hex] < DESERT and not HEX_BLOCKED(game, params, NOBODY, hex):
                claim(game, params, hex)
        share_out(game, params)
        PRODUCED(game, params, player, number)


def clear_income(game):
    """Clear the cards gained from the last roll."""
    for owner in range(PLAYERS):
        for card in range(HAND_CARDS):
            game.income[owner, card] = 0


@rule("base.production.1")
def claim(game, params, hex):
    """A settlement at the hex claims one card, and a city two, if the owner has a hand."""
    terrain = game.terrain[hex]
    for corner in range(CORNERS):
        intersection = params.hex_intersections[hex, corner]
        if intersection != NOTHING:
            owner = game.building_owner[intersection]
            if owner != NOBODY and holds_cards(params, owner):
                game.income[owner, params.first_card[terrain]] += 1
                if game.building[intersection] == CITY:
                    game.income[owner, params.second_card_of_city[terrain]] += 1


@rule("base.production.1", "base.production.3", "base.production.4")
def share_out(game, params):
    """Pay all claims from the bank."""
    for card in range(HAND_CARDS):
        cards_due = 0
        for owner in range(PLAYERS):
            cards_due += int(game.income[owner, card])
        if cards_due > game.bank[card]:
            cards_due = ration(game, card)
        for owner in range(PLAYERS):
            game.hands[owner, card] += game.income[owner, card]
        game.bank[card] -= cards_due


@rule("base.production.3")
def ration(game, card):
    """If the bank cannot meet all claims, nobody is paid, except that a sole claimant gets whatever is left.

    Return the number of cards that the bank pays.
    """
    claimant_count = 0
    for owner in range(PLAYERS):
        claimant_count += game.income[owner, card] > 0
    cards_each = int(game.bank[card]) if claimant_count == 1 else 0
    for owner in range(PLAYERS):
        if game.income[owner, card] > 0:
            game.income[owner, card] = cards_each
    return cards_each
