"""Victory: a player with enough victory points, including hidden ones, wins on their own turn."""

from catan_env.engine.decision_stack import RUNNING, finish
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    CONTRADICTS,
    HIDDEN_POINTS,
    PLAYERS,
    PUBLIC_POINTS,
    Feature,
    Number,
    answers,
    rule,
    shows,
    when,
)
from catan_env.engine.small_sets import only
from catan_env.games.vocabulary import MAY_WIN, NOBODY

NUMBERS = (Number("victory_points", 10, "victory points needed to win", 2, 100),)
VISIBLE_POINTS = Feature("visible_points", PLAYERS, 30, "public victory points")
OWN_POINTS = Feature("own_points", None, 30, "own victory points, including hidden ones")


@rule("base.victory.1")
def all_points(game, params, player):
    """Return a player's victory points, including hidden ones."""
    return PUBLIC_POINTS(game, params, player) + HIDDEN_POINTS(game, params, player)


@rule("base.victory.1")
def wins(game, params, player):
    """Return whether a player wins, assuming that it is their turn."""
    return all_points(game, params, player) >= params.victory_points and MAY_WIN(game, params, player)


@rule(
    "base.victory.1",
    "base.victory.2",
    "base.victory.3",
    "base.development_cards.12",
    "base.victory.4",
    "base.victory.6",
)
@when(ACTION_RESOLVED)
def win_on_own_turn(game, params, player, where):
    on_turn = game.on_turn
    if on_turn != NOBODY and game.ended == RUNNING and wins(game, params, on_turn):
        finish(game, only(on_turn))


@rule("base.development_cards.12")
@shows(VISIBLE_POINTS)
def show_visible_points(game, params, seat, player):
    return min(PUBLIC_POINTS(game, params, player), 30)


@rule("base.development_cards.12")
@shows(OWN_POINTS)
def show_own_points(game, params, seat, index):
    return min(all_points(game, params, seat), 30)


@rule("base.victory.5")
@answers(CONTRADICTS)
def has_not_won(game, params, player, where):
    """The player on turn has not won yet, so their hidden cards must be worth too few points."""
    if player != game.on_turn or game.ended != RUNNING:
        return 0
    return 1 if wins(game, params, player) else 0
