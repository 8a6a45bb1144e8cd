"""Using a helper: the owner then turns it to the B side for a second use or exchanges it for another.

The helper's effect is resolved before the decision about the card. Players use helpers on their own turn, except for
the mayor and the general, which can be used after any roll. Helpers cannot be used in the special building phase or in
a paired player's phase.
"""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import Action, Decision, apply, legal, rule
from catan_env.games.helpers.helper_cards import (
    TAKE_HELPER,
    first_in_display,
    helper_of,
    mark_display,
    take_from_display,
)
from catan_env.games.vocabulary import NOTHING

TURN_HELPER = Action("turn_helper", "turn the helper over", needs="a helper just used on its A side")
ACTIONS = (TURN_HELPER,)

PART_WITH_HELPER = Decision("part_with_helper", "turn the used helper over, or exchange it for another")


@rule("helpers.helper_use.3", "helpers.helper_use.7", "helpers.helper_use.10")
def is_ready(game, seat, helper):
    """Return whether a seat has this helper and neither used nor received it this turn."""
    return game.helpers_held[seat, helper] and not game.helper_resting[seat]


@rule("helpers.helper_use.1")
def use(game, seat):
    """Use a seat's helper. Decisions that the caller pushes afterwards come before the decision about the card."""
    game.helper_resting[seat] = True
    push(game, PART_WITH_HELPER, seat)


@rule(
    "helpers.helper_use.1",
    "helpers.helper_use.4",
    "helpers.helper_use.5",
    "helpers.helper_use.6",
    "helpers.helper_use.9",
    "helpers.helper_use.11",
)
@legal(PART_WITH_HELPER)
def turn_or_exchange(game, params, seat, mask):
    """After its second use, the helper must be exchanged or, if the display is empty, turned back."""
    mask[TURN_HELPER] = not game.helper_turned[seat] or first_in_display(game) == NOTHING
    mark_display(game, mask)


@rule("helpers.helper_use.1")
@apply(TURN_HELPER)
def turn_helper(game, params, seat, argument):
    pop(game)
    game.helper_turned[seat] = not game.helper_turned[seat]


@rule("helpers.helper_use.2", "helpers.helper_use.4", "helpers.helper_use.8")
@apply(TAKE_HELPER)
def exchange_helper(game, params, seat, helper):
    """The new helper rests for this turn, as does the returned one."""
    pop(game)
    returned_helper = helper_of(game, seat)
    take_from_display(game, seat, helper)
    game.helpers_held[seat, returned_helper] = False
    game.display[returned_helper] = True
