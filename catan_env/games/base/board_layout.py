"""The board, printed or drawn at random: terrain, number tokens, harbors and the starting hex of the robber.

The variable setup is a sequence of draws, each of which can be forced under explicit chance: the terrain of every hex,
the corner where the lettered tokens start, the frame piece on every side (or the kind of every harbor) and, if there
are several deserts, the one where the robber starts. The harbors of a printed board can be shuffled.
"""

from catan_env.board.terrain import DESERT, HARBOR_KINDS, MOST_TERRAINS, TERRAINS
from catan_env.engine.decision_stack import CHANCE, RUNNING, pop, push, push_bottom, times_in_stack
from catan_env.engine.declare import (
    BoardArray,
    Draw,
    Feature,
    Field,
    Invariant,
    Number,
    OneHot,
    checks,
    outcome,
    rule,
    set_up,
    shows,
    weights,
)
from catan_env.games.vocabulary import COAST, CORNERS, HEXES, NOBODY, NOTHING, TERRAIN_KINDS, TERRAIN_LAID, count_of

NUM_SIDES = 6
NUM_KINDS = 6
SHUFFLED = 1
NO_NUMBER = 0

TERRAIN = Field(
    "terrain",
    (HEXES,),
    "i1",
    NOTHING,
    MOST_TERRAINS - 1,
    "terrain of each hex",
    NOTHING,
    show=OneHot(TERRAINS, size=TERRAIN_KINDS),
    along=TERRAIN_KINDS,
)
NUMBER = Field(
    "number",
    (HEXES,),
    "i1",
    0,
    12,
    "number token of each hex, 0 for none",
    show=OneHot(("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"), 2),
)
HARBOR = Field(
    "harbor",
    (COAST,),
    "i1",
    NOTHING,
    NUM_KINDS - 1,
    "harbor on each coast path, -1 for none",
    NOTHING,
    show=OneHot(HARBOR_KINDS),
)
ROBBER_HEX = Field("robber", (), "i1", NOTHING, 127, "hex of the robber, -1 off the board", NOTHING, along=HEXES)
FIELDS = (
    TERRAIN,
    NUMBER,
    HARBOR,
    ROBBER_HEX,
    Field("frame", (NUM_SIDES,), "i1", NOTHING, 5, "frame piece on each side, -1 until it is drawn", NOTHING),
)
BOARD_ARRAYS = (
    BoardArray("fixed_terrain", "fixed", "terrain that is not drawn", field=TERRAIN),
    BoardArray("terrain_counts", "terrain_counts", "hexes of each terrain", 0, 127),
    BoardArray("barren", "terrains of the map", "whether each terrain has no number tokens", 0, 1, least=TERRAIN_KINDS),
    BoardArray("number_tokens", "numbers.tokens", "number tokens in the order in which they are placed", NOTHING, 12),
    BoardArray("spirals", "numbers.spiral", "hexes in the order in which they receive tokens", NOTHING, along=HEXES),
    BoardArray("side_start", "frame.sides", "coast index where each side begins", NOTHING, along=COAST),
    BoardArray("piece_offsets", "frame.pieces", "harbors from the start of a side", NOTHING, along=COAST),
    BoardArray("piece_kinds", "frame.pieces", "kinds of harbors", NOTHING, NUM_KINDS - 1),
    BoardArray("small_harbors", "frame.small", "coast indices of harbors", NOTHING, along=COAST, entry=0),
    BoardArray("small_harbors", "frame.small", "kinds of harbors", NOTHING, NUM_KINDS - 1, entry=1),
    BoardArray("harbor_sites", "harbor_sites.coast", "coast indices of harbors", NOTHING, along=COAST),
    BoardArray("harbor_kind_counts", "harbor_sites.kinds", "harbors of each kind", 0),
    BoardArray("layout_terrain", "hexes of the layout", "terrain of each hex", field=TERRAIN),
    BoardArray("layout_number", "hexes of the layout", "number of each hex", field=NUMBER),
    BoardArray("layout_harbor", "harbors of the layout", "harbor on each coast path", field=HARBOR),
    BoardArray("layout_robber", "robber of the layout", "hex of the robber", field=ROBBER_HEX),
)
NUMBERS = (
    Number(
        "harbors",
        "frame",
        "how harbors are drawn: frame pieces in any order, or kinds shuffled over fixed sites; a map without a frame "
        "has its harbors shuffled",
        choices=("frame", "shuffled"),
    ),
    Number(
        "shuffle_harbors",
        0,
        "whether the harbors of a printed board are shuffled over their places (1) or stay as printed (0); harbors of "
        "a `board=` argument always stay",
        0,
        1,
    ),
    Number(
        "red_apart",
        0,
        "whether 6 and 8 are kept apart on boards with a spiral or a variable set-up (1) or can be neighbors (0)",
        0,
        1,
    ),
)

