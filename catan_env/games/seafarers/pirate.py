"""The pirate: ships cannot be built on, moved to or moved away from the sides of its hex."""

from catan_env.board.terrain import SEA
from catan_env.engine.declare import BoardArray, Feature, Field, Invariant, answers, checks, rule, set_up, shows
from catan_env.games.base.network import edge_piece_site
from catan_env.games.seafarers.ships import SHIP
from catan_env.games.seafarers.waters import NOWHERE, touches
from catan_env.games.vocabulary import CORNERS, HEXES, MAY_LAY, NOTHING, REGIONS

FIELDS = (Field("pirate", (), "i1", NOWHERE, 127, "hex of the pirate, -1 off the board", NOWHERE, along=HEXES),)
BOARD_ARRAYS = (BoardArray("region_pirate", "marks.region.pirate", "whether the pirate starts in each region", 0, 1),)

PIRATE = Feature("pirate", HEXES, 1, "where the pirate lies")
PIRATE_AT_SEA = Invariant("pirate_at_sea", "the pirate is at sea or off the board")


def pirate_start(params):
    """Return the hex where the pirate starts; -1 if it starts off the board."""
    for k in range(REGIONS):
        if params.region_pirate[k]:
            return int(params.region_hexes[k])
    return NOWHERE


@rule("seafarers.pirate.3")
@set_up
def start_pirate(game, params):
    game.pirate = pirate_start(params)


@rule("seafarers.moving_pirate.2")
@shows(PIRATE)
def pirate_on_hex(game, params, seat, hex):
    return game.pirate == hex


@rule("seafarers.pirate.1", "seafarers.pirate.2")
@answers(MAY_LAY)
def no_ships_at_the_pirate(game, params, kind, path):
    return kind != SHIP or game.pirate == NOWHERE or not touches(params, path, game.pirate)


@rule("seafarers.moving_pirate.1")
def set_pirate(game, params, hex):
    """Move the pirate to a hex or off the board."""
    old_hex = game.pirate
    game.pirate = hex
    refresh_ships_at(game, params, old_hex)
    refresh_ships_at(game, params, hex)


def refresh_ships_at(game, params, hex):
    """Update who may place ships along the sides of a hex; do nothing if it is off the board."""
    if hex != NOWHERE:
        for side in range(CORNERS):
            path = params.hex_paths[hex, side]
            if path != NOTHING:
                game.edge_piece_sites[SHIP, path] = edge_piece_site(game, params, SHIP, path)


@rule("seafarers.moving_pirate.2")
@checks(PIRATE_AT_SEA)
def pirate_at_sea(game, params):
    return game.pirate == NOWHERE or game.terrain[game.pirate] == SEA
