"""The Seafaring People: they replace the robber, and they move on a 7 and whenever a ship is built.

They occupy a sea hex or a coastal land hex (`game.robber`). On land they block and steal like the robber. At sea they
steal from the owner of the ship there or, if there is none, from the owner of an adjacent building. They do not hinder
ships. A player who moves them to one of their own ships steals nothing.
"""

from catan_env.board.terrain import SEA
from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import Action, Decision, answers, apply, legal, rule, when
from catan_env.engine.small_sets import only
from catan_env.games.base.robber import victims_at
from catan_env.games.base.theft import let_steal
from catan_env.games.troy.fleet import SHIP_BUILT
from catan_env.games.vocabulary import (
    CORNERS,
    HEX_BLOCKED,
    HEXES,
    MAY_STEAL_FROM,
    NOBODY,
    NOTHING,
    ROBBER_MOVED,
    SEVEN_ROLLED,
)

MOVE_PEOPLE = Action(
    "move_people",
    "move the Seafaring People to {}",
    HEXES,
    "a hex other than theirs: sea, or land at the sea",
)
ACTIONS = (MOVE_PEOPLE,)

PLACE_PEOPLE = Decision("place_people", "move the Seafaring People")


@rule("troy.seafaring_people.1", "troy.seafaring_people.2")
@when(SEVEN_ROLLED, SHIP_BUILT)
def move_them(game, params, player, where):
    push(game, PLACE_PEOPLE, player)


@rule("troy.seafaring_people.5")
@answers(HEX_BLOCKED)
def people_block(game, params, player, hex):
    return game.robber == hex


def is_at_sea(game, params, hex):
    """Return whether a hex is sea or has a neighboring sea hex."""
    if game.terrain[hex] == SEA:
        return True
    for k in range(CORNERS):
        neighbor = params.hex_neighbors[hex, k]
        if neighbor != NOTHING and game.terrain[neighbor] == SEA:
            return True
    return False


@rule("troy.seafaring_people.1", "troy.seafaring_people.6")
@legal(PLACE_PEOPLE)
def hexes_for_people(game, params, seat, mask):
    for hex in range(HEXES):
        mask[MOVE_PEOPLE + hex] = hex != game.robber and is_at_sea(game, params, hex)


def robbed_at(game, params, mover, hex):
    """Return the players who can be robbed on a hex: its ship's owner or, if none, the owners of adjacent buildings."""
    owner = game.ship_owner[hex]
    if owner == NOBODY:
        return victims_at(game, params, mover, hex)
    return only(owner) if MAY_STEAL_FROM(game, params, mover, owner) else 0


@rule("troy.seafaring_people.1", "troy.seafaring_people.3", "troy.seafaring_people.4", "troy.seafaring_people.5")
@apply(MOVE_PEOPLE)
def move_people(game, params, seat, hex):
    pop(game)
    game.robber = hex
    let_steal(game, params, seat, robbed_at(game, params, seat, hex))
    ROBBER_MOVED(game, params, seat, hex)
