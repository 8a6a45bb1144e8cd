"""Cards at once: development cards may be played on the turn they are bought, as in some programs.

Used by the scenario "base+cards_at_once".
"""

from catan_env.engine.declare import ACTION_RESOLVED, PLAYERS, rule, when
from catan_env.engine.stacks import clear_row


@rule("options.cards_at_once.1")
@when(ACTION_RESOLVED)
def cards_are_not_new(game, params, player, where):
    """No card is recorded as bought this turn. The limit of one card played per turn still applies."""
    for owner in range(PLAYERS):
        clear_row(game.new_development_cards[owner])
