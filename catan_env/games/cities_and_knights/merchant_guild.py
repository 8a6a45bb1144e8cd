"""The merchant guild, level 3 of trade: its owner can trade two identical commodities for any other card."""

from catan_env.engine.declare import Number, answers, rule
from catan_env.games.cities_and_knights.commodities import is_commodity
from catan_env.games.cities_and_knights.improvements import THIRD_LEVEL, TRADE
from catan_env.games.vocabulary import RATE

NUMBERS = (Number("merchant_guild_rate", 2, "commodities of a kind for one card with the merchant guild", 1, 30),)


@rule("cities_and_knights.merchant_guild.1")
@answers(RATE)
def rate_of_guild(game, params, player, card):
    rate = int(params.merchant_guild_rate)
    return rate if is_commodity(card) and game.improvement[player, TRADE] >= THIRD_LEVEL else 127
