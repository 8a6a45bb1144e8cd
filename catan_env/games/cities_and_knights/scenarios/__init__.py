"""Cities & Knights: the base game without development cards, for three to six; with Seafarers."""

from catan_env.games.base import development_cards, largest_army, special_building
from catan_env.games.base.scenarios import BASE_MODULES
from catan_env.games.cities_and_knights import (
    aqueduct,
    barbarians,
    city_founding,
    city_walls,
    commodities,
    defenders,
    espionage,
    event_dice,
    improvements,
    knight_actions,
    knights,
    merchant_guild,
    merchant_piece,
    metropolises,
    pillaging,
    politics_cards,
    progress_cards,
    progress_decks,
    science_cards,
    sea_barbarians,
    sea_knights,
    sea_lines,
    sea_progress,
    trade_cards,
)
from catan_env.games.load import make_scenario
from catan_env.games.seafarers import gold, islands, moving_pirate, moving_ships, pirate, ships, waters

WITHOUT_DEVELOPMENT = tuple(module for module in BASE_MODULES if module not in (development_cards, largest_army))
KNIGHT_MODULES = (
    commodities,
    city_founding,
    event_dice,
    improvements,
    metropolises,
    knights,
    knight_actions,
    barbarians,
    pillaging,
    city_walls,
    progress_decks,
    progress_cards,
    defenders,
    aqueduct,
    merchant_guild,
    merchant_piece,
    science_cards,
    trade_cards,
    politics_cards,
    espionage,
)
SEA_MODULES = (waters, ships, moving_ships, pirate, moving_pirate, gold, islands)

cities_and_knights = make_scenario(__name__, "cities_and_knights", (*WITHOUT_DEVELOPMENT, *KNIGHT_MODULES))
cities_and_knights_5_6 = make_scenario(
    __name__, "cities_and_knights_5_6", (*WITHOUT_DEVELOPMENT, special_building, *KNIGHT_MODULES)
)
"""Special building stands before the progress cards: what is too many of them is put back before it."""

cities_and_knights_new_shores = make_scenario(
    __name__,
    "cities_and_knights_new_shores",
    (*WITHOUT_DEVELOPMENT, *SEA_MODULES, *KNIGHT_MODULES, sea_barbarians, sea_knights, sea_lines, sea_progress),
)
