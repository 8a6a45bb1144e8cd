"""The captain: trade one kind of card with the bank at 2:1 for the rest of the turn.

A helper cannot be exchanged unused, so the player must be able to trade the named kind immediately.
"""

from catan_env.engine.declare import Action, Count, Field, Kind, Number, answers, apply, legal, rule, when
from catan_env.games.base.resources import bank_size
from catan_env.games.base.turns import PLAY, TRADE
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import HAND_CARDS, RATE, TURN_ENDED

CAPTAIN = Kind("captain", HELPERS)
KINDS = (CAPTAIN,)
NO_BETTER_RATE = 127

FIELDS = (
    Field(
        "captains_trade",
        (HAND_CARDS,),
        "u1",
        0,
        1,
        "kinds that the player on turn trades at the captain's rate",
        show=Count(),
    ),
)
NUMBERS = (Number("captains_rate", 2, "cards of the chosen kind for one card of the bank", 1, 30),)

HIRE_CAPTAIN = Action(
    "hire_captain",
    "let the captain trade {}",
    HAND_CARDS,
    "the captain ready, enough cards of this kind for a trade, and a card of another kind in the bank",
)
ACTIONS = (HIRE_CAPTAIN,)


@rule("helpers.captain.2", "helpers.captain.3", "helpers.captain.5")
@legal(PLAY, TRADE)
def may_hire_captain(game, params, seat, mask):
    if is_ready(game, seat, CAPTAIN):
        for card in range(HAND_CARDS):
            has_enough = game.hands[seat, card] >= params.captains_rate
            mask[HIRE_CAPTAIN + card] = has_enough and bank_size(game) > game.bank[card]


@rule("helpers.captain.3")
@apply(HIRE_CAPTAIN)
def hire_captain(game, params, seat, card):
    use(game, seat)
    game.captains_trade[card] = True


@rule("helpers.captain.3")
@answers(RATE)
def rate_of_captain(game, params, player, card):
    if player == game.on_turn and game.captains_trade[card]:
        return int(params.captains_rate)
    return NO_BETTER_RATE


@rule("helpers.captain.1", "helpers.captain.4")
@when(TURN_ENDED)
def dismiss_captain(game, params, player, where):
    for card in range(HAND_CARDS):
        game.captains_trade[card] = False
