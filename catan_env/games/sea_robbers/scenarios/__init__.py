"""Sea Robbers: Seafarers with sea robber ships to sink, chests to return and warships of one's own, on a board and with
numbers of a reconstruction."""

from catan_env.games.base.scenarios import BASE_MODULES
from catan_env.games.cities_and_knights import sea_lines, sea_progress
from catan_env.games.cities_and_knights.scenarios import KNIGHT_MODULES, WITHOUT_DEVELOPMENT
from catan_env.games.load import make_scenario
from catan_env.games.sea_robbers import battles, chest_cards, chest_progress, chests, warship_diplomacy, warships
from catan_env.games.seafarers import gold, islands, moving_ships, ships, waters

SEA_MODULES = (waters, ships, moving_ships, gold, islands)

sea_robbers = make_scenario(
    __name__, "sea_robbers", (*BASE_MODULES, *SEA_MODULES, battles, chests, chest_cards, warships)
)
sea_robbers_cities_and_knights = make_scenario(
    __name__,
    "sea_robbers_cities_and_knights",
    (
        *WITHOUT_DEVELOPMENT,
        *SEA_MODULES,
        *KNIGHT_MODULES,
        sea_lines,
        sea_progress,
        battles,
        chests,
        chest_progress,
        warships,
        warship_diplomacy,
    ),
)
"""What may not be built by the rules of the sea robbers is taken back after all others have said what may."""
