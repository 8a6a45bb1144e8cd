"""Value-network features for games with ships and islands: sites and islands that ships reach, and gold."""

from catan_agents.evaluation.base import WAYS_TO_ROLL, pips_around
from catan_agents.evaluation.features import ValueFeature, feature
from catan_agents.evaluation.sea import goes_on, gold_around, gold_pips, may_be_settled
from catan_env.engine.bitset import where_bit
from catan_env.engine.small_sets import contains
from catan_env.games.base import network as network_rules
from catan_env.games.seafarers import gold as gold_rules
from catan_env.games.seafarers import islands as island_rules
from catan_env.games.seafarers import ships as ship_rules
from catan_env.games.seafarers.islands import NO_ISLAND, new_island_at
from catan_env.games.seafarers.ships import SHIP
from catan_env.games.vocabulary import DEGREE, MAY_LAY, NOBODY, NOTHING

ONE_SHIP, TWO_SHIPS = 1, 2
SITE, ISLAND_AT_ONCE, ISLAND = 0, 3, 3
"""Columns. The number of ships is added to `SITE` and `ISLAND`; column 0 holds the ships left."""


@feature(
    ValueFeature("ships_left", "ships left"),
    ValueFeature("site_by_ship", "expected cards per roll of the best site that one more ship reaches"),
    ValueFeature("site_by_ships", "expected cards per roll of the best site that two more ships reach"),
    ValueFeature("island_at_once", "whether the player could settle a new island now, given the cards"),
    ValueFeature("island_by_ship", "whether one more ship reaches a site on a new island"),
    ValueFeature("island_by_ships", "whether two more ships reach a site on a new island"),
    of=(network_rules, ship_rules, island_rules),
    each=True,
    memo=True,
)
def reach_of_player(game, params, player, seen):
    ships_left = int(game.edge_pieces_left[player, SHIP])
    seen[0] = ships_left
    for intersection in where_bit(game.settlement_sites, player):
        if new_island_at(game, params, player, intersection) != NO_ISLAND:
            seen[ISLAND_AT_ONCE] = 1.0
    if ships_left >= ONE_SHIP:
        for path in where_bit(game.edge_piece_sites[SHIP], player):
            for end in range(2):
                intersection = params.path_intersections[path, end]
                note_site(game, params, player, intersection, ONE_SHIP, seen)
                if ships_left >= TWO_SHIPS and goes_on(game, params, player, intersection):
                    note_sites_beyond(game, params, player, intersection, seen)


def note_sites_beyond(game, params, player, intersection, seen):
    """Record the sites that a second ship reaches from an intersection."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == NOBODY and MAY_LAY(game, params, SHIP, path):
            note_site(game, params, player, params.intersection_neighbors[intersection, k], TWO_SHIPS, seen)


def note_site(game, params, player, intersection, ships, seen):
    """Record an intersection that ships reach, if it is a site that the player does not reach yet."""
    if not contains(game.settlement_sites[intersection], player) and may_be_settled(game, params, player, intersection):
        pips = pips_around(game, params, intersection) + gold_around(game, params, intersection)
        seen[SITE + ships] = max(seen[SITE + ships], pips / WAYS_TO_ROLL)
        if new_island_at(game, params, player, intersection) != NO_ISLAND:
            seen[ISLAND + ships] = 1.0


@feature(ValueFeature("gold", "expected cards of choice per roll"), of=(network_rules, gold_rules), each=True)
def gold_of_player(game, params, player, seen):
    seen[0] = gold_pips(game, params, player) / WAYS_TO_ROLL
