"""Production: what a roll brings."""

from catan_env.board.terrain import DESERT
from catan_env.engine.bitset import blocks, equal_to, first_of
from catan_env.engine.declare import PLAYERS, Count, Field, Number, rule, when
from catan_env.games.base.network import CITY
from catan_env.games.vocabulary import (
    CARDS,
    CORNERS,
    DICE_ROLLED,
    HEX_BLOCKED,
    HEXES,
    NOBODY_SEAT,
    NOTHING,
    PRODUCED,
    SEVEN,
    holds_cards,
)

FIELDS = (Field("income", (PLAYERS, CARDS), "i1", 0, 120, "cards each player got from the last roll", show=Count()),)
TERRAINS = ", ".join(("forest", "hills", "pasture", "fields", "mountains"))
NUMBERS = (
    Number("first_card", (0, 1, 2, 3, 4), f"kind of the card of a building: {TERRAINS}", along=CARDS),
    Number("second_card_of_city", (0, 1, 2, 3, 4), f"kind of the other card of a city: {TERRAINS}", along=CARDS),
)


@rule("base.production.1", "base.production.2")
@when(DICE_ROLLED)
def produce(game, table, player, number):
    for owner in range(PLAYERS):
        for card in range(CARDS):
            game.income[owner, card] = 0
    if number != SEVEN:
        for k in range(blocks(HEXES)):
            rolled = equal_to(game.number, k, number)
            while rolled:
                hex = first_of(rolled, k)
                rolled &= rolled - 1
                if game.terrain[hex] < DESERT and not HEX_BLOCKED(game, table, NOBODY_SEAT, hex):
                    claim(game, table, hex)
        share_out(game, table)
        PRODUCED(game, table, player, number)


@rule("base.production.1")
def claim(game, table, hex):
    """One card for each settlement on a hex, two for each city, if its owner has a hand."""
    terrain = game.terrain[hex]
    for corner in range(CORNERS):
        intersection = table.hex_intersections[hex, corner]
        if intersection != NOTHING:
            owner = game.building_owner[intersection]
            if owner != NOBODY_SEAT and holds_cards(table, owner):
                game.income[owner, table.first_card[terrain]] += 1
                if game.building[intersection] == CITY:
                    game.income[owner, table.second_card_of_city[terrain]] += 1


@rule("base.production.1", "base.production.3", "base.production.4")
def share_out(game, table):
    """Hands out what was claimed."""
    for card in range(CARDS):
        claimed = 0
        for owner in range(PLAYERS):
            claimed += int(game.income[owner, card])
        if claimed > game.supply[card]:
            claimed = ration(game, card)
        for owner in range(PLAYERS):
            game.hands[owner, card] += game.income[owner, card]
        game.supply[card] -= claimed


@rule("base.production.3")
def ration(game, card):
    """If the supply cannot meet all claims nobody gets any, unless only one player has a claim, who gets what is left.
    Returns the cards handed out."""
    claimants = 0
    for owner in range(PLAYERS):
        claimants += game.income[owner, card] > 0
    shared = int(game.supply[card]) if claimants == 1 else 0
    for owner in range(PLAYERS):
        if game.income[owner, card] > 0:
            game.income[owner, card] = shared
    return shared
