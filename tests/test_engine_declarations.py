"""What a composition says to who writes a module: prices in kinds that nobody lists, parameters that do not fit."""

from catan_env.engine.declare import SETTLED, Axis, Kind, Number, when
from tests.coin_toy import module, refused, toy

STAMPS = Axis("stamps")
RED_STAMP = Kind("red_stamp", STAMPS)


def test_a_price_in_kinds_that_no_module_lists_is_refused():
    cost = Number("album_cost", (1, 2), "price of an album", over=STAMPS)
    refused(toy(module("albums", NUMBERS=(cost,), KINDS=(RED_STAMP,))), "'album_cost' has 1 values", "put red_stamp")
    refused(toy(module("albums", NUMBERS=(cost,))), "'album_cost' has 2 values", "KINDS", "coins put nothing")


@when(SETTLED)
def three_parameters(game, table, player):
    pass


def test_a_function_that_does_not_take_what_it_is_given_is_refused():
    refused(
        toy(module("clerk", three_parameters=three_parameters)),
        "clerk.three_parameters takes (game, table, player), but @when gives (game, table, player, where)",
    )
