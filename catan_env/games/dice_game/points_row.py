"""The row of points: one box per turn, the penalty for turns without building, and who wins.

A single player aims for the highest score and wins with at least `victory_points`.
"""

from catan_env.engine.decision_stack import RUNNING, finish
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Count,
    Field,
    Invariant,
    Number,
    answers,
    checks,
    rule,
    when,
)
from catan_env.engine.small_sets import EMPTY, only
from catan_env.games.dice_game.dice_turns import round_of
from catan_env.games.dice_game.sheet import MARKED, points_on_sheet
from catan_env.games.vocabulary import NOBODY, TURN_ENDED, TURN_STARTED, count_of

MOST_TURNS = 15
LEAST_BOX, MOST_BOX = -10, 60

FIELDS = (
    Field("points_row", (PLAYERS, MOST_TURNS), "i1", LEAST_BOX, MOST_BOX, "points of each turn", show=Count()),
    Field("has_built", (), "u1", 0, 1, "whether anything was built this turn", show=Count()),
)
NUMBERS = (
    Number("turns_each", MOST_TURNS, "turns of each player", 1, MOST_TURNS),
    Number("points_without_building", -2, "points of a turn without building", LEAST_BOX, 0),
    Number("victory_points", 75, "points with which a single player wins", 1, 145),
)
TURNS_FIT = Invariant("turns_fit", "rows have a box for every turn")
BOXES_OPEN = Invariant("boxes_open", "boxes of future turns are empty")
ROWS_ADD_UP = Invariant("rows_add_up", "rows of points match the built symbols, less the turns without building")


@rule("dice_game.points_row.1")
@when(TURN_STARTED)
def begin_box(game, params, player, where):
    game.has_built = 0


@rule("dice_game.points_row.1")
@when(MARKED)
def enter_points(game, params, player, points):
    game.has_built = 1
    game.points_row[player, round_of(game, params) - 1] += points


@rule("dice_game.points_row.2", "dice_game.points_row.3")
@when(TURN_ENDED)
def close_box(game, params, player, where):
    if not game.has_built:
        game.points_row[player, round_of(game, params) - 1] = params.points_without_building
    if game.turn == params.turns_each * params.num_players:
        finish(game, best_players(game, params))


def score_of(game, player):
    """Return a player's total points."""
    return count_of(game.points_row[player])


@rule("dice_game.points_row.4", "dice_game.points_row.5")
def best_players(game, params):
    """Return the set of players with the most points; a single player also needs enough points to win."""
    if params.num_players == 1:
        return 1 if score_of(game, 0) >= params.victory_points else 0
    highest_score = score_of(game, 0)
    for player in range(1, params.num_players):
        highest_score = max(highest_score, score_of(game, player))
    best_players = EMPTY
    for player in range(params.num_players):
        if score_of(game, player) == highest_score:
            best_players |= only(player)
    return best_players


@rule("dice_game.points_row.1")
@answers(PUBLIC_POINTS)
def points_of_row(game, params, player, where):
    return score_of(game, player)


@rule("dice_game.points_row.6")
@checks(TURNS_FIT)
def turns_fit(game, params):
    return game.turn <= params.turns_each * params.num_players


@rule("dice_game.points_row.1")
@checks(BOXES_OPEN)
def boxes_open(game, params):
    if game.turn == 0 or game.on_turn == NOBODY:
        return game.turn == 0 and game.on_turn == NOBODY
    turns_in_round = (game.turn - 1) % params.num_players
    for player in range(params.num_players):
        turns_ago = (game.on_turn - player + params.num_players) % params.num_players
        had_turn = turns_ago <= turns_in_round and (turns_ago > 0 or game.has_built or game.ended != RUNNING)
        for box in range(round_of(game, params) - 1 + had_turn, MOST_TURNS):
            if game.points_row[player, box] != 0:
                return False
    return True


@rule("dice_game.points_row.7")
@checks(ROWS_ADD_UP)
def rows_add_up(game, params):
    for player in range(params.num_players):
        idle_turn_count = 0
        for box in range(MOST_TURNS):
            idle_turn_count += game.points_row[player, box] == params.points_without_building != 0
        if (
            score_of(game, player)
            != points_on_sheet(game, params, player) + idle_turn_count * params.points_without_building
        ):
            return False
    return True
