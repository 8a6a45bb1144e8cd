"""With Seafarers: knights on the sea, who chase the pirate and hold lines of ships.

Sources: seafarers.md 8 (knights at sea chase the pirate), 1 ("Moving a ship": an own knight closes a line, and no ship
leaves a knight without a way). That knights stand at ships and move over ships and roads that are joined follows from
`knights` and `knight_actions`.
"""

from catan_env.engine.declare import answers, apply, legal
from catan_env.engine.queue import head_argument
from catan_env.rules.cities_and_knights.knight_actions import TAKE_KNIGHT, USE_KNIGHT, lies_at
from catan_env.rules.cities_and_knights.knights import INACTIVE, READY
from catan_env.rules.sea.moving_pirate import (
    MOVE_PIRATE,
    SEND_PIRATE_OFF,
    mark_sea,
    move_pirate,
    send_pirate_off,
)
from catan_env.rules.sea.waters import NOWHERE
from catan_env.rules.vocabulary import (
    DEGREE,
    ENDS_LINE,
    INTERSECTIONS,
    MAY_TAKE_UP,
    NOTHING,
    OWN_TURN,
    ROBBER_RESTS,
)


def is_at_pirate(game, table, seat, intersection):
    """Whether a knight there could chase the pirate away."""
    return game.pirate != NOWHERE and not ROBBER_RESTS(game, table, seat) and lies_at(table, intersection, game.pirate)


@legal(OWN_TURN)
def knights_for_pirate(game, table, seat, mask):
    """Also those that could go nowhere."""
    for intersection in range(INTERSECTIONS):
        if game.knight_owner[intersection] == seat and game.knight_state[intersection] == READY:
            if is_at_pirate(game, table, seat, intersection):
                mask[TAKE_KNIGHT + intersection] = True


@legal(USE_KNIGHT)
def where_to_chase_pirate(game, table, seat, mask):
    if is_at_pirate(game, table, seat, head_argument(game)):
        mark_sea(game, table, mask)


@apply(MOVE_PIRATE, at=(USE_KNIGHT,))
def chase_pirate(game, table, seat, hex):
    game.knight_state[head_argument(game)] = INACTIVE
    move_pirate(game, table, seat, hex)


@apply(SEND_PIRATE_OFF, at=(USE_KNIGHT,))
def chase_pirate_off(game, table, seat, argument):
    game.knight_state[head_argument(game)] = INACTIVE
    send_pirate_off(game, table, seat, argument)


@answers(ENDS_LINE)
def own_knight_closes_line(game, table, player, intersection):
    return game.knight_owner[intersection] == player


@answers(MAY_TAKE_UP)
def no_knight_is_cut_off(game, table, player, ship):
    """A knight of one's own keeps a way where it stands."""
    for end in range(2):
        intersection = table.path_intersections[ship, end]
        if game.knight_owner[intersection] == player and own_ways_at(game, table, player, intersection) == 1:
            return False
    return True


def own_ways_at(game, table, player, intersection):
    """Ways of a player that meet at an intersection."""
    ways = 0
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        ways += path != NOTHING and game.way[path] == player
    return ways
