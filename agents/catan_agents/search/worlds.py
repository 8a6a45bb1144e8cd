"""Several worlds that a seat cannot tell apart, looked at along one path of moves and outcomes.

What the seat knows is the same in all of them, and so is what it may do and how it judges: one world is followed, and
the others are brought along the path only where a draw that not all see has other odds in each of them.
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
"""Worlds that are looked at together: a set of them is a word, with a bit for each."""
NOT_DEALT = -1


class Space(NamedTuple):
    """Memory to search in, and what kernels have to know of the rules.

    Attributes:
        stack: (levels, worlds) records, each world at each level of the path.
        taken: (levels,) int64, the action or outcome that leads on from each level.
        reached: (worlds,) int64, the last level of the path that each world stands at.
        masks, words: (levels, actions) bool and the same memory as int64.
        odds, totals: (levels, worlds, outcomes) and (levels, worlds) int64, of draws.
        world_values: (levels, worlds) float64, what each world is worth at each level.
        met: (1,) int64, set where a draw was met that not everybody sees.
        manners, secret: per kind of action and per draw, see `evaluation.terms`.
        unordered: per draw, whether the order does not matter.
        owners: per draw that nobody but the player in its argument sees, what to divide the argument by; others 0.
        dealing: int64 to count in while dealing.
        cache: values of positions that were evaluated before.
    """

    stack: np.ndarray
    taken: np.ndarray
    reached: np.ndarray
    masks: np.ndarray
    words: np.ndarray
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
    """What the argument of a draw is divided by to get the one player who sees the outcome; 0 where there is none."""
    if draw.visible != OWNER:
        return 0
    match draw.argument:
        case Size() if draw.argument == PLAYERS:
            return 1
        case (first, second) if first == PLAYERS != second:
            return composition.extent(second)
    return 0


def move(game, params, seat, action):
    """Carries out an action."""
    apply_action(game, params, seat, head(game), params.action_kind[action], params.action_argument[action])
    ACTION_RESOLVED(game, params, seat, 0)
    check_stack(game)


def let_fall(game, params, outcome):
    """Carries out what chance has drawn."""
    apply_outcome(game, params, head(game), outcome)
    ACTION_RESOLVED(game, params, CHANCE, 0)
    check_stack(game)


def begin(space, game):
    """Starts paths from a world; the others will be dealt from it."""
    space.stack[0, 0] = game
    for world in range(len(space.reached)):
        space.reached[world] = NOT_DEALT
    space.reached[0] = 0


def take(space, level, choice):
    """Makes the path go on from a level by an action or outcome."""
    space.taken[level] = choice
    for world in range(len(space.reached)):
        space.reached[world] = min(space.reached[world], level)


def bring(space, params, seat, world, level):
    """Brings a world along the path up to a level."""
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
    """The record of a world at a level of the path."""
    if space.reached[world] < level:
        bring(space, params, seat, world, level)
    return space.stack[level, world]


def orders(space, params, world, level, outcome):
    """How many orders of the draws so far an outcome stands for at a level; 0 where other paths stand for it.

    Of a draw whose order does not matter only outcomes with rising numbers are followed, one path for all its orders:
    as each outcome is drawn, for so many more as those that are alike leave.
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
    """Leaves nothing but the likeliest outcome possible; returns its odds."""
    likeliest = 0
    for outcome in range(odds.shape[0]):
        if odds[outcome] > odds[likeliest]:
            odds[likeliest] = 0
            likeliest = outcome
        elif outcome != likeliest:
            odds[outcome] = 0
    return odds[likeliest]


def weigh(space, params, seat, level, world, together, only_likeliest):
    """Writes the odds of the draw at hand: those in one world or, if not all see what is drawn, in all together."""
    draw = head(space.stack[level, world]) - params.num_decisions
    for other_world in range(len(space.reached)):
        if other_world == world or (space.secret[draw] and (together >> other_world) & 1):
            game = at_level(space, params, seat, other_world, level)
            odds = space.odds[level, other_world]
            weight_sum = total_weight(game, params, odds)
            if only_likeliest:
                weight_sum = keep_likeliest(odds[: params.draw_size[draw]])
            space.totals[level, other_world] = max(weight_sum, 1)
