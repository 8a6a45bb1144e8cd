"""The old boot: its holder needs one victory point more, and may pass it to a player who has at least as many points.

Sources: The Fishermen of Catan, in Traders & Barbarians.
"""

from catan_env.engine.declare import PUBLIC_POINTS, Action, Number, answers, apply, legal
from catan_env.games.base.victory import all_points
from catan_env.games.vocabulary import MAY_WIN, OPPONENTS, OWN_TURN, to_the_left

NUMBERS = (Number("boot_points", 1, "victory points that the holder of the old boot needs in addition", 0, 20),)
PASS_BOOT = Action("pass_boot", "pass the old boot to {}", OPPONENTS, "the boot, and at most as many public points")
ACTIONS = (PASS_BOOT,)


@answers(MAY_WIN)
def has_points_for_the_boot(game, params, player, where):
    return game.boot != player or all_points(game, params, player) >= params.victory_points + params.boot_points


@legal(OWN_TURN)
def players_for_the_boot(game, params, seat, mask):
    """Hidden points must not count: the mask would show them."""
    if game.boot == seat:
        for k in range(1, params.num_players):
            player = to_the_left(params, seat, k)
            mask[PASS_BOOT + k - 1] = PUBLIC_POINTS(game, params, player) >= PUBLIC_POINTS(game, params, seat)


@apply(PASS_BOOT)
def pass_boot(game, params, seat, opponent):
    game.boot = to_the_left(params, seat, opponent + 1)
