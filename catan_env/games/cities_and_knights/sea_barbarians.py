"""With Seafarers: the pirate also waits for the first barbarian attack, and the robber needs no desert to enter play.

The barbarians attack all islands at once: `barbarians.strength_of_barbarians` counts the cities on the whole board.
"""

from catan_env.engine.declare import rule, when
from catan_env.games.cities_and_knights.barbarians import ATTACK_OVER, OFF_BOARD
from catan_env.games.seafarers.pirate import pirate_start, set_pirate
from catan_env.games.seafarers.waters import NOWHERE
from catan_env.games.vocabulary import HEXES, INITIAL_PLACEMENT_BEGINS, NOTHING, TURN_STARTED

TWELVE = 12


@rule("cities_and_knights.sea_barbarians.1")
@when(INITIAL_PLACEMENT_BEGINS, TURN_STARTED)
def pirate_waits(game, params, player, where):
    if game.attacks == 0 and params.robber_at_start == OFF_BOARD:
        set_pirate(game, params, NOWHERE)


@rule("cities_and_knights.sea_barbarians.1")
@when(ATTACK_OVER)
def pirate_enters(game, params, player, where):
    if game.attacks == 1 and params.robber_at_start == OFF_BOARD:
        set_pirate(game, params, pirate_start(params))


@rule("cities_and_knights.sea_barbarians.2")
@when(ATTACK_OVER)
def robber_enters_without_a_desert(game, params, player, where):
    if game.attacks == 1 and game.robber == NOTHING:
        for hex in range(HEXES):
            if game.number[hex] == TWELVE:
                game.robber = hex
