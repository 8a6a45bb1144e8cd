"""Canal trade: a canal token sets the bank rate for one resource to 2:1 for the rest of the turn.

A token that would not improve the rate cannot be played.
"""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Field,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    rule,
    when,
)
from catan_env.games.vocabulary import BANK_TRADING, HAND_CARDS, NUM_RESOURCES, RATE, TURN_ENDED, TURN_STARTED, count_of

FIELDS = (Field("canal_trade", (HAND_CARDS,), "i1", 0, 1, "canal tokens played for each kind this turn", show=Count()),)
NUMBERS = (Number("canal_rate", 2, "cards of a kind for one card of the bank after a canal token", 1, 30),)

PLAY_CANAL_TOKEN = Action(
    "play_canal_token",
    "play a canal token for {}",
    RESOURCES,
    "a canal token, and a kind that does not have the token's rate already",
)
ACTIONS = (PLAY_CANAL_TOKEN,)
TOKENS_CONSERVED = Invariant(
    "canal_tokens_conserved", "tokens of players, played tokens and the bank add up to all tokens"
)


@rule("geography.canal_trade.1", "geography.canal_trade.2")
@legal(BANK_TRADING)
def may_play_canal_token(game, params, seat, mask):
    if game.canal_tokens[seat] > 0:
        for resource in range(NUM_RESOURCES):
            mask[PLAY_CANAL_TOKEN + resource] = RATE(game, params, seat, resource) > params.canal_rate


@rule("geography.canal_trade.1")
@apply(PLAY_CANAL_TOKEN)
def play_canal_token(game, params, seat, resource):
    game.canal_tokens[seat] -= 1
    game.canal_trade[resource] = 1


@rule("geography.canal_trade.1")
@answers(RATE)
def rate_on_canal(game, params, player, card):
    """The rate applies to the player on turn; no other player can trade with the bank."""
    if player == game.on_turn and game.canal_trade[card]:
        return params.canal_rate
    return params.bank_rate


@rule("geography.canal_trade.3")
@when(TURN_ENDED, TURN_STARTED)
def put_tokens_back(game, params, player, where):
    """Played tokens return to the bank after every turn and after a paired player's phase."""
    game.canal_bank += count_of(game.canal_trade)
    for card in range(HAND_CARDS):
        game.canal_trade[card] = 0


@rule("geography.canal_tokens.1")
@checks(TOKENS_CONSERVED)
def canal_tokens_conserved(game, params):
    token_count = int(game.canal_bank) + count_of(game.canal_trade)
    for player in range(PLAYERS):
        token_count += game.canal_tokens[player]
    return token_count == params.tokens_of_canal
