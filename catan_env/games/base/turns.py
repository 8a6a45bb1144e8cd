"""The sequence of a turn: roll, trade, build, end the turn.

`turn_limit` is not a rule of the game; it truncates games that would otherwise never end.
"""

from catan_env.engine.decision_stack import CHANCE, RUNNING, pop, push, replace, times_in_stack, truncate, waits_for
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    PLAYERS,
    Action,
    Count,
    Decision,
    Draw,
    Feature,
    Field,
    Invariant,
    Number,
    SeatFlag,
    apply,
    checks,
    legal,
    outcome,
    rule,
    shows,
    weights,
    when,
)
from catan_env.games.vocabulary import (
    ACTION_PHASE,
    BANK_TRADING,
    BUILDING,
    BUYING,
    DICE_ROLLED,
    NOBODY,
    OWN_TURN,
    PLAYER_TRADING,
    PLAYING_CARDS,
    TURN_ENDED,
    TURN_STARTED,
    to_the_left,
)

LOWEST_SUM = 2
SUMS = tuple(str(total) for total in range(2, 13))
MERGED, STRICT = 0, 1

FIELDS = (
    Field("turn", (), "i4", 0, 1_000_000, "turns started, of all players"),
    Field(
        "on_turn",
        (),
        "i1",
        NOBODY,
        7,
        "seat on turn; nobody during initial placement and between turns",
        NOBODY,
        show=SeatFlag(),
    ),
    Field(
        "next_player",
        (),
        "i1",
        0,
        7,
        "seat whose turn begins next",
        show=SeatFlag(),
        along=PLAYERS,
    ),
    Field("dice", (), "i1", 0, 12, "total of the last roll, 0 before the first roll", show=Count()),
    Field("rolls_made", (), "i1", 0, 2, "dice rolls this turn", show=Count()),
)
NUMBERS = (
    Number(
        "phases", "merged", "trade and build in any order, or trade first and then build", choices=("merged", "strict")
    ),
    Number("rolls_per_turn", 1, "dice rolls of each turn", 1, 2),
    Number("turn_limit", 1000, "total turns of all players after which the game is truncated", 1, 1_000_000),
)

ROLL = Action("roll", "roll the dice", needs="the dice not to be rolled yet")
END_TRADE = Action("end_trade", "end the trade phase", needs="the trade phase of the strict order")
END_TURN = Action("end_turn", "end the turn", needs="the dice to be rolled first")
ACTIONS = (ROLL, END_TRADE, END_TURN)

PRE_ROLL = Decision("pre_roll", "play a development card or roll the dice", menus=(PLAYING_CARDS,))
PLAY = Decision(
    "play",
    "trade, build, play a development card or end the turn",
    menus=(BANK_TRADING, PLAYER_TRADING, BUILDING, BUYING, PLAYING_CARDS, OWN_TURN, ACTION_PHASE),
)
TRADE = Decision(
    "trade",
    "trade, play a development card or continue with building",
    menus=(BANK_TRADING, PLAYER_TRADING, PLAYING_CARDS, OWN_TURN, ACTION_PHASE),
)
BUILD = Decision(
    "build",
    "build, play a development card or end the turn",
    menus=(BUILDING, BUYING, PLAYING_CARDS, OWN_TURN, ACTION_PHASE),
)

ROUND = Feature("round", None, 255, "rounds started, at most 255")
DICE = Draw("dice", "the dice show {}", SUMS)
ONE_TURN = Invariant("one_turn", "at most one decision continues the turn, and it belongs to the player on turn")


@rule("base.turns.6")
@shows(ROUND)
def show_round(game, params, seat, index):
    return min((game.turn + params.num_players - 1) // params.num_players, 255)


@rule("base.turns.5")
@when(ACTION_RESOLVED)
def continue_with_next_player(game, params, player, where):
    """When no decision is pending, the next player's turn starts."""
    if game.depth == 0 and game.ended == RUNNING:
        begin_turn(game, params, game.next_player)


@rule("base.turns.1", "base.turns.6")
def begin_turn(game, params, player):
    """Start a player's turn, or truncate the game at the turn limit."""
    if game.turn == params.turn_limit:
        truncate(game)
    else:
        game.turn += 1
        game.on_turn = player
        game.next_player = to_the_left(params, player, 1)
        game.rolls_made = 0
        push(game, PRE_ROLL, player)
        TURN_STARTED(game, params, player, 0)


@rule("base.turns.1")
@legal(PRE_ROLL)
def may_roll(game, params, seat, mask):
    mask[ROLL] = True


@rule("base.turns.1")
@apply(ROLL)
def roll(game, params, seat, argument):
    replace(game, DICE, CHANCE)


@rule("base.turns.2")
@weights(DICE)
def two_dice(game, params, weights):
    for k in range(len(SUMS)):
        weights[k] = 6 - abs(5 - k)


@rule("base.turns.2", "base.turns.3", "base.turns.4")
@outcome(DICE)
def dice_fall(game, params, outcome):
    player = game.on_turn
    game.dice = outcome + LOWEST_SUM
    game.rolls_made += 1
    if game.rolls_made < params.rolls_per_turn:
        replace(game, PRE_ROLL, player)
    elif params.phases == MERGED:
        replace(game, PLAY, player)
    else:
        replace(game, TRADE, player)
    DICE_ROLLED(game, params, player, game.dice)


@rule("base.turns.3")
@legal(TRADE)
def may_end_trade(game, params, seat, mask):
    mask[END_TRADE] = True


@rule("base.turns.3")
@apply(END_TRADE)
def end_trade(game, params, seat, argument):
    replace(game, BUILD, seat)


@rule("base.turns.5")
@legal(PLAY, BUILD)
def may_end_turn(game, params, seat, mask):
    mask[END_TURN] = True


@rule("base.turns.5")
@apply(END_TURN)
def end_turn(game, params, seat, argument):
    pop(game)
    game.on_turn = NOBODY
    TURN_ENDED(game, params, seat, 0)


@rule("base.turns.1")
@checks(ONE_TURN)
def one_turn(game, params):
    if game.ended != RUNNING:
        return True
    asked_count = times_in_stack(game, PRE_ROLL) + times_in_stack(game, TRADE)
    asked_count += times_in_stack(game, PLAY) + times_in_stack(game, BUILD)
    on_turn = int(game.on_turn)
    own_count = waits_for(game, PRE_ROLL, on_turn) + waits_for(game, TRADE, on_turn)
    own_count += waits_for(game, PLAY, on_turn) + waits_for(game, BUILD, on_turn)
    dice_count = times_in_stack(game, DICE)
    return asked_count == own_count and asked_count + dice_count <= 1 and (dice_count == 0 or on_turn != NOBODY)
