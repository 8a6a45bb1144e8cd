"""Corsica, New York and the Erie Canal: maps of real places, for three and four and for five and six players.

The layouts of both are reconstructions (`Scenario.status`): the printed boards take their place by replacing the map
file alone.
"""

from catan_env.games.base.scenarios import BASE_MODULES, LARGE_MODULES
from catan_env.games.geography import canal_tokens, canal_trade, certificates, crossing_chips, town_sites
from catan_env.games.load import make_scenario

GEOGRAPHY_MODULES = (town_sites, certificates, crossing_chips)
ERIE_CANAL_MODULES = (*GEOGRAPHY_MODULES, canal_tokens, canal_trade)

corsica = make_scenario(__name__, "corsica", (*BASE_MODULES, *GEOGRAPHY_MODULES))
corsica_5_6 = make_scenario(__name__, "corsica_5_6", (*LARGE_MODULES, *GEOGRAPHY_MODULES))
new_york = make_scenario(__name__, "new_york", (*BASE_MODULES, *GEOGRAPHY_MODULES))
new_york_5_6 = make_scenario(__name__, "new_york_5_6", (*LARGE_MODULES, *GEOGRAPHY_MODULES))
erie_canal = make_scenario(__name__, "erie_canal", (*BASE_MODULES, *ERIE_CANAL_MODULES))
erie_canal_5_6 = make_scenario(__name__, "erie_canal_5_6", (*LARGE_MODULES, *ERIE_CANAL_MODULES))
