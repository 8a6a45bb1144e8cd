"""Seafarers: its scenarios, and the New World.

The first four, each for three and four players on its own boards, have the same rules and boards of one size, and so
share one compiled program.
"""

from catan_env.games.base import largest_army, longest_road, robber
from catan_env.games.base.scenarios import BASE_MODULES
from catan_env.games.load import make_scenario
from catan_env.games.seafarers import (
    cloth,
    cloth_pirate,
    fog,
    fortresses,
    gold,
    islands,
    moving_pirate,
    moving_ships,
    new_world,
    numbered_land,
    pirate,
    pirate_fleet,
    ships,
    tribe_gifts,
    waters,
    wonders,
)

SEAFARERS_MODULES = (*BASE_MODULES, waters, ships, moving_ships, pirate, moving_pirate, gold, fog, islands)
NEW_WORLD_MODULES = (*BASE_MODULES, waters, ships, moving_ships, pirate, moving_pirate, gold, islands, new_world)
CLOTH_MODULES = (
    *(module for module in BASE_MODULES if module is not longest_road),
    waters,
    numbered_land,
    ships,
    moving_ships,
    pirate,
    gold,
    islands,
    cloth,
    cloth_pirate,
)
PIRATE_ISLANDS_MODULES = (
    *(module for module in BASE_MODULES if module not in (longest_road, largest_army, robber)),
    waters,
    ships,
    gold,
    islands,
    pirate_fleet,
    fortresses,
)
WONDERS_MODULES = (*BASE_MODULES, waters, ships, moving_ships, gold, islands, wonders)
TRIBE_MODULES = (
    *BASE_MODULES,
    waters,
    numbered_land,
    ships,
    moving_ships,
    pirate,
    moving_pirate,
    gold,
    islands,
    tribe_gifts,
)

new_shores = make_scenario(__name__, "seafarers_new_shores", SEAFARERS_MODULES)
four_islands = make_scenario(__name__, "seafarers_four_islands", SEAFARERS_MODULES)
fog_islands = make_scenario(__name__, "seafarers_fog_islands", SEAFARERS_MODULES)
through_the_desert = make_scenario(__name__, "seafarers_through_the_desert", SEAFARERS_MODULES)
new_world_board = make_scenario(__name__, "seafarers_new_world", NEW_WORLD_MODULES)
forgotten_tribe = make_scenario(__name__, "seafarers_forgotten_tribe", TRIBE_MODULES)
cloth_for_catan = make_scenario(__name__, "seafarers_cloth", CLOTH_MODULES)
pirate_islands = make_scenario(__name__, "seafarers_pirate_islands", PIRATE_ISLANDS_MODULES)
wonders_of_catan = make_scenario(__name__, "seafarers_wonders", WONDERS_MODULES)
