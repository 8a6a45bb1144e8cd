"""Fog: unexplored hexes are turned face up when a road or ship reaches them.

Everyone knows which hexes and numbers are face down. When a place is explored, chance decides which hex and number it
gets. If the hex produces a resource, the explorer gets one card of it.
"""

from catan_env.board.terrain import DESERT, FOG, GOLD, PUBLISHED, SEA
from catan_env.engine.bitset import where_equal
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Decision,
    Draw,
    Field,
    Invariant,
    Number,
    apply,
    checks,
    legal,
    outcome,
    rule,
    set_up,
    weights,
    when,
)
from catan_env.engine.stacks import weigh_stack
from catan_env.games.base.resources import take
from catan_env.games.seafarers.gold import GOLD_FOUND
from catan_env.games.seafarers.waters import refresh_hex
from catan_env.games.vocabulary import (
    DEGREE,
    EDGE_PIECE_BUILT,
    HEXES,
    NOBODY,
    NOTHING,
    PATHS,
    TERRAIN_KINDS,
    count_of,
    decider,
)

TOKENS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
LOWEST = 2
NUM_TOKENS = 11

FIELDS = (
    Field(
        "hexes_face_down",
        (len(PUBLISHED),),
        "i1",
        0,
        60,
        "face-down hexes of each terrain",
        show=Count(),
        labels=PUBLISHED,
    ),
    Field(
        "numbers_face_down",
        (NUM_TOKENS,),
        "i1",
        0,
        60,
        "face-down number tokens",
        show=Count(),
        labels=TOKENS,
    ),
)
NUMBERS = (
    Number("fog_hexes", (0,) * len(PUBLISHED), "hexes face down under the fog: " + ", ".join(PUBLISHED), 0, 60),
    Number("fog_numbers", (0,) * NUM_TOKENS, "number tokens face down for them: " + ", ".join(TOKENS), 0, 60),
)

EXPLORE = Action("explore", "explore {}", HEXES, "an unexplored place at the route piece just built or moved")
ACTIONS = (EXPLORE,)

CHOOSE_FOG = Decision("choose_fog", "choose the unexplored place to reveal first", argument=PATHS)
FOUND_TERRAIN = Draw("found_terrain", "the discovery is {}", TERRAIN_KINDS, argument=(PLAYERS, HEXES))
FOUND_NUMBER = Draw("found_number", "its number is {}", TOKENS, argument=HEXES)
FOG_CONSERVED = Invariant("fog_conserved", "the number of face-down hexes equals the number of unexplored places")


@rule("seafarers.fog.1")
@set_up
def lay_stacks(game, params):
    """Fill the stacks. If they have too few hexes for the board's unexplored places, deserts make up the difference."""
    for terrain in range(TERRAIN_KINDS):
        if terrain != FOG:
            game.hexes_face_down[terrain] = params.fog_hexes[terrain]
    game.hexes_face_down[DESERT] += max(places_at_start(params) - hexes_at_start(params), 0)
    for k in range(NUM_TOKENS):
        game.numbers_face_down[k] = params.fog_numbers[k]


def hexes_at_start(params):
    """Return how many hexes are in the stack at the start, excluding fog, which cannot be found."""
    return count_of(params.fog_hexes) - params.fog_hexes[FOG]


def places_at_start(params):
    """Return how many hexes on the board are fog at the start."""
    fog_count = 0
    for hex in range(HEXES):
        fog_count += (params.layout_terrain[hex] if params.layout_given else params.fixed_terrain[hex]) == FOG
    return fog_count


def bearing(hexes):
    """Return how many hexes in a stack need a number."""
    return count_of(hexes) - int(hexes[SEA]) - int(hexes[DESERT])


@rule("seafarers.fog.2", "seafarers.fog.5")
@when(EDGE_PIECE_BUILT)
def discover(game, params, player, path):
    """A new road or ship lifts the fog at both ends. If it reaches several places, the player chooses their order."""
    first_hex = next_fog(game, params, path, 0)
    if first_hex != HEXES:
        if next_fog(game, params, path, first_hex + 1) == HEXES:
            turn_up(game, player, first_hex)
        else:
            push(game, CHOOSE_FOG, decider(game, params, player), path)


