"""Trade with the supply: 4:1, 3:1 at a generic harbor, 2:1 at a special one."""

from catan_env.board.terrain import GENERIC_HARBOR
from catan_env.engine.bitset import lowest
from catan_env.engine.declare import PLAYERS, Action, Count, Field, Number, answers, apply, legal, rule, set_up, when
from catan_env.games.base.resources import take
from catan_env.games.vocabulary import (
    CARD_PAIRS,
    CARDS,
    DEGREE,
    NOBODY_SEAT,
    NOTHING,
    RATE,
    SETTLEMENT_BUILT,
    SUPPLY_TRADING,
    TRADED,
)

FIELDS = (
    Field(
        "trade_rate",
        (PLAYERS, CARDS),
        "i1",
        0,
        30,
        "cards of a kind each player gives for one of another at the harbors",
        show=Count(),
    ),
)
NUMBERS = (
    Number("supply_rate", 4, "cards of a kind for one from the supply without a harbor", 1, 30),
    Number("generic_harbor_rate", 3, "cards of a kind for one at a 3:1 harbor", 1, 30),
    Number("special_harbor_rate", 2, "cards of its kind for one at a 2:1 harbor", 1, 30),
)

TRADE_WITH_SUPPLY = Action(
    "trade_with_supply",
    "trade {} with the supply",
    CARD_PAIRS,
    "as many cards as one's rate and a card of the other kind in the supply",
)
ACTIONS = (TRADE_WITH_SUPPLY,)


@rule("base.bank_trade.1")
@set_up
def set_rates(game, table):
    for player in range(PLAYERS):
        for card in range(CARDS):
            game.trade_rate[player, card] = table.supply_rate


@rule("base.bank_trade.2", "base.bank_trade.3")
@when(SETTLEMENT_BUILT)
def use_harbor(game, table, player, intersection):
    """A settlement gives its owner every harbor at its intersection."""
    for k in range(DEGREE):
        place = table.intersection_coast[intersection, k]
        if place != NOTHING and game.harbor[place] != NOTHING:
            kind = game.harbor[place]
            if kind == GENERIC_HARBOR:
                for card in range(CARDS):
                    improve_rate(game, player, card, table.generic_harbor_rate)
            else:
                improve_rate(game, player, kind, table.special_harbor_rate)


@rule("base.bank_trade.2")
def improve_rate(game, player, card, rate):
    """Lowers a player's rate, if it is not as low already."""
    game.trade_rate[player, card] = min(game.trade_rate[player, card], rate)


@rule("base.bank_trade.2")
@answers(RATE)
def rate_at_harbors(game, table, player, card):
    return int(game.trade_rate[player, card])


@rule("base.bank_trade.1", "base.bank_trade.4", "base.bank_trade.5", "base.bank_trade.6")
@legal(SUPPLY_TRADING)
def supply_trades(game, table, seat, mask):
    enough = 0
    for card in range(CARDS):
        held = int(game.hands[seat, card])
        enough |= int((held > 0) & (held >= RATE(game, table, seat, card))) << card
    while enough:
        give = lowest(enough)
        enough &= enough - 1
        for k in range(CARDS - 1):
            mask[TRADE_WITH_SUPPLY + give * (CARDS - 1) + k] = game.supply[k + (k >= give)] > 0


def given_of(pair):
    """The kind of card given in a pair."""
    return pair // (CARDS - 1)


def received_of(pair):
    """The kind of card received in a pair."""
    get = pair % (CARDS - 1)
    return get + (get >= given_of(pair))


@rule("base.bank_trade.1")
@apply(TRADE_WITH_SUPPLY)
def trade_with_supply(game, table, seat, pair):
    give = given_of(pair)
    get = received_of(pair)
    rate = RATE(game, table, seat, give)
    game.hands[seat, give] -= rate
    game.supply[give] += rate
    take(game, seat, get, 1)
    TRADED(game, table, seat, NOBODY_SEAT)
