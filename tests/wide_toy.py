"""A toy variant that extends the vocabulary in every possible way at once.

It has barges, watchtowers, commodities, a steward who holds cards but never acts, and a feast at which all players
choose cards.
"""

from types import SimpleNamespace

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import (
    NEUTRALS,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Kind,
    Menu,
    Number,
    SeatFlag,
    answers,
    apply,
    checks,
    legal,
    set_up,
    when,
)
from catan_env.games.base.network import mark_edge_pieces, place_edge_piece, place_settlement, refresh_around
from catan_env.games.base.resources import can_pay, let_choose_cards, pay
from catan_env.games.vocabulary import (
    BUILDING,
    CARDS_IN_PLAY,
    DEGREE,
    EDGE_PIECE_KIND,
    EDGE_PIECES,
    HAND_CARDS,
    INTERSECTIONS,
    MAY_LAY,
    MAY_PASS,
    NOBODY,
    NOTHING,
    OCCUPIED,
    PATHS,
    SEVEN_ROLLED,
    TURN_ENDED,
    to_the_left,
)

# -- barges: a second kind of edge piece, on coast paths only ------------------------------------------------------

BARGE = Kind("barge", EDGE_PIECES)
IS_BARGE = Field("is_barge", (PATHS,), "u1", 0, 1, "whether the way on a path is a barge", show=Count())
BARGES = Number("barges_per_player", 8, "barges of each player", 0, 30)
BARGE_COST = Number("barge_cost", (1, 0, 1), "price of a barge", 0, 30, over=HAND_CARDS)
BUILD_BARGE = Action("build_barge", "build a barge on {}", PATHS, "a coast path, its price and a barge")
BARGES_CONSERVED = Invariant("barges_conserved", "barges on the board and barges left make up the whole set")


@set_up
def deal_barges(game, params):
    for player in range(PLAYERS):
        game.edge_pieces_left[player, BARGE] = params.barges_per_player


@answers(EDGE_PIECE_KIND)
def barge_or_road(game, params, player, path):
    return BARGE * int(game.is_barge[path])


@answers(MAY_LAY)
def barges_need_water(game, params, kind, path):
    return kind != BARGE or params.path_hexes[path, 1] == NOTHING


@legal(BUILDING)
def barges_to_build(game, params, seat, mask):
    if can_pay(game, seat, params.barge_cost):
        mark_edge_pieces(game, seat, BARGE, BUILD_BARGE, mask)


@apply(BUILD_BARGE)
def build_barge(game, params, seat, path):
    pay(game, seat, params.barge_cost)
    game.is_barge[path] = True
    place_edge_piece(game, params, seat, BARGE, path)


@checks(BARGES_CONSERVED)
def barges_conserved(game, params):
    for player in range(PLAYERS):
        barges = int(game.edge_pieces_left[player, BARGE])
        for path in range(PATHS):
            barges += game.edge_owner[path] == player and game.is_barge[path] == 1
        if barges != params.barges_per_player:
            return False
    return True


# -- watchtowers: a third kind of building, worth a point, that blocks other players --------------------------------

TOWER = Field("tower", (INTERSECTIONS,), "i1", NOBODY, 7, "whose watchtower stands there", NOBODY, show=SeatFlag())
BUILD_TOWER = Action("build_tower", "build a watchtower on {}", INTERSECTIONS, "an empty place on one's own way")
TOWER_COST = Number("tower_cost", (0, 1, 0, 0, 1), "price of a watchtower", 0, 30, over=HAND_CARDS)


@answers(OCCUPIED)
def a_tower_stands_there(game, params, player, intersection):
    return game.tower[intersection] != NOBODY


@answers(MAY_PASS)
def no_tower_of_others(game, params, player, intersection):
    return game.tower[intersection] == NOBODY or game.tower[intersection] == player


def has_edge_piece_at(game, params, seat, intersection):
    """Return whether an edge piece of a seat ends at an intersection."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == seat:
            return True
    return False


def nobody_else_at(game, params, seat, intersection):
    """Return whether no other color has an edge piece there, so that a tower interrupts no route."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] != NOBODY and game.edge_owner[path] != seat:
            return False
    return True


