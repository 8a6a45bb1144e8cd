"""A favor token for moving the robber harmlessly: to a hex without buildings, or to the desert without a theft."""

from catan_env.board.terrain import DESERT
from catan_env.engine.decision_stack import pop
from catan_env.engine.declare import Action, answers, apply, legal, rule, when
from catan_env.games.base.network import NO_BUILDING
from catan_env.games.base.theft import CHOOSE_VICTIM
from catan_env.games.frenemies.favor_tokens import grant_favors
from catan_env.games.vocabulary import CORNERS, NOTHING, ROBBER_MOVED, THEFT_OPTIONAL

FORGO_THEFT = Action("forgo_theft", "forgo the theft", needs="the robber in the desert, and an opponent to steal from")
ACTIONS = (FORGO_THEFT,)


@rule("frenemies.favor_robber.2", "frenemies.favor_robber.5")
def has_no_building(game, params, hex):
    """Return whether a hex has no buildings."""
    for corner in range(CORNERS):
        intersection = params.hex_intersections[hex, corner]
        if intersection != NOTHING and game.building[intersection] != NO_BUILDING:
            return False
    return True


@rule("frenemies.favor_robber.1")
@when(ROBBER_MOVED)
def reward_empty_hex(game, params, player, hex):
    if has_no_building(game, params, hex):
        grant_favors(game, player, 1)


@rule("frenemies.favor_robber.4")
def robber_in_desert(game):
    """Return whether the robber is on a desert."""
    return game.terrain[game.robber] == DESERT


@rule("frenemies.favor_robber.3")
@answers(THEFT_OPTIONAL)
def theft_from_desert_is_optional(game, params, player, where):
    return robber_in_desert(game)


@rule("frenemies.favor_robber.3")
@legal(CHOOSE_VICTIM)
def may_forgo_theft(game, params, seat, mask):
    mask[FORGO_THEFT] = robber_in_desert(game)


@rule("frenemies.favor_robber.3")
@apply(FORGO_THEFT)
def forgo_theft(game, params, seat, argument):
    pop(game)
    grant_favors(game, seat, 1)