TERRAIN_OF_HEX = Draw("terrain_of_hex", "the next hex is {}", TERRAIN_KINDS)
FIRST_CORNER = Draw("first_corner", "number tokens begin at corner {}", ("1", "2", "3", "4", "5", "6"))
FRAME_PIECE = Draw("frame_piece", "the next side gets frame piece {}", ("A", "B", "C", "D", "E", "F"))
HARBOR_KIND = Draw("harbor_kind", "the next harbor is {}", HARBOR_KINDS)
ROBBER_START = Draw("robber_start", "the robber starts on {}", HEXES)
BOARD_OPEN = Invariant("board_open", "draws of hexes, frame pieces and harbors match the places that are open")
ROBBER = Feature("robber", HEXES, 1, "where the robber stands")


@rule("base.board_layout.1", "base.board_layout.2", "base.board_layout.3", "base.board_layout.11")
@set_up
def lay_board(game, params):
    if params.layout_given:
        for hex in range(HEXES):
            game.terrain[hex] = params.layout_terrain[hex]
            game.number[hex] = params.layout_number[hex]
        for coast_index in range(COAST):
            game.harbor[coast_index] = params.layout_harbor[coast_index]
        game.robber = params.layout_robber
        if params.shuffle_harbors and not params.layout_chosen:
            take_up_harbors(game)
    else:
        for hex in range(HEXES):
            game.terrain[hex] = params.fixed_terrain[hex]
        push_bottom(game, TERRAIN_OF_HEX, CHANCE)


@rule("base.board_layout.6")
@shows(ROBBER)
def robber_on_hex(game, params, seat, hex):
    return game.robber == hex


@rule("base.board_layout.3")
@weights(TERRAIN_OF_HEX)
def hexes_in_the_pile(game, params, weights):
    for terrain in range(TERRAIN_KINDS):
        weights[terrain] = params.terrain_counts[terrain]
    for hex in range(HEXES):
        if game.terrain[hex] != NOTHING:
            weights[game.terrain[hex]] -= 1


@rule("base.board_layout.3", "base.board_layout.5", "base.board_layout.7", "base.board_layout.9")
@outcome(TERRAIN_OF_HEX)
def lay_hex(game, params, terrain):
    hex = next_open_hex(game, 0)
    game.terrain[hex] = terrain
    if next_open_hex(game, hex) == HEXES:
        pop(game)
        place_robber(game)
        draw_harbors(game, params)
        if params.spirals[0, 0] != NOTHING:
            push(game, FIRST_CORNER, CHANCE)
        TERRAIN_LAID(game, params, NOBODY, 0)


def next_open_hex(game, hex):
    """Return the first hex at or after the given one that has no terrain; `HEXES` if there is none."""
    while hex < HEXES and game.terrain[hex] != NOTHING:
        hex += 1
    return hex


@rule("base.board_layout.14")
def draw_harbors(game, params):
    """Let chance draw the harbors: either kinds for fixed sites or frame pieces, depending on `harbors` and the map."""
    if harbor_sites(params) > 0 and (params.harbors == SHUFFLED or not has_frame(params)):
        push(game, HARBOR_KIND, CHANCE)
    else:
        for k in range(COAST):
            if params.small_harbors[k, 0] != NOTHING:
                game.harbor[params.small_harbors[k, 0]] = params.small_harbors[k, 1]
        if params.side_start[0] != NOTHING:
            push(game, FRAME_PIECE, CHANCE)


def has_frame(params):
    """Return whether the map has a frame with harbors."""
    return params.side_start[0] != NOTHING or (COAST > 0 and params.small_harbors[0, 0] != NOTHING)


def harbor_sites(params):
    """Return the number of sites among which harbors are shuffled."""
    site_count = 0
    while site_count < COAST and params.harbor_sites[site_count] != NOTHING:
        site_count += 1
    return site_count


@rule("base.board_layout.13")
def take_up_harbors(game):
    """Take all harbors off the board and let chance redistribute them among the same sites."""
    harbor_count = 0
    for coast_index in range(COAST):
        harbor_count += game.harbor[coast_index] != NOTHING
        game.harbor[coast_index] = NOTHING
    if harbor_count > 0:
        push(game, HARBOR_KIND, CHANCE)


@rule("base.board_layout.6")
def place_robber(game):
    """The robber starts in the desert; if there are several deserts, chance picks one."""
    desert_count = 0
    for hex in range(HEXES):
        if game.terrain[hex] == DESERT:
            desert_count += 1
            if desert_count == 1:
                game.robber = hex
    if desert_count > 1:
        push(game, ROBBER_START, CHANCE)


@rule("base.board_layout.12")
@weights(ROBBER_START)
def deserts_equally(game, params, weights):
    for hex in range(HEXES):
        weights[hex] = game.terrain[hex] == DESERT


@rule("base.board_layout.12")
@outcome(ROBBER_START)
def start_robber(game, params, hex):
    game.robber = hex
    pop(game)