@legal(BUILDING)
def towers_to_build(game, params, seat, mask):
    if can_pay(game, seat, params.tower_cost):
        for place in range(INTERSECTIONS):
            free = game.building[place] == 0 and game.tower[place] == NOBODY
            if free and nobody_else_at(game, params, seat, place):
                mask[BUILD_TOWER + place] = has_edge_piece_at(game, params, seat, place)


@apply(BUILD_TOWER)
def build_tower(game, params, seat, intersection):
    pay(game, seat, params.tower_cost)
    game.tower[intersection] = seat
    refresh_around(game, params, intersection)


@answers(PUBLIC_POINTS)
def points_of_towers(game, params, player, where):
    towers = 0
    for place in range(INTERSECTIONS):
        towers += game.tower[place] == player
    return towers


# -- commodities: eight kinds of cards ------------------------------------------------------------------------------

PAPER, CLOTH, COIN = (Kind(name, HAND_CARDS) for name in ("paper", "cloth", "coin"))
EACH = Number("commodities_of_a_kind", 12, "commodity cards of each kind", 0, 30)


@answers(CARDS_IN_PLAY)
def commodity_cards(game, params, player, card):
    return params.commodities_of_a_kind if card >= PAPER else 0


# -- the steward: a color that owns a settlement and holds cards, but never acts ------------------------------------


@set_up
def settle_steward(game, params):
    place_settlement(game, params, PLAYERS - NEUTRALS, params.steward_at)


STEWARD_AT = Number("steward_at", 27, "intersection of the steward's settlement", 0, 53)

# -- the feast: after a 7, all players choose two cards; with a menu that the variant adds --------------------------

FEASTING = Menu("feasting", "the feast may be left")
FEAST = Decision("feast", "leave the feast", menus=(FEASTING,), argument=PLAYERS)
LEAVE_FEAST = Action("leave_feast", "leave the feast", needs="a feast")


@when(SEVEN_ROLLED)
def everybody_feasts(game, params, player, where):
    for k in range(params.num_players):
        let_choose_cards(game, to_the_left(params, player, k), 2)


@when(TURN_ENDED)
def host_a_feast(game, params, player, where):
    push(game, FEAST, to_the_left(params, player, 1), player)


@legal(FEAST)
def nothing_more(game, params, seat, mask):
    mask[LEAVE_FEAST] = False


@legal(FEASTING)
def may_leave(game, params, seat, mask):
    mask[LEAVE_FEAST] = True


@apply(LEAVE_FEAST)
def leave_feast(game, params, seat, argument):
    pop(game)


def _module(name, functions, **declared):
    return SimpleNamespace(__name__=name, **{f.__name__: f for f in functions}, **declared)


WIDE_MODULES = (
    _module(
        "barges",
        (deal_barges, barge_or_road, barges_need_water, barges_to_build, build_barge, barges_conserved),
        KINDS=(BARGE,),
        FIELDS=(IS_BARGE,),
        NUMBERS=(BARGES, BARGE_COST),
        ACTIONS=(BUILD_BARGE,),
    ),
    _module(
        "watchtowers",
        (a_tower_stands_there, no_tower_of_others, towers_to_build, build_tower, points_of_towers),
        FIELDS=(TOWER,),
        NUMBERS=(TOWER_COST,),
        ACTIONS=(BUILD_TOWER,),
    ),
    _module("commodities", (commodity_cards,), KINDS=(PAPER, CLOTH, COIN), NUMBERS=(EACH,)),
    _module("steward", (settle_steward,), NUMBERS=(STEWARD_AT,)),
    _module(
        "feast",
        (everybody_feasts, host_a_feast, nothing_more, may_leave, leave_feast),
        ACTIONS=(LEAVE_FEAST,),
    ),
)
WIDE_CONFIG = {
    "name": "wide_toy",
    "version": 0,
    "title": "Wide toy",
    "summary": "A made-up variant.",
    "facts": {"players": [2, 3]},
    "board": {"map": "base"},
    "neutrals": {"count": 1, "traits": ["holds_cards"]},
    "numbers": {"second_card_of_city": [5, 1, 6, 3, 7]},
}
