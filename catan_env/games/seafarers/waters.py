"""Land and sea: roads and settlements require land, and the robber stays on it.

A hex is land, sea, unexplored (fog) or off the board (frame).
"""

from catan_env.board.terrain import FOG, FRAME, SEA
from catan_env.engine.declare import Number, answers, rule
from catan_env.games.base.network import ROAD, refresh_around
from catan_env.games.vocabulary import CORNERS, DEGREE, MAY_LAY, MAY_SETTLE, NOTHING, ROBBER_MAY_GO, SIDES

NUMBERS = (Number("frame_is_sea", 1, "whether ships can lie between land and the frame (1) or not (0)", 0, 1),)
NOWHERE = -1
"""Used as the pirate's hex when the pirate is off the board."""


@rule("seafarers.waters.1")
def is_land(game, hex):
    """Return whether a hex is known to be land."""
    terrain = game.terrain[hex]
    return terrain != NOTHING and terrain != SEA and terrain != FOG and terrain != FRAME


@rule("seafarers.waters.1")
def lies_along_land(game, params, path):
    """Return whether a path borders a land hex."""
    for k in range(SIDES):
        hex = params.path_hexes[path, k]
        if hex != NOTHING and is_land(game, hex):
            return True
    return False


@rule("seafarers.ships.3", "seafarers.waters.5")
def lies_along_sea(game, params, path):
    """Return whether a path borders a sea hex or separates a hex on the board from the frame."""
    frame_sides, sea_sides = 0, 0
    for k in range(SIDES):
        hex = params.path_hexes[path, k]
        frame_sides += (hex == NOTHING) | (game.terrain[hex] == FRAME)
        sea_sides += (hex != NOTHING) & (game.terrain[hex] == SEA)
    return sea_sides > 0 or frame_sides == 1 and params.frame_is_sea == 1


@rule("seafarers.pirate.2")
def touches(params, path, hex):
    """Return whether a path borders a hex."""
    for k in range(SIDES):
        if params.path_hexes[path, k] == hex:
            return True
    return False


@rule("seafarers.waters.1")
@answers(MAY_LAY)
def roads_along_land(game, params, kind, path):
    return kind != ROAD or lies_along_land(game, params, path)


@rule("seafarers.waters.2")
@answers(MAY_SETTLE)
def on_land(game, params, player, intersection):
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and is_land(game, hex):
            return True
    return False


@rule("seafarers.waters.3", "seafarers.waters.4")
@answers(ROBBER_MAY_GO)
def robber_on_land(game, params, player, hex):
    return is_land(game, hex)


@rule("seafarers.pirate.2")
def refresh_hex(game, params, hex):
    """Update the building sites around a hex after it has changed."""
    for corner in range(CORNERS):
        if params.hex_intersections[hex, corner] != NOTHING:
            refresh_around(game, params, params.hex_intersections[hex, corner])
