"""Favor tokens for connecting networks: three for the road's builder, one for each other owner.

A network is a set of roads of one color connected at intersections, regardless of buildings. Every building has one of
its owner's roads next to it, so the roads determine where networks meet.

The board itself shows which networks have met: roads never move, so networks only grow and merge, and two networks that
have met still touch. A road therefore connects two networks for the first time exactly when they would not touch
without it. A merged network counts as having met every network that any of its parts has met.
"""

from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import Action, Decision, Number, apply, legal, rule, when
from catan_env.engine.small_sets import EMPTY, contains, count_members, only
from catan_env.games.frenemies.favor_tokens import grant_favors, stock_size
from catan_env.games.vocabulary import (
    DEGREE,
    EDGE_PIECE_BUILT,
    INTERSECTIONS,
    NOBODY,
    NOTHING,
    OPPONENTS,
    PATHS,
    acts,
    to_the_left,
)

MINE, THEIRS = 100, 101
"""Temporary values of `edge_owner` that mark the two networks being compared."""

NUMBERS = (
    Number("favors_of_connector", 3, "favor tokens for building a road that connects networks", 0, 3),
    Number("favors_of_connected", 1, "favor tokens for the owner of a network that it connects", 0, 1),
)

LET_DRAW = Action(
    "let_draw", "let {} draw a favor token first", OPPONENTS, "a player who receives a token for this road"
)
ACTIONS = (LET_DRAW,)

CHOOSE_DRAWER = Decision("choose_drawer", "choose the player who draws a favor token first")


# -- networks ----------------------------------------------------------------------------------------------


@rule("frenemies.favor_networks.3")
def mark_network(game, params, seat, intersection, mark):
    """Mark all of a seat's roads that are connected to an intersection."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == seat:
            game.edge_owner[path] = mark
            mark_network(game, params, seat, params.intersection_neighbors[intersection, k], mark)


@rule("frenemies.favor_networks.3")
def marks_meet(game, params):
    """Return whether roads with different marks end at a common intersection."""
    for intersection in range(INTERSECTIONS):
        has_mine = False
        has_theirs = False
        for k in range(DEGREE):
            path = params.intersection_paths[intersection, k]
            if path != NOTHING:
                has_mine |= game.edge_owner[path] == MINE
                has_theirs |= game.edge_owner[path] == THEIRS
        if has_mine and has_theirs:
            return True
    return False


@rule("frenemies.favor_networks.2", "frenemies.favor_networks.4")
def meet_without(game, params, path, other):
    """Return whether the network that a road belongs to would still touch another player's network without the road."""
    seat = int(game.edge_owner[path])
    other_owner = int(game.edge_owner[other])
    game.edge_owner[path] = NOBODY
    for end in range(2):
        mark_network(game, params, seat, params.path_intersections[path, end], MINE)
        mark_network(game, params, other_owner, params.path_intersections[other, end], THEIRS)
    networks_meet = marks_meet(game, params)
    game.edge_owner[path] = seat
    for marked_path in range(PATHS):
        if game.edge_owner[marked_path] == MINE:
            game.edge_owner[marked_path] = seat
        elif game.edge_owner[marked_path] == THEIRS:
            game.edge_owner[marked_path] = other_owner
    return networks_meet


@rule("frenemies.favor_networks.1", "frenemies.favor_networks.6", "frenemies.favor_networks.7")
def owners_met(game, params, path):
    """Return the set of players whose networks are first connected to the owner's network by a new road."""
    owners = EMPTY
    for end in range(2):
        intersection = params.path_intersections[path, end]
        for k in range(DEGREE):
            other_path = params.intersection_paths[intersection, k]
            if other_path != NOTHING:
                owner = int(game.edge_owner[other_path])
                if owner != NOBODY and owner != game.edge_owner[path] and acts(params, owner):
                    if not meet_without(game, params, path, other_path):
                        owners |= only(owner)
    return owners


# -- tokens ------------------------------------------------------------------------------------------------


@rule(
    "frenemies.favor_networks.1", "frenemies.favor_networks.8", "frenemies.favor_networks.9", "frenemies.guild_favors.4"
)
@when(EDGE_PIECE_BUILT)
def reward_connection(game, params, player, path):
    """The builder draws last. If there are several other owners, the builder chooses who draws first."""
    if game.turn > 0 and acts(params, player):
        owners = owners_met(game, params, path)
        if owners > 0 and stock_size(game) > 0:
            grant_favors(game, player, params.favors_of_connector)
            if count_members(owners) > 1:
                push(game, CHOOSE_DRAWER, player, owners)
            else:
                grant_to(game, params, owners)


@rule("frenemies.favor_networks.5")
def grant_to(game, params, seats):
    """Let each seat in a set draw its tokens."""
    for seat in range(params.num_players):
        if contains(seats, seat):
            grant_favors(game, seat, params.favors_of_connected)


@rule("frenemies.favor_networks.5")
@legal(CHOOSE_DRAWER)
def partners_to_choose(game, params, seat, mask):
    for k in range(1, params.num_players):
        if contains(head_argument(game), to_the_left(params, seat, k)):
            mask[LET_DRAW + k - 1] = True


@rule("frenemies.favor_networks.5")
@apply(LET_DRAW)
def let_draw(game, params, seat, opponent):
    """The most recently granted tokens are drawn first."""
    first = only(to_the_left(params, seat, opponent + 1))
    others = head_argument(game) & ~first
    pop(game)
    grant_to(game, params, others)
    grant_to(game, params, first)
