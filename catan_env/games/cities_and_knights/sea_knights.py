"""With Seafarers: knights next to the pirate can chase it away.

`knights` and `knight_actions` already let knights be placed at ships and move along both roads and ships.
"""

from catan_env.engine.decision_stack import head_argument
from catan_env.engine.declare import apply, legal, rule
from catan_env.games.cities_and_knights.knight_actions import TAKE_KNIGHT, USE_KNIGHT, lies_at
from catan_env.games.cities_and_knights.knights import INACTIVE, READY, has_knight
from catan_env.games.seafarers.moving_pirate import (
    MOVE_PIRATE,
    SEND_PIRATE_OFF,
    mark_sea,
    move_pirate,
    send_pirate_off,
)
from catan_env.games.seafarers.waters import NOWHERE
from catan_env.games.vocabulary import (
    ACTION_PHASE,
    INTERSECTIONS,
    ROBBER_RESTS,
)


def is_at_pirate(game, params, seat, intersection):
    """Return whether a knight at an intersection could chase the pirate away."""
    return (
        game.pirate != NOWHERE and not ROBBER_RESTS(game, params, seat) and lies_at(params, intersection, game.pirate)
    )


@rule("cities_and_knights.sea_knights.1")
@legal(ACTION_PHASE)
def knights_for_pirate(game, params, seat, mask):
    """Knights can chase the pirate away even if they cannot move."""
    if not has_knight(game, params, seat):
        return
    for intersection in range(INTERSECTIONS):
        if game.knight_owner[intersection] == seat and game.knight_state[intersection] == READY:
            if is_at_pirate(game, params, seat, intersection):
                mask[TAKE_KNIGHT + intersection] = True


@rule("cities_and_knights.sea_knights.1")
@legal(USE_KNIGHT)
def where_to_chase_pirate(game, params, seat, mask):
    if is_at_pirate(game, params, seat, head_argument(game)):
        mark_sea(game, params, mask)


@rule("cities_and_knights.sea_knights.1")
@apply(MOVE_PIRATE, at=(USE_KNIGHT,))
def chase_pirate(game, params, seat, hex):
    game.knight_state[head_argument(game)] = INACTIVE
    move_pirate(game, params, seat, hex)


@rule("cities_and_knights.sea_knights.1")
@apply(SEND_PIRATE_OFF, at=(USE_KNIGHT,))
def chase_pirate_off(game, params, seat, argument):
    game.knight_state[head_argument(game)] = INACTIVE
    send_pirate_off(game, params, seat, argument)
