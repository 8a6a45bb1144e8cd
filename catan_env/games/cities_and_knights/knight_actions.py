"""Knight actions: an active knight can move, displace a weaker knight or chase the robber away.

The owner of a displaced knight moves it along roads and ships to an empty intersection, where it stays active or
inactive as before. If it cannot move, it returns to the supply.
"""

import numpy as np

from catan_env.engine.decision_stack import current_decision, head_argument, pop, push
from catan_env.engine.declare import Action, Count, Decision, Field, answers, apply, legal, rule
from catan_env.games.base.longest_road import award_longest_road, end_tours
from catan_env.games.base.network import GONE_OVER, NO_BUILDING
from catan_env.games.base.robber import MOVE_ROBBER, hexes_for_robber, move_robber
from catan_env.games.cities_and_knights.knights import (
    INACTIVE,
    MIGHTY,
    READY,
    WOKEN,
    knights_in_state,
    lift_knight,
    put_knight,
    set_knight,
)
from catan_env.games.vocabulary import (
    ACTION_PHASE,
    DEGREE,
    INTERSECTIONS,
    MAY_PASS,
    NOBODY,
    NOTHING,
    PASSAGE_CHANGED,
    PIECES_IN_HAND,
    ROBBER_RESTS,
)

FIELDS = (
    Field("knight_aside", (), "i1", 0, MIGHTY, "strength of the last knight that left the board", show=Count()),
    Field("knight_aside_state", (), "i1", INACTIVE, WOKEN, "state of that knight, as in knight_state", show=Count()),
)

TAKE_KNIGHT = Action(
    "take_knight",
    "take up the knight on {}",
    INTERSECTIONS,
    "the seat's knight there, active before this turn, and a place to go or a robber to chase",
)
PLACE_KNIGHT = Action(
    "place_knight",
    "set the knight on {}",
    INTERSECTIONS,
    "an empty intersection that the knight can reach, or in the seat's turn one with an opponent's weaker knight",
)
ACTIONS = (TAKE_KNIGHT, PLACE_KNIGHT)

USE_KNIGHT = Decision("use_knight", "move the knight, or chase the robber", argument=INTERSECTIONS)
RETREAT = Decision("retreat", "move the displaced knight", argument=INTERSECTIONS)


# -- moves -------------------------------------------------------------------------------------------------


@rule("cities_and_knights.knight_actions.1")
def is_goal(game, seat, strength, intersection):
    """Return whether a knight may end its move at an intersection.

    The intersection must be empty or hold an opponent's weaker knight. Displaced knights are treated as having strength
    0 and cannot displace others.
    """
    if game.building[intersection] != NO_BUILDING:
        return False
    return game.knight_owner[intersection] != seat and game.knight[intersection] < max(strength, 1)


@rule("cities_and_knights.knight_actions.2", "cities_and_knights.knight_actions.8")
def can_go(game, params, seat, strength, start, here):
    """Return whether a knight that started at `start` can reach another intersection from `here`.

    It moves along its player's roads and ships and can pass only through that player's pieces.
    """
    for k in range(DEGREE):
        path = np.int64(params.intersection_paths[here, k])
        if path != NOTHING and game.edge_owner[path] == seat:
            neighbor = np.int64(params.intersection_neighbors[here, k])
            if neighbor != start and is_goal(game, seat, strength, neighbor):
                return True
            if MAY_PASS(game, params, seat, neighbor):
                game.edge_owner[path] = NOBODY  # removed while the search continues beyond it
                can_continue = can_go(game, params, seat, strength, start, neighbor)
                game.edge_owner[path] = seat
                if can_continue:
                    return True
    return False


@rule("cities_and_knights.knight_actions.2", "cities_and_knights.knight_actions.8")
def spread(game, params, seat, strength, start, here, mask):
    """Mark the intersections that a knight from `start` can reach from `here`; return the number of edges covered.

    It moves along its player's roads and ships and can pass only through that player's pieces. Edges that have been
    covered are marked `GONE_OVER`.
    """
    edge_piece_count = 0
    for k in range(DEGREE):
        path = np.int64(params.intersection_paths[here, k])
        if path != NOTHING and game.edge_owner[path] == seat:
            neighbor = np.int64(params.intersection_neighbors[here, k])
            mask[PLACE_KNIGHT + neighbor] = neighbor != start and is_goal(game, seat, strength, neighbor)
            game.edge_owner[path] = GONE_OVER
            edge_piece_count += 1
            if MAY_PASS(game, params, seat, neighbor):
                edge_piece_count += spread(game, params, seat, strength, start, neighbor, mask)
    return edge_piece_count


