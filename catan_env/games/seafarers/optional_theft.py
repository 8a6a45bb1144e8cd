"""Optional theft: a player who is allowed to steal may choose not to."""

from catan_env.engine.decision_stack import pop
from catan_env.engine.declare import Action, answers, apply, legal, rule
from catan_env.games.base.theft import CHOOSE_VICTIM
from catan_env.games.vocabulary import THEFT_OPTIONAL

LEAVE_CARD = Action("leave_card", "take no card", needs="an optional theft")
ACTIONS = (LEAVE_CARD,)


@rule("seafarers.pirate_fleet.4")
@answers(THEFT_OPTIONAL)
def every_theft_is_optional(game, params, player, where):
    return True


@rule("seafarers.pirate_fleet.4")
@legal(CHOOSE_VICTIM)
def may_leave_card(game, params, seat, mask):
    mask[LEAVE_CARD] = True


@rule("seafarers.pirate_fleet.4")
@apply(LEAVE_CARD)
def leave_card(game, params, seat, argument):
    pop(game)
