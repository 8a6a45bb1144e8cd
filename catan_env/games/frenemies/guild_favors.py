"""Uses of favor tokens: the favors of the five guilds, victory chips, and token swaps.

The player on turn may use favors, after the roll unless `spend_time` allows them during the whole turn. They cannot be
used in the special building phase or a paired player's phase. A favor that would have no effect cannot be redeemed.
"""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
    when,
)
from catan_env.engine.stacks import move_card
from catan_env.games.base.bank_trade import given_of, received_of
from catan_env.games.base.building import let_build_free_roads
from catan_env.games.base.development_cards import deck_size, let_draw_card
from catan_env.games.base.network import can_build_road_somewhere
from catan_env.games.base.resources import bank_size, let_choose_cards, take
from catan_env.games.base.turns import PRE_ROLL
from catan_env.games.frenemies.favor_tokens import (
    GUILDS,
    MERCHANTS,
    NUM_GUILDS,
    OF_2012,
    ROAD_BUILDERS,
    SCHOLARS,
    TRADERS,
    favors_held,
    grant_favors,
    lay_out,
    old_favors,
    put_back,
    stock_size,
)
from catan_env.games.vocabulary import (
    CARD_PAIRS,
    HAND_CARDS,
    NOBODY,
    OWN_TURN,
    TRADED,
    TURN_ENDED,
    TURN_STARTED,
)

WHOLE_TURN = 1

FIELDS = (
    Field("favor_used", (), "u1", 0, 1, "whether a favor was redeemed or swapped this turn", show=Count()),
    Field("exchanges_left", (), "i1", 0, 100, "remaining 1:1 exchanges of the traders' favor", show=Count()),
    Field("chips", (PLAYERS,), "i1", 0, 100, "victory chips of each player", show=Count()),
    Field("chips_left", (), "i1", 0, 100, "remaining victory chips", show=Count()),
)
NUMBERS = (
    Number("favor_costs", (1, 1, 1, 2, 2), "tokens each favor costs: " + ", ".join(GUILDS), 1, 100),
    Number("exchanges_of_traders", 2, "1:1 exchanges with the bank of the traders' favor", 1, 100),
    Number("cards_of_merchants", 1, "resource cards of choice of the merchants' favor", 1, 30),
    Number("roads_of_road_builders", 1, "free roads of the road builders' favor", 1, 15),
    Number("victory_chips", 12, "victory chips in play, one point each", 0, 100),
    Number("victory_chips_of_2012", 8, "the same in the box of 2012 (`favor_set`)", 0, 100),
    Number(
        "spend_time",
        "after_roll",
        "time for favors: after the roll, or the whole turn",
        choices=("after_roll", "whole_turn"),
    ),
)

REDEEM_FAVOR = Action(
    "redeem_favor",
    "redeem a favor of the {}",
    GUILDS,
    "the price in tokens received in earlier turns, no other favor this turn, and a favor with an effect",
)
EXCHANGE = Action(
    "exchange",
    "exchange 1 {} through the traders",
    CARD_PAIRS,
    "an exchange left from the traders' favor, a card of the first kind in hand and one of the second in the bank",
)
SWAP_FAVOR = Action(
    "swap_favor",
    "draw a favor token and put one back",
    needs="a favor token, one in the stock, and no other favor this turn",
)
RETURN_FAVOR = Action("return_favor", "put a favor token of the {} back", GUILDS, "a token of this guild", OWNER)
ACTIONS = (REDEEM_FAVOR, EXCHANGE, SWAP_FAVOR, RETURN_FAVOR)

CHOOSE_RETURN = Decision("choose_return", "return a favor token to the stock")
CHIPS_CONSERVED = Invariant("chips_conserved", "chips of the players and remaining chips add up to all victory chips")


@rule("frenemies.favor_tokens.2")
def chips_in_play(params):
    """Return the number of victory chips in play."""
    return params.victory_chips_of_2012 if params.favor_set == OF_2012 else params.victory_chips


@rule("frenemies.favor_tokens.1")
@set_up
def lay_out_chips(game, params):
    game.chips_left = chips_in_play(params)


@rule("frenemies.guild_favors.3")
@when(TURN_STARTED)
def renew_favor(game, params, player, where):
    game.favor_used = False


@rule("frenemies.guild_favors.5")
@when(TURN_ENDED)
def end_exchanges(game, params, player, where):
    game.exchanges_left = 0


# -- redeeming ---------------------------------------------------------------------------------------------


