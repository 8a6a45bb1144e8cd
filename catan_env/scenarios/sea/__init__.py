"""Seafarers: its first four scenarios, each for three and four players on its own boards, and the New World.

The four have the same rules and boards of one size, and so share one compiled program.
"""

from catan_env.rules.sea import fog, gold, islands, moving_pirate, moving_ships, new_world, pirate, ships, waters
from catan_env.scenarios.base import BASE_MODULES
from catan_env.scenarios.load import make_scenario

SEAFARERS_MODULES = (*BASE_MODULES, waters, ships, moving_ships, pirate, moving_pirate, gold, fog, islands)
NEW_WORLD_MODULES = (*BASE_MODULES, waters, ships, moving_ships, pirate, moving_pirate, gold, islands, new_world)

new_shores = make_scenario(__name__, "seafarers_new_shores", SEAFARERS_MODULES)
four_islands = make_scenario(__name__, "seafarers_four_islands", SEAFARERS_MODULES)
fog_islands = make_scenario(__name__, "seafarers_fog_islands", SEAFARERS_MODULES)
through_the_desert = make_scenario(__name__, "seafarers_through_the_desert", SEAFARERS_MODULES)
new_world_board = make_scenario(__name__, "seafarers_new_world", NEW_WORLD_MODULES)