def mark_goals(game, params, seat, strength, here, mask):
    """Mark the intersections that a knight can reach."""
    start = np.int64(here)
    spread(game, params, np.int64(seat), np.int64(strength), start, start, mask)
    end_tours(game, seat)


@rule("cities_and_knights.knight_actions.5", "cities_and_knights.knight_actions.6")
def is_at_robber(game, params, seat, intersection):
    """Return whether a knight at an intersection could chase the robber away."""
    return (
        game.robber != NOTHING and not ROBBER_RESTS(game, params, seat) and lies_at(params, intersection, game.robber)
    )


def lies_at(params, intersection, hex):
    """Return whether an intersection is a corner of a hex."""
    for k in range(DEGREE):
        if params.intersection_hexes[intersection, k] == hex:
            return True
    return False


# -- acting ------------------------------------------------------------------------------------------------


@rule("cities_and_knights.knight_actions.1", "cities_and_knights.knight_actions.7")
@legal(ACTION_PHASE)
def knights_to_use(game, params, seat, mask):
    for intersection in knights_in_state(game, seat, READY):
        strength = np.int64(game.knight[intersection])
        mask[TAKE_KNIGHT + intersection] = is_at_robber(game, params, seat, intersection) or can_go(
            game, params, np.int64(seat), strength, np.int64(intersection), np.int64(intersection)
        )


@rule("cities_and_knights.knight_actions.1")
@apply(TAKE_KNIGHT)
def take_knight(game, params, seat, intersection):
    push(game, USE_KNIGHT, seat, intersection)


@rule("cities_and_knights.knight_actions.1")
@legal(USE_KNIGHT)
def uses_of_knight(game, params, seat, mask):
    intersection = head_argument(game)
    mark_goals(game, params, seat, game.knight[intersection], intersection, mask)
    if is_at_robber(game, params, seat, intersection):
        hexes_for_robber(game, params, seat, mask)


@rule("cities_and_knights.knight_actions.1", "cities_and_knights.knight_actions.3")
@apply(PLACE_KNIGHT, at=(USE_KNIGHT,))
def move_knight(game, params, seat, there):
    """An opponent's knight at the destination is displaced."""
    here = head_argument(game)
    strength = game.knight[here]
    promoted = game.knight_promoted[here]
    lift_knight(game, params, here)
    driven_owner = game.knight_owner[there]
    if driven_owner != NOBODY:
        lay_aside(game, params, there)
    put_knight(game, params, seat, there, strength, INACTIVE)
    game.knight_promoted[there] = promoted
    PASSAGE_CHANGED(game, params, seat, here)
    if driven_owner != NOBODY:
        PASSAGE_CHANGED(game, params, driven_owner, there)
    PASSAGE_CHANGED(game, params, seat, there)
    pop(game)
    if driven_owner != NOBODY:
        let_retreat(game, params, driven_owner, there)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.knight_actions.5")
@apply(MOVE_ROBBER, at=(USE_KNIGHT,))
def chase_robber(game, params, seat, hex):
    game.knight_state[head_argument(game)] = INACTIVE
    move_robber(game, params, seat, hex)


# -- displaced knights -------------------------------------------------------------------------------------


def lay_aside(game, params, intersection):
    """Take a knight off the board and store its strength and state."""
    game.knight_aside = game.knight[intersection]
    game.knight_aside_state = game.knight_state[intersection]
    lift_knight(game, params, intersection)


@rule("cities_and_knights.knight_actions.4")
def let_retreat(game, params, owner, intersection):
    """Let a displaced knight's owner place it elsewhere, if it can move."""
    start = np.int64(intersection)
    if can_go(game, params, np.int64(owner), np.int64(0), start, start):
        push(game, RETREAT, owner, intersection)


@rule("cities_and_knights.knight_actions.3")
@legal(RETREAT)
def where_to_retreat(game, params, seat, mask):
    mark_goals(game, params, seat, 0, head_argument(game), mask)


@rule("cities_and_knights.knight_actions.3")
@apply(PLACE_KNIGHT, at=(RETREAT,))
def retreat(game, params, seat, intersection):
    pop(game)
    set_knight(game, params, seat, intersection, game.knight_aside, game.knight_aside_state)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.knight_actions.9")
@answers(PIECES_IN_HAND)
def knight_is_under_way(game, params, player, where):
    """Longest Road is not updated until both the moving and the displaced knight have been placed."""
    return current_decision(game) in (USE_KNIGHT, RETREAT)
