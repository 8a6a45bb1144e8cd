"""Development cards from chests: the player draws one for a later turn; any number of others may be played."""

from catan_env.engine.declare import Number, answers, rule, when
from catan_env.games.base.development_cards import deck_size, let_draw_card
from catan_env.games.sea_robbers.chests import CARD_FROM_CHEST, CHEST_HAS_CARD
from catan_env.games.vocabulary import MAY_PLAY_MORE

UNLIMITED = 0

NUMBERS = (
    Number(
        "cards_in_a_turn", "unlimited", "development cards that can be played per turn", choices=("unlimited", "one")
    ),
)


@rule("sea_robbers.chests.5")
@answers(CHEST_HAS_CARD)
def stack_has_cards(game, params, player, where):
    return deck_size(game) > 0


@rule("sea_robbers.chests.5")
@when(CARD_FROM_CHEST)
def draw_for_chest(game, params, player, where):
    let_draw_card(game, player)


@rule("sea_robbers.chests.5")
@answers(MAY_PLAY_MORE)
def cards_without_limit(game, params, player, where):
    return params.cards_in_a_turn == UNLIMITED
