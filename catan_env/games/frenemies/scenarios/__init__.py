"""Frenemies: favor tokens for being kind to one another; for five and six on the large board."""

from catan_env.games.base.scenarios import BASE_MODULES, LARGE_MODULES
from catan_env.games.frenemies import favor_gifts, favor_networks, favor_robber, favor_tokens, guild_favors
from catan_env.games.load import make_scenario

FRENEMIES_MODULES = (favor_tokens, guild_favors, favor_robber, favor_gifts, favor_networks)

frenemies = make_scenario(__name__, "frenemies", (*BASE_MODULES, *FRENEMIES_MODULES))
frenemies_5_6 = make_scenario(__name__, "frenemies_5_6", (*LARGE_MODULES, *FRENEMIES_MODULES))
