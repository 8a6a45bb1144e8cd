"""The sequence of play in the dice game: a start player, then turns in seat order.

`turn_limit` is not a rule of the game; it truncates games that would otherwise never end.
"""

from catan_env.engine.decision_stack import CHANCE, RUNNING, pop, push, truncate
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    PLAYERS,
    Action,
    Draw,
    Feature,
    Field,
    Number,
    SeatFlag,
    apply,
    legal,
    outcome,
    rule,
    set_up,
    shows,
    weights,
    when,
)
from catan_env.games.dice_game.rolling import SPEND
from catan_env.games.vocabulary import NOBODY, TURN_ENDED, TURN_STARTED, to_the_left

RANDOM_START = 0
MOST_ROUNDS = 255

FIELDS = (
    Field("turn", (), "i4", 0, 1_000_000, "turns started, of all players"),
    Field("on_turn", (), "i1", NOBODY, 7, "seat whose turn it is", NOBODY, show=SeatFlag()),
    Field("next_player", (), "i1", 0, 7, "seat whose turn begins next", along=PLAYERS),
)
NUMBERS = (
    Number("start_player", "random", "who begins", choices=("random", "seat_0")),
    Number("turn_limit", 1000, "total turns of all players after which the game is truncated", 1, 1_000_000),
)

END_TURN = Action("end_turn", "end the turn", needs="the dice to be rolled first")
ACTIONS = (END_TURN,)

START_PLAYER = Draw("start_player", "seat {} begins", PLAYERS)
ROUND = Feature("round", None, MOST_ROUNDS, "rounds started, at most 255")


def round_of(game, params):
    """Return the number of the current round, starting at 1."""
    return (game.turn + params.num_players - 1) // params.num_players


@rule("dice_game.dice_turns.3")
@shows(ROUND)
def show_round(game, params, seat, index):
    return min(round_of(game, params), MOST_ROUNDS)


@rule("dice_game.dice_turns.1")
@set_up
def ask_who_begins(game, params):
    push(game, START_PLAYER, CHANCE)


@rule("dice_game.dice_turns.1")
@weights(START_PLAYER)
def anybody_may_begin(game, params, weights):
    for player in range(params.num_players):
        weights[player] = player == 0 or params.start_player == RANDOM_START


@rule("dice_game.dice_turns.1")
@outcome(START_PLAYER)
def let_begin(game, params, first):
    game.next_player = first
    pop(game)


@rule("dice_game.dice_turns.1", "dice_game.dice_turns.3")
@when(ACTION_RESOLVED)
def continue_with_next_player(game, params, player, where):
    """When no decision is pending, start the next player's turn, or end the game at the turn limit."""
    if game.depth == 0 and game.ended == RUNNING:
        if game.turn == params.turn_limit:
            truncate(game)
        else:
            game.turn += 1
            game.on_turn = game.next_player
            game.next_player = to_the_left(params, game.on_turn, 1)
            TURN_STARTED(game, params, game.on_turn, 0)


@rule("dice_game.dice_turns.2")
@legal(SPEND)
def may_end_turn(game, params, seat, mask):
    mask[END_TURN] = True


@rule("dice_game.dice_turns.2", "dice_game.dice_turns.4")
@apply(END_TURN)
def end_turn(game, params, seat, argument):
    pop(game)
    TURN_ENDED(game, params, seat, 0)
