"""Rolling: up to three rolls per turn, each with any selection of the dice; the final result pays for building.

After a roll, all dice are on the table. The player picks up some dice to roll again and leaves the others. A die that
was left may still be picked up later, so earlier choices make no difference.
"""

from catan_env.engine.decision_stack import (
    CHANCE,
    RUNNING,
    current_decision,
    head_argument,
    push,
    replace,
    set_argument,
    times_in_stack,
    waits_for,
)
from catan_env.engine.declare import (
    Action,
    Axis,
    Count,
    Decision,
    Draw,
    Field,
    Invariant,
    Kind,
    Number,
    apply,
    checks,
    legal,
    outcome,
    rule,
    when,
)
from catan_env.games.vocabulary import NOBODY, TURN_STARTED, count_of, to_the_left

FACES = Axis("faces")
"""Faces of a die. Resources come first."""
FACE_KINDS = tuple(Kind(name, FACES) for name in ("lumber", "brick", "wool", "grain", "ore", "gold"))
LUMBER, BRICK, WOOL, GRAIN, ORE, GOLD = FACE_KINDS
KINDS = FACE_KINDS
MOST_DICE = 6

FIELDS = (
    Field("dice_lying", (FACES,), "i1", 0, MOST_DICE, "dice on the table, by side", show=Count()),
    Field("dice_taken_up", (), "i1", 0, MOST_DICE, "dice taken up to roll again", show=Count()),
    Field("rolls_made", (), "i1", 0, 9, "rolls this turn", show=Count()),
)
NUMBERS = (
    Number("rolls_per_turn", 3, "maximum number of rolls per turn", 1, 9),
    Number("dice_by_turn", (6, 6, 6, 6), "number of dice in the 1st, 2nd, 3rd and later turns", 1, MOST_DICE),
)

TAKE_UP = Action("take_up", "take up a die that shows {}", FACES, "a die with this side, and a roll left")
ROLL_AGAIN = Action("roll_again", "roll what was taken up", needs="a die taken up")
LET_STAND = Action("let_stand", "let the result stand", needs="no die taken up")
ACTIONS = (TAKE_UP, ROLL_AGAIN, LET_STAND)

CHOOSE_DICE = Decision("choose_dice", "take up dice to roll them again, or let the result stand")
SPEND = Decision("spend", "build with what the dice show, change dice or end the turn")
DIE = Draw("die", "a die shows {}", FACES, argument=MOST_DICE, unordered=True)
DICE_OF_ONE = Invariant("dice_of_one", "the player on turn rolls, then spends, and no other player acts")
DICE_COUNTED = Invariant("dice_counted", "the dice on the table, taken up and rolling are at most those of the turn")


@rule("dice_game.rolling.5")
def dice_of_turn(game, params):
    """Return the number of dice in the current turn. The first turns of the game may have fewer."""
    return params.dice_by_turn[min(game.turn, len(params.dice_by_turn)) - 1]


@rule("dice_game.rolling.1", "dice_game.dice_turns.2")
@when(TURN_STARTED)
def roll_first(game, params, player, where):
    for face in range(FACES):
        game.dice_lying[face] = 0
    game.rolls_made = 0
    push(game, DIE, CHANCE, dice_of_turn(game, params))


@rule("dice_game.rolling.1", "dice_game.rolling.3")
@outcome(DIE)
def die_falls(game, params, face):
    game.dice_lying[face] += 1
    dice_to_roll = head_argument(game) - 1
    if dice_to_roll > 0:
        set_argument(game, dice_to_roll)
    else:
        game.rolls_made += 1
        is_last_roll = game.rolls_made == params.rolls_per_turn
        replace(game, SPEND if is_last_roll else CHOOSE_DICE, game.on_turn)


@rule("dice_game.rolling.2")
@legal(CHOOSE_DICE)
def what_to_do_with_dice(game, params, seat, mask):
    for face in range(FACES):
        mask[TAKE_UP + face] = game.dice_lying[face] > 0
    mask[ROLL_AGAIN] = game.dice_taken_up > 0
    mask[LET_STAND] = game.dice_taken_up == 0


@rule("dice_game.rolling.2")
@apply(TAKE_UP)
def take_up(game, params, seat, face):
    game.dice_lying[face] -= 1
    game.dice_taken_up += 1


@rule("dice_game.rolling.2")
@apply(ROLL_AGAIN)
def roll_again(game, params, seat, argument):
    replace(game, DIE, CHANCE, game.dice_taken_up)
    game.dice_taken_up = 0


@rule("dice_game.rolling.3")
@apply(LET_STAND)
def let_stand(game, params, seat, argument):
    replace(game, SPEND, seat)


@rule("dice_game.rolling.4")
@checks(DICE_COUNTED)
def dice_counted(game, params):
    if game.turn == 0:
        return True
    dice_count = count_of(game.dice_lying) + game.dice_taken_up
    if current_decision(game) == DIE:
        return dice_count + head_argument(game) == dice_of_turn(game, params)
    if current_decision(game) == CHOOSE_DICE:
        return dice_count == dice_of_turn(game, params)
    return dice_count <= dice_of_turn(game, params) and game.dice_taken_up == 0


@rule("dice_game.rolling.1")
@checks(DICE_OF_ONE)
def dice_of_one(game, params):
    """Decisions that interrupt spending belong to the same player."""
    if game.ended != RUNNING or game.turn == 0:
        return True
    asked_count = waits_for(game, CHOOSE_DICE, game.on_turn) + waits_for(game, SPEND, game.on_turn)
    asked_count += times_in_stack(game, DIE)
    rolls_to_come = times_in_stack(game, DIE) + times_in_stack(game, CHOOSE_DICE)
    if game.on_turn == NOBODY or asked_count != 1 or game.depth > 2:
        return False
    if game.rolls_made + rolls_to_come > params.rolls_per_turn:
        return False
    if game.next_player != to_the_left(params, game.on_turn, 1):
        return False
    if game.depth == 2:
        return waits_for(game, SPEND, game.on_turn) == 1 and game.decision_seats[1] == game.on_turn
    return True
