"""Lookahead search, compiled with the rules.

The search tries each action on a copy of a world and averages exactly over chance outcomes. `decide` searches worlds in
which hidden information has been sampled (`engine.determinise`); it never reads the games themselves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from catan_agents.evaluation.memo import clear_cache
from catan_agents.evaluation.terms import AVOIDED, UNCERTAIN, VALUE
from catan_agents.search.worlds import Space, at_level, begin, compute_odds, orders, take
from catan_env.engine.bitset import count_with_bit, lowest, where_bit
from catan_env.engine.compose import Composed
from catan_env.engine.decision_stack import CHANCE, RUNNING, WON, head, head_argument, head_seat
from catan_env.engine.marks import clear_marks, write_mask

mark_legal = Composed("mark_legal")
value = VALUE

LEVELS = 24
"""Maximum number of consecutive moves and draws in a search."""
FIRST = 1  # a named constant, because a recursive function must not be specialized for a literal
NESTED = 2
"""Number of triggered decisions to search beyond the depth limit, such as moving the robber after playing a knight. For
draws beyond the limit, the search follows only the most likely outcome, in one world.
"""
END = 1000.0
"""Value of a won game, in victory points; a lost game has the negative of this value."""
NOT_LEGAL = -1e30


class Search(NamedTuple):
    """Constants of a search by one seat in one game.

    Attributes:
        space: a `Space`.
        params: numeric and array parameters of the rules.
        weights: (terms,) weights of the evaluation.
        seat: seat to act.
        resting: length of the decision stack at the start of the search.
    """

    space: Space
    params: Any
    weights: np.ndarray
    seat: int
    resting: int


class Decisions(NamedTuple):
    """Decisions to search, and the output arrays.

    Attributes:
        worlds: (games,) records, sampled from the point of view of the seat to act.
        legal: (games, actions) bool, legal actions; pruned actions are cleared.
        seats: (games,) seat to act.
        which: (games,) row of the weights to use.
        luck: (games,) numbers in [0, 1) that break ties.
        depths: (games,) number of decisions to look ahead, at least 1.
        actions: (games,) output: action ids.
        action_values: (games, actions) float64, output: value of each action searched.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    which: np.ndarray
    luck: np.ndarray
    depths: np.ndarray
    actions: np.ndarray
    action_values: np.ndarray


def end_value(game, seat):
    """Return the value of a finished game to a seat: `END`, `-END`, or 0 for a truncated game."""
    if game.ended != WON:
        return 0.0
    return END if (game.winners >> seat) & 1 else -END


def goes_no_further(space, game, seat, level, depth, resting):
    """Return whether the search stops here.

    It stops when the game is over, when another seat has to decide, or when the depth or the stack levels are
    exhausted.
    """
    if game.ended != RUNNING or level + 1 >= space.stack.shape[0]:
        return True
    deciding_seat = head_seat(game)
    if deciding_seat == CHANCE:
        return False
    return deciding_seat != seat or (depth <= 0 and (game.depth <= resting or depth <= -NESTED))


def evaluated(search, level, world, depth):
    """If the search stops here, store the value of the position in all worlds. Return whether it stops."""
    space, params, seat = search.space, search.params, search.seat
    game = at_level(space, params, seat, world, level)
    if not goes_no_further(space, game, seat, level, depth, search.resting):
        return False
    ended = game.ended != RUNNING
    worth = end_value(game, seat) if ended else value(game, params, seat, search.weights, space.cache)
    for other_world in range(space.world_values.shape[1]):
        space.world_values[level, other_world] = worth
    return True


def mark_wanted(space, game, params, seat, level):
    """Mark a seat's legal actions in `masks[level]`, excluding avoided ones. Return their number."""
    marks = clear_marks(space.marks, level)
    mark_legal(game, params, seat, head(game), marks)
    write_mask(marks, space.masks, level)
    return leave_out_avoided(params, space.manners, space.masks[level])


