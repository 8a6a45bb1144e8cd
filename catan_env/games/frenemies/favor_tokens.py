"""Favor tokens from five guilds: drawn at random from a stock, held in hand and laid out when redeemed.

Each token drawn is a chance outcome, and the most recently granted tokens are drawn first. When the stock is empty, any
remaining draws lapse.
"""

from catan_env.engine.dealing import deal_stack_again
from catan_env.engine.decision_stack import CHANCE, current_decision, head_argument, pop, push
from catan_env.engine.declare import (
    HIDDEN,
    OWNER,
    PLAYERS,
    Count,
    Draw,
    Feature,
    Field,
    Invariant,
    Number,
    checks,
    outcome,
    redeals,
    rule,
    set_up,
    shows,
    weights,
    when,
)
from catan_env.engine.stacks import clear_row, move_card, weigh_stack
from catan_env.games.vocabulary import TURN_STARTED, count_of

GUILDS = ("traders", "merchants", "road_builders", "scholars", "master_builders")
NUM_GUILDS = 5
TRADERS, MERCHANTS, ROAD_BUILDERS, SCHOLARS, MASTER_BUILDERS = range(NUM_GUILDS)
BY_PLAYERS, OF_2012 = 0, 1

FIELDS = (
    Field(
        "favors",
        (PLAYERS, NUM_GUILDS),
        "i1",
        0,
        100,
        "favor tokens in hand",
        visible=OWNER,
        show=Count(),
        total=True,
        labels=GUILDS,
    ),
    Field(
        "new_favors",
        (PLAYERS, NUM_GUILDS),
        "i1",
        0,
        100,
        "favor tokens received since the start of the owner's last turn",
        visible=OWNER,
        show=Count(),
        total=True,
        labels=GUILDS,
    ),
    Field("favor_stock", (NUM_GUILDS,), "i1", 0, 100, "favor tokens in the stock", visible=HIDDEN),
    Field(
        "favors_redeemed",
        (NUM_GUILDS,),
        "i1",
        0,
        100,
        "favor tokens that all players have redeemed",
        show=Count(),
        labels=GUILDS,
    ),
)
NUMBERS = (
    Number("favor_tokens", (8, 8, 8, 16, 16), "tokens of each guild in play: " + ", ".join(GUILDS), 0, 100),
    Number("favor_tokens_of_2012", (8, 8, 8, 17, 17), "the same in the set of 2012 (`favor_set`)", 0, 100),
    Number(
        "favor_set",
        "by_players",
        "tokens and chips in proportion to the players, or those published in 2012",
        choices=("by_players", "of_2012"),
    ),
)

DRAW_FAVOR = Draw("draw_favor", "the favor token is one of the {}", GUILDS, OWNER, argument=PLAYERS)
FAVORS_IN_STOCK = Feature("favors_in_stock", None, 255, "favor tokens left in the stock")
FAVORS_CONSERVED = Invariant("favors_conserved", "stock, hands and redeemed tokens add up to all favor tokens")


@rule("frenemies.favor_tokens.2")
def tokens_in_play(params, guild):
    """Return the number of a guild's tokens in play."""
    return params.favor_tokens_of_2012[guild] if params.favor_set == OF_2012 else params.favor_tokens[guild]


@rule("frenemies.favor_tokens.1", "frenemies.favor_tokens.7")
@set_up
def fill_stock(game, params):
    for guild in range(NUM_GUILDS):
        game.favor_stock[guild] = tokens_in_play(params, guild)


def stock_size(game):
    """Return the number of tokens in the stock."""
    return count_of(game.favor_stock)


def favors_held(game, player):
    """Return the number of tokens that a player holds."""
    return count_of(game.favors[player])


@rule("frenemies.favor_tokens.5")
@shows(FAVORS_IN_STOCK)
def show_stock_size(game, params, seat, index):
    return min(stock_size(game), 255)


@rule("frenemies.favor_tokens.8")
@when(TURN_STARTED)
def favors_become_old(game, params, player, where):
    clear_row(game.new_favors[player])


# -- drawing -----------------------------------------------------------------------------------------------


@rule("frenemies.favor_tokens.4")
def grant_favors(game, player, number):
    """Let a player draw tokens before any other decision, unless the stock is empty."""
    if stock_size(game) > 0:
        for _ in range(number):
            push(game, DRAW_FAVOR, CHANCE, player)


@rule("frenemies.favor_tokens.3")
@weights(DRAW_FAVOR)
def tokens_in_stock(game, params, weights):
    weigh_stack(game.favor_stock, weights)


@rule("frenemies.favor_tokens.3", "frenemies.favor_tokens.4")
@outcome(DRAW_FAVOR)
def draw_favor(game, params, guild):
    player = head_argument(game)
    pop(game)
    move_card(game.favor_stock, game.favors[player], guild)
    game.new_favors[player, guild] += 1
    if stock_size(game) == 0:
        while current_decision(game) == DRAW_FAVOR:
            pop(game)


# -- giving away -------------------------------------------------------------------------------------------


@rule("frenemies.favor_tokens.8")
def old_favors(game, player, guild):
    """Return how many of a guild's tokens a player may redeem: those not received this turn."""
    return game.favors[player, guild] - game.new_favors[player, guild]


@rule("frenemies.favor_tokens.6")
def lay_out(game, player, guild, number):
    """Take redeemed tokens out of play, face up."""
    move_card(game.favors[player], game.favors_redeemed, guild, number)


@rule("frenemies.guild_favors.11")
def put_back(game, player, guild):
    """Return a token to the stock, preferably one received this turn."""
    game.favors[player, guild] -= 1
    game.new_favors[player, guild] = max(game.new_favors[player, guild] - 1, 0)
    game.favor_stock[guild] += 1


@rule("frenemies.favor_tokens.1")
@checks(FAVORS_CONSERVED)
def favors_conserved(game, params):
    for guild in range(NUM_GUILDS):
        token_count = int(game.favor_stock[guild]) + game.favors_redeemed[guild]
        for player in range(PLAYERS):
            if game.new_favors[player, guild] > game.favors[player, guild]:
                return False
            token_count += game.favors[player, guild]
        if token_count != tokens_in_play(params, guild):
            return False
    return True


@rule("frenemies.favor_tokens.9")
@redeals("favors", "new_favors", "favor_stock")
def redeal_favors(game, params, seat, pool):
    """Redeal hands and the stock, preserving the number of tokens that each player received this turn."""
    deal_stack_again(game, pool, seat, game.favors, game.new_favors, game.favor_stock)
