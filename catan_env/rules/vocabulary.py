"""Words that several rule modules share: axes of the board, events, names for arguments."""

from catan_env.engine.declare import Event, Size, Total

HEXES = Size("hexes")
INTERSECTIONS = Size("intersections")
PATHS = Size("paths")
COAST = Size("coast")
"""Coast paths, clockwise; `table.coast_intersections` (COAST, 2) are their ends."""
DEGREE = Size("degree")
"""Most paths, or hexes, that meet at an intersection; what is not there is -1."""
CORNERS = Size("corners")
"""Most corners, or sides, of a hex; what is not there is -1."""
TERRAIN_KINDS = Size("terrains")
"""Terrains of the scenario's map: the first of `TERRAINS`."""
OPPONENTS = Size("opponents")
"""Other seats, counted to the left: argument 0 is the next seat."""

NUM_RESOURCES = 5
NOBODY_SEAT = -1
NOTHING = -1

ROAD_BUILT = Event("road_built", "`player` has built a road on path `where`")
SETTLEMENT_BUILT = Event("settlement_built", "`player` has built a settlement on intersection `where`")
CITY_BUILT = Event("city_built", "`player` has built a city on intersection `where`")
DICE_ROLLED = Event("dice_rolled", "`player` has rolled the sum `where`")
SEVEN_ROLLED = Event("seven_rolled", "`player` has rolled a 7, before anybody discards")
PRODUCED = Event("produced", "the roll `where` of `player` has brought its resources")
ROBBER_MOVED = Event("robber_moved", "`player` has moved the robber to hex `where`, before any theft")
CARD_STOLEN = Event("card_stolen", "`player` has taken an unseen resource card from seat `where`")
CARD_BOUGHT = Event("card_bought", "`player` has bought a development card")
KNIGHT_PLAYED = Event("knight_played", "`player` has played a knight")
KNIGHT_DISCARDED = Event("knight_discarded", "`player` has given up a played knight")
MONOPOLY_PLAYED = Event("monopoly_played", "`player` has taken all cards of resource `where` from everybody")
TRADED = Event("traded", "`player` has traded with seat `where`")
TURN_STARTED = Event("turn_started", "the own turn of `player` has begun")
TURN_ENDED = Event("turn_ended", "the own turn of `player` is over")

THEFT_OPTIONAL = Total("theft_optional", "above 0 if `player` may do without a theft at the robber's hex")


def to_the_left(table, seat, steps):
    """The seat `steps` places to the left."""
    return (seat + steps) % table.num_players