def can_exchange(game, seat, give, get):
    """Return whether a seat could exchange one card with the bank at 1:1."""
    return game.hands[seat, give] > 0 and game.bank[get] > 0 and get != give


def can_exchange_something(game, seat):
    """Return whether a seat could exchange any card."""
    for given_card in range(HAND_CARDS):
        for received_card in range(HAND_CARDS):
            if can_exchange(game, seat, given_card, received_card):
                return True
    return False


@rule("frenemies.guild_favors.10")
def can_redeem(game, params, seat, guild):
    """Return whether a seat has the tokens for a guild's favor and the favor would have an effect."""
    if old_favors(game, seat, guild) < params.favor_costs[guild]:
        return False
    if guild == TRADERS:
        return can_exchange_something(game, seat)
    if guild == MERCHANTS:
        return bank_size(game) > 0
    if guild == ROAD_BUILDERS:
        return can_build_road_somewhere(game, seat)
    if guild == SCHOLARS:
        return deck_size(game) > 0
    return game.chips_left > 0


@rule("frenemies.guild_favors.2")
@legal(PRE_ROLL)
def may_use_favors_before_roll(game, params, seat, mask):
    if params.spend_time == WHOLE_TURN:
        may_use_favors(game, params, seat, mask)


@rule("frenemies.guild_favors.1", "frenemies.guild_favors.3", "frenemies.guild_favors.4")
@legal(OWN_TURN)
def may_use_favors(game, params, seat, mask):
    if not game.favor_used:
        for guild in range(NUM_GUILDS):
            mask[REDEEM_FAVOR + guild] = can_redeem(game, params, seat, guild)
        mask[SWAP_FAVOR] = favors_held(game, seat) > 0 and stock_size(game) > 0
    if game.exchanges_left > 0:
        for given_card in range(HAND_CARDS):
            for k in range(HAND_CARDS - 1):
                mask[EXCHANGE + given_card * (HAND_CARDS - 1) + k] = can_exchange(
                    game, seat, given_card, k + (k >= given_card)
                )


@rule(
    "frenemies.guild_favors.5",
    "frenemies.guild_favors.6",
    "frenemies.guild_favors.7",
    "frenemies.guild_favors.8",
    "frenemies.guild_favors.9",
)
@apply(REDEEM_FAVOR)
def redeem_favor(game, params, seat, guild):
    game.favor_used = True
    lay_out(game, seat, guild, params.favor_costs[guild])
    if guild == TRADERS:
        game.exchanges_left = params.exchanges_of_traders
    elif guild == MERCHANTS:
        let_choose_cards(game, seat, params.cards_of_merchants)
    elif guild == ROAD_BUILDERS:
        let_build_free_roads(game, seat, params.roads_of_road_builders)
    elif guild == SCHOLARS:
        let_draw_card(game, seat)
    else:
        game.chips[seat] += 1
        game.chips_left -= 1


@rule("frenemies.guild_favors.5")
@apply(EXCHANGE)
def exchange(game, params, seat, pair):
    given_card = given_of(pair)
    received_card = received_of(pair)
    game.exchanges_left -= 1
    move_card(game.hands[seat], game.bank, given_card)
    take(game, seat, received_card, 1)
    TRADED(game, params, seat, NOBODY)


# -- swapping ----------------------------------------------------------------------------------------------


@rule("frenemies.guild_favors.11")
@apply(SWAP_FAVOR)
def swap_favor(game, params, seat, argument):
    game.favor_used = True
    push(game, CHOOSE_RETURN, seat)
    grant_favors(game, seat, 1)


@rule("frenemies.guild_favors.11")
@legal(CHOOSE_RETURN)
def favors_to_return(game, params, seat, mask):
    for guild in range(NUM_GUILDS):
        mask[RETURN_FAVOR + guild] = game.favors[seat, guild] > 0


@rule("frenemies.guild_favors.11")
@apply(RETURN_FAVOR)
def return_favor(game, params, seat, guild):
    pop(game)
    put_back(game, seat, guild)


# -- chips -------------------------------------------------------------------------------------------------


@rule("frenemies.guild_favors.9")
@answers(PUBLIC_POINTS)
def points_of_chips(game, params, player, where):
    return game.chips[player]


@rule("frenemies.favor_tokens.1")
@checks(CHIPS_CONSERVED)
def chips_conserved(game, params):
    chip_count = int(game.chips_left)
    for player in range(PLAYERS):
        chip_count += game.chips[player]
    return chip_count == chips_in_play(params)
