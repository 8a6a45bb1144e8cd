"""Win on any turn: a player with enough victory points wins immediately, as in some programs.

Used by the scenario "base+win_on_any_turn".
"""

from catan_env.engine.decision_stack import RUNNING, finish
from catan_env.engine.declare import ACTION_RESOLVED, CONTRADICTS, answers, rule, when
from catan_env.engine.small_sets import only
from catan_env.games.base.victory import wins


@rule("options.win_on_any_turn.1")
@when(ACTION_RESOLVED)
def win_immediately(game, params, player, where):
    """A player other than the one on turn wins; the rules of the game decide about the player on turn."""
    for seat in range(params.num_players):
        if game.ended == RUNNING and seat != game.on_turn and wins(game, params, seat):
            finish(game, only(seat))


@rule("options.win_on_any_turn.1")
@answers(CONTRADICTS)
def nobody_else_has_won(game, params, player, where):
    """The other players have not won yet, so their hidden cards must be worth too few points."""
    if player == game.on_turn or game.ended != RUNNING:
        return 0
    return 1 if wins(game, params, player) else 0
