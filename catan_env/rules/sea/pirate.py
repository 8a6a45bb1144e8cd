"""The pirate: moved in place of the robber, it steals from ships and keeps others off its hex.

Sources: seafarers.md 3; 1 ("Pirate", "Knight card"). The current rules let it go off the board, the older ones do
not: `pirate_may_leave`.
"""

from catan_env.board.terrain import SEA
from catan_env.engine.declare import (
    Action,
    Feature,
    Field,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    set_up,
    shows,
)
from catan_env.engine.queue import pop
from catan_env.rules.base.robber import PLACE_ROBBER
from catan_env.rules.base.theft import let_steal
from catan_env.rules.sea.ships import NO_SHIP, SHIP
from catan_env.rules.sea.waters import NOWHERE, refresh_hex, touches
from catan_env.rules.vocabulary import CORNERS, HEXES, MAY_LAY, MAY_STEAL_FROM, NOBODY_SEAT, NOTHING, REGIONS

FIELDS = (Field("pirate", (), "i1", NOWHERE, 127, "hex of the pirate, -1 off the board", NOWHERE, along=HEXES),)
NUMBERS = (Number("pirate_may_leave", 1, "whether the pirate may be moved off the board (1) or not (0)", 0, 1),)

MOVE_PIRATE = Action("move_pirate", "move the pirate to {}", HEXES, "another sea hex than the pirate's")
SEND_PIRATE_OFF = Action("send_pirate_off", "move the pirate off the board", needs="a pirate at sea that may leave it")
ACTIONS = (MOVE_PIRATE, SEND_PIRATE_OFF)
PIRATE = Feature("pirate", HEXES, 1, "where the pirate lies")
PIRATE_AT_SEA = Invariant("pirate_at_sea", "the pirate is at sea or off the board")


@set_up
def start_pirate(game, table):
    for k in range(REGIONS):
        if table.region_pirate[k]:
            game.pirate = table.region_hexes[k]


@shows(PIRATE)
def pirate_on_hex(game, table, seat, hex):
    return game.pirate == hex


@answers(MAY_LAY)
def no_ships_at_the_pirate(game, table, kind, path):
    return kind != SHIP or game.pirate == NOWHERE or not touches(table, path, game.pirate)


@legal(PLACE_ROBBER)
def hexes_for_pirate(game, table, seat, mask):
    for hex in range(HEXES):
        mask[MOVE_PIRATE + hex] = game.terrain[hex] == SEA and hex != game.pirate
    mask[SEND_PIRATE_OFF] = game.pirate != NOWHERE and table.pirate_may_leave != 0


def ships_at(game, table, thief, hex):
    """Bits of the other players with a ship at a hex, even if their hands are empty."""
    victims = 0
    for side in range(CORNERS):
        path = table.hex_paths[hex, side]
        if path != NOTHING and game.ships[path] != NO_SHIP:
            owner = game.way[path]
            if owner != NOBODY_SEAT and MAY_STEAL_FROM(game, table, thief, owner):
                victims |= 1 << owner
    return victims


def set_pirate(game, table, hex):
    """Sets the pirate on a hex or off the board."""
    left = game.pirate
    game.pirate = hex
    if left != NOWHERE:
        refresh_hex(game, table, left)
    if hex != NOWHERE:
        refresh_hex(game, table, hex)


@apply(MOVE_PIRATE)
def move_pirate(game, table, seat, hex):
    pop(game)
    set_pirate(game, table, hex)
    let_steal(game, table, seat, ships_at(game, table, seat, hex))


@apply(SEND_PIRATE_OFF)
def send_pirate_off(game, table, seat, argument):
    pop(game)
    set_pirate(game, table, NOWHERE)


@checks(PIRATE_AT_SEA)
def pirate_at_sea(game, table):
    return game.pirate == NOWHERE or game.terrain[game.pirate] == SEA
