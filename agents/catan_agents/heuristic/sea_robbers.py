"""Scores for Sea Robbers: arm before battles, fight when it pays off, and deliver chests at once."""

from __future__ import annotations

from catan_agents.heuristic.base import robber_stays
from catan_agents.heuristic.scoring import LIKELY, NEVER, always, score
from catan_agents.heuristic.sea import PRIZE, loot_of_ships
from catan_env.engine.bitset import where_equal
from catan_env.engine.small_sets import contains
from catan_env.games.sea_robbers import battles as battle_rules
from catan_env.games.sea_robbers import warships as warship_rules
from catan_env.games.sea_robbers.battles import ADD_JUG, ATTACK, FORGO_CARD
from catan_env.games.sea_robbers.chests import CALL_DEVER, REDEEM, SPARE_DEVER
from catan_env.games.sea_robbers.warships import CHASE, LEAVE_WARSHIP, MOVE_WARSHIP, PAY_TRIBUTE, PUSH_WARSHIP
from catan_env.games.seafarers.ships import SHIP
from catan_env.games.vocabulary import BRICK, CORNERS, DEGREE, NOBODY, NOTHING, ORE, SIDES

CHEST = 8.0
"""Value, in pips, of sinking a ship, including its point and its chest."""
DEFEAT = 6.0
CARD_PAID = 3.0
"""Value, in pips, of each card paid."""
TRIBUTE = 1.0
"""Value of a path where opponents pay tribute, in pips blocked by the robber."""
ENOUGH_JUGS = (3, 3, 5)
"""Number of jugs at which a battle pays off, indexed by the number of ships that the seat has sunk."""


def is_strong_enough(game, seat):
    """Return whether the seat is more likely to win a battle than to lose it."""
    return game.jugs[seat] >= ENOUGH_JUGS[min(game.sunk[seat], 2)]


@PRIZE.contribution(of=battle_rules)
def battles(game, params, seat, memo, path):
    """Return the value of the battle that a ship placed on a path would start."""
    for end in range(2):
        for k in range(DEGREE):
            hex = params.intersection_hexes[params.path_intersections[path, end], k]
            if hex != NOTHING and params.hex_sea_robber[hex] != NOTHING and game.afloat[params.hex_sea_robber[hex]]:
                return CHEST if is_strong_enough(game, seat) else -DEFEAT - 20.0
    return 0.0


@PRIZE.contribution(of=warship_rules)
def tribute_due(game, params, seat, memo, path):
    """Return the tribute that a ship on a path would owe opponents, as a negative value."""
    warships = 0
    for side in range(SIDES):
        hex = params.path_hexes[path, side]
        warships += hex != NOTHING and game.warship[hex] != NOBODY and game.warship[hex] != seat
    return -CARD_PAID * warships


@score(ADD_JUG)
def add_jug(game, params, seat, memo, argument):
    """Until battles pay off, add jugs before building ships; after that, only use spare brick and ore."""
    if not is_strong_enough(game, seat):
        return 260.0
    return 100.0 if game.hands[seat, BRICK] >= 3 and game.hands[seat, ORE] >= 3 else -10.0


@score(MOVE_WARSHIP)
def move_warship(game, params, seat, memo, hex):
    """Score the tribute at the new hex minus the tribute at the current hex; the robber stays where it is."""
    worth = robber_stays(game, params, seat, memo) + tribute(game, params, seat, hex)
    worth += loot_of_ships(game, params, seat, hex)
    for own_hex in where_equal(game.warship, seat):
        return worth - tribute(game, params, seat, own_hex)
    return worth


def tribute(game, params, seat, hex):
    """Return the value of opponents' ships and ship sites around a hex, in pips blocked by the robber."""
    paths = 0
    for k in range(CORNERS):
        path = params.hex_paths[hex, k]
        if path != NOTHING:
            paths += game.ships[path] > 0 and game.edge_owner[path] != seat
            for player in range(params.num_players):
                paths += player != seat and contains(game.edge_piece_sites[SHIP, path], player)
    return TRIBUTE * paths


always(0.0, ATTACK, PAY_TRIBUTE)
always(LIKELY, REDEEM)
always(10.0, CALL_DEVER)
always(0.0, SPARE_DEVER, LEAVE_WARSHIP)
always(NEVER, FORGO_CARD)
always(60.0, CHASE)
always(5.0, PUSH_WARSHIP)
