"""Troy: for four, on a reconstructed board."""

from catan_env.rules.base import (
    board_layout,
    building,
    discarding,
    founding,
    longest_road,
    network,
    player_trade,
    production,
    resources,
    supply_trade,
    theft,
    turns,
    victory,
)
from catan_env.rules.sea import waters
from catan_env.rules.troy import allegiance, donations, fleet, pool_trade, seafaring_people, war
from catan_env.scenarios.load import make_scenario

TROY_MODULES = (
    board_layout,
    waters,
    resources,
    turns,
    production,
    discarding,
    seafaring_people,
    theft,
    network,
    building,
    supply_trade,
    player_trade,
    longest_road,
    allegiance,
    donations,
    fleet,
    pool_trade,
    founding,
    victory,
    war,
)
"""Neither development cards nor Largest Army nor a robber. The end of the war comes after a win by points."""

troy = make_scenario(__name__, "troy", TROY_MODULES)
