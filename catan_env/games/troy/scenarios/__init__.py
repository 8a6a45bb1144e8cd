"""Troy: for four, on a reconstructed board."""

from catan_env.games.base import (
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
from catan_env.games.load import make_scenario
from catan_env.games.seafarers import waters
from catan_env.games.troy import allegiance, donations, fleet, pool_trade, seafaring_people, war

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
