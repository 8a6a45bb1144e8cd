"""Knights: pieces of three strengths that players recruit, activate and promote, and that block opponents.

A knight can act in a turn only if it was active when the turn began.
"""

from catan_env.engine.bitset import mark, replace, where_equal, where_other
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Feature,
    Field,
    Invariant,
    Number,
    OneHot,
    SeatFlag,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
    shows,
    when,
)
from catan_env.games.base.network import NO_BUILDING, refresh_around
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.cities_and_knights.improvements import POLITICS, THIRD_LEVEL
from catan_env.games.vocabulary import (
    BUILDING,
    DEGREE,
    HAND_CARDS,
    INTERSECTIONS,
    MAY_PASS,
    NOBODY,
    NOTHING,
    OCCUPIED,
    PAIRED_PHASE_STARTED,
    PASSAGE_CHANGED,
    TURN_STARTED,
)

NO_KNIGHT, BASIC, STRONG, MIGHTY = 0, 1, 2, 3
RANKS = ("basic", "strong", "mighty")
INACTIVE, READY, WOKEN = 0, 1, 2

FIELDS = (
    Field(
        "knight_owner",
        (INTERSECTIONS,),
        "i1",
        NOBODY,
        7,
        "seat with a knight on each intersection",
        NOBODY,
        show=SeatFlag(),
    ),
    Field(
        "knight",
        (INTERSECTIONS,),
        "i1",
        NO_KNIGHT,
        MIGHTY,
        "strength of the knight on each intersection, 0 for none",
        show=OneHot(RANKS, BASIC),
    ),
    Field(
        "knight_state",
        (INTERSECTIONS,),
        "i1",
        INACTIVE,
        WOKEN,
        "0 inactive, 1 active, 2 activated this turn, so it cannot act yet",
        show=OneHot(("ready", "woken"), READY),
    ),
    Field(
        "knight_promoted",
        (INTERSECTIONS,),
        "u1",
        0,
        1,
        "whether the knight there was promoted this turn",
        show=Count(),
    ),
    Field("knights_left", (PLAYERS, 3), "i1", 0, 30, "remaining knights of each strength", show=Count(), labels=RANKS),
)
NUMBERS = (
    Number("knights_per_strength", 2, "knights of each strength of each player", 0, 10),
    Number(
        "recruit_cost",
        (0, 0, 1, 0, 1),
        "price of a basic knight: lumber, brick, wool, grain, ore",
        0,
        30,
        over=HAND_CARDS,
    ),
    Number(
        "promote_cost", (0, 0, 1, 0, 1), "price of a promotion: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS
    ),
    Number(
        "activate_cost", (0, 0, 0, 1, 0), "price of activating: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS
    ),
)

RECRUIT_KNIGHT = Action(
    "recruit_knight",
    "recruit a knight on {}",
    INTERSECTIONS,
    "an empty intersection at the seat's route, the price and a basic knight",
)
PROMOTE_KNIGHT = Action(
    "promote_knight",
    "promote the knight on {}",
    INTERSECTIONS,
    "the seat's knight there, not promoted this turn, the price, the next piece, and the fortress for a mighty one",
)
ACTIVATE_KNIGHT = Action(
    "activate_knight", "activate the knight on {}", INTERSECTIONS, "the seat's inactive knight there, and the price"
)
ACTIONS = (RECRUIT_KNIGHT, PROMOTE_KNIGHT, ACTIVATE_KNIGHT)

DEFENCE = Feature("defence", PLAYERS, 20, "strength of each player's active knights")
KNIGHTS_CONSERVED = Invariant(
    "knights_conserved", "knights stand on intersections without buildings, and add up to the full set"
)


@rule("cities_and_knights.knights.1")
@set_up
def deal_knights(game, params):
    for player in range(PLAYERS):
        for rank in range(3):
            game.knights_left[player, rank] = params.knights_per_strength


# -- setting pieces ----------------------------------------------------------------------------------------


def put_knight(game, params, seat, intersection, strength, state):
    """Place a knight from the supply without announcing it."""
    game.knights_left[seat, strength - 1] -= 1
    game.knight_owner[intersection] = seat
    game.knight[intersection] = strength
    game.knight_state[intersection] = state
    game.knight_promoted[intersection] = False
    refresh_around(game, params, intersection)


def lift_knight(game, params, intersection):
    """Return a knight from the board to its owner's supply without announcing it."""
    game.knights_left[game.knight_owner[intersection], game.knight[intersection] - 1] += 1
    game.knight_owner[intersection] = NOBODY
    game.knight[intersection] = NO_KNIGHT
    game.knight_state[intersection] = INACTIVE
    game.knight_promoted[intersection] = False
    refresh_around(game, params, intersection)


def set_knight(game, params, seat, intersection, strength, state):
    """Place a knight from the supply."""
    put_knight(game, params, seat, intersection, strength, state)
    PASSAGE_CHANGED(game, params, seat, intersection)


def has_knight(game, params, player):
    """Return whether a player has a knight on the board."""
    for rank in range(3):
        if game.knights_left[player, rank] < params.knights_per_strength:
            return True
    return False


def knights_in_state(game, player, state):
    """Return the intersections where a player has a knight in the given state."""
    return where_equal(game.knight_owner, player) & where_equal(game.knight_state, state)


@rule("cities_and_knights.knights.3", "cities_and_knights.paired_players.1")
@when(TURN_STARTED, PAIRED_PHASE_STARTED)
def knights_are_ready(game, params, player, where):
    replace(game.knight_promoted, True, False)
    replace(game.knight_state, WOKEN, READY)


