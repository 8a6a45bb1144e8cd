"""Bank trade: 4:1, 3:1 at a generic harbor, or 2:1 at a special harbor."""

from catan_env.board.terrain import GENERIC_HARBOR
from catan_env.engine.declare import PLAYERS, Action, Count, Field, Number, answers, apply, legal, rule, set_up, when
from catan_env.engine.small_sets import EMPTY, members, only_if
from catan_env.games.base.resources import take
from catan_env.games.vocabulary import (
    BANK_TRADING,
    BUILDING_REMOVED,
    CARD_PAIRS,
    DEGREE,
    HAND_CARDS,
    INTERSECTIONS,
    NOBODY,
    NOTHING,
    RATE,
    SETTLEMENT_BUILT,
    TRADED,
)

FIELDS = (
    Field(
        "trade_rate",
        (PLAYERS, HAND_CARDS),
        "i1",
        0,
        30,
        "cards of a kind each player trades for one card with harbors",
        show=Count(),
    ),
)
NUMBERS = (
    Number("bank_rate", 4, "cards of a kind for one card of the bank without a harbor", 1, 30),
    Number("generic_harbor_rate", 3, "cards of a kind for one at a 3:1 harbor", 1, 30),
    Number("special_harbor_rate", 2, "cards of its kind for one at a 2:1 harbor", 1, 30),
)

TRADE_WITH_BANK = Action(
    "trade_with_bank",
    "trade {} with the bank",
    CARD_PAIRS,
    "enough cards for the seat's rate, and a card of the other kind in the bank",
)
ACTIONS = (TRADE_WITH_BANK,)


@rule("base.bank_trade.1")
@set_up
def set_rates(game, params):
    for player in range(PLAYERS):
        for card in range(HAND_CARDS):
            game.trade_rate[player, card] = params.bank_rate


@rule("base.bank_trade.2", "base.bank_trade.3")
@when(SETTLEMENT_BUILT)
def use_harbor(game, params, player, intersection):
    """A settlement lets its owner use every harbor at its intersection."""
    for k in range(DEGREE):
        coast_index = params.intersection_coast[intersection, k]
        if coast_index != NOTHING and game.harbor[coast_index] != NOTHING:
            harbor_kind = game.harbor[coast_index]
            if harbor_kind == GENERIC_HARBOR:
                for card in range(HAND_CARDS):
                    improve_rate(game, player, card, params.generic_harbor_rate)
            else:
                improve_rate(game, player, harbor_kind, params.special_harbor_rate)


@rule("base.bank_trade.2")
@when(BUILDING_REMOVED)
def lose_harbor(game, params, player, intersection):
    """The player keeps the use of harbors at their other buildings."""
    for card in range(HAND_CARDS):
        game.trade_rate[player, card] = params.bank_rate
    for other in range(INTERSECTIONS):
        if game.building_owner[other] == player:
            use_harbor(game, params, player, other)


@rule("base.bank_trade.2")
def improve_rate(game, player, card, rate):
    """Lower a player's trade rate to the given value, unless it is already lower."""
    game.trade_rate[player, card] = min(game.trade_rate[player, card], rate)


@rule("base.bank_trade.2")
@answers(RATE)
def rate_at_harbors(game, params, player, card):
    return int(game.trade_rate[player, card])


@rule("base.bank_trade.1", "base.bank_trade.4", "base.bank_trade.5", "base.bank_trade.6")
@legal(BANK_TRADING)
def bank_trades(game, params, seat, mask):
    affordable_cards = EMPTY
    for card in range(HAND_CARDS):
        held_count = int(game.hands[seat, card])
        affordable_cards |= only_if((held_count > 0) & (held_count >= RATE(game, params, seat, card)), card)
    for given_card in members(affordable_cards):
        for k in range(HAND_CARDS - 1):
            mask[TRADE_WITH_BANK + given_card * (HAND_CARDS - 1) + k] = game.bank[k + (k >= given_card)] > 0


def given_of(pair):
    """Return the kind of card that a pair of kinds gives to the bank."""
    return pair // (HAND_CARDS - 1)


def received_of(pair):
    """Return the kind of card that a pair of kinds takes from the bank."""
    received_index = pair % (HAND_CARDS - 1)
    return received_index + (received_index >= given_of(pair))


def forbid_giving(mask, card):
    """Forbid giving a kind of card to the bank; for `@legal(BANK_TRADING)` functions of later modules."""
    for k in range(HAND_CARDS - 1):
        mask[TRADE_WITH_BANK + card * (HAND_CARDS - 1) + k] = False


def forbid_receiving(mask, card):
    """Forbid receiving a kind of card from the bank; for `@legal(BANK_TRADING)` functions of later modules."""
    for given_card in range(HAND_CARDS):
        if given_card != card:
            mask[TRADE_WITH_BANK + given_card * (HAND_CARDS - 1) + card - (card > given_card)] = False


@rule("base.bank_trade.1")
@apply(TRADE_WITH_BANK)
def trade_with_bank(game, params, seat, pair):
    given_card = given_of(pair)
    received_card = received_of(pair)
    rate = RATE(game, params, seat, given_card)
    game.hands[seat, given_card] -= rate
    game.bank[given_card] += rate
    take(game, seat, received_card, 1)
    TRADED(game, params, seat, NOBODY)
