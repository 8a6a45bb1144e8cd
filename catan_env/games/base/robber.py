"""The robber: how it moves, which hex it blocks and who can be robbed.

`friendly_robber`, an option from online play that is used by the common one-on-one benchmark, forbids moving the robber
next to players with few points unless no other hex is left.
"""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import PUBLIC_POINTS, Action, Decision, Number, answers, apply, legal, rule, when
from catan_env.engine.small_sets import EMPTY, contains, only
from catan_env.games.base.theft import let_steal
from catan_env.games.vocabulary import (
    CORNERS,
    HEX_BLOCKED,
    HEXES,
    KNIGHT_PLAYED,
    MAY_STEAL_FROM,
    NOBODY,
    NOTHING,
    ROBBER_MAY_GO,
    ROBBER_MOVED,
    ROBBER_RESTS,
    SEVEN_ROLLED,
)

NUMBERS = (
    Number("friendly_robber", 0, "the robber spares players with at most this many visible points (0: nobody)", 0, 100),
)

MOVE_ROBBER = Action("move_robber", "move the robber to {}", HEXES, "a hex other than the robber's")
ACTIONS = (MOVE_ROBBER,)

PLACE_ROBBER = Decision("place_robber", "move the robber")


@rule("base.robber.1")
@when(SEVEN_ROLLED)
def move_after_discards(game, params, player, where):
    if not ROBBER_RESTS(game, params, player):
        push(game, PLACE_ROBBER, player)


@rule("base.development_cards.7")
@when(KNIGHT_PLAYED)
def move_for_a_knight(game, params, player, where):
    push(game, PLACE_ROBBER, player)


@rule("base.production.2")
@answers(HEX_BLOCKED)
def robber_blocks(game, params, player, hex):
    return game.robber == hex


@rule("base.robber.2", "base.robber.3", "base.theft.2")
def victims_at(game, params, thief, hex):
    """Return the set of opponents with a building at a hex, including those with empty hands."""
    victims = EMPTY
    for corner in range(CORNERS):
        intersection = params.hex_intersections[hex, corner]
        if intersection != NOTHING:
            owner = game.building_owner[intersection]
            if owner != NOBODY and MAY_STEAL_FROM(game, params, thief, owner):
                victims |= only(owner)
    return victims


@rule("base.robber.4")
def is_spared(game, params, hex, mover):
    """Return whether the friendly robber avoids a hex because a weak opponent has a building there."""
    victims = victims_at(game, params, mover, hex)
    for player in range(params.num_players):
        if contains(victims, player) and PUBLIC_POINTS(game, params, player) <= params.friendly_robber:
            return True
    return False


@rule("base.robber.1")
def may_go(game, params, hex, mover):
    """Return whether the robber may move to a hex, ignoring the buildings there."""
    return hex != game.robber and ROBBER_MAY_GO(game, params, mover, hex)


@rule("base.robber.1", "base.robber.4")
@legal(PLACE_ROBBER)
def hexes_for_robber(game, params, seat, mask):
    open_hex_count = 0
    for hex in range(HEXES):
        if may_go(game, params, hex, seat) and not (params.friendly_robber > 0 and is_spared(game, params, hex, seat)):
            mask[MOVE_ROBBER + hex] = True
            open_hex_count += 1
    if open_hex_count == 0:
        for hex in range(HEXES):
            mask[MOVE_ROBBER + hex] = may_go(game, params, hex, seat)


@rule("base.robber.1", "base.robber.2", "base.robber.3")
@apply(MOVE_ROBBER)
def move_robber(game, params, seat, hex):
    """Decisions triggered by the move come before the theft."""
    pop(game)
    game.robber = hex
    let_steal(game, params, seat, victims_at(game, params, seat, hex))
    ROBBER_MOVED(game, params, seat, hex)
