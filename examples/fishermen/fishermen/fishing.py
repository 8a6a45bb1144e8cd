"""Fishing: settlements at fishing grounds and at the lake receive one fish token, cities two.

A fishing ground has a number. It covers the intersection marked on the map and its two neighbors along the coast. The
lake, a terrain of this package, replaces the desert and provides fish at several numbers. The robber may not enter the
lake, and starts off the board, since there is no desert. The last settlement of the initial placement receives a token
for each ground and lake it touches.

Sources: The Fishermen of Catan, in Traders & Barbarians.
"""

from catan_env.board.terrain import add_terrain
from catan_env.engine.decision_stack import CHANCE, pop, push_bottom
from catan_env.engine.declare import (
    BoardArray,
    Draw,
    Field,
    Invariant,
    Number,
    OneHot,
    Size,
    answers,
    checks,
    outcome,
    set_up,
    weights,
    when,
)
from catan_env.games.base.building import settlements_of
from catan_env.games.vocabulary import (
    DEGREE,
    DICE_ROLLED,
    INTERSECTIONS,
    NOBODY,
    NOTHING,
    ROBBER_MAY_GO,
    SETTLEMENT_BUILT,
    acts,
)

from fishermen.tokens import MOST_DUE, meet_claims

FISH = "M-22 0q14-18 32-8l13-8v32l-13-8q-18 10-32-8z"
"""A fish centered at the origin, as an SVG path."""
LAKE = add_terrain("lake", "#6fb3d9", f'<path d="{FISH}" fill="#14506e"/>', barren=True)
GROUNDS = Size("ground")
SUMS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
LOWEST_SUM = 2
NO_NUMBER = 0
ANY_NUMBER = -1

FIELDS = (
    Field("ground_number", (GROUNDS,), "i1", 0, 12, "number of each fishing ground, 0 for none", show=OneHot(SUMS, 2)),
)
NUMBERS = (
    Number("ground_numbers", (0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0), "fishing grounds with each number, 2 to 12", 0, 10),
    Number("lake_numbers", (1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1), "numbers at which the lake brings fish, 2 to 12", 0, 1),
)
BOARD_ARRAYS = (
    BoardArray("ground_intersections", "marks.ground", "middle of each fishing ground", 0, along=INTERSECTIONS),
)
GROUND_NUMBER = Draw("ground_number", "the next fishing ground has number {}", SUMS)
GROUND_NUMBERS_GIVEN = Invariant("ground_numbers_given", "fishing grounds have numbers of the set")


# -- the board ---------------------------------------------------------------------------------------------


@set_up
def prepare_fishing(game, params):
    if next_ground(game) < GROUNDS and numbers_left(game, params) > 0:
        push_bottom(game, GROUND_NUMBER, CHANCE)


@answers(ROBBER_MAY_GO)
def robber_avoids_lake(game, params, player, hex):
    return game.terrain[hex] != LAKE


def next_ground(game):
    """Return the first fishing ground without a number, or `GROUNDS` if there is none."""
    for ground in range(GROUNDS):
        if game.ground_number[ground] == NO_NUMBER:
            return ground
    return GROUNDS


def numbers_left(game, params):
    """Return the number of chips that are not yet on a fishing ground."""
    count = 0
    for k in range(len(SUMS)):
        count += params.ground_numbers[k]
    for ground in range(GROUNDS):
        count -= game.ground_number[ground] != NO_NUMBER
    return count


@weights(GROUND_NUMBER)
def numbers_of_the_set(game, params, weights):
    for k in range(len(SUMS)):
        weights[k] = params.ground_numbers[k]
    for ground in range(GROUNDS):
        if game.ground_number[ground] != NO_NUMBER:
            weights[game.ground_number[ground] - LOWEST_SUM] -= 1


@outcome(GROUND_NUMBER)
def number_ground(game, params, k):
    game.ground_number[next_ground(game)] = k + LOWEST_SUM
    if next_ground(game) == GROUNDS or numbers_left(game, params) == 0:
        pop(game)


# -- fishing -----------------------------------------------------------------------------------------------


def is_at_ground(params, ground, intersection):
    """Return whether a fishing ground covers an intersection: its middle or a neighbor along the coast."""
    middle = params.ground_intersections[ground]
    if middle == intersection:
        return True
    for k in range(DEGREE):
        coast = params.intersection_coast[middle, k]
        if coast != NOTHING:
            ends = params.coast_intersections[coast]
            if ends[0] == intersection or ends[1] == intersection:
                return True
    return False


def waters_at(game, params, intersection, number):
    """Count the grounds and lakes at an intersection that provide fish at a number, or at any (`ANY_NUMBER`)."""
    count = 0
    for ground in range(GROUNDS):
        if number == ANY_NUMBER or game.ground_number[ground] == number:
            count += is_at_ground(params, ground, intersection)
    if number == ANY_NUMBER or params.lake_numbers[number - LOWEST_SUM]:
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            count += hex != NOTHING and game.terrain[hex] == LAKE
    return count


def claim(game, params, intersection, number):
    """Credit the owner of the building on an intersection with tokens."""
    owner = game.building_owner[intersection]
    if owner != NOBODY and acts(params, owner):
        tokens = int(game.building[intersection]) * waters_at(game, params, intersection, number)
        game.fish_due[owner] = min(MOST_DUE, int(game.fish_due[owner]) + tokens)


@when(DICE_ROLLED)
def fish(game, params, player, number):
    for intersection in range(INTERSECTIONS):
        claim(game, params, intersection, number)
    meet_claims(game, params)


@when(SETTLEMENT_BUILT)
def first_catch(game, params, player, intersection):
    """During the initial placement, no turn has started."""
    if game.turn == 0 and settlements_of(game, params, player) == params.initial_settlements:
        claim(game, params, intersection, ANY_NUMBER)
        meet_claims(game, params)


@checks(GROUND_NUMBERS_GIVEN)
def ground_numbers_given(game, params):
    for k in range(len(SUMS)):
        count = 0
        for ground in range(GROUNDS):
            count += game.ground_number[ground] == k + LOWEST_SUM
        if count > params.ground_numbers[k]:
            return False
    return True