@rule("seafarers.fog.2")
def next_fog(game, params, path, hex):
    """Return the first unexplored hex touching an end of a path, starting at `hex`; `HEXES` if there is none."""
    for fog_hex in where_equal(game.terrain, FOG):
        if fog_hex >= hex and is_at(params, path, fog_hex):
            return fog_hex
    return HEXES


@rule("seafarers.fog.2")
def is_at(params, path, hex):
    """Return whether either end of a path is a corner of a hex."""
    for end in range(2):
        for k in range(DEGREE):
            if params.intersection_hexes[params.path_intersections[path, end], k] == hex:
                return True
    return False


@rule("seafarers.fog.2")
def turn_up(game, player, hex):
    """Let chance decide which hex is found at the place that a player has reached."""
    push(game, FOUND_TERRAIN, CHANCE, player * HEXES + hex)


@rule("seafarers.fog.4")
@legal(CHOOSE_FOG)
def places_to_explore(game, params, seat, mask):
    path = head_argument(game)
    hex = next_fog(game, params, path, 0)
    while hex != HEXES:
        mask[EXPLORE + hex] = True
        hex = next_fog(game, params, path, hex + 1)


@rule("seafarers.fog.4")
@apply(EXPLORE)
def explore(game, params, seat, hex):
    """Explore the chosen place. The last remaining one follows automatically."""
    path = head_argument(game)
    explorer = explorer_at(game, seat, path)
    pop(game)
    unexplored_count = 0
    last_hex = NOTHING
    other_hex = next_fog(game, params, path, 0)
    while other_hex != HEXES:
        if other_hex != hex:
            unexplored_count += 1
            last_hex = other_hex
        other_hex = next_fog(game, params, path, other_hex + 1)
    if unexplored_count == 1:
        turn_up(game, explorer, last_hex)
    else:
        push(game, CHOOSE_FOG, seat, path)
    turn_up(game, explorer, hex)


def explorer_at(game, seat, path):
    """Return the explorer: the owner of the piece on the path or, if the path is empty, the deciding seat."""
    return seat if game.edge_owner[path] == NOBODY else int(game.edge_owner[path])


@rule("seafarers.fog.1")
@weights(FOUND_TERRAIN)
def hexes_in_the_stack(game, params, weights):
    weigh_stack(game.hexes_face_down, weights)


@rule("seafarers.fog.2", "seafarers.fog.3")
@outcome(FOUND_TERRAIN)
def lay_discovery(game, params, terrain):
    player = head_argument(game) // HEXES
    hex = head_argument(game) % HEXES
    pop(game)
    game.terrain[hex] = terrain
    game.hexes_face_down[terrain] -= 1
    if terrain == GOLD:
        GOLD_FOUND(game, params, player, 1)
    elif terrain < DESERT:
        take(game, player, params.first_card[terrain], 1)
    if terrain != SEA and terrain != DESERT and count_of(game.numbers_face_down) > 0:
        push(game, FOUND_NUMBER, CHANCE, hex)
    refresh_hex(game, params, hex)


@rule("seafarers.fog.1")
@weights(FOUND_NUMBER)
def numbers_in_the_stack(game, params, weights):
    weigh_stack(game.numbers_face_down, weights)


@rule("seafarers.fog.2")
@outcome(FOUND_NUMBER)
def lay_number(game, params, token):
    game.number[head_argument(game)] = token + LOWEST
    game.numbers_face_down[token] -= 1
    pop(game)


@rule("seafarers.fog.1")
@checks(FOG_CONSERVED)
def fog_conserved(game, params):
    """Any initial surplus of hexes in the stacks persists, as does any initial shortage of numbers."""
    unexplored_count = 0
    for hex in range(HEXES):
        unexplored_count += game.terrain[hex] == FOG
    surplus_hexes = max(hexes_at_start(params) - places_at_start(params), 0)
    missing_numbers = max(bearing(params.fog_hexes) - count_of(params.fog_numbers), 0)
    if bearing(game.hexes_face_down) > count_of(game.numbers_face_down) + missing_numbers:
        return False
    return unexplored_count + surplus_hexes == count_of(game.hexes_face_down)
