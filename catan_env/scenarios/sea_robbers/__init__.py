"""Sea Robbers: Seafarers with sea robber ships to sink, chests to return and warships of one's own, on a board and with
numbers of a reconstruction."""

from catan_env.rules.sea import gold, islands, moving_ships, ships, waters
from catan_env.rules.sea_robbers import battles, chests, warships
from catan_env.scenarios.base import BASE_MODULES
from catan_env.scenarios.load import make_scenario

SEA_ROBBERS_MODULES = (*BASE_MODULES, waters, ships, moving_ships, gold, islands, battles, chests, warships)

sea_robbers = make_scenario(__name__, "sea_robbers", SEA_ROBBERS_MODULES)
