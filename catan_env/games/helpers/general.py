"""The general: on a 7, keep all your cards or, if you would not have to discard, take a resource of your choice."""

from catan_env.engine.declare import Kind, answers, rule, when
from catan_env.games.base.resources import hand_size, let_choose_cards
from catan_env.games.helpers.helper_cards import HELPERS, owner_of
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import DICE_ROLLED, HAND_LIMIT, NOBODY, SEVEN

GENERAL = Kind("general", HELPERS)
KINDS = (GENERAL,)

PROTECTION = 120
"""Amount added to the hand limit; no hand can be larger."""


@rule("helpers.general.1")
@answers(HAND_LIMIT)
def protects_hand(game, params, player, where):
    """A player whose general is ready never discards."""
    return PROTECTION if is_ready(game, player, GENERAL) else 0


@rule("helpers.general.1", "helpers.general.2", "helpers.general.3", "helpers.general.4", "helpers.general.5")
@when(DICE_ROLLED)
def serve_at_seven(game, params, roller, number):
    """An owner who would have to discard is protected by the raised hand limit; any other owner takes a card.

    The general acts automatically.
    """
    seat = owner_of(game, GENERAL)
    if number == SEVEN and seat != NOBODY and is_ready(game, seat, GENERAL):
        is_threatened = hand_size(game, seat) > HAND_LIMIT(game, params, seat) - PROTECTION
        use(game, seat)
        if not is_threatened:
            let_choose_cards(game, seat, 1)
