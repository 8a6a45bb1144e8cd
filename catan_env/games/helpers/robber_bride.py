"""The robber's bride: send the robber to the desert and take a resource from the hex that he leaves."""

from catan_env.board.terrain import DESERT
from catan_env.engine.declare import Action, Kind, apply, legal, rule
from catan_env.games.base.resources import take
from catan_env.games.base.turns import PRE_ROLL
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import HEXES, OWN_TURN, ROBBER_MOVED

ROBBER_BRIDE = Kind("robber_bride", HELPERS)
KINDS = (ROBBER_BRIDE,)

LURE_ROBBER = Action(
    "lure_robber",
    "let the robber's bride lure him to {}",
    HEXES,
    "the robber's bride ready, a desert there, and the robber outside deserts",
)
ACTIONS = (LURE_ROBBER,)


@rule("helpers.robber_bride.1", "helpers.robber_bride.2", "helpers.robber_bride.3", "helpers.robber_bride.4")
@legal(PRE_ROLL, OWN_TURN)
def may_lure_robber(game, params, seat, mask):
    if is_ready(game, seat, ROBBER_BRIDE) and game.terrain[game.robber] != DESERT:
        for hex in range(HEXES):
            mask[LURE_ROBBER + hex] = game.terrain[hex] == DESERT


@rule("helpers.robber_bride.1", "helpers.robber_bride.5")
@apply(LURE_ROBBER)
def lure_robber(game, params, seat, hex):
    use(game, seat)
    terrain = game.terrain[game.robber]
    if terrain < DESERT:
        take(game, seat, params.first_card[terrain], 1)
    game.robber = hex
    ROBBER_MOVED(game, params, seat, hex)
