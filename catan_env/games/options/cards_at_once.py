"""Cards at once: development cards may be played on the turn they are bought, as some programs allow.

Used by the scenario "base+cards_at_once".
"""

from catan_env.engine.declare import ACTION_RESOLVED, PLAYERS, rule, when
from catan_env.engine.stacks import clear_row


@rule("options.cards_at_once.1")
@when(ACTION_RESOLVED)
def cards_are_not_new(game, params, player, where):
    """No card counts as bought this turn. The limit of one card per turn remains."""
    for owner in range(PLAYERS):
        clear_row(game.new_development_cards[owner])
