"""Variable setup: hexes, numbers and usually harbors of the published board are shuffled within limits.

It is optional in scenarios that provide one, for example "seafarers_new_shores+variable_setup".

The map assigns each place to a pile, which keeps a main island's hexes on that island, and marks places that cannot
take numbers with many pips. The numbers with the strictest limits are laid first: first red ones, leaving room for
those still to come, then those with one or two pips. Limits are dropped wherever a custom board cannot meet them.
"""

from catan_env.board.terrain import DESERT, PUBLISHED
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push, replace
from catan_env.engine.declare import BoardArray, Draw, Invariant, Number, checks, outcome, rule, set_up, weights
from catan_env.games.base.board_layout import NO_NUMBER, bears_number, is_red, place_robber, take_up_harbors
from catan_env.games.seafarers.new_world import NUMBER_SITE, ROBBERS_NUMBER
from catan_env.games.vocabulary import CORNERS, HEXES, NOTHING, REGIONS, SEVEN, TERRAIN_KINDS

KEPT_FREE = -1
"""Marks a hex as reserved for a red number while `leaves_room` checks whether they all fit."""
ALL_PILES = -2
MOST_PILES = 16
RED_PIPS = 5
TURNS = 4
"""Number of steps in which numbers are laid: red, one or two pips, four pips, three pips."""
BY_TERRAIN = "pips of the numbers on each terrain in a variable set-up: " + ", ".join(PUBLISHED)

BOARD_ARRAYS = (
    BoardArray(
        "region_pile", "marks.region.pile", "pile of each region, -1 for regions that stay", NOTHING, along=REGIONS
    ),
    BoardArray("region_most_pips", "marks.region.most_pips", "maximum pips of the number there", 0, RED_PIPS),
)
NUMBERS = (
    Number(
        "shuffled_piles",
        MOST_PILES,
        "piles that a variable set-up shuffles: 1 the land with the start areas, 2 the other islands too; others stay "
        "as published",
        0,
        MOST_PILES,
    ),
    Number("fewest_pips", (1,) * len(PUBLISHED), f"fewest {BY_TERRAIN}", 1, RED_PIPS),
    Number("most_pips", (RED_PIPS,) * len(PUBLISHED), f"most {BY_TERRAIN}", 1, RED_PIPS),
)

SHUFFLED_HEX = Draw("shuffled_hex", "the next of the shuffled hexes is {}", TERRAIN_KINDS, argument=HEXES)
SHUFFLED_CONSERVED = Invariant("shuffled_conserved", "the hexes and numbers of every pile match the published set")


def pile_of(params, hex):
    """Return the pile from which a place draws its hex and number; -1 if both stay as published."""
    region = params.hex_region[hex]
    if region == NOTHING or params.region_pile[region] >= params.shuffled_piles:
        return NOTHING
    return int(params.region_pile[region])


@rule("seafarers.variable_setup.1", "seafarers.variable_setup.9", "seafarers.variable_setup.12")
@set_up
def take_up_the_board(game, params):
    """Clear the shuffled places. Chance then lays hexes, numbers and harbors, even those of a custom board."""
    if not params.layout_given:
        return
    if params.shuffle_harbors:
        take_up_harbors(game)
    for hex in range(HEXES):
        if pile_of(params, hex) != NOTHING:
            game.terrain[hex] = NOTHING
            game.number[hex] = NO_NUMBER
    if next_token(params, 0, 0) != HEXES:
        push(game, NUMBER_SITE, CHANCE, next_token(params, 0, 0))
    if next_place(params, 0) != HEXES:
        push(game, SHUFFLED_HEX, CHANCE, next_place(params, 0))


# -- hexes -------------------------------------------------------------------------------------------------


def next_place(params, hex):
    """Return the first place at or after `hex` that draws from a pile; `HEXES` if there is none."""
    while hex < HEXES and pile_of(params, hex) == NOTHING:
        hex += 1
    return hex


@rule("seafarers.variable_setup.1")
@weights(SHUFFLED_HEX)
def hexes_left_in_the_pile(game, params, weights):
    pile = pile_of(params, head_argument(game))
    for hex in range(HEXES):
        if pile_of(params, hex) == pile:
            weights[params.layout_terrain[hex]] += 1
            if game.terrain[hex] != NOTHING:
                weights[game.terrain[hex]] -= 1


@rule("seafarers.variable_setup.1", "seafarers.variable_setup.8")
@outcome(SHUFFLED_HEX)
def lay_shuffled_hex(game, params, terrain):
    """After the last hex, the robber is placed on a desert if it starts on one."""
    hex = head_argument(game)
    game.terrain[hex] = terrain
    if next_place(params, hex + 1) != HEXES:
        replace(game, SHUFFLED_HEX, CHANCE, next_place(params, hex + 1))
    else:
        pop(game)
        if starts_on_desert(params):
            place_robber(game)


# -- numbers -----------------------------------------------------------------------------------------------


def pips(number):
    """Return how many of the 36 possible rolls produce a number."""
    return SEVEN - 1 - abs(SEVEN - int(number))


def turn_of(number):
    """Return the position of a number token in the placement order, counted from 0."""
    if is_red(number):
        return 0
    return 1 if pips(number) <= 2 else RED_PIPS + 1 - pips(number)


