"""Plus: settlements and cities score victory points, and knights form an army.

Largest Army and victory work as in the base game.
"""

from catan_env.engine.declare import PLAYERS, PUBLIC_POINTS, Count, Field, Invariant, answers, checks, rule, when
from catan_env.games.dice_game.sheet import KNIGHT_MARKED, points_on_sheet
from catan_env.games.vocabulary import KNIGHT_PLAYED, count_of

FIELDS = (Field("knights_played", (PLAYERS,), "i1", 0, 9, "knights that count for Largest Army", show=Count()),)
KNIGHTS_COUNTED = Invariant("knights_counted", "knights for Largest Army match those on the sheet")


@rule("dice_game.sheet_points.3")
@when(KNIGHT_MARKED)
def join_army(game, params, player, knight):
    game.knights_played[player] += 1
    KNIGHT_PLAYED(game, params, player, 0)


@rule("dice_game.sheet_points.1", "dice_game.sheet_points.2")
@answers(PUBLIC_POINTS)
def points_of_sheet(game, params, player, where):
    return points_on_sheet(game, params, player)


@rule("dice_game.sheet_points.4")
@checks(KNIGHTS_COUNTED)
def knights_counted(game, params):
    for player in range(params.num_players):
        if game.knights_played[player] != count_of(game.knights_built[player]):
            return False
    return True
