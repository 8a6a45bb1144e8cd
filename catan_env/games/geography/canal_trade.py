"""Trade on the canal: a token played lets one trade a kind of resource 2:1 for the rest of the own turn.

A token that would bring no better rate cannot be played.
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
from catan_env.games.vocabulary import CARDS, NUM_RESOURCES, RATE, SUPPLY_TRADING, TURN_ENDED, TURN_STARTED, count_of

FIELDS = (Field("canal_trade", (CARDS,), "i1", 0, 1, "canal tokens played for each kind in this turn", show=Count()),)
NUMBERS = (Number("canal_rate", 2, "cards of a kind for one from the supply after a canal token", 1, 30),)

PLAY_CANAL_TOKEN = Action(
    "play_canal_token",
    "play a canal token for {}",
    RESOURCES,
    "a canal token, and a kind that is not traded at its rate already",
)
ACTIONS = (PLAY_CANAL_TOKEN,)
TOKENS_CONSERVED = Invariant("canal_tokens_conserved", "tokens of players, played and in the supply make up all")


@rule("geography.canal_trade.1", "geography.canal_trade.2")
@legal(SUPPLY_TRADING)
def may_play_canal_token(game, table, seat, mask):
    if game.canal_tokens[seat] > 0:
        for resource in range(NUM_RESOURCES):
            mask[PLAY_CANAL_TOKEN + resource] = RATE(game, table, seat, resource) > table.canal_rate


@rule("geography.canal_trade.1")
@apply(PLAY_CANAL_TOKEN)
def play_canal_token(game, table, seat, resource):
    game.canal_tokens[seat] -= 1
    game.canal_trade[resource] = 1


@rule("geography.canal_trade.1")
@answers(RATE)
def rate_on_canal(game, table, player, card):
    """Better for the player on turn alone; others do not trade with the supply."""
    if player == game.on_turn and game.canal_trade[card]:
        return table.canal_rate
    return table.supply_rate


@rule("geography.canal_trade.3")
@when(TURN_ENDED, TURN_STARTED)
def put_tokens_back(game, table, player, where):
    """At the end of every turn; that of a partner after the turn of another ends when the next one begins."""
    game.canal_supply += count_of(game.canal_trade)
    for card in range(CARDS):
        game.canal_trade[card] = 0


@rule("geography.canal_tokens.1")
@checks(TOKENS_CONSERVED)
def canal_tokens_conserved(game, table):
    tokens = int(game.canal_supply) + count_of(game.canal_trade)
    for player in range(PLAYERS):
        tokens += game.canal_tokens[player]
    return tokens == table.tokens_of_canal
