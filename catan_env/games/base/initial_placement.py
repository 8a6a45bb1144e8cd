"""Initial placement: two settlements and roads per player in snake order, or the printed start pieces.

A player's last settlement (the second, or the third in scenarios that have one) yields the first resource cards.
"""

from catan_env.board.terrain import DESERT
from catan_env.engine.decision_stack import CAPACITY, CHANCE, head_argument, pop, push_bottom, set_argument
from catan_env.engine.declare import (
    PLAYERS,
    BoardArray,
    Decision,
    Draw,
    Invariant,
    Number,
    apply,
    checks,
    legal,
    outcome,
    rule,
    set_up,
    weights,
)
from catan_env.games.base.building import BUILD_ROAD, BUILD_SETTLEMENT, settlements_of
from catan_env.games.base.network import ROAD, is_clear, place_edge_piece, place_settlement
from catan_env.games.base.resources import take
from catan_env.games.vocabulary import (
    DEGREE,
    HEX_CARD,
    INITIAL_PLACEMENT_BEGINS,
    INTERSECTIONS,
    MAY_LAY,
    MAY_PLACE_INITIALLY,
    MAY_SETTLE,
    NOBODY,
    NOTHING,
    PATHS,
    SETTLEMENTS_ASIDE,
    to_the_left,
)

SNAKE, PRINTED = 0, 1
RANDOM_START = 0

BOARD_ARRAYS = (
    BoardArray("start_settlements", "start", "start settlements of each seat", NOTHING, along=INTERSECTIONS),
    BoardArray("start_roads", "start", "start roads of each seat", NOTHING, along=PATHS),
)
NUMBERS = (
    Number(
        "initial_placement",
        "snake",
        "place two settlements per player in snake order, or use the start pieces of the board",
        choices=("snake", "printed"),
    ),
    Number(
        "initial_settlements",
        2,
        "settlements that each player places; the third round has the order of the first",
        2,
        3,
    ),
    Number("start_player", "random", "who begins", choices=("random", "seat_0")),
)

START_PLAYER = Draw("start_player", "seat {} begins", PLAYERS)
PLACE_INITIAL_SETTLEMENT = Decision("place_initial_settlement", "place an initial settlement")
PLACE_INITIAL_ROAD = Decision("place_initial_road", "place the road next to the new settlement", argument=INTERSECTIONS)
INITIAL_PIECES_PAIRED = Invariant("initial_pieces_paired", "a settlement is followed by its road")


@rule("base.initial_placement.8")
@set_up
def prepare_initial_placement(game, params):
    push_bottom(game, START_PLAYER, CHANCE)


@rule("base.initial_placement.8")
@weights(START_PLAYER)
def anybody_may_begin(game, params, weights):
    for player in range(params.num_players):
        weights[player] = player == 0 or params.start_player == RANDOM_START


@rule("base.initial_placement.4", "base.initial_placement.8")
@outcome(START_PLAYER)
def begin_initial_placement(game, params, first):
    game.next_player = first
    pop(game)
    if params.initial_placement == PRINTED:
        set_printed_pieces(game, params)
    else:
        for k in range(params.num_players):
            schedule_initial_placement(game, to_the_left(params, first, k))
        for k in range(params.num_players - 1, -1, -1):
            schedule_initial_placement(game, to_the_left(params, first, k))
        if initial_settlements_each(game, params, first) > 2 and third_ones_fit(params):
            for k in range(params.num_players):
                schedule_initial_placement(game, to_the_left(params, first, k))
        INITIAL_PLACEMENT_BEGINS(game, params, first, 0)


def initial_settlements_each(game, params, player):
    """Return how many initial settlements, each with a road, a player has pieces for."""
    pieces = params.settlements_per_player - SETTLEMENTS_ASIDE(game, params, player)
    return min(params.initial_settlements, pieces, params.roads_per_player)


