"""Land without numbers: players cannot settle there, and the robber cannot enter it."""

from catan_env.engine.declare import answers, rule
from catan_env.games.vocabulary import DEGREE, MAY_SETTLE, NOTHING, ROBBER_MAY_GO


@rule("seafarers.numbered_land.1", "seafarers.cloth.7")
@answers(MAY_SETTLE)
def settle_where_numbers_lie(game, params, player, intersection):
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.number[hex] > 0:
            return True
    return False


@rule("seafarers.numbered_land.1", "seafarers.cloth.7")
@answers(ROBBER_MAY_GO)
def robber_to_numbers(game, params, player, hex):
    return game.number[hex] > 0
