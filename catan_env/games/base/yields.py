"""Production in which modules define what each hex yields; a replacement for `base.production`.

To replace that module, set `without = ["base.production"]` and `add_before."base.robber" = ["base.yields"]` in the
scenario file. Hexes produce according to their terrain unless a module answers `HEX_CARD`. Variants add terrains with
`add_terrain`. To single out a special hex, mark it in the map file, for example with `[marks.lake]`.
"""

from catan_env.board.terrain import DESERT
from catan_env.engine.declare import ANY, MOST, Question, rule, when
from catan_env.games.base import production
from catan_env.games.base.network import CITY
from catan_env.games.base.production import clear_income, share_out
from catan_env.games.vocabulary import (
    CORNERS,
    DICE_ROLLED,
    HEX_BLOCKED,
    HEX_CARD,
    HEXES,
    NOBODY,
    NOTHING,
    PRODUCED,
    SEVEN,
    holds_cards,
)

FIELDS = production.FIELDS
NUMBERS = production.NUMBERS

HEX_ROLLED = Question("hex_rolled", "whether hex `where` brings cards at the sum `game.dice` without showing it", ANY)
SECOND_HEX_CARD = Question(
    "second_hex_card",
    "kind of the other card that hex `where` brings a city of `player`, instead of its terrain",
    MOST,
    NOTHING,
)
FURTHER_CARDS = Question(
    "further_cards",
    "further cards of the first kind that a hex brings the building of `player` on intersection `where`",
)


@rule("base.production.1", "base.production.2")
@when(DICE_ROLLED)
def produce(game, params, player, number):
    clear_income(game)
    if number != SEVEN:
        for hex in range(HEXES):
            if game.number[hex] == number or HEX_ROLLED(game, params, player, hex):
                if not HEX_BLOCKED(game, params, NOBODY, hex):
                    claim(game, params, hex)
        share_out(game, params)
        PRODUCED(game, params, player, number)


@rule("base.production.1")
def claim(game, params, hex):
    """A settlement at the hex claims one card, and a city two, if the owner has a hand."""
    for corner in range(CORNERS):
        intersection = params.hex_intersections[hex, corner]
        if intersection != NOTHING:
            owner = game.building_owner[intersection]
            if owner != NOBODY and holds_cards(params, owner):
                card = first_card_of(game, params, owner, hex)
                if card != NOTHING:
                    game.income[owner, card] += 1 + FURTHER_CARDS(game, params, owner, intersection)
                    if game.building[intersection] == CITY:
                        game.income[owner, second_card_of(game, params, owner, hex, card)] += 1


@rule("base.production.1")
def first_card_of(game, params, owner, hex):
    """Return the kind of card that a hex yields to a building; NOTHING for none."""
    card = HEX_CARD(game, params, owner, hex)
    if card == NOTHING and game.terrain[hex] < DESERT:
        return int(params.first_card[game.terrain[hex]])
    return card


@rule("base.production.1")
def second_card_of(game, params, owner, hex, first_card):
    """Return the kind of the second card that a hex yields to a city; the first kind unless a module says otherwise."""
    card = SECOND_HEX_CARD(game, params, owner, hex)
    if card != NOTHING:
        return card
    if HEX_CARD(game, params, owner, hex) == NOTHING and game.terrain[hex] < DESERT:
        return int(params.second_card_of_city[game.terrain[hex]])
    return first_card