# -- recruiting, promoting, activating ---------------------------------------------------------------------


def is_free(game, intersection):
    """Return whether an intersection holds neither a building nor a knight."""
    return (game.building[intersection] == NO_BUILDING) & (game.knight[intersection] == NO_KNIGHT)


def touches_own_edge_piece(game, params, seat, intersection):
    """Return whether any of a player's roads or ships ends at an intersection."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and game.edge_owner[path] == seat:
            return True
    return False


def can_enlist(game, params, seat):
    """Return whether a player has a road or ship with a free end where a knight can be placed."""
    for path in where_equal(game.edge_owner, seat):
        for end in range(2):
            if is_free(game, params.path_intersections[path, end]):
                return True
    return False


@rule("cities_and_knights.knights.2", "cities_and_knights.knights.10")
def mark_enlistments(game, params, seat, first, mask):
    """Mark the intersections where a player may place a knight, with action ids starting at `first`."""
    for path in where_equal(game.edge_owner, seat):
        for end in range(2):
            intersection = params.path_intersections[path, end]
            mask[first + intersection] = is_free(game, intersection)


@rule("cities_and_knights.knights.4", "cities_and_knights.knights.5", "cities_and_knights.knights.6")
def may_be_promoted(game, seat, intersection):
    """Return whether a player may promote their knight at an intersection, ignoring the price."""
    rank = game.knight[intersection]
    if game.knight_promoted[intersection] or rank == MIGHTY or game.knights_left[seat, rank] == 0:
        return False
    return rank == BASIC or game.improvement[seat, POLITICS] >= THIRD_LEVEL


def can_promote(game, seat):
    """Return whether a player may promote any knight, ignoring the price."""
    for intersection in where_equal(game.knight_owner, seat):
        if may_be_promoted(game, seat, intersection):
            return True
    return False


def mark_promotions(game, seat, mask):
    """Mark the knights that a player may promote."""
    for intersection in where_equal(game.knight_owner, seat):
        mask[PROMOTE_KNIGHT + intersection] = may_be_promoted(game, seat, intersection)


def promote(game, seat, intersection):
    """Replace a knight with the next stronger one without charging for it. An active knight stays active."""
    game.knights_left[seat, game.knight[intersection] - 1] += 1
    game.knights_left[seat, game.knight[intersection]] -= 1
    game.knight[intersection] += 1
    game.knight_promoted[intersection] = True


@rule("cities_and_knights.knights.2")
@legal(BUILDING)
def knights_to_hire(game, params, seat, mask):
    if (game.knights_left[seat, BASIC - 1] > 0) & can_pay(game, seat, params.recruit_cost):
        mark_enlistments(game, params, seat, RECRUIT_KNIGHT, mask)
    if can_pay(game, seat, params.promote_cost):
        mark_promotions(game, seat, mask)
    if can_pay(game, seat, params.activate_cost):
        mark(knights_in_state(game, seat, INACTIVE), ACTIVATE_KNIGHT, mask)


@rule("cities_and_knights.knights.2")
@apply(RECRUIT_KNIGHT)
def recruit_knight(game, params, seat, intersection):
    pay(game, seat, params.recruit_cost)
    set_knight(game, params, seat, intersection, BASIC, INACTIVE)


@rule("cities_and_knights.knights.4")
@apply(PROMOTE_KNIGHT)
def promote_knight(game, params, seat, intersection):
    pay(game, seat, params.promote_cost)
    promote(game, seat, intersection)


@rule("cities_and_knights.knights.3", "cities_and_knights.knights.9")
@apply(ACTIVATE_KNIGHT)
def activate_knight(game, params, seat, intersection):
    pay(game, seat, params.activate_cost)
    game.knight_state[intersection] = WOKEN


# -- blocking ----------------------------------------------------------------------------------------------


@rule("cities_and_knights.knights.7", "cities_and_knights.knights.8")
@answers(OCCUPIED)
def knight_in_place(game, params, player, intersection):
    return game.knight[intersection] != NO_KNIGHT


@rule("cities_and_knights.knights.7", "cities_and_knights.knights.11")
@answers(MAY_PASS)
def no_knight_of_others(game, params, player, intersection):
    """Roads and ships cannot continue past an opponent's knight, active or not."""
    return game.knight[intersection] == NO_KNIGHT or game.knight_owner[intersection] == player


# -- strength ----------------------------------------------------------------------------------------------


def defence_of(game, player):
    """Return the total strength of a player's active knights."""
    strength = 0
    for intersection in where_equal(game.knight_owner, player) & where_other(game.knight_state, INACTIVE):
        strength += int(game.knight[intersection])
    return strength


@rule("cities_and_knights.knights.3")
@shows(DEFENCE)
def show_defence(game, params, seat, player):
    return min(defence_of(game, player), 20)


@rule("cities_and_knights.knights.1")
@checks(KNIGHTS_CONSERVED)
def knights_conserved(game, params):
    for player in range(PLAYERS):
        for rank in range(3):
            knight_count = int(game.knights_left[player, rank])
            for intersection in range(INTERSECTIONS):
                knight_count += game.knight_owner[intersection] == player and game.knight[intersection] == rank + 1
            if knight_count != params.knights_per_strength:
                return False
    for intersection in range(INTERSECTIONS):
        knight_stands = game.knight[intersection] != NO_KNIGHT
        if knight_stands != (game.knight_owner[intersection] != NOBODY):
            return False
        if knight_stands and game.building[intersection] != NO_BUILDING:
            return False
        if not knight_stands and (game.knight_state[intersection] != INACTIVE or game.knight_promoted[intersection]):
            return False
    return True
