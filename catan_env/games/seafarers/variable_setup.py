"""Variable set-up: hexes, numbers and, on most boards, harbors are those published, shuffled within limits.

Optional, where a scenario has it: play "seafarers_new_shores+variable_setup".

The map says from which pile each place gets its hex and its number, so that what lies on a main island stays there, and
which places take no high numbers. Those the limits concern most are laid first: red ones, as long as there is room for
the rest of them, then those with one pip or two. A board of one's own that leaves no room within the limits is laid
without them.
"""

from catan_env.board.terrain import DESERT, TERRAINS
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push, replace
from catan_env.engine.declare import BoardArray, Draw, Invariant, Number, checks, outcome, rule, set_up, weights
from catan_env.games.base.board_layout import NO_NUMBER, bears_number, is_red, place_robber, take_up_harbors
from catan_env.games.seafarers.new_world import NUMBER_SITE, ROBBERS_NUMBER
from catan_env.games.vocabulary import CORNERS, HEXES, NOTHING, REGIONS, SEVEN, TERRAIN_KINDS

KEPT_FREE = -1
"""Room that is kept for a red number while it is tried whether all have room."""
ALL_PILES = -2
MOST_PILES = 16
RED_PIPS = 5
TURNS = 4
"""Red numbers are laid first, then those with one or two pips, with four, with three."""
BY_TERRAIN = "pips of the numbers on each terrain in a variable set-up: " + ", ".join(TERRAINS)

BOARD_ARRAYS = (
    BoardArray("region_pile", "marks.region.pile", "pile of each region, -1 it stays", NOTHING, along=REGIONS),
    BoardArray("region_most_pips", "marks.region.most_pips", "most pips of the number there", 0, RED_PIPS),
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
    Number("fewest_pips", (1,) * len(TERRAINS), f"fewest {BY_TERRAIN}", 1, RED_PIPS),
    Number("most_pips", (RED_PIPS,) * len(TERRAINS), f"most {BY_TERRAIN}", 1, RED_PIPS),
)

SHUFFLED_HEX = Draw("shuffled_hex", "the next of the shuffled hexes is {}", TERRAIN_KINDS, argument=HEXES)
SHUFFLED_CONSERVED = Invariant("shuffled_conserved", "the hexes and numbers of every pile are those published")


def pile_of(params, hex):
    """The pile from which a place gets its hex and number; -1 where both stay as they are published."""
    region = params.hex_region[hex]
    if region == NOTHING or params.region_pile[region] >= params.shuffled_piles:
        return NOTHING
    return int(params.region_pile[region])


@rule("seafarers.variable_setup.1", "seafarers.variable_setup.9", "seafarers.variable_setup.12")
@set_up
def take_up_the_board(game, params):
    """What is shuffled is taken up: chance lays the hexes, then the numbers, then the harbors, also those of a custom
    board."""
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
    """The first place from this hex on that gets a hex from a pile; `HEXES` if there is none."""
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
    """Once all hexes lie, a robber that starts on a desert goes to one."""
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
    """In how many of 36 rolls a number falls."""
    return SEVEN - 1 - abs(SEVEN - int(number))


def turn_of(number):
    """When a number is laid: the lower, the earlier."""
    if is_red(number):
        return 0
    return 1 if pips(number) <= 2 else RED_PIPS + 1 - pips(number)


def next_token(params, turn, hex):
    """The hex on which the next number to lay is published, from this turn and hex on; `HEXES` if there is none."""
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
    """Whether a shuffled hex waits for its number."""
    return pile_of(params, hex) != NOTHING and game.number[hex] == NO_NUMBER and bears_number(game, hex)


@rule(
    "seafarers.variable_setup.3",
    "seafarers.variable_setup.4",
    "seafarers.variable_setup.5",
    "seafarers.variable_setup.6",
    "seafarers.variable_setup.7",
)
def takes(game, params, hex, number):
    """Whether the limits let a number lie on a hex."""
    terrain = game.terrain[hex]
    if pips(number) < params.fewest_pips[terrain] or pips(number) > params.most_pips[terrain]:
        return False
    if pips(number) > params.region_most_pips[params.hex_region[hex]]:
        return False
    return not is_red(number) or not params.red_apart or not is_beside_red(game, params, hex)


@rule("seafarers.variable_setup.2")
def is_beside_red(game, params, hex):
    """Whether a neighbor of a hex has a red number, or room is kept there for one."""
    for side in range(CORNERS):
        neighbor = params.hex_neighbors[hex, side]
        if neighbor != NOTHING and is_red_place(game, neighbor):
            return True
    return False


def is_red_place(game, hex):
    """Whether a hex has a red number, or room is kept there for one."""
    return game.number[hex] == KEPT_FREE or is_red(game.number[hex])


def reds_left(game, params, pile):
    """How many red numbers of a pile, or of all piles, are still to be laid."""
    red_count = 0
    for hex in range(HEXES):
        if pile == ALL_PILES or pile_of(params, hex) == pile:
            red_count += int(is_red(params.layout_number[hex]))
            red_count -= int(is_red_place(game, hex))
    return red_count


@rule("seafarers.variable_setup.2")
def leaves_room(game, params, red, hex):
    """Whether the other red numbers have room when this one lies on a hex, each on the first hex that takes it."""
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
    """Whether the published board has the robber on a desert."""
    return params.layout_robber != NOTHING and params.layout_terrain[params.layout_robber] == DESERT


# -- checks ------------------------------------------------------------------------------------------------


@rule("seafarers.variable_setup.1")
@checks(SHUFFLED_CONSERVED)
def shuffled_conserved(game, params):
    """No pile has given more hexes of a terrain, or more of a number, than it had."""
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
