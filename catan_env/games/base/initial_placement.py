"""The founding: two settlements and roads each in snake order, or the printed start pieces.

The last settlement brings the first resource cards: the second, or the third where a scenario has one.
"""

from catan_env.board.terrain import DESERT
from catan_env.engine.decision_stack import CAPACITY, CHANCE, enqueue, head_argument, pop, set_argument
from catan_env.engine.declare import (
    PLAYERS,
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
from catan_env.games.base.building import BUILD_ROAD, BUILD_SETTLEMENT
from catan_env.games.base.network import ROAD, is_clear, place_settlement, place_way
from catan_env.games.base.resources import take
from catan_env.games.vocabulary import (
    DEGREE,
    FOUNDING_BEGINS,
    INTERSECTIONS,
    MAY_FOUND,
    MAY_LAY,
    MAY_SETTLE,
    NOBODY_SEAT,
    NOTHING,
    to_the_left,
)

SNAKE, PRINTED = 0, 1
RANDOM_START = 0

NUMBERS = (
    Number(
        "founding",
        "snake",
        "place two settlements each in snake order, or set the pieces printed for the board",
        choices=("snake", "printed"),
    ),
    Number("founding_settlements", 2, "settlements each player founds; third ones in the order of the first", 2, 3),
    Number("start_player", "random", "who begins", choices=("random", "seat_0")),
)

START_PLAYER = Draw("start_player", "seat {} begins", PLAYERS)
FOUND_SETTLEMENT = Decision("found_settlement", "found a settlement")
FOUND_ROAD = Decision("found_road", "build the road of the settlement just founded", argument=INTERSECTIONS)
FOUNDINGS_PAIRED = Invariant("foundings_paired", "who founds a settlement builds its road next")


@rule("base.initial_placement.8")
@set_up
def prepare_founding(game, table):
    enqueue(game, START_PLAYER, CHANCE)


@rule("base.initial_placement.8")
@weights(START_PLAYER)
def anybody_may_begin(game, table, weights):
    for player in range(table.num_players):
        weights[player] = player == 0 or table.start_player == RANDOM_START


@rule("base.initial_placement.4", "base.initial_placement.8")
@outcome(START_PLAYER)
def begin_founding(game, table, first):
    game.next_player = first
    pop(game)
    if table.founding == PRINTED:
        set_printed_pieces(game, table)
    else:
        for k in range(table.num_players):
            enqueue_founding(game, to_the_left(table, first, k))
        for k in range(table.num_players - 1, -1, -1):
            enqueue_founding(game, to_the_left(table, first, k))
        if foundings(table) > 2:
            for k in range(table.num_players):
                enqueue_founding(game, to_the_left(table, first, k))
        FOUNDING_BEGINS(game, table, first, 0)


def foundings(table):
    """Settlements each player founds, with a road each: no more than there are pieces for, and room in the queue."""
    room = CAPACITY // (2 * table.num_players)
    return min(table.founding_settlements, table.settlements_per_player, table.roads_per_player, room)


@rule("base.initial_placement.4")
def enqueue_founding(game, player):
    """Lets a player found one settlement with its road, after all others in the queue."""
    enqueue(game, FOUND_SETTLEMENT, player)
    enqueue(game, FOUND_ROAD, player)


@rule("base.initial_placement.1", "base.initial_placement.2", "base.initial_placement.3")
def set_printed_pieces(game, table):
    """Sets the printed pieces; the marked settlement, listed first, brings the first cards."""
    for player in range(table.num_players):
        for k in range(2):
            place_settlement(game, table, player, table.start_settlements[player, k])
            place_way(game, table, player, ROAD, table.start_roads[player, k])
        collect_first_cards(game, table, player, table.start_settlements[player, 0])


@rule("base.initial_placement.2", "base.initial_placement.7")
def collect_first_cards(game, table, player, intersection):
    """One card for each hex around a settlement."""
    for k in range(DEGREE):
        hex = table.intersection_hexes[intersection, k]
        if hex != NOTHING and game.terrain[hex] < DESERT:
            take(game, player, table.first_card[game.terrain[hex]], 1)


@rule("base.initial_placement.5")
@legal(FOUND_SETTLEMENT)
def open_intersections(game, table, seat, mask):
    for intersection in range(INTERSECTIONS):
        if is_clear(game, table, intersection) and MAY_SETTLE(game, table, seat, intersection):
            mask[BUILD_SETTLEMENT + intersection] = MAY_FOUND(game, table, seat, intersection)


@rule("base.initial_placement.6")
@legal(FOUND_ROAD)
def paths_of_founded_settlement(game, table, seat, mask):
    for k in range(DEGREE):
        path = table.intersection_paths[head_argument(game), k]
        if path != NOTHING and game.way[path] == NOBODY_SEAT and MAY_LAY(game, table, ROAD, path):
            mask[BUILD_ROAD + path] = True


@rule("base.initial_placement.6", "base.initial_placement.7", "base.initial_placement.9", "base.board_layout.12")
@apply(BUILD_SETTLEMENT, at=(FOUND_SETTLEMENT,))
def found_settlement(game, table, seat, intersection):
    pop(game)
    set_argument(game, intersection)
    place_settlement(game, table, seat, intersection)
    if game.settlements_left[seat] == table.settlements_per_player - foundings(table):
        collect_first_cards(game, table, seat, intersection)


@rule("base.initial_placement.6")
@apply(BUILD_ROAD, at=(FOUND_ROAD,))
def found_road(game, table, seat, path):
    pop(game)
    place_way(game, table, seat, ROAD, path)


def are_paired(game, settlement, road):
    """Whether every settlement that is to be founded has its road behind it in the queue."""
    for place in range(int(game.depth)):
        if game.queue[place] == settlement:
            if place == 0 or game.queue[place - 1] != road or game.queue_seat[place - 1] != game.queue_seat[place]:
                return False
    return True


@rule("base.initial_placement.6")
@checks(FOUNDINGS_PAIRED)
def foundings_paired(game, table):
    return are_paired(game, FOUND_SETTLEMENT, FOUND_ROAD)
