"""Three dice: a red die, a yellow die and the event die, which is resolved before production.

Chance rolls the dice one by one. Players make any decisions about the event die's effects before the base game draws
`DICE`, whose outcome is already fixed by the red and yellow dice.
"""

from catan_env.engine.decision_stack import CHANCE, pop, push, replace
from catan_env.engine.declare import Count, Draw, Event, Field, Number, OneHot, apply, outcome, rule, weights
from catan_env.games.base.turns import DICE, LOWEST_SUM, PRE_ROLL, ROLL, SUMS

PIPS = ("1", "2", "3", "4", "5", "6")
FACES = ("ship", "science", "trade", "politics")
SHIP, FIRST_GATE = 0, 1

FIELDS = (
    Field("red_die", (), "i1", 0, 6, "last roll of the red die, 0 before the first roll", show=Count()),
    Field("yellow_die", (), "i1", 0, 6, "last roll of the yellow die, 0 before the first roll", show=Count()),
    Field("event_die", (), "i1", 0, 4, "last roll of the event die, 0 before the first roll", show=OneHot(FACES, 1)),
)
NUMBERS = (Number("event_die_faces", (3, 1, 1, 1), "faces of the event die: " + ", ".join(FACES), 0, 6, some=True),)

RED_DIE = Draw("red_die", "the red die shows {}", PIPS)
YELLOW_DIE = Draw("yellow_die", "the yellow die shows {}", PIPS)
EVENT_DIE = Draw("event_die", "the event die shows {}", FACES)
SHIP_ROLLED = Event("ship_rolled", "`player` has rolled the barbarian ship")
GATE_ROLLED = Event("gate_rolled", "`player` has rolled the city gate of track `where`")


@rule("cities_and_knights.event_dice.1")
@apply(ROLL, at=(PRE_ROLL,))
def roll_three_dice(game, params, seat, argument):
    replace(game, DICE, CHANCE)
    push(game, EVENT_DIE, CHANCE)
    push(game, YELLOW_DIE, CHANCE)
    push(game, RED_DIE, CHANCE)


def roll_event_die(game):
    """Roll the event die once the other two dice have been set."""
    replace(game, DICE, CHANCE)
    push(game, EVENT_DIE, CHANCE)


@rule("cities_and_knights.event_dice.1")
@outcome(RED_DIE)
def red_die_falls(game, params, face):
    pop(game)
    game.red_die = face + 1


@rule("cities_and_knights.event_dice.1")
@outcome(YELLOW_DIE)
def yellow_die_falls(game, params, face):
    pop(game)
    game.yellow_die = face + 1


@rule("cities_and_knights.event_dice.1", "cities_and_knights.event_dice.2")
@weights(EVENT_DIE)
def faces_of_event_die(game, params, weights):
    for face in range(len(FACES)):
        weights[face] = params.event_die_faces[face]


@rule("cities_and_knights.event_dice.1")
@outcome(EVENT_DIE)
def event_die_falls(game, params, face):
    pop(game)
    game.event_die = face + 1
    if face == SHIP:
        SHIP_ROLLED(game, params, game.on_turn, 0)
    else:
        GATE_ROLLED(game, params, game.on_turn, face - FIRST_GATE)


@rule("cities_and_knights.event_dice.1")
@weights(DICE)
def sum_of_both_dice(game, params, weights):
    """The red and yellow dice determine the sum."""
    for k in range(len(SUMS)):
        weights[k] = k + LOWEST_SUM == game.red_die + game.yellow_die
