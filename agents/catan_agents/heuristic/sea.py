"""Scores for Seafarers: sail to places worth settling, and put the pirate where it does opponents the most harm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from catan_agents.heuristic.base import (
    MOST_SEATS,
    my_buildings,
    my_sites,
    open_sites,
    owner_weights,
    robber_stays,
    site_values,
    worth_at,
)
from catan_agents.heuristic.decision_context import DecisionContext, at, within_reach
from catan_agents.heuristic.scoring import NEVER, always, goal, score, site_bonus
from catan_env.board.terrain import FOG, FRAME, SEA
from catan_env.games.seafarers.fog import EXPLORE
from catan_env.games.seafarers.moving_pirate import MOVE_PIRATE, SEND_PIRATE_OFF
from catan_env.games.seafarers.moving_ships import TAKE_SHIP
from catan_env.games.seafarers.new_world import PLACE_HARBOR
from catan_env.games.seafarers.optional_theft import LEAVE_CARD
from catan_env.games.seafarers.ships import BUILD_SHIP

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
PIPS = np.array([0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1], np.float64)

FREE_SHIPS = ["free_road", "move_ship"]
"""Decisions in which ships are free."""
PRIZES: list[tuple[str, Callable[[DecisionContext], np.ndarray]]] = []
"""Extra ship values: a field name, and a function that returns (n, paths) pips for games with that field."""
LIMITS: list[tuple[str, Callable[[DecisionContext], np.ndarray], Callable[[DecisionContext], np.ndarray]]] = []
"""For games with the named field, where settlements, (n, intersections) bool, and ships, (n, paths) bool, may go."""


@site_bonus("on_island")
def islands(t: DecisionContext) -> np.ndarray:
    """Return the value of the victory points earned by settling new islands."""
    island_of_hex = t.public("island")
    is_settled = t.public("on_island")[t.rows, t.seats]
    is_new_island = (island_of_hex >= 0) & ~np.take_along_axis(
        is_settled, np.maximum(island_of_hex, 0).astype(np.int64), axis=1
    ).astype(bool)
    point_value = (t.public("turn") > 0) * t.engine.rules["island_points"] * ISLAND_POINT
    return at(is_new_island, t.topology.intersection_hexes).any(axis=2) * point_value[:, None]


@site_bonus("ships")
def gold(t: DecisionContext) -> np.ndarray:
    """Return the value of gold hexes, which produce any resource."""
    gold_pips = PIPS[t.public("number")] * (t.public("terrain") == SEA + 1) * GOLD_PIP
    return at(gold_pips, t.topology.intersection_hexes).sum(axis=2)


def prizes(t: DecisionContext) -> np.ndarray:
    """Return the extra value of a ship on each path, in pips, shape (n, paths). Costs are negative."""
    return sum((t.of(prize) for field, prize in PRIZES if t.has(field)), np.zeros(t.public("edge_owner").shape))


def along_sea(t: DecisionContext) -> np.ndarray:
    """Return which paths along the sea or the frame may hold ships, as an (n, paths) bool array."""
    terrain = t.public("terrain")
    is_along_sea = at(terrain == SEA, t.topology.path_hexes).sum(axis=2) > 0
    if t.engine.rules["frame_is_sea"]:
        return is_along_sea | (at(terrain != FRAME, t.topology.path_hexes).sum(axis=2) == 1)
    return is_along_sea


def sea_reach(t: DecisionContext) -> np.ndarray:
    """Return the best discounted value reachable by more ships from each intersection, shape (n, intersections)."""
    terrain = t.public("terrain")
    is_on_land = at((terrain < SEA) | (terrain == SEA + 1), t.topology.intersection_hexes).any(axis=2)
    fog_pips = at(terrain == FOG, t.topology.intersection_hexes).sum(axis=2) * UNKNOWN
    for field, settlements_stay, _ in LIMITS:
        if t.has(field):
            is_on_land &= t.of(settlements_stay)
    values_in_reach = np.where(t.of(open_sites) & is_on_land, t.of(site_values), 0.0) + fog_pips
    values_in_reach = np.maximum(values_in_reach, AWAY * at(t.of(prizes), t.topology.intersection_paths).max(axis=2))
    is_sailable = along_sea(t) & (t.public("edge_owner") < 0)
    for field, _, ships_stay in LIMITS:
        if t.has(field):
            is_sailable &= t.of(ships_stay)
    return within_reach(t, values_in_reach, is_sailable, AWAY)


def sea_gains(t: DecisionContext) -> np.ndarray:
    """Return the value of a ship on each path, shape (n, paths): what its new ends lead to, plus its prizes."""
    is_own_ship = (t.public("edge_owner") == t.seats[:, None]) & (t.public("ships") > 0)
    is_reached = at(is_own_ship, t.topology.intersection_paths).any(axis=2) | (t.of(my_buildings) > 0)
    end_values = t.of(sea_reach)[:, t.topology.path_intersections]
    gains = np.where(~is_reached[:, t.topology.path_intersections], end_values, 0.0).max(axis=2)
    return np.maximum(gains + t.of(prizes), 0.0)


def ship_sites(t: DecisionContext) -> np.ndarray:
    """Return an (n, paths) bool mask of where the seat to act could place a ship now, given the cards."""
    return (t.public("edge_piece_sites")[:, 1] >> t.seats[:, None].astype(np.uint8) & 1) > 0


@goal(BUILD_SHIP, "ship")
def save_for_a_ship(t: DecisionContext) -> tuple[np.ndarray, np.ndarray]:
    """Save for a ship if the seat has no site to settle and ships lead to something of value."""
    best_gain = np.where(t.of(ship_sites), t.of(sea_gains), 0.0).max(axis=1)
    has_ship_left = t.public("edge_pieces_left")[t.rows, t.seats, 1] > 0
    return ~t.of(my_sites).any(axis=1) & has_ship_left & (best_gain > 0), np.where(best_gain > 8, 0.5, 1.5)


@score(BUILD_SHIP)
def build_ship(t: DecisionContext) -> np.ndarray:
    """Score each ship by the best place it leads to.

    While the seat has a site to settle, it builds no ships unless they are free or it has plenty of lumber and wool.
    """
    gains = t.of(sea_gains)
    is_free = np.any([t.deciding(name) for name in FREE_SHIPS], axis=0) | (t.public("on_turn") < 0)
    has_site = t.of(my_sites).any(axis=1) & ~is_free
    has_plenty = (t.own("hands")[:, [0, 2]] >= 3).all(axis=1)
    is_worthwhile = ~has_site | has_plenty
    return np.where(is_worthwhile[:, None], np.where(gains > 0, 200.0, 5.0) + gains, -10.0)


@score(TAKE_SHIP)
def take_ship(t: DecisionContext) -> np.ndarray:
    """Move a ship whose open end leads to little of value if another place is clearly better."""
    end_values = t.of(sea_reach)[:, t.topology.path_intersections].max(axis=2)
    best_gain = np.where(t.of(ship_sites), t.of(sea_gains), 0.0).max(axis=1)
    return np.where(best_gain[:, None] > 1.5 * end_values + 2.0, 120.0 - end_values, -10.0)


def ship_harm(t: DecisionContext) -> np.ndarray:
    """Return the harm that the pirate would do on each hex, in owner-weighted pips, shape (n, hexes).

    The pirate pins ships in place and closes paths to new ones.
    """
    seat_weights = t.of(owner_weights)
    held_harm = HELD * seat_weights[t.rows[:, None], t.public("edge_owner")] * (t.public("ships") > 0)
    is_open = t.public("edge_piece_sites")[:, 1, :, None] >> np.arange(t.engine.num_players) & 1
    barred_harm = BARRED * (is_open * seat_weights[:, None, : t.engine.num_players]).sum(axis=2)
    return at(held_harm + barred_harm, t.topology.hex_paths).sum(axis=2)


def loot_of_ships(t: DecisionContext) -> np.ndarray:
    """Return 0 for hexes where an opponent with cards has a ship, otherwise a penalty, shape (n, hexes)."""
    has_cards = np.zeros((len(t.games), MOST_SEATS + 1), bool)
    has_cards[:, : t.engine.num_players] = t.totals("hands") > 0
    has_cards[t.rows, t.seats] = False
    lootable_ships = has_cards[t.rows[:, None], t.public("edge_owner")] & (t.public("ships") > 0)
    return np.where(at(lootable_ships, t.topology.hex_paths).any(axis=2), 0.0, NO_LOOT)


@score(MOVE_PIRATE)
def move_pirate(t: DecisionContext) -> np.ndarray:
    """Score the harm done on the new hex minus the harm done on the current hex; the robber stays where it is."""
    return t.of(robber_stays) + t.of(ship_harm) + t.of(loot_of_ships) - worth_at(t.of(ship_harm), t.public("pirate"))


@score(SEND_PIRATE_OFF)
def send_pirate_off(t: DecisionContext) -> np.ndarray:
    """Remove the pirate if it harms the seat and no hex is better."""
    return t.of(robber_stays) + NO_LOOT - worth_at(t.of(ship_harm), t.public("pirate"))


always(0.0, EXPLORE, PLACE_HARBOR)
always(NEVER, LEAVE_CARD)