def third_ones_fit(params):
    """Return whether the decision stack has room for three settlements and roads per player."""
    return 2 * 3 * params.num_players <= CAPACITY


@rule("base.initial_placement.4")
def schedule_initial_placement(game, player):
    """Schedule a settlement and its road for a player, after all pending decisions."""
    push_bottom(game, PLACE_INITIAL_SETTLEMENT, player)
    push_bottom(game, PLACE_INITIAL_ROAD, player)


@rule("base.initial_placement.1", "base.initial_placement.2", "base.initial_placement.3")
def set_printed_pieces(game, params):
    """Place the printed pieces. The marked settlement, listed first, yields the starting cards."""
    for player in range(params.num_players):
        for k in range(2):
            place_settlement(game, params, player, params.start_settlements[player, k])
            place_edge_piece(game, params, player, ROAD, params.start_roads[player, k])
        collect_first_cards(game, params, player, params.start_settlements[player, 0])


@rule("base.initial_placement.2", "base.initial_placement.7")
def collect_first_cards(game, params, player, intersection):
    """The settlement yields one resource card from each adjacent hex."""
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING:
            card = HEX_CARD(game, params, player, hex)
            if card == NOTHING and game.terrain[hex] < DESERT:
                card = int(params.first_card[game.terrain[hex]])
            if card != NOTHING:
                take(game, player, card, 1)


@rule("base.initial_placement.5")
@legal(PLACE_INITIAL_SETTLEMENT)
def open_intersections(game, params, seat, mask):
    for intersection in range(INTERSECTIONS):
        if is_clear(game, params, intersection) and MAY_SETTLE(game, params, seat, intersection):
            mask[BUILD_SETTLEMENT + intersection] = MAY_PLACE_INITIALLY(game, params, seat, intersection)


@rule("base.initial_placement.6")
@legal(PLACE_INITIAL_ROAD)
def paths_of_initial_settlement(game, params, seat, mask):
    for k in range(DEGREE):
        path = params.intersection_paths[head_argument(game), k]
        if path != NOTHING and game.edge_owner[path] == NOBODY and MAY_LAY(game, params, ROAD, path):
            mask[BUILD_ROAD + path] = True


@rule("base.initial_placement.6", "base.initial_placement.7", "base.initial_placement.9", "base.board_layout.12")
@apply(BUILD_SETTLEMENT, at=(PLACE_INITIAL_SETTLEMENT,))
def place_initial_settlement(game, params, seat, intersection):
    pop(game)
    set_argument(game, intersection)
    place_settlement(game, params, seat, intersection)
    if settlements_of(game, params, seat) == initial_settlements_each(game, params, seat):
        collect_first_cards(game, params, seat, intersection)


@rule("base.initial_placement.6")
@apply(BUILD_ROAD, at=(PLACE_INITIAL_ROAD,))
def place_initial_road(game, params, seat, path):
    """If the stack has no room for third settlements, schedule each one after that player's first road."""
    pop(game)
    place_edge_piece(game, params, seat, ROAD, path)
    is_first_road = game.edge_pieces_left[seat, ROAD] == params.roads_per_player - 1
    if is_first_road and not third_ones_fit(params) and initial_settlements_each(game, params, seat) > 2:
        schedule_initial_placement(game, seat)


def are_paired(game, settlement, road):
    """Return whether each scheduled settlement is followed by its road on the decision stack."""
    for stack_index in range(int(game.depth)):
        if game.decision_stack[stack_index] == settlement:
            if (
                stack_index == 0
                or game.decision_stack[stack_index - 1] != road
                or game.decision_seats[stack_index - 1] != game.decision_seats[stack_index]
            ):
                return False
    return True


@rule("base.initial_placement.6")
@checks(INITIAL_PIECES_PAIRED)
def initial_pieces_paired(game, params):
    return are_paired(game, PLACE_INITIAL_SETTLEMENT, PLACE_INITIAL_ROAD)
