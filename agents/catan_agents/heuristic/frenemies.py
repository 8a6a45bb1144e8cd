"""Scores for Frenemies: take every favor and gift, without weighing one against another."""

from catan_agents.heuristic.scoring import LIKELY, always
from catan_env.games.frenemies.favor_gifts import ACCEPT_GIFT, GIVE_CARD, OFFER_GIFT, REFUSE_GIFT
from catan_env.games.frenemies.favor_networks import LET_DRAW
from catan_env.games.frenemies.favor_robber import FORGO_THEFT
from catan_env.games.frenemies.guild_favors import EXCHANGE, REDEEM_FAVOR, RETURN_FAVOR, SWAP_FAVOR

always(LIKELY, REDEEM_FAVOR, EXCHANGE, SWAP_FAVOR, RETURN_FAVOR)
always(LIKELY, OFFER_GIFT, GIVE_CARD, ACCEPT_GIFT, REFUSE_GIFT, FORGO_THEFT, LET_DRAW)
