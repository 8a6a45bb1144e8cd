"""The merchant: its owner trades the resource of its hex with the bank at 2:1 and scores an extra point."""

from catan_env.board.terrain import DESERT
from catan_env.engine.bitset import where_equal
from catan_env.engine.declare import (
    PUBLIC_POINTS,
    Feature,
    Field,
    Number,
    SeatFlag,
    answers,
    rule,
    shows,
)
from catan_env.games.vocabulary import DEGREE, HEXES, NOBODY, NOTHING, RATE

FIELDS = (
    Field("merchant", (), "i1", NOTHING, 127, "hex of the merchant, -1 off the board", NOTHING, along=HEXES),
    Field(
        "merchant_owner",
        (),
        "i1",
        NOBODY,
        7,
        "seat that has the merchant",
        NOBODY,
        show=SeatFlag(),
    ),
)
NUMBERS = (
    Number("merchant_rate", 2, "cards of the merchant's resource for one card", 1, 30),
    Number("merchant_points", 1, "victory points of the merchant", 0, 100),
)

MERCHANT_HEX = Feature("merchant", HEXES, 1, "where the merchant stands")


@rule("cities_and_knights.merchant_piece.1", "cities_and_knights.merchant_piece.2")
def takes_merchant(game, seat, hex):
    """Return whether a player may place the merchant on a hex: a resource or desert hex not holding their merchant."""
    return game.terrain[hex] <= DESERT and not (hex == game.merchant and game.merchant_owner == seat)


def mark_merchant(game, params, seat, first, mask):
    """Mark the hexes next to a player's buildings where the merchant may go, with action ids starting at `first`."""
    for intersection in where_equal(game.building_owner, seat):
        for side in range(DEGREE):
            hex = params.intersection_hexes[intersection, side]
            if hex != NOTHING:
                mask[first + hex] = takes_merchant(game, seat, hex)


@rule("cities_and_knights.merchant_piece.1")
@shows(MERCHANT_HEX)
def merchant_on_hex(game, params, seat, hex):
    return game.merchant == hex


@rule("cities_and_knights.merchant_piece.1")
@answers(RATE)
def rate_of_merchant(game, params, player, card):
    if game.merchant_owner == player and game.merchant != NOTHING:
        terrain = game.terrain[game.merchant]
        if terrain < DESERT and params.first_card[terrain] == card:
            return params.merchant_rate
    return 127


@rule("cities_and_knights.merchant_piece.1")
@answers(PUBLIC_POINTS)
def points_of_merchant(game, params, player, where):
    return params.merchant_points * (game.merchant_owner == player)
