"""The pirate in Cloth for Catan: only players who trade with a village may move it, and it steals a card or a cloth."""

from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import Action, Decision, Number, apply, legal, rule
from catan_env.engine.small_sets import EMPTY, contains, only
from catan_env.games.base.resources import hand_size
from catan_env.games.base.robber import PLACE_ROBBER
from catan_env.games.base.theft import STEAL
from catan_env.games.seafarers.cloth import VILLAGES
from catan_env.games.seafarers.moving_pirate import MOVE_PIRATE, SEND_PIRATE_OFF, mark_sea
from catan_env.games.seafarers.pirate import set_pirate
from catan_env.games.seafarers.ships import ships_at
from catan_env.games.seafarers.waters import NOWHERE
from catan_env.games.vocabulary import OPPONENTS, to_the_left

NUMBERS = (Number("pirate_may_leave", 1, "whether the pirate can leave the board (1) or not (0)", 0, 1),)

STEAL_CLOTH = Action(
    "steal_cloth", "take a cloth from {}", OPPONENTS, "a ship of that player at the pirate's hex, and cloth"
)
ACTIONS = (MOVE_PIRATE, SEND_PIRATE_OFF, STEAL_CLOTH)

CHOOSE_LOOT = Decision("choose_loot", "take a card or a cloth from a player with a ship at the pirate's hex")


@rule("seafarers.cloth_pirate.1")
def trades_with_a_village(game, player):
    """Return whether a player trades with any village."""
    for village in range(VILLAGES):
        if game.trades[player, village]:
            return True
    return False


@rule("seafarers.cloth_pirate.1")
@legal(PLACE_ROBBER)
def traders_move_the_pirate(game, params, seat, mask):
    if trades_with_a_village(game, seat):
        mark_sea(game, params, mask)


@rule("seafarers.cloth_pirate.1")
@apply(MOVE_PIRATE)
def move_trading_pirate(game, params, seat, hex):
    pop(game)
    set_pirate(game, params, hex)
    victims = with_loot(game, params, ships_at(game, params, seat, hex))
    if victims > 0:
        push(game, CHOOSE_LOOT, seat, victims)


@rule("seafarers.cloth_pirate.1")
@apply(SEND_PIRATE_OFF)
def send_trading_pirate_off(game, params, seat, argument):
    pop(game)
    set_pirate(game, params, NOWHERE)


@rule("seafarers.cloth_pirate.1")
def with_loot(game, params, victims):
    """Return the players in a set who have at least one card or cloth."""
    victims_with_loot = EMPTY
    for player in range(params.num_players):
        if contains(victims, player) and (hand_size(game, player) > 0 or game.cloth[player] > 0):
            victims_with_loot |= only(player)
    return victims_with_loot


@rule("seafarers.cloth_pirate.1")
@legal(CHOOSE_LOOT)
def loot_to_choose(game, params, seat, mask):
    for k in range(1, params.num_players):
        player = to_the_left(params, seat, k)
        if contains(head_argument(game), player):
            mask[STEAL + k - 1] = hand_size(game, player) > 0
            mask[STEAL_CLOTH + k - 1] = game.cloth[player] > 0


@rule("seafarers.cloth_pirate.1")
@apply(STEAL_CLOTH)
def steal_cloth(game, params, seat, opponent):
    pop(game)
    game.cloth[to_the_left(params, seat, opponent + 1)] -= 1
    game.cloth[seat] += 1