@rule("base.board_layout.4")
@weights(FIRST_CORNER)
def corners_equally(game, params, weights):
    for corner in range(NUM_SIDES):
        weights[corner] = params.spirals[corner, 0] != NOTHING


@rule("base.board_layout.4", "base.board_layout.8")
@outcome(FIRST_CORNER)
def lay_tokens(game, params, corner):
    """Lay the lettered tokens counterclockwise and inward, skipping hexes without a number."""
    token_index = 0
    for k in range(HEXES):
        hex = params.spirals[corner, k]
        if hex != NOTHING and bears_number(game, params, hex):
            game.number[hex] = params.number_tokens[token_index]
            token_index += 1
    if params.red_apart:
        part_red_numbers(game, params, corner)
    pop(game)


@rule("base.board_layout.4")
def bears_number(game, params, hex):
    """Return whether a hex gets a number token."""
    return not params.barren[game.terrain[hex]]


@rule("base.board_layout.15")
def part_red_numbers(game, params, corner):
    """Move each red number that has a red neighbor to another hex, if possible."""
    for k in range(HEXES):
        hex = params.spirals[corner, k]
        if hex != NOTHING and is_red(game.number[hex]) and has_red_neighbor(game, params, hex):
            move_red_number(game, params, corner, hex)


@rule("base.board_layout.15")
def move_red_number(game, params, corner, hex):
    """Swap a red number with the first number on the spiral that is not red and whose hex has no red neighbor."""
    red_number = game.number[hex]
    game.number[hex] = NO_NUMBER
    for k in range(HEXES):
        other_hex = params.spirals[corner, k]
        if other_hex != NOTHING and game.number[other_hex] != NO_NUMBER and not is_red(game.number[other_hex]):
            if not has_red_neighbor(game, params, other_hex):
                game.number[hex] = game.number[other_hex]
                game.number[other_hex] = red_number
                return
    game.number[hex] = red_number


def is_red(number):
    """Return whether a number token is red, that is, a 6 or an 8."""
    return number == 6 or number == 8


def has_red_neighbor(game, params, hex):
    """Return whether any neighbor of a hex has a red number."""
    for side in range(CORNERS):
        neighbor = params.hex_neighbors[hex, side]
        if neighbor != NOTHING and is_red(game.number[neighbor]):
            return True
    return False


@rule("base.board_layout.5")
@weights(FRAME_PIECE)
def frame_pieces_left(game, params, weights):
    for piece in range(NUM_SIDES):
        weights[piece] = 1
    for side in range(NUM_SIDES):
        if game.frame[side] != NOTHING:
            weights[game.frame[side]] = 0


@rule("base.board_layout.5", "base.board_layout.9")
@outcome(FRAME_PIECE)
def lay_frame_piece(game, params, piece):
    side = 0
    while game.frame[side] != NOTHING:
        side += 1
    game.frame[side] = piece
    for k in range(2):
        if params.piece_offsets[piece, k] != NOTHING:
            game.harbor[params.side_start[side] + params.piece_offsets[piece, k]] = params.piece_kinds[piece, k]
    if side == NUM_SIDES - 1:
        pop(game)


@rule("base.board_layout.10", "base.board_layout.13")
@weights(HARBOR_KIND)
def harbor_kinds_left(game, params, weights):
    for kind in range(NUM_KINDS):
        weights[kind] = params.harbor_kind_counts[kind]
    for coast_index in range(COAST):
        if game.harbor[coast_index] != NOTHING:
            weights[game.harbor[coast_index]] -= 1


@rule("base.board_layout.9", "base.board_layout.10", "base.board_layout.13")
@outcome(HARBOR_KIND)
def lay_harbor(game, params, kind):
    site_index = 0
    while game.harbor[params.harbor_sites[site_index]] != NOTHING:
        site_index += 1
    game.harbor[params.harbor_sites[site_index]] = kind
    if site_index == harbor_sites(params) - 1:
        pop(game)


@rule("base.board_layout.3", "base.board_layout.5", "base.board_layout.10")
@checks(BOARD_OPEN)
def board_open(game, params):
    """If no open place were left, a draw would write outside the board."""
    if game.ended != RUNNING:
        return True
    if times_in_stack(game, TERRAIN_OF_HEX) > int(next_open_hex(game, 0) < HEXES):
        return False
    if times_in_stack(game, FRAME_PIECE) > int(game.frame[NUM_SIDES - 1] == NOTHING):
        return False
    open_site_count = 0
    for k in range(harbor_sites(params)):
        open_site_count += game.harbor[params.harbor_sites[k]] == NOTHING
    harbors_left = count_of(params.harbor_kind_counts)
    for coast_index in range(COAST):
        harbors_left -= game.harbor[coast_index] != NOTHING
    return times_in_stack(game, HARBOR_KIND) <= int(open_site_count > 0 and harbors_left > 0)