def next_token(params, turn, hex):
    """Return the published hex of the next number to lay, starting at `turn` and `hex`; `HEXES` if there is none."""
    while turn < TURNS:
        while hex < HEXES:
            number = params.layout_number[hex]
            if number != NO_NUMBER and pile_of(params, hex) != NOTHING and turn_of(number) == turn:
                return hex
            hex += 1
        hex = 0
        turn += 1
    return HEXES


def is_open(game, params, hex):
    """Return whether a shuffled hex is still waiting for its number."""
    return pile_of(params, hex) != NOTHING and game.number[hex] == NO_NUMBER and bears_number(game, params, hex)


@rule(
    "seafarers.variable_setup.3",
    "seafarers.variable_setup.4",
    "seafarers.variable_setup.5",
    "seafarers.variable_setup.6",
    "seafarers.variable_setup.7",
)
def takes(game, params, hex, number):
    """Return whether a given number may be laid on a hex within the limits."""
    terrain = game.terrain[hex]
    if pips(number) < params.fewest_pips[terrain] or pips(number) > params.most_pips[terrain]:
        return False
    if pips(number) > params.region_most_pips[params.hex_region[hex]]:
        return False
    return not is_red(number) or not params.red_apart or not is_beside_red(game, params, hex)


@rule("seafarers.variable_setup.2")
def is_beside_red(game, params, hex):
    """Return whether any neighbor of a hex has a red number or is reserved for one."""
    for side in range(CORNERS):
        neighbor = params.hex_neighbors[hex, side]
        if neighbor != NOTHING and is_red_place(game, neighbor):
            return True
    return False


def is_red_place(game, hex):
    """Return whether a hex has a red number or is reserved for one."""
    return game.number[hex] == KEPT_FREE or is_red(game.number[hex])


def reds_left(game, params, pile):
    """Return how many red numbers in a pile, or in all piles, have not been laid yet."""
    red_count = 0
    for hex in range(HEXES):
        if pile == ALL_PILES or pile_of(params, hex) == pile:
            red_count += int(is_red(params.layout_number[hex]))
            red_count -= int(is_red_place(game, hex))
    return red_count


@rule("seafarers.variable_setup.2")
def leaves_room(game, params, red, hex):
    """Return whether the remaining red numbers fit, each on the first hex that can take it, if `hex` takes this one."""
    game.number[hex] = KEPT_FREE
    for other_hex in range(HEXES):
        if is_open(game, params, other_hex) and takes(game, params, other_hex, red):
            if reds_left(game, params, pile_of(params, other_hex)) > 0:
                game.number[other_hex] = KEPT_FREE
    has_room = reds_left(game, params, ALL_PILES) == 0
    for other_hex in range(HEXES):
        if game.number[other_hex] == KEPT_FREE:
            game.number[other_hex] = NO_NUMBER
    return has_room


@rule("seafarers.variable_setup.2", "seafarers.variable_setup.10")
@weights(NUMBER_SITE)
def places_for_number(game, params, weights):
    published_hex = head_argument(game)
    number = params.layout_number[published_hex]
    site_count = 0
    for hex in range(HEXES):
        if is_open(game, params, hex) and pile_of(params, hex) == pile_of(params, published_hex):
            if takes(game, params, hex, number):
                if turn_of(number) > 0 or not params.red_apart or leaves_room(game, params, number, hex):
                    weights[hex] = 1
                    site_count += 1
    if site_count == 0:
        for hex in range(HEXES):
            weights[hex] = is_open(game, params, hex) and pile_of(params, hex) == pile_of(params, published_hex)


@rule("seafarers.variable_setup.1", "seafarers.variable_setup.8")
@outcome(NUMBER_SITE)
def lay_shuffled_number(game, params, hex):
    """A robber that does not start on a desert starts on the 12."""
    published_hex = head_argument(game)
    game.number[hex] = params.layout_number[published_hex]
    if game.number[hex] == ROBBERS_NUMBER and not starts_on_desert(params):
        game.robber = hex
    next_published_hex = next_token(params, turn_of(params.layout_number[published_hex]), published_hex + 1)
    if next_published_hex != HEXES:
        replace(game, NUMBER_SITE, CHANCE, next_published_hex)
    else:
        pop(game)


def starts_on_desert(params):
    """Return whether the published board's robber is on a desert."""
    return params.layout_robber != NOTHING and params.layout_terrain[params.layout_robber] == DESERT


# -- checks ------------------------------------------------------------------------------------------------


@rule("seafarers.variable_setup.1")
@checks(SHUFFLED_CONSERVED)
def shuffled_conserved(game, params):
    """No pile has dealt more hexes of any terrain, or more tokens of any number, than it started with."""
    if not params.layout_given:
        return True
    for hex in range(HEXES):
        if pile_of(params, hex) != NOTHING:
            terrain_excess = 0
            number_excess = 0
            for other_hex in range(HEXES):
                if pile_of(params, other_hex) == pile_of(params, hex):
                    terrain_excess += int(game.terrain[other_hex] == game.terrain[hex])
                    terrain_excess -= int(params.layout_terrain[other_hex] == game.terrain[hex])
                    number_excess += int(game.number[other_hex] == game.number[hex])
                    number_excess -= int(params.layout_number[other_hex] == game.number[hex])
            if (
                game.terrain[hex] != NOTHING
                and terrain_excess > 0
                or game.number[hex] != NO_NUMBER
                and number_excess > 0
            ):
                return False
    return True
