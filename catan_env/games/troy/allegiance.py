"""Sides: each player secretly supports Troy or Mycenae, with half of the players on each side.

Sides stay secret until the end, so the points that a side earns are hidden points.
"""

from catan_env.engine.decision_stack import CHANCE, current_decision, head_argument, pop, push_bottom
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Draw,
    Field,
    Invariant,
    OneHot,
    checks,
    outcome,
    redeals,
    rule,
    set_up,
    weights,
)
from catan_env.engine.random import below
from catan_env.engine.stacks import clear_row

CITIES = ("troy", "mycenae")
NUM_CITIES = 2
TROY, MYCENAE = range(NUM_CITIES)
NO_SIDE = -1

FIELDS = (
    Field(
        "side",
        (PLAYERS,),
        "i1",
        NO_SIDE,
        MYCENAE,
        "city that each player supports, -1 before it is dealt",
        NO_SIDE,
        visible=OWNER,
        show=OneHot(CITIES),
    ),
)

SIDE = Draw("side", "the coat of arms is {}'s", CITIES, OWNER, argument=PLAYERS)
SIDES_BALANCED = Invariant("sides_balanced", "both cities have the same number of supporters")


@rule("troy.allegiance.1")
@set_up
def deal_sides(game, params):
    for player in range(params.num_players):
        push_bottom(game, SIDE, CHANCE, player)


def supporters(game, city):
    """Return the number of players who support a city."""
    supporter_count = 0
    for player in range(PLAYERS):
        supporter_count += game.side[player] == city
    return supporter_count


@rule("troy.allegiance.1")
@weights(SIDE)
def sides_left(game, params, weights):
    """There are enough tiles of each city for half of the players."""
    for city in range(NUM_CITIES):
        weights[city] = params.num_players // NUM_CITIES - supporters(game, city)


@rule("troy.allegiance.1", "troy.allegiance.2")
@outcome(SIDE)
def take_side(game, params, city):
    player = head_argument(game)
    pop(game)
    game.side[player] = city


@rule("troy.allegiance.1")
@checks(SIDES_BALANCED)
def sides_balanced(game, params):
    if current_decision(game) == SIDE:
        return True
    return supporters(game, TROY) == supporters(game, MYCENAE) == params.num_players // NUM_CITIES


@rule("troy.allegiance.3")
@redeals("side")
def redeal_sides(game, params, seat, tiles):
    """The other players may hold any of the remaining tiles."""
    clear_row(tiles)
    tiles_left = 0
    for city in range(NUM_CITIES):
        tiles[city] = params.num_players // NUM_CITIES - (game.side[seat] == city)
        tiles_left += tiles[city]
    for player in range(params.num_players):
        if player != seat and game.side[player] != NO_SIDE:
            game.side[player] = TROY if below(game, tiles_left) < tiles[TROY] else MYCENAE
            tiles[game.side[player]] -= 1
            tiles_left -= 1
