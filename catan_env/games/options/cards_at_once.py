"""Cards at once: development cards can be played in the turn of their purchase, as some programs allow it.

The scenario "base+cards_at_once" uses it.
"""

from catan_env.engine.declare import ACTION_RESOLVED, PLAYERS, rule, when
from catan_env.engine.stacks import clear_row


@rule("options.cards_at_once.1")
@when(ACTION_RESOLVED)
def cards_are_not_new(game, params, player, where):
    """No card counts as bought in this turn. One card per turn remains the limit."""
    for owner in range(PLAYERS):
        clear_row(game.new_development_cards[owner])
