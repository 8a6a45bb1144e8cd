"""Winning: enough victory points, hidden ones included, on one's own turn."""

from catan_env.engine.decision_stack import RUNNING, finish
from catan_env.engine.declare import (
    CONTRADICTS,
    HIDDEN_POINTS,
    PLAYERS,
    PUBLIC_POINTS,
    SETTLED,
    Feature,
    Number,
    answers,
    rule,
    shows,
    when,
)
from catan_env.games.vocabulary import MAY_WIN, NOBODY_SEAT

NUMBERS = (Number("victory_points", 10, "victory points that win", 2, 100),)
VISIBLE_POINTS = Feature("visible_points", PLAYERS, 30, "victory points that everybody sees")
OWN_POINTS = Feature("own_points", None, 30, "one's own victory points, hidden ones included")


@rule("base.victory.1")
def all_points(game, table, player):
    """Victory points, hidden ones included."""
    return PUBLIC_POINTS(game, table, player) + HIDDEN_POINTS(game, table, player)


@rule("base.victory.1")
def wins(game, table, player):
    """Whether a player wins if it is his turn."""
    return all_points(game, table, player) >= table.victory_points and MAY_WIN(game, table, player)


@rule(
    "base.victory.1",
    "base.victory.2",
    "base.victory.3",
    "base.development_cards.12",
    "base.victory.4",
    "base.victory.6",
)
@when(SETTLED)
def win_on_own_turn(game, table, player, where):
    on_turn = game.on_turn
    if on_turn != NOBODY_SEAT and game.ended == RUNNING and wins(game, table, on_turn):
        finish(game, 1 << on_turn)


@rule("base.development_cards.12")
@shows(VISIBLE_POINTS)
def show_visible_points(game, table, seat, player):
    return min(PUBLIC_POINTS(game, table, player), 30)


@rule("base.development_cards.12")
@shows(OWN_POINTS)
def show_own_points(game, table, seat, index):
    return min(all_points(game, table, seat), 30)


@rule("base.victory.5")
@answers(CONTRADICTS)
def has_not_won(game, table, player, where):
    """Who is on turn and has not won does not have the points, however many cards lie hidden."""
    if player != game.on_turn or game.ended != RUNNING:
        return 0
    return 1 if wins(game, table, player) else 0
