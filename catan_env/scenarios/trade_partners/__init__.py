"""Trade partners: for two on the standard board, for three on the large one, and for two with ships."""

from catan_env.rules.sea import fog, gold, islands, moving_pirate, moving_ships, pirate, ships, waters
from catan_env.rules.trade_partners import (
    mirrored_building,
    partner_founding,
    partner_gold,
    partner_ships,
    partner_trade,
    partners,
)
from catan_env.scenarios.base import BASE_MODULES
from catan_env.scenarios.load import make_scenario

PARTNER_MODULES = (mirrored_building, *BASE_MODULES, partners, partner_trade, partner_founding)
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

trade_partners = make_scenario(__name__, "trade_partners", PARTNER_MODULES)
trade_partners_3 = make_scenario(__name__, "trade_partners_3", PARTNER_MODULES)
trade_partners_new_shores = make_scenario(__name__, "trade_partners_new_shores", SEA_PARTNER_MODULES)
