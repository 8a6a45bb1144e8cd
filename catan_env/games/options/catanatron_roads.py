"""catanatron's roads: Longest Road as awarded by the program catanatron, for games played there.

Used by the scenario "base+catanatron_roads". The program maintains networks for each player: sets of intersections
connected by the player's roads. A road interrupted by an opponent's building counts only as far as a network reaches,
so the same roads can be shorter than under the game's rules. The two versions of the program join networks in different
orders, and one lets roads continue beyond a building.
"""

from catan_env.engine.declare import PLAYERS, Field, Number, answers, legal, rule, when
from catan_env.engine.small_sets import EMPTY, contains, first_member, only
from catan_env.games.base.building import BUILD_ROAD, FREE_ROAD
from catan_env.games.base.longest_road import lead_through
from catan_env.games.base.network import ROAD
from catan_env.games.base.resources import can_pay
from catan_env.games.vocabulary import (
    BUILDING,
    DEGREE,
    EDGE_PIECE_BUILT,
    INTERSECTIONS,
    MAY_PASS,
    NOBODY,
    NOTHING,
    PIECES_IN_HAND,
    SETTLEMENT_BUILT,
)

RELEASE, REPOSITORY = 0, 1
MOST_NETWORKS = 32

FIELDS = (
    Field(
        "road_networks",
        (PLAYERS, INTERSECTIONS),
        "u4",
        0,
        2**MOST_NETWORKS - 1,
        "bit set of the player's networks that an intersection belongs to",
    ),
    Field("road_network_count", (PLAYERS,), "i1", 0, MOST_NETWORKS, "number of networks of each player"),
    Field("network_length", (PLAYERS,), "i1", 0, 60, "length of each player's longest road in networks"),
    Field("awarded_length", (), "i1", 0, 60, "length that a road must exceed to take Longest Road"),
)
NUMBERS = (
    Number(
        "catanatron_version",
        "release",
        "release 3.2.1, or the repository, where roads may continue behind an opponent's building",
        choices=("release", "repository"),
    ),
)


@rule("options.catanatron_roads.1")
@answers(PIECES_IN_HAND)
def rules_of_the_game_wait(game, params, player, where):
    """The game's own rules never award the card."""
    return True


# -- networks ----------------------------------------------------------------------------------------------


def network_at(game, player, intersection):
    """Return a player's first network that contains an intersection; NOTHING if there is none."""
    networks = int(game.road_networks[player, intersection])
    return first_member(networks) if networks != EMPTY else NOTHING


def add_to_network(game, player, intersection, network):
    """Add an intersection to a network."""
    game.road_networks[player, intersection] = int(game.road_networks[player, intersection]) | only(network)


def begin_network(game, player, intersection):
    """Create a network containing one intersection, and return it."""
    network = int(game.road_network_count[player])
    game.road_network_count[player] += 1
    add_to_network(game, player, intersection, network)
    return network


def remove_network(game, player, network):
    """Remove a network; the index of every later network decreases by one."""
    for intersection in range(INTERSECTIONS):
        networks = int(game.road_networks[player, intersection])
        earlier = networks & (only(network) - 1)
        game.road_networks[player, intersection] = earlier | networks >> (network + 1) << network
    game.road_network_count[player] -= 1


def joined(game, params, player, first, second):
    """Join two networks and return the result: appended as the last one in the release, `first` in the repository."""
    network = first
    if params.catanatron_version == RELEASE:
        network = int(game.road_network_count[player])
        game.road_network_count[player] += 1
    for intersection in range(INTERSECTIONS):
        networks = int(game.road_networks[player, intersection])
        if contains(networks, first) or contains(networks, second):
            add_to_network(game, player, intersection, network)
    if params.catanatron_version == RELEASE:
        remove_network(game, player, max(first, second))
        remove_network(game, player, min(first, second))
        return network - 2
    remove_network(game, player, second)
    return network - int(second < first)


def other_end(params, path, intersection):
    """Return the other end of a path."""
    return params.path_intersections[path, 0] + params.path_intersections[path, 1] - intersection


def spread(game, params, player, intersection, network):
    """Add to a network all intersections connected to the given one by roads, stopping at opponents' buildings."""
    add_to_network(game, player, intersection, network)
    if MAY_PASS(game, params, player, intersection):
        for k in range(DEGREE):
            path = params.intersection_paths[intersection, k]
            if path != NOTHING and game.edge_owner[path] == player:
                end = other_end(params, path, intersection)
                if not contains(game.road_networks[player, end], network):
                    spread(game, params, player, end, network)


