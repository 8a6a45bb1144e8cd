"""Scores for CATAN for Two: spend trade tokens whenever possible, and place neutral pieces arbitrarily."""

from catan_agents.heuristic.scoring import LIKELY, always
from catan_env.games.two_player.neutral_players import CHOOSE_NEUTRAL
from catan_env.games.two_player.trade_tokens import BANISH_ROBBER, FORCE_TRADE, GIVE_CARD, GIVE_UP_KNIGHT

always(LIKELY, CHOOSE_NEUTRAL, FORCE_TRADE, GIVE_CARD, BANISH_ROBBER, GIVE_UP_KNIGHT)
