"""Value-network features for country maps: chips at crossings and canal tokens."""

from catan_agents.evaluation.features import ValueFeature, feature
from catan_agents.evaluation.geography import joins_canal_sites
from catan_env.engine.bitset import where_bit
from catan_env.engine.small_sets import contains
from catan_env.games.base import building as building_rules
from catan_env.games.base.network import NO_BUILDING, ROAD
from catan_env.games.geography import canal_tokens as canal_rules
from catan_env.games.geography import crossing_chips as chip_rules
from catan_env.games.geography.town_sites import CROSSINGS
from catan_env.games.vocabulary import DEGREE, INTERSECTIONS, MAY_CONTINUE, MAY_PASS, NOBODY, NOTHING

NO_ROAD, ONE_ROAD, TWO_ROADS = 0, 1, 2
"""Number of roads needed to reach a place; `NO_ROAD` means more than two."""


def can_reach(game, params, player, intersection):
    """Return whether a player could now build a road to an intersection."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and contains(game.edge_piece_sites[ROAD, path], player):
            return True
    return False


def may_go_through(game, params, player, intersection):
    """Return whether an intersection has no building on it and a player's roads may continue through it."""
    if game.building[intersection] != NO_BUILDING:
        return False
    return MAY_PASS(game, params, player, intersection) and MAY_CONTINUE(game, params, player, intersection)


def roads_to(game, params, player, intersection):
    """Return the number of roads that a player needs to reach an intersection, see `NO_ROAD`."""
    if can_reach(game, params, player, intersection):
        return ONE_ROAD
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == NOBODY:
            neighbor = params.intersection_neighbors[intersection, k]
            if may_go_through(game, params, player, neighbor) and can_reach(game, params, player, neighbor):
                return TWO_ROADS
    return NO_ROAD


@feature(
    ValueFeature("chips_next", "chips at crossings that the player's next road could reach"),
    ValueFeature("chips_after", "chips at crossings two roads away"),
    of=(building_rules, chip_rules),
    each=True,
)
def chips_of_player(game, params, player, seen):
    for intersection in range(INTERSECTIONS):
        crossing = params.intersection_vp[intersection]
        if crossing != NOTHING and game.crossing_chip[crossing]:
            roads = roads_to(game, params, player, intersection)
            if roads != NO_ROAD:
                seen[roads - ONE_ROAD] += 1.0


@feature(ValueFeature("chips_left", "chips that still lie at crossings"), of=chip_rules)
def chips_on_board(game, params, seat, seen):
    for crossing in range(CROSSINGS):
        seen[0] += game.crossing_chip[crossing]


@feature(ValueFeature("canal_tokens", "canal tokens of the player"), of=canal_rules, each=True)
def canal_tokens_of_player(game, params, player, seen):
    seen[0] = game.canal_tokens[player]


@feature(
    ValueFeature("canal_ahead", "canal tokens that one more road could earn, summed over all paths"),
    ValueFeature("canal_bank", "canal tokens in the bank"),
    of=(building_rules, canal_rules),
)
def canal_of_seat(game, params, seat, seen):
    if game.edge_pieces_left[seat, ROAD] > 0 and game.canal_bank > 0:
        for path in where_bit(game.edge_piece_sites[ROAD], seat):
            seen[0] += joins_canal_sites(game, params, seat, path)
    seen[1] = game.canal_bank
