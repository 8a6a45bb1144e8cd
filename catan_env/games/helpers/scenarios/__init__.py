"""Helpers, for three and four players, and on the large board for five and six.

The helper modules stand in the order of the stack: those with a number, A1 to A6, then the four without.
"""

from catan_env.games.base.scenarios import BASE_MODULES, LARGE_MODULES
from catan_env.games.helpers import (
    captain,
    explorer,
    general,
    helper_cards,
    helper_use,
    mayor,
    mendicant,
    merchant,
    noblewoman,
    priest,
    robber_bride,
    scholar,
)
from catan_env.games.load import make_scenario

NUMBERED = (merchant, mendicant, mayor, explorer, general, scholar)
WITHOUT_NUMBER = (robber_bride, captain, priest, noblewoman)
HELPER_MODULES = (helper_cards, helper_use, *NUMBERED, *WITHOUT_NUMBER)

helpers = make_scenario(__name__, "helpers", (*BASE_MODULES, *HELPER_MODULES))
helpers_5_6 = make_scenario(__name__, "helpers_5_6", (*LARGE_MODULES, *HELPER_MODULES))
