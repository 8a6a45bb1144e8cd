"""The base game: for three and four players, and for two as a benchmark; for five and six on the large board."""

from catan_env.games.base import (
    board_layout,
    building,
    development_cards,
    discarding,
    founding,
    largest_army,
    longest_road,
    network,
    paired_players,
    player_trade,
    production,
    resources,
    robber,
    special_building,
    supply_trade,
    theft,
    turns,
    victory,
)
from catan_env.games.load import make_scenario

BASE_MODULES = (
    board_layout,
    resources,
    turns,
    production,
    discarding,
    robber,
    theft,
    network,
    building,
    supply_trade,
    player_trade,
    development_cards,
    longest_road,
    largest_army,
    founding,
    victory,
)
LARGE_MODULES = (*BASE_MODULES, special_building, paired_players)

base = make_scenario(__name__, "base", BASE_MODULES)
base_5_6 = make_scenario(__name__, "base_5_6", LARGE_MODULES)
