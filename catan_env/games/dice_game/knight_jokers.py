"""Jokers: once per game, each built knight may turn one die to the face printed below the knight.

The sheet provides two arrays: `joker_face` holds the face that each joker gives, or -1 for any face, and
`joker_knights` (JOKERS, 2) holds the knights that each joker requires, padded with -1.
"""

from catan_env.engine.decision_stack import head_argument, pop, push, replace
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    Size,
    apply,
    checks,
    legal,
    rule,
)
from catan_env.games.dice_game.rolling import FACES, GOLD, SPEND
from catan_env.games.vocabulary import NOTHING, count_of

JOKERS = Size("sheet_jokers")

FIELDS = (Field("jokers_used", (PLAYERS, JOKERS), "u1", 0, 1, "used jokers on each sheet", show=Count()),)
NUMBERS = (Number("gold_by_joker", 1, "whether a joker for any side can give gold (1) or not (0)", 0, 1),)

USE_JOKER = Action("use_joker", "use {}", JOKERS, "the joker's knights, an unused joker, and a die to turn")
NAME_SIDE = Action("name_side", "turn a die to {}", FACES, "a joker for any side, just used")
TURN_DIE = Action(
    "turn_die", "turn a die that shows {}", FACES, "a die with this side, and a joker that gives another one"
)
ACTIONS = (USE_JOKER, NAME_SIDE, TURN_DIE)

CHOOSE_SIDE = Decision("choose_side", "choose the new side of a die")
CHOOSE_DIE = Decision("choose_die", "turn a die", argument=FACES)
JOKERS_EARNED = Invariant("jokers_earned", "only jokers of built knights are used")


@rule("dice_game.knight_jokers.6")
def has_knights(game, params, player, joker):
    """Return whether a player has built the knights that a joker requires."""
    for k in range(2):
        knight = params.joker_knights[joker, k]
        if knight != NOTHING and game.knights_built[player, knight] == 0:
            return False
    return True


def can_turn_to(game, face):
    """Return whether at least one die shows a different face."""
    return count_of(game.dice_lying) > game.dice_lying[face]


@rule("dice_game.knight_jokers.1", "dice_game.knight_jokers.2", "dice_game.knight_jokers.3")
@legal(SPEND)
def which_jokers(game, params, seat, mask):
    for joker in range(JOKERS):
        face = params.joker_face[joker]
        is_useful = count_of(game.dice_lying) > 0 if face == NOTHING else can_turn_to(game, face)
        if is_useful and game.jokers_used[seat, joker] == 0:
            mask[USE_JOKER + joker] = has_knights(game, params, seat, joker)


@rule("dice_game.knight_jokers.1")
@apply(USE_JOKER)
def use_joker(game, params, seat, joker):
    game.jokers_used[seat, joker] = 1
    face = params.joker_face[joker]
    if face == NOTHING:
        push(game, CHOOSE_SIDE, seat)
    else:
        push(game, CHOOSE_DIE, seat, face)


@rule("dice_game.knight_jokers.4")
@legal(CHOOSE_SIDE)
def which_side(game, params, seat, mask):
    for face in range(FACES):
        mask[NAME_SIDE + face] = can_turn_to(game, face) and (face != GOLD or params.gold_by_joker != 0)


@rule("dice_game.knight_jokers.4")
@apply(NAME_SIDE)
def name_side(game, params, seat, face):
    replace(game, CHOOSE_DIE, seat, face)


@rule("dice_game.knight_jokers.1")
@legal(CHOOSE_DIE)
def which_die(game, params, seat, mask):
    wanted_face = head_argument(game)
    for face in range(FACES):
        mask[TURN_DIE + face] = face != wanted_face and game.dice_lying[face] > 0


@rule("dice_game.knight_jokers.1")
@apply(TURN_DIE)
def turn_die(game, params, seat, face):
    game.dice_lying[face] -= 1
    game.dice_lying[head_argument(game)] += 1
    pop(game)


@rule("dice_game.knight_jokers.5")
@checks(JOKERS_EARNED)
def jokers_earned(game, params):
    for player in range(params.num_players):
        for joker in range(JOKERS):
            if game.jokers_used[player, joker] and not has_knights(game, params, player, joker):
                return False
    return True
