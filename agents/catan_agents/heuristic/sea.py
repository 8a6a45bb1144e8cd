"""Scores for Seafarers: sail to places worth settling, and put the pirate where it does opponents the most harm."""

from __future__ import annotations

from catan_agents.evaluation.base import pips_of
from catan_agents.heuristic.base import has_site, is_open_site, robber_stays, site_value, weight_of, weight_of_player
from catan_agents.heuristic.generated import IMPOSSIBLE, Hook, goal, shared, site_bonus
from catan_agents.heuristic.reach import nothing, scratch, spread
from catan_agents.heuristic.scoring import NEVER, always, score
from catan_env.board.terrain import FOG, GOLD, SEA
from catan_env.engine.bitset import where_bit
from catan_env.engine.decision_stack import head
from catan_env.engine.declare import ANY, EVERY, SUM
from catan_env.engine.small_sets import contains
from catan_env.games.base.building import FREE_ROAD
from catan_env.games.base.resources import hand_size
from catan_env.games.seafarers import islands as island_rules
from catan_env.games.seafarers import moving_ships as moving_ships_rules
from catan_env.games.seafarers import ships as ships_rules
from catan_env.games.seafarers.fog import EXPLORE
from catan_env.games.seafarers.moving_pirate import MOVE_PIRATE, SEND_PIRATE_OFF
from catan_env.games.seafarers.moving_ships import MOVE_SHIP, TAKE_SHIP
from catan_env.games.seafarers.new_world import PLACE_HARBOR
from catan_env.games.seafarers.optional_theft import LEAVE_CARD
from catan_env.games.seafarers.ships import BUILD_SHIP, SHIP
from catan_env.games.seafarers.waters import lies_along_sea
from catan_env.games.vocabulary import (
    CORNERS,
    DEGREE,
    INTERSECTIONS,
    LUMBER,
    NOBODY,
    NOTHING,
    PATHS,
    WOOL,
)

ISLAND_POINT = 6.0
"""Value, in pips, of a victory point for an island."""
UNKNOWN = 5.0
"""Value, in pips, of a hex under the fog."""
GOLD_PIP = 1.2
AWAY = 0.8
"""Discount per ship on the way to a place."""
HELD, BARRED = 1.0, 0.5
"""Harm done by pinning a ship and by closing a path to ships, as the equivalent in pips blocked by the robber."""
NO_LOOT = -20.0
"""Penalty if no card can be stolen, in the same unit."""

SHIP_IS_FREE = Hook("ship_is_free", ANY)
"""Whether ships are free at the current decision."""
PRIZE = Hook("prize_of_ship", SUM)
"""Extra value of a ship on a path, in pips; costs are negative."""
WORTH_SAILING_TO = Hook("is_worth_sailing_to", EVERY)
"""Whether the seat may settle on an intersection that it reaches by ship."""
SAILABLE = Hook("is_sailable", EVERY)
"""Whether the seat may put ships on a path at the sea."""


@site_bonus(of=island_rules)
def islands(game, params, seat, memo, intersection):
    """Return the value of the victory points earned by settling new islands."""
    if game.turn > 0:
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            if hex != NOTHING and game.island[hex] >= 0 and not game.on_island[seat, game.island[hex]]:
                return params.island_points * ISLAND_POINT
    return 0.0


@site_bonus(of=ships_rules)
def gold(game, params, seat, memo, intersection):
    """Return the value of gold hexes, which produce any resource."""
    value = 0.0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.terrain[hex] == GOLD:
            value += pips_of(game.number[hex]) * GOLD_PIP
    return value


@shared(PATHS)
def prize(game, params, seat, memo, values):
    """Fill in the extra value of a ship on each path, in pips. Costs are negative."""
    for path in range(PATHS):
        values[path] = PRIZE(game, params, seat, memo, path, 0.0)


def value_of_landing(game, params, seat, memo, intersection):
    """Return the value of reaching an intersection by ship: a site on land, and hexes under the fog."""
    is_on_land = False
    fog_hexes = 0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING:
            is_on_land |= game.terrain[hex] < SEA or game.terrain[hex] == GOLD
            fog_hexes += game.terrain[hex] == FOG
    value = 0.0
    if is_on_land and is_open_site(game, params, seat, memo, intersection):
        if WORTH_SAILING_TO(game, params, seat, memo, intersection, True):
            value = site_value(game, params, seat, memo, intersection)
    return value + fog_hexes * UNKNOWN


@shared(PATHS)
def is_open_to_ships(game, params, seat, memo, is_open):
    """Mark the free paths on which the seat may put ships, if its routes get there."""
    for path in range(PATHS):
        if game.edge_owner[path] == NOBODY and lies_along_sea(game, params, path):
            is_open[path] = SAILABLE(game, params, seat, memo, path, True)


@shared(INTERSECTIONS, is_open_to_ships, nothing, scratch)
def sea_reach(game, params, seat, memo, values, is_open, is_closed, scratch):
    """Fill in the best discounted value reachable by more ships from each intersection."""
    for intersection in range(INTERSECTIONS):
        value = value_of_landing(game, params, seat, memo, intersection)
        for k in range(DEGREE):
            path = params.intersection_paths[intersection, k]
            if path != NOTHING:
                value = max(value, AWAY * prize(game, params, seat, memo, path))
        values[intersection] = value
    spread(params, values, is_open, is_closed, AWAY, scratch)


