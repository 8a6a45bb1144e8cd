"""A set of worlds that a seat cannot tell apart, searched along one sequence of moves and outcomes.

The seat's knowledge, legal actions and evaluations are the same in every world, so the search follows only one world.
The others are advanced along the same path only when a draw with a private outcome has different odds in each world.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_agents.evaluation.memo import EvalCache
from catan_env.engine.compose import Composed
from catan_env.engine.decision_stack import CHANCE, head, head_seat
from catan_env.engine.declare import ACTION_RESOLVED, OWNER, PLAYERS, Draw, Size
from catan_env.engine.determinise import deal_world
from catan_env.engine.kernels import check_stack, total_weight

apply_action = Composed("apply_action")
apply_outcome = Composed("apply_outcome")

MOST_WORLDS = 32
"""Maximum number of worlds to search together. A set of worlds is represented as an integer with one bit per world."""
NOT_DEALT = -1


class Space(NamedTuple):
    """Scratch memory for a search, and information about the rules needed by the search kernels.

    Attributes:
        stack: (levels, worlds) the record of each world at each level of the path.
        taken: (levels,) int64, the action or outcome chosen at each level.
        reached: (worlds,) int64, the level of the path that each world has reached.
        masks, marks: (levels, width) bool, and the same as sets of bits; see `Batch`.
        odds, totals: (levels, worlds, outcomes) and (levels, worlds) int64, the odds of draw outcomes and their sums.
        world_values: (levels, worlds) float64, the value of each world at each level.
        met: (1,) int64, nonzero after an uncertain action or a draw with a private outcome.
        manners, secret: flags for each kind of action (see `evaluation.terms`), and whether the outcome of each draw is
            private.
        unordered: for each draw, whether the order of outcomes is irrelevant.
        owners: for each draw that only one player sees, the divisor that maps the draw's argument to that player; 0 for
            other draws.
        dealing: int64 scratch memory for sampling.
        cache: cached position evaluations.
    """

    stack: np.ndarray
    taken: np.ndarray
    reached: np.ndarray
    masks: np.ndarray
    marks: np.ndarray
    odds: np.ndarray
    totals: np.ndarray
    world_values: np.ndarray
    met: np.ndarray
    manners: np.ndarray
    secret: np.ndarray
    unordered: np.ndarray
    owners: np.ndarray
    dealing: np.ndarray
    cache: EvalCache


def owner_divisor(composition, draw: Draw) -> int:
    """Return the divisor that maps the argument of a draw to the only player who sees the outcome.

    The result is 0 if there is no such player.
    """
    if draw.visible != OWNER:
        return 0
    match draw.argument:
        case Size() if draw.argument == PLAYERS:
            return 1
        case (first, second) if first == PLAYERS != second:
            return composition.extent(second)
    return 0


def move(game, params, seat, action):
    """Apply an action."""
    apply_action(game, params, seat, head(game), params.action_kind[action], params.action_argument[action])
    ACTION_RESOLVED(game, params, seat, 0)
    check_stack(game)


def let_fall(game, params, outcome):
    """Apply the outcome of a draw."""
    apply_outcome(game, params, head(game), outcome)
    ACTION_RESOLVED(game, params, CHANCE, 0)
    check_stack(game)


def begin(space, game):
    """Start a search from one world. The other worlds are sampled when needed."""
    space.stack[0, 0] = game
    for world in range(len(space.reached)):
        space.reached[world] = NOT_DEALT
    space.reached[0] = 0


def take(space, level, choice):
    """Set the action or outcome chosen at a level."""
    space.taken[level] = choice
    for world in range(len(space.reached)):
        space.reached[world] = min(space.reached[world], level)


def bring(space, params, seat, world, level):
    """Advance a world along the path to the given level, sampling it first if needed."""
    stack, reached = space.stack, space.reached
    for dealt_world in range(1, world + 1):
        if reached[dealt_world] == NOT_DEALT:
            stack[0, dealt_world] = stack[0, dealt_world - 1]
            deal_world(stack[0, dealt_world], params, seat, space.dealing)
            reached[dealt_world] = 0
    for lower_level in range(reached[world], level):
        stack[lower_level + 1, world] = stack[lower_level, world]
        game = stack[lower_level + 1, world]
        if head_seat(game) == CHANCE:
            let_fall(game, params, space.taken[lower_level])
        else:
            move(game, params, np.int64(head_seat(game)), space.taken[lower_level])
    reached[world] = level


def at_level(space, params, seat, world, level):
    """Return the record of a world at the given level of the path."""
    if space.reached[world] < level:
        bring(space, params, seat, world, level)
    return space.stack[level, world]


def orders(space, params, world, level, outcome):
    """Return the factor by which an outcome multiplies a path's draw orders, or 0 if another path covers them.

    If a draw's order does not matter, the search follows outcomes only in ascending order, so one path covers all
    orders. The factor is the number of draws so far, including this one, divided by the number of them with this
    outcome.
    """
    draw = head(space.stack[level, world])
    if not space.unordered[draw - params.num_decisions]:
        return 1.0
    drawn_count = 1
    alike_count = 1
    for earlier_level in range(level - 1, -1, -1):
        if head(space.stack[earlier_level, world]) != draw:
            break
        if space.taken[earlier_level] > outcome:
            return 0.0
        drawn_count += 1
        alike_count += space.taken[earlier_level] == outcome
    return drawn_count / alike_count


def keep_likeliest(odds):
    """Set the odds of all but the most likely outcome to 0, and return the remaining odds."""
    likeliest = 0
    for outcome in range(odds.shape[0]):
        if odds[outcome] > odds[likeliest]:
            odds[likeliest] = 0
            likeliest = outcome
        elif outcome != likeliest:
            odds[outcome] = 0
    return odds[likeliest]


def compute_odds(space, params, seat, level, world, together, only_likeliest):
    """Compute the odds of the current draw in one world, or in all worlds of a set if the outcome is private."""
    draw = head(space.stack[level, world]) - params.num_decisions
    for other_world in range(len(space.reached)):
        if other_world == world or (space.secret[draw] and (together >> other_world) & 1):
            game = at_level(space, params, seat, other_world, level)
            odds = space.odds[level, other_world]
            weight_sum = total_weight(game, params, odds)
            if only_likeliest:
                weight_sum = keep_likeliest(odds[: params.draw_size[draw]])
            space.totals[level, other_world] = max(weight_sum, 1)
