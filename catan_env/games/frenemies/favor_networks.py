"""Favor tokens for connecting networks: three for who builds the road, one for the owner of each network it meets.

A network is all roads of a color that hang together at intersections, whatever stands on them. A building always has
a road of its owner beside it, so roads alone tell where networks meet.

No record is kept of who has met whom, for the board is one. Roads stay where they are, so networks can only grow and
merge, and two of them that once met still meet. A road therefore connects two networks for the first time just if
they meet nowhere without it; what a merged network has met is what its parts have met.
"""

from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import Action, Decision, Number, apply, legal, rule, when
from catan_env.games.frenemies.favor_tokens import grant_favors, stock_size
from catan_env.games.vocabulary import (
    DEGREE,
    INTERSECTIONS,
    NOBODY_SEAT,
    NOTHING,
    OPPONENTS,
    PATHS,
    WAY_BUILT,
    acts,
    to_the_left,
)

MINE, THEIRS = 100, 101
"""Stand in `way` for the owners of two networks while these are compared."""

NUMBERS = (
    Number("favors_of_connector", 3, "favor tokens for building a road that connects networks", 0, 3),
    Number("favors_of_connected", 1, "favor tokens for the owner of a network that it connects", 0, 1),
)

LET_DRAW = Action("let_draw", "let {} draw a favor token first", OPPONENTS, "a player who gets a token for this road")
ACTIONS = (LET_DRAW,)

CHOOSE_DRAWER = Decision("choose_drawer", "choose who draws a favor token first")


# -- networks ----------------------------------------------------------------------------------------------


@rule("frenemies.favor_networks.3")
def mark_network(game, table, seat, intersection, mark):
    """Marks all roads of a seat that hang together with an intersection."""
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        if path != NOTHING and game.way[path] == seat:
            game.way[path] = mark
            mark_network(game, table, seat, table.intersection_neighbors[intersection, k], mark)


@rule("frenemies.favor_networks.3")
def marks_meet(game, table):
    """Whether a road of each mark ends at some intersection."""
    for intersection in range(INTERSECTIONS):
        mine = False
        theirs = False
        for k in range(DEGREE):
            path = table.intersection_paths[intersection, k]
            if path != NOTHING:
                mine |= game.way[path] == MINE
                theirs |= game.way[path] == THEIRS
        if mine and theirs:
            return True
    return False


@rule("frenemies.favor_networks.2", "frenemies.favor_networks.4")
def meet_without(game, table, path, other):
    """Whether what a road joins and the network of another player's road meet even if it is taken off."""
    seat = int(game.way[path])
    owner = int(game.way[other])
    game.way[path] = NOBODY_SEAT
    for end in range(2):
        mark_network(game, table, seat, table.path_intersections[path, end], MINE)
        mark_network(game, table, owner, table.path_intersections[other, end], THEIRS)
    meet = marks_meet(game, table)
    game.way[path] = seat
    for place in range(PATHS):
        if game.way[place] == MINE:
            game.way[place] = seat
        elif game.way[place] == THEIRS:
            game.way[place] = owner
    return meet


@rule("frenemies.favor_networks.1", "frenemies.favor_networks.6", "frenemies.favor_networks.7")
def owners_met(game, table, path):
    """Bits of the players with a network that a new road connects with its owner's for the first time."""
    owners = 0
    for end in range(2):
        intersection = table.path_intersections[path, end]
        for k in range(DEGREE):
            other = table.intersection_paths[intersection, k]
            if other != NOTHING:
                owner = int(game.way[other])
                if owner != NOBODY_SEAT and owner != game.way[path] and acts(table, owner):
                    if not meet_without(game, table, path, other):
                        owners |= 1 << owner
    return owners


# -- tokens ------------------------------------------------------------------------------------------------


@rule(
    "frenemies.favor_networks.1", "frenemies.favor_networks.8", "frenemies.favor_networks.9", "frenemies.guild_favors.4"
)
@when(WAY_BUILT)
def reward_connection(game, table, player, path):
    """The builder draws last; of two others, the one whom the builder lets draw first."""
    if game.turn > 0 and acts(table, player):
        owners = owners_met(game, table, path)
        if owners > 0 and stock_size(game) > 0:
            grant_favors(game, player, table.favors_of_connector)
            if owners & (owners - 1):
                push(game, CHOOSE_DRAWER, player, owners)
            else:
                grant_to(game, table, owners)


@rule("frenemies.favor_networks.5")
def grant_to(game, table, seats):
    """Lets each seat given as a bit draw its tokens."""
    for seat in range(table.num_players):
        if seats >> seat & 1:
            grant_favors(game, seat, table.favors_of_connected)


@rule("frenemies.favor_networks.5")
@legal(CHOOSE_DRAWER)
def partners_to_choose(game, table, seat, mask):
    for k in range(1, table.num_players):
        if head_argument(game) >> to_the_left(table, seat, k) & 1:
            mask[LET_DRAW + k - 1] = True


@rule("frenemies.favor_networks.5")
@apply(LET_DRAW)
def let_draw(game, table, seat, opponent):
    """What is granted last is drawn first."""
    first = 1 << to_the_left(table, seat, opponent + 1)
    others = head_argument(game) & ~first
    pop(game)
    grant_to(game, table, others)
    grant_to(game, table, first)
