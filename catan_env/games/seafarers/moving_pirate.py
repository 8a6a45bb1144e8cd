"""Moving the pirate: a player may move it instead of the robber, and it steals from ships.

Current editions let the pirate leave the board; older ones do not (`pirate_may_leave` = 0).
"""

from catan_env.board.terrain import SEA
from catan_env.engine.decision_stack import pop
from catan_env.engine.declare import Action, Number, apply, legal, rule
from catan_env.games.base.robber import PLACE_ROBBER
from catan_env.games.base.theft import let_steal
from catan_env.games.seafarers.pirate import set_pirate
from catan_env.games.seafarers.ships import ships_at
from catan_env.games.seafarers.waters import NOWHERE
from catan_env.games.vocabulary import HEXES

NUMBERS = (Number("pirate_may_leave", 1, "whether the pirate can leave the board (1) or not (0)", 0, 1),)

MOVE_PIRATE = Action("move_pirate", "move the pirate to {}", HEXES, "a sea hex other than the pirate's")
SEND_PIRATE_OFF = Action(
    "send_pirate_off", "move the pirate off the board", needs="a pirate on the board that may leave it"
)
ACTIONS = (MOVE_PIRATE, SEND_PIRATE_OFF)


@rule("seafarers.moving_pirate.2", "seafarers.waters.4")
def mark_sea(game, params, mask):
    """Mark the places where the pirate may be moved."""
    for hex in range(HEXES):
        mask[MOVE_PIRATE + hex] = game.terrain[hex] == SEA and hex != game.pirate
    mask[SEND_PIRATE_OFF] = game.pirate != NOWHERE and params.pirate_may_leave != 0


@rule("seafarers.moving_pirate.1")
@legal(PLACE_ROBBER)
def hexes_for_pirate(game, params, seat, mask):
    mark_sea(game, params, mask)


@rule("seafarers.moving_pirate.1")
@apply(MOVE_PIRATE)
def move_pirate(game, params, seat, hex):
    pop(game)
    set_pirate(game, params, hex)
    let_steal(game, params, seat, ships_at(game, params, seat, hex))


@rule("seafarers.moving_pirate.2")
@apply(SEND_PIRATE_OFF)
def send_pirate_off(game, params, seat, argument):
    pop(game)
    set_pirate(game, params, NOWHERE)