def in_one_go(space, params, action, worlds):
    """Return the subset of worlds that can be searched together after an action.

    This is the whole set or, after an uncertain action, only its first world.
    """
    if space.manners[params.action_kind[action]] & UNCERTAIN:
        space.met[0] = 1
        return worlds & -worlds
    return worlds


def prepare_draw(space, params, seat, level, world, together, depth):
    """Compute the odds of the current draw and return the set of worlds to follow.

    If the draw is hidden from the seat or is beyond the depth limit, the search follows only the most likely outcome,
    in one world. Draws whose order does not matter are always averaged. `met[0]` is set when private outcomes are
    averaged.
    """
    game = space.stack[level, world]
    draw = head(game) - params.num_decisions
    hidden_from_seat = space.owners[draw] > 0 and head_argument(game) // space.owners[draw] != seat
    in_one_order = space.unordered[draw]
    only_likeliest = not in_one_order and (hidden_from_seat or depth < 0)
    followed = 1 << world if only_likeliest else together
    compute_odds(space, params, seat, level, world, followed, only_likeliest)
    if space.secret[draw] and not only_likeliest:
        space.met[0] = 1
    return followed


def set_all(action_values, worth):
    """Set the value of every world to `worth`."""
    for world in range(action_values.shape[0]):
        action_values[world] = worth


def worlds_with(odds, secret, world, followed, outcome):
    """Return the subset of worlds in which a draw can have a given outcome.

    Public draws have the same odds in every world.
    """
    possible_worlds = 0
    for other_world in range(odds.shape[0]):
        if (followed >> other_world) & 1 and odds[other_world if secret else world, outcome] > 0:
            possible_worlds |= 1 << other_world
    return possible_worlds


def add_outcome(action_values, further, odds, secret, world, possible, share):
    """Add the value of an outcome, weighted by its odds and `share`, in every world where the outcome is possible."""
    for other_world in range(action_values.shape[0]):
        if (possible >> other_world) & 1:
            action_values[other_world] += share * odds[other_world if secret else world] * further[other_world]


def divide(action_values, totals, secret, world, followed):
    """Convert sums over outcomes to means. Worlds that were not searched get the value of `world`."""
    for other_world in range(action_values.shape[0]):
        if (followed >> other_world) & 1:
            action_values[other_world] /= totals[other_world if secret else world]
        else:
            action_values[other_world] = action_values[world]


def keep_better(action_values, further, tried):
    """For each world in a set, replace its value by its value at the next level if that is higher."""
    for world in range(action_values.shape[0]):
        if (tried >> world) & 1:
            action_values[world] = max(action_values[world], further[world])


def outlook(search, level, world, together, depth):
    """Compute the values of a set of worlds at a level, looking ahead by `depth` of the seat's own decisions.

    `together` is the set, and `world` its first member. Draws are averaged. Positions in which another seat has to
    decide are evaluated immediately, because that seat's cards are unknown. Beyond the depth limit, the search
    continues as long as the decision stack is longer than `search.resting`. `met[0]` is set after draws with private
    outcomes.
    """
    space, params, seat = search.space, search.params, search.seat
    game, action_values, further = space.stack[level, world], space.world_values[level], space.world_values[level + 1]
    if head_seat(game) == CHANCE:
        draw, odds = head(game) - params.num_decisions, space.odds[level]
        followed, secret = prepare_draw(space, params, seat, level, world, together, depth), space.secret[draw]
        set_all(action_values, 0.0)
        for outcome in range(params.draw_size[draw]):
            share = orders(space, params, world, level, outcome)
            possible_worlds = worlds_with(odds, secret, world, followed, outcome) if share > 0.0 else 0
            if possible_worlds:
                take(space, level, outcome)
                first_world = lowest(possible_worlds)
                if not evaluated(search, level + 1, first_world, depth):
                    outlook(search, level + 1, first_world, possible_worlds, depth)
                add_outcome(action_values, further, odds[:, outcome], secret, world, possible_worlds, share)
        divide(action_values, space.totals[level], secret, world, followed)
    else:
        mark_wanted(space, game, params, seat, level)
        set_all(action_values, NOT_LEGAL)
        for action in where_bit(space.masks[level], 0):
            take(space, level, action)
            worlds_left = together
            while worlds_left:
                tried_worlds = in_one_go(space, params, action, worlds_left)
                worlds_left &= ~tried_worlds
                first_world = lowest(tried_worlds)
                if not evaluated(search, level + 1, first_world, depth - 1):
                    outlook(search, level + 1, first_world, tried_worlds, depth - 1)
                keep_better(action_values, further, tried_worlds)


