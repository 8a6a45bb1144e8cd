"""Gold: it builds nothing, but two dice that show gold can be traded for one die showing any resource."""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.declare import Action, Number, apply, legal, rule
from catan_env.games.dice_game.rolling import GOLD, SPEND

NUMBERS = (Number("gold_rate", 2, "dice with gold that pay for one die with any resource", 1, 6),)

TRADE_GOLD = Action("trade_gold", "give gold for {}", RESOURCES, "enough dice that show gold, after the last roll")
ACTIONS = (TRADE_GOLD,)


@rule("dice_game.gold_trade.1")
@legal(SPEND)
def what_gold_brings(game, params, seat, mask):
    if game.dice_lying[GOLD] >= params.gold_rate:
        for resource in range(len(RESOURCES)):
            mask[TRADE_GOLD + resource] = True


@rule("dice_game.gold_trade.1")
@apply(TRADE_GOLD)
def trade_gold(game, params, seat, resource):
    """One die is turned to the resource; the others are out of play for this turn."""
    game.dice_lying[GOLD] -= params.gold_rate
    game.dice_lying[resource] += 1