def is_reached_by_ship(game, params, seat, intersection):
    """Return whether the seat has a ship or a building at an intersection."""
    if game.building_owner[intersection] == seat:
        return True
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == seat and game.ships[path] > 0:
            return True
    return False


def sea_gain(game, params, seat, memo, path):
    """Return the value of a ship on a path: what its new ends lead to, plus its prizes."""
    gain = 0.0
    for end in range(2):
        intersection = params.path_intersections[path, end]
        if not is_reached_by_ship(game, params, seat, intersection):
            gain = max(gain, sea_reach(game, params, seat, memo, intersection))
    return max(gain + prize(game, params, seat, memo, path), 0.0)


@shared()
def best_sea_gain(game, params, seat, memo):
    """Return the highest value of a ship where the seat could place one now, given the cards."""
    best_gain = 0.0
    for path in where_bit(game.edge_piece_sites[SHIP], seat):
        best_gain = max(best_gain, sea_gain(game, params, seat, memo, path))
    return best_gain


@goal(BUILD_SHIP, "ship")
def save_for_a_ship(game, params, seat, memo):
    """Save for a ship if the seat has no site to settle and ships lead to something of value."""
    if has_site(game, seat) or game.edge_pieces_left[seat, SHIP] == 0:
        return IMPOSSIBLE
    best_gain = best_sea_gain(game, params, seat, memo)
    if best_gain > 8:
        return 0.5
    return 1.5 if best_gain > 0 else IMPOSSIBLE


@SHIP_IS_FREE.contribution()
def is_free_road(game, params, seat, memo, where):
    return head(game) == FREE_ROAD


@SHIP_IS_FREE.contribution(of=moving_ships_rules)
def is_moved_ship(game, params, seat, memo, where):
    return head(game) == MOVE_SHIP


@score(BUILD_SHIP)
def build_ship(game, params, seat, memo, path):
    """Score each ship by the best place it leads to.

    While the seat has a site to settle, it builds no ships unless they are free or it has plenty of lumber and wool.
    """
    if has_site(game, seat) and game.on_turn >= 0:
        has_plenty = game.hands[seat, LUMBER] >= 3 and game.hands[seat, WOOL] >= 3
        if not SHIP_IS_FREE(game, params, seat, memo, 0, has_plenty):
            return -10.0
    gain = sea_gain(game, params, seat, memo, path)
    return (200.0 if gain > 0 else 5.0) + gain


@score(TAKE_SHIP)
def take_ship(game, params, seat, memo, path):
    """Move a ship whose open end leads to little of value if another place is clearly better."""
    end_value = 0.0
    for end in range(2):
        end_value = max(end_value, sea_reach(game, params, seat, memo, params.path_intersections[path, end]))
    is_better = best_sea_gain(game, params, seat, memo) > 1.5 * end_value + 2.0
    return 120.0 - end_value if is_better else -10.0


def harm_on_path(game, params, seat, memo, path):
    """Return the owner-weighted harm that the pirate would do on a path: it pins ships and closes paths to new ones."""
    held = HELD * weight_of(game, params, seat, memo, game.edge_owner[path]) if game.ships[path] > 0 else 0.0
    barred = 0.0
    for player in range(params.num_players):
        if contains(game.edge_piece_sites[SHIP, path], player):
            barred += weight_of_player(game, params, seat, memo, player)
    return held + BARRED * barred


def ship_harm(game, params, seat, memo, hex):
    """Return the harm that the pirate would do on a hex, in owner-weighted pips."""
    harm = 0.0
    for k in range(CORNERS):
        path = params.hex_paths[hex, k]
        if path != NOTHING:
            harm += harm_on_path(game, params, seat, memo, path)
    return harm


def loot_of_ships(game, params, seat, hex):
    """Return 0 for a hex where an opponent with cards has a ship, otherwise a penalty."""
    for k in range(CORNERS):
        path = params.hex_paths[hex, k]
        if path != NOTHING and game.ships[path] > 0:
            owner = game.edge_owner[path]
            if owner != NOBODY and owner != seat and owner < params.num_players and hand_size(game, owner) > 0:
                return 0.0
    return NO_LOOT


def pirate_stays(game, params, seat, memo):
    """Return the harm that the pirate does on its current hex; 0 if it is off the board."""
    return ship_harm(game, params, seat, memo, game.pirate) if game.pirate != NOTHING else 0.0


@score(MOVE_PIRATE)
def move_pirate(game, params, seat, memo, hex):
    """Score the harm done on the new hex minus the harm done on the current hex; the robber stays where it is."""
    worth = robber_stays(game, params, seat, memo) + ship_harm(game, params, seat, memo, hex)
    return worth + loot_of_ships(game, params, seat, hex) - pirate_stays(game, params, seat, memo)


@score(SEND_PIRATE_OFF)
def send_pirate_off(game, params, seat, memo, argument):
    """Remove the pirate if it harms the seat and no hex is better."""
    return robber_stays(game, params, seat, memo) + NO_LOOT - pirate_stays(game, params, seat, memo)


always(0.0, EXPLORE, PLACE_HARBOR)
always(NEVER, LEAVE_CARD)
