"""A toy coin game, unrelated to Catan, for the tests of composition."""

import types

import pytest

from catan_env import Scenario
from catan_env.engine.decision_stack import CHANCE, RUNNING, finish, push, replace
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Decision,
    Draw,
    Event,
    Field,
    Invariant,
    Number,
    Question,
    Size,
    answers,
    apply,
    checks,
    legal,
    outcome,
    set_up,
    weights,
    when,
)
from catan_env.engine.program import Program
from catan_env.engine.scenario import Facts
from catan_env.errors import CompositionError

PILES = Size("piles")
COINS = Field("coins", (PLAYERS,), "i2", 0, 1000, "coins of each player")
LEFT = Field("left", (), "i2", 0, 1000, "flips left")
FLIPS = Number("flips", 6, "flips of a game", 0, 100)
BET = Action("bet", "bet on {}", ("heads", "tails"), "one's turn")
CHOOSE = Decision("choose", "bet on a side")
FLIP = Draw("flip", "the coin shows {}", ("heads", "tails"))
WON_COIN = Event("won_coin", "`player` has won a coin")
BONUS = Event("bonus", "`player` gets a bonus")
WEALTH = Question("wealth", "coins of a player")
NOT_NEGATIVE = Invariant("not_negative", "nobody owes coins")


@set_up
def begin(game, params):
    game.left = params.flips
    push(game, CHOOSE, 0)


@legal(CHOOSE)
def sides(game, params, seat, mask):
    mask[BET] = True
    mask[BET + 1] = True


@apply(BET)
def bet(game, params, seat, side):
    game.left -= 1
    game.coins[seat] += side
    replace(game, FLIP, CHANCE)


@weights(FLIP)
def fair(game, params, weights):
    weights[0] = 1
    weights[1] = 1


@outcome(FLIP)
def fall(game, params, side):
    replace(game, CHOOSE, game.left % params.num_players)
    if side == 1:
        WON_COIN(game, params, game.left % params.num_players, 0)


@when(WON_COIN)
def pay_out(game, params, player, where):
    game.coins[player] += 10


@when(ACTION_RESOLVED)
def end(game, params, player, where):
    if game.left <= 0 and game.ended == RUNNING:
        finish(game, 1 << int(game.coins[1] > game.coins[0]))


@answers(PUBLIC_POINTS)
def coins_as_points(game, params, player, where):
    return game.coins[player]


@checks(NOT_NEGATIVE)
def not_negative(game, params):
    for player in range(PLAYERS):
        if game.coins[player] < 0:
            return False
    return True


def module(name="coins", **members):
    """Return a rule module that has no file; any namespace works."""
    return types.SimpleNamespace(__name__=name, **members)


def members(functions, **declarations):
    return {**{function.__name__: function for function in functions}, **declarations}


TOY = members(
    [begin, sides, bet, fair, fall, pay_out, end, coins_as_points, not_negative],
    FIELDS=(COINS, LEFT),
    NUMBERS=(FLIPS,),
    ACTIONS=(BET,),
)


def scenario(*modules, **changes):
    """Return a toy scenario with these modules."""
    options = {"name": "coins", "version": 0, "title": "Coins", "summary": "", "facts": Facts((2,))}
    return Scenario(**{**options, "modules": modules, **changes})


def toy(*more, without=(), name="coins", **changes):
    """Return the toy game with members left out or replaced, and with more modules."""
    kept = {key: value for key, value in {**TOY, **changes}.items() if key not in without}
    return scenario(module(**kept), *more, name=name)


def refused(new, *words):
    with pytest.raises(CompositionError) as caught:
        Program(new).params(new.values(Program(new).composition.numbers, 2, {}), new.board)
    for word in words:
        assert word in str(caught.value), f"{word!r} is not in {caught.value!s}"
