"""New World: land, sea and numbers are drawn at random; then players place the harbors.

Red numbers are laid first, on hexes that are not gold fields and have no red neighbor, as long as such hexes remain.
The robber starts on the 12. Harbors are turned up one by one, and players take turns placing them on the coast, at
least one path away from every other harbor; a harbor that cannot be placed is left out.
"""

from catan_env.board.terrain import GOLD, HARBOR_KINDS
from catan_env.engine.decision_stack import CAPACITY, CHANCE, head_argument, pop, push, replace
from catan_env.engine.declare import PLAYERS, Action, Decision, Draw, Number, apply, legal, outcome, rule, weights, when
from catan_env.games.base.board_layout import NO_NUMBER, bears_number, has_red_neighbor, is_red
from catan_env.games.seafarers.islands import MOST_ISLANDS, NO_ISLAND
from catan_env.games.seafarers.waters import is_land
from catan_env.games.vocabulary import (
    COAST,
    CORNERS,
    DEGREE,
    HEXES,
    INITIAL_PLACEMENT_BEGINS,
    NOTHING,
    SIDES,
    TERRAIN_LAID,
    to_the_left,
)

NUM_KINDS = 6
ROBBERS_NUMBER = 12

NUMBERS = (
    Number(
        "harbor_tokens",
        (1, 1, 1, 1, 1, 5),
        "harbors that players place, by kind: " + ", ".join(HARBOR_KINDS),
        0,
        10,
    ),
)

PLACE_HARBOR = Action(
    "place_harbor", "place the harbor on {}", COAST, "a coast path, at least one path away from every harbor"
)
ACTIONS = (PLACE_HARBOR,)

SITE_HARBOR = Decision("site_harbor", "place the revealed harbor", argument=NUM_KINDS - 1)
NUMBER_SITE = Draw("number_site", "the next number is laid on {}", HEXES, argument=HEXES)
NEXT_HARBOR = Draw("next_harbor", "the harbor turned up is {}", HARBOR_KINDS, argument=PLAYERS)


# -- islands and numbers -----------------------------------------------------------------------------------


@rule("seafarers.new_world.1")
@when(TERRAIN_LAID)
def survey(game, params, player, where):
    find_islands(game, params)
    if params.spirals[0, 0] == NOTHING:
        push(game, NUMBER_SITE, CHANCE, 0)


@rule("seafarers.new_world.4")
def find_islands(game, params):
    """Assign an island number to each connected area of land."""
    island = 0
    for first_hex in range(HEXES):
        if is_land(game, first_hex) and game.island[first_hex] == NO_ISLAND:
            game.island[first_hex] = island
            while spread(game, params, island):
                pass
            island = min(island + 1, MOST_ISLANDS - 1)


@rule("seafarers.new_world.4")
def spread(game, params, island):
    """Add neighboring land to an island, and return whether it has grown."""
    has_grown = False
    for hex in range(HEXES):
        if is_land(game, hex) and game.island[hex] == NO_ISLAND:
            for side in range(CORNERS):
                neighbor = params.hex_neighbors[hex, side]
                if neighbor != NOTHING and game.island[neighbor] == island and game.island[hex] == NO_ISLAND:
                    game.island[hex] = island
                    has_grown = True
    return has_grown


@rule("seafarers.new_world.2")
def takes_red(game, params, hex):
    """Return whether a hex may take a red number: it is not a gold field and has no red neighbor."""
    return game.terrain[hex] != GOLD and not has_red_neighbor(game, params, hex)


@rule("seafarers.new_world.1")
@weights(NUMBER_SITE)
def hexes_for_number(game, params, weights):
    red = is_red(params.number_tokens[head_argument(game)])
    site_count = 0
    for hex in range(HEXES):
        if (
            bears_number(game, params, hex)
            and game.number[hex] == NO_NUMBER
            and (not red or takes_red(game, params, hex))
        ):
            weights[hex] = 1
            site_count += 1
    if site_count == 0:
        for hex in range(HEXES):
            weights[hex] = bears_number(game, params, hex) and game.number[hex] == NO_NUMBER


@rule("seafarers.new_world.1", "seafarers.new_world.3")
@outcome(NUMBER_SITE)
def lay_token(game, params, hex):
    token_index = head_argument(game)
    game.number[hex] = params.number_tokens[token_index]
    if game.number[hex] == ROBBERS_NUMBER:
        game.robber = hex
    if token_index + 1 < HEXES and params.number_tokens[token_index + 1] != NOTHING:
        replace(game, NUMBER_SITE, CHANCE, token_index + 1)
    else:
        pop(game)


# -- harbors -----------------------------------------------------------------------------------------------


@rule("seafarers.new_world.5")
@when(INITIAL_PLACEMENT_BEGINS)
def let_place_harbors(game, params, first, where):
    """Before the initial placement, players take turns placing as many harbors as the decision stack can hold."""
    harbor_count = 0
    for kind in range(NUM_KINDS):
        harbor_count += int(params.harbor_tokens[kind])
    harbor_count = min(harbor_count, CAPACITY - int(game.depth))
    if not params.layout_given:
        for k in range(harbor_count - 1, -1, -1):
            push(game, NEXT_HARBOR, CHANCE, to_the_left(params, first, k))


@rule("seafarers.new_world.5")
@weights(NEXT_HARBOR)
def harbors_face_down(game, params, weights):
    for kind in range(NUM_KINDS):
        weights[kind] = params.harbor_tokens[kind]
    for coast_index in range(COAST):
        if game.harbor[coast_index] != NOTHING:
            weights[game.harbor[coast_index]] -= 1


@rule("seafarers.new_world.5")
@outcome(NEXT_HARBOR)
def turn_up_harbor(game, params, kind):
    if has_harbor_site(game, params):
        replace(game, SITE_HARBOR, head_argument(game), kind)
    else:
        pop(game)


@rule("seafarers.new_world.5")
def is_coast(game, params, path):
    """Return whether a path has land on exactly one side."""
    land_count = 0
    for k in range(SIDES):
        hex = params.path_hexes[path, k]
        land_count += hex != NOTHING and is_land(game, hex)
    return land_count == 1


@rule("seafarers.new_world.5")
def is_harbor_site(game, params, place):
    """Return whether a coast path may take a harbor, that is, whether no other harbor is next to it."""
    if not is_coast(game, params, params.coast_paths[place]):
        return False
    for end in range(2):
        for k in range(DEGREE):
            other_coast_index = params.intersection_coast[params.coast_intersections[place, end], k]
            if other_coast_index != NOTHING and game.harbor[other_coast_index] != NOTHING:
                return False
    return True


@rule("seafarers.new_world.5")
def has_harbor_site(game, params):
    """Return whether there is room for another harbor."""
    for coast_index in range(COAST):
        if is_harbor_site(game, params, coast_index):
            return True
    return False


@rule("seafarers.new_world.5")
@legal(SITE_HARBOR)
def sites_for_harbor(game, params, seat, mask):
    for coast_index in range(COAST):
        mask[PLACE_HARBOR + coast_index] = is_harbor_site(game, params, coast_index)


@rule("seafarers.new_world.5")
@apply(PLACE_HARBOR)
def place_harbor(game, params, seat, place):
    game.harbor[place] = head_argument(game)
    pop(game)