def action_value(search, action, depth):
    """Return the value of an action in the first world, or its mean value over all worlds.

    The mean is returned if the action is uncertain or leads to a draw with a private outcome.
    """
    space = search.space
    world_count = space.world_values.shape[1]
    take(space, 0, action)
    space.met[0] = 0
    value_sum = 0.0
    worlds_left = (1 << world_count) - 1
    while worlds_left:
        tried_worlds = in_one_go(space, search.params, action, worlds_left)
        worlds_left &= ~tried_worlds
        first_world = lowest(tried_worlds)
        if not evaluated(search, FIRST, first_world, depth - 1):
            outlook(search, FIRST, first_world, tried_worlds, depth - 1)
        if tried_worlds & 1 and not space.met[0]:
            return space.world_values[FIRST, 0]
        for world in range(world_count):
            if (tried_worlds >> world) & 1:
                value_sum += space.world_values[FIRST, world]
    return value_sum / world_count


def leave_out_avoided(params, manners, mask):
    """Remove avoided actions from a mask, unless all are avoided. Return the number of remaining actions."""
    avoided_count = 0
    for action in where_bit(mask, 0):
        if manners[params.action_kind[action]] & AVOIDED:
            avoided_count += 1
    marked_count = count_with_bit(mask, 0)
    if avoided_count in (0, marked_count):
        return marked_count
    for action in where_bit(mask, 0):
        if manners[params.action_kind[action]] & AVOIDED:
            mask[action] = False
    return marked_count - avoided_count


def leave_best(mask, action_values, number, width):
    """Reduce a mask of `number` actions to the best `width`, and set the values of all others to minus infinity."""
    for _ in range(width, number):
        worst_action = -1
        for action in where_bit(mask, 0):
            if worst_action < 0 or action_values[action] < action_values[worst_action]:
                worst_action = action
        mask[worst_action] = False
        action_values[worst_action] = -np.inf


def look_at_all(search, mask, depth, luck, action_values):
    """Store the value of each action in a mask and return the best action, using `luck` to break ties."""
    best_action = 0
    most_worth = NOT_LEGAL
    for action in where_bit(mask, 0):
        action_values[action] = action_value(search, action, depth)
        lot = luck * (1.0 + action) * 997.0
        worth = action_values[action] + 1e-9 * (lot - int(lot))
        if worth > most_worth:
            most_worth = worth
            best_action = action
    return best_action


def decide(decisions, all_params, weights, width, space, start, stop):
    """Kernel: choose the best action for each of the games `start .. stop-1`.

    Args:
        decisions: `Decisions`; receives the chosen actions.
        weights: (rows, terms) weights of the evaluation.
        width: number of top-ranked actions at depth 1 to search more deeply.
        space: a `Space`.
    """
    params = all_params[0]
    clear_cache(space.cache)
    for i in range(start, stop):
        begin(space, decisions.worlds[i])
        legal, action_values = decisions.legal[i], decisions.action_values[i]
        luck, depth = decisions.luck[i], decisions.depths[i]
        weight_row, resting_depth = weights[decisions.which[i]], int(decisions.worlds[i].depth)
        search = Search(space, params, weight_row, decisions.seats[i], resting_depth)
        action_count = leave_out_avoided(params, space.manners, legal)
        if depth > 1 and action_count > width:
            look_at_all(search, legal, 1, luck, action_values)
            leave_best(legal, action_values, action_count, width)
        decisions.actions[i] = look_at_all(search, legal, depth, luck, action_values)