# -- lengths -----------------------------------------------------------------------------------------------


def trail_from(game, params, player, intersection):
    """Return the length of the longest trail from an intersection that does not run into an opponent's building."""
    longest = 0
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == player:
            end = other_end(params, path, intersection)
            if MAY_PASS(game, params, player, end):
                game.edge_owner[path] = NOBODY  # removed during the recursion
                longest = max(longest, 1 + trail_from(game, params, player, end))
                game.edge_owner[path] = player
    return longest


@rule("options.catanatron_roads.1")
def longest_in_network(game, params, player, network):
    """Return the length of the longest trail that starts in a network."""
    longest = 0
    for intersection in range(INTERSECTIONS):
        if contains(game.road_networks[player, intersection], network):
            longest = max(longest, trail_from(game, params, player, intersection))
    return longest


# -- the card ----------------------------------------------------------------------------------------------


@rule("options.catanatron_roads.1", "options.catanatron_roads.2")
@when(EDGE_PIECE_BUILT)
def extend_network(game, params, player, path):
    """A new road extends a network or joins two. A road longer than the one that last earned the card takes it."""
    first_end, second_end = params.path_intersections[path, 0], params.path_intersections[path, 1]
    first, second = network_at(game, player, first_end), network_at(game, player, second_end)
    network = first if first != NOTHING else second
    if network == NOTHING:
        network = begin_network(game, player, first_end)
        add_to_network(game, player, second_end, network)
    elif first == NOTHING:
        if MAY_PASS(game, params, player, first_end):
            add_to_network(game, player, first_end, network)
    elif second == NOTHING:
        if MAY_PASS(game, params, player, second_end):
            add_to_network(game, player, second_end, network)
    elif first != second:
        network = joined(game, params, player, first, second)
    length = longest_in_network(game, params, player, network)
    game.network_length[player] = max(game.network_length[player], length)
    if length >= params.longest_road_minimum and length > game.awarded_length:
        game.longest_road = player
        game.awarded_length = length


@rule("options.catanatron_roads.1", "options.catanatron_roads.3")
@when(SETTLEMENT_BUILT)
def settle(game, params, player, intersection):
    """An initial settlement creates a network; a later settlement can cut a road."""
    if game.road_networks[player, intersection] == EMPTY:
        begin_network(game, player, intersection)
    else:
        for owner in range(PLAYERS):
            if owner != player and lead_through(game, params, owner, intersection):
                cut(game, params, owner, intersection)


@rule("options.catanatron_roads.3")
def cut(game, params, player, intersection):
    """Split the network of a player whose road is cut. The longest road of any player then takes the card."""
    remove_network(game, player, network_at(game, player, intersection))
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == player:
            end = other_end(params, path, intersection)
            spread(game, params, player, end, begin_network(game, player, end))
    length = 0
    for network in range(game.road_network_count[player]):
        length = max(length, longest_in_network(game, params, player, network))
    game.network_length[player] = length
    holder = 0
    for owner in range(PLAYERS):
        if game.network_length[owner] > game.network_length[holder]:
            holder = owner
    game.longest_road = holder
    game.awarded_length = game.network_length[holder]


# -- roads beyond buildings --------------------------------------------------------------------------------


@rule("options.catanatron_roads.4")
def mark_roads_behind_buildings(game, params, player, mask):
    """Mark the free paths at opponents' buildings within a player's networks."""
    if params.catanatron_version == REPOSITORY and game.edge_pieces_left[player, ROAD] > 0:
        for intersection in range(INTERSECTIONS):
            if game.road_networks[player, intersection] != EMPTY and not MAY_PASS(game, params, player, intersection):
                for k in range(DEGREE):
                    path = params.intersection_paths[intersection, k]
                    if path != NOTHING and game.edge_owner[path] == NOBODY:
                        mask[BUILD_ROAD + path] = True


@rule("options.catanatron_roads.4")
@legal(BUILDING)
def roads_to_build(game, params, seat, mask):
    if can_pay(game, seat, params.road_cost):
        mark_roads_behind_buildings(game, params, seat, mask)


@rule("options.catanatron_roads.4")
@legal(FREE_ROAD)
def free_roads_to_build(game, params, seat, mask):
    mark_roads_behind_buildings(game, params, seat, mask)
