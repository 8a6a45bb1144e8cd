"""Trade partners: for two on the standard board, for three on the large one, for two with ships or with knights."""

from catan_env.games.base.scenarios import BASE_MODULES
from catan_env.games.cities_and_knights.scenarios import KNIGHT_MODULES, WITHOUT_DEVELOPMENT
from catan_env.games.load import make_scenario
from catan_env.games.seafarers import fog, gold, islands, moving_pirate, moving_ships, pirate, ships, waters
from catan_env.games.trade_partners import (
    mirrored_building,
    partner_barbarians,
    partner_cities,
    partner_founding,
    partner_gold,
    partner_ships,
    partner_trade,
    partners,
)

BESIDE_BASE = (partners, partner_trade, partner_founding)
PARTNER_MODULES = (mirrored_building, *BASE_MODULES, *BESIDE_BASE)
"""Mirrored building comes first: the turn has to end before the next one can begin."""

SEA_PARTNER_MODULES = (
    *PARTNER_MODULES,
    waters,
    ships,
    moving_ships,
    pirate,
    moving_pirate,
    partner_ships,
    partner_gold,
    gold,
    fog,
    islands,
)
"""Partners' gold before that of players, who choose first."""

KNIGHT_PARTNER_MODULES = (
    mirrored_building,
    *WITHOUT_DEVELOPMENT,
    *BESIDE_BASE,
    *KNIGHT_MODULES,
    partner_cities,
    partner_barbarians,
)

trade_partners = make_scenario(__name__, "trade_partners", PARTNER_MODULES)
trade_partners_3 = make_scenario(__name__, "trade_partners_3", PARTNER_MODULES)
trade_partners_new_shores = make_scenario(__name__, "trade_partners_new_shores", SEA_PARTNER_MODULES)
trade_partners_cities_and_knights = make_scenario(__name__, "trade_partners_cities_and_knights", KNIGHT_PARTNER_MODULES)
