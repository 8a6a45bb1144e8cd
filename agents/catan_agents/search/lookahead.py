"""Looking ahead, compiled with the rules: each action tried on a copy of a world, chance averaged exactly.

`decide` looks at worlds in which what a seat does not see is dealt anew (`engine.determinise`), never at the games.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from catan_agents.evaluation.memo import clear_cache
from catan_agents.evaluation.terms import AVOIDED, UNCERTAIN, VALUE
from catan_agents.search.worlds import Space, at_level, begin, orders, take, weigh
from catan_env.engine.bitset import count_with_bit, first_index, lowest, num_words, with_bit
from catan_env.engine.compose import Composed
from catan_env.engine.decision_stack import CHANCE, RUNNING, WON, head, head_argument, head_seat

mark_legal = Composed("mark_legal")
value = VALUE

LEVELS = 24
"""Most moves and draws in a row that are looked at."""
FIRST = 1  # a level by name: a function that calls itself must not be compiled for a literal
NESTED = 2
"""Decisions looked at beyond the depth, where an action has set them off: where the robber goes, what a card brings.
Of draws there, only the likeliest outcome in one world is followed."""
END = 1000.0
"""What a won game is worth, in victory points; one that another has won, the opposite."""
NOT_LEGAL = -1e30


class Search(NamedTuple):
    """What stays the same while the actions of one seat in one game are looked at.

    Attributes:
        space: a `Space`.
        params: numbers of the rules.
        weights: (terms,) of the value.
        seat: whose decision it is.
        resting: length of the decision stack at the decision.
    """

    space: Space
    params: Any
    weights: np.ndarray
    seat: int
    resting: int


class Decisions(NamedTuple):
    """What is to be decided in some games, and where the choices go.

    Attributes:
        worlds: (games,) records, as the seats imagine them.
        legal: (games, actions) bool; what is not looked at in the end is taken out.
        seats: (games,) whose decision it is.
        which: (games,) row of the weights that each game is judged by.
        luck: (games,) in [0, 1), by which lots are drawn between equals.
        depths: (games,) decisions to look ahead, 1 or more.
        actions: (games,) the choice, written.
        action_values: (games, actions) float64, written where an action was looked at.
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
    """What a game that is over is worth to a seat; one that was cut off, nothing."""
    if game.ended != WON:
        return 0.0
    return END if (game.winners >> seat) & 1 else -END


def goes_no_further(space, game, seat, level, depth, resting):
    """Whether a search goes no further: its last decision is behind it, or others decide."""
    if game.ended != RUNNING or level + 1 >= space.stack.shape[0]:
        return True
    deciding_seat = head_seat(game)
    if deciding_seat == CHANCE:
        return False
    return deciding_seat != seat or (depth <= 0 and (game.depth <= resting or depth <= -NESTED))


def evaluated(search, level, world, depth):
    """Writes what worlds at a level are worth where a search goes no further; returns whether that is so."""
    space, params, seat = search.space, search.params, search.seat
    game = at_level(space, params, seat, world, level)
    if not goes_no_further(space, game, seat, level, depth, search.resting):
        return False
    ended = game.ended != RUNNING
    worth = end_value(game, seat) if ended else value(game, params, seat, search.weights, space.cache)
    for other_world in range(space.world_values.shape[1]):
        space.world_values[level, other_world] = worth
    return True


def mark(space, game, params, seat, level):
    """Marks what a seat may do in `masks[level]`."""
    for k in range(space.words.shape[1]):
        space.words[level, k] = 0
    mark_legal(game, params, seat, head(game), space.masks[level])


def in_one_go(space, params, action, worlds):
    """Those of a set of worlds in which an action can be looked at together, the first of them included."""
    if space.manners[params.action_kind[action]] & UNCERTAIN:
        space.met[0] = 1
        return worlds & -worlds
    return worlds


def weigh_on_the_way(space, params, seat, level, world, together, depth):
    """Writes the odds of the draw at hand, of all that is followed; returns the worlds in which it is."""
    game = space.stack[level, world]
    draw = head(game) - params.num_decisions
    hidden_from_seat = space.owners[draw] > 0 and head_argument(game) // space.owners[draw] != seat
    in_one_order = space.unordered[draw]
    only_likeliest = not in_one_order and (hidden_from_seat or depth < 0)
    followed = 1 << world if only_likeliest else together
    weigh(space, params, seat, level, world, followed, only_likeliest)
    if space.secret[draw] and not only_likeliest:
        space.met[0] = 1
    return followed


def set_all(action_values, worth):
    """Writes one worth for all worlds."""
    for world in range(action_values.shape[0]):
        action_values[world] = worth


def worlds_with(odds, secret, world, followed, outcome):
    """The set of those worlds in a set in which a draw may have an outcome; one that is not secret has the same odds in
    all of them, those in `world`."""
    possible_worlds = 0
    for other_world in range(odds.shape[0]):
        if (followed >> other_world) & 1 and odds[other_world if secret else world, outcome] > 0:
            possible_worlds |= 1 << other_world
    return possible_worlds


def add_outcome(action_values, further, odds, secret, world, possible, share):
    """Adds what an outcome with these odds (worlds,) is worth where it is possible, times its share of orders."""
    for other_world in range(action_values.shape[0]):
        if (possible >> other_world) & 1:
            action_values[other_world] += share * odds[other_world if secret else world] * further[other_world]


def divide(action_values, totals, secret, world, followed):
    """Makes sums over outcomes averages; worlds that were not followed are worth as much as the first."""
    for other_world in range(action_values.shape[0]):
        if (followed >> other_world) & 1:
            action_values[other_world] /= totals[other_world if secret else world]
        else:
            action_values[other_world] = action_values[world]


def keep_better(action_values, further, tried):
    """Writes for the worlds in a set what they are worth further on, where that is more."""
    for world in range(action_values.shape[0]):
        if (tried >> world) & 1:
            action_values[world] = max(action_values[world], further[world])


def outlook(search, level, world, together, depth):
    """Writes what worlds at a level are worth to the seat of a search that looks `depth` own decisions further.

    They are those in the set `together`; `world` is the first of them. Draws are averaged. What others decide is left
    to the value: what they hold is not known. Decisions beyond the depth are looked at while the decision stack is
        longer than
    `search.resting`. `met[0]` is set where a draw was met that not all see.
    """
    space, params, seat = search.space, search.params, search.seat
    game, action_values, further = space.stack[level, world], space.world_values[level], space.world_values[level + 1]
    if head_seat(game) == CHANCE:
        draw, odds = head(game) - params.num_decisions, space.odds[level]
        followed, secret = weigh_on_the_way(space, params, seat, level, world, together, depth), space.secret[draw]
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
        mark(space, game, params, seat, level)
        set_all(action_values, NOT_LEGAL)
        for block in range(num_words(space.masks.shape[1])):
            action_bits = with_bit(space.masks[level], block, 0)
            while action_bits:
                action = first_index(action_bits, block)
                action_bits &= action_bits - 1
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
    """What an action is worth in the world in which paths begin; where it meets a draw that not everybody sees, or is
    uncertain itself, the average over all worlds."""
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
    """Takes out of a mask the actions that are avoided, if there are others. Returns how many are left."""
    avoided_count = 0
    for block in range(num_words(mask.shape[0])):
        action_bits = with_bit(mask, block, 0)
        while action_bits:
            if manners[params.action_kind[first_index(action_bits, block)]] & AVOIDED:
                avoided_count += 1
            action_bits &= action_bits - 1
    marked_count = count_with_bit(mask, 0)
    if avoided_count in (0, marked_count):
        return marked_count
    for block in range(num_words(mask.shape[0])):
        action_bits = with_bit(mask, block, 0)
        while action_bits:
            action = first_index(action_bits, block)
            action_bits &= action_bits - 1
            if manners[params.action_kind[action]] & AVOIDED:
                mask[action] = False
    return marked_count - avoided_count


def leave_best(mask, action_values, number, width):
    """Takes out of a mask with a number of actions all but the best, and what they are worth."""
    for _ in range(width, number):
        worst_action = -1
        for block in range(num_words(mask.shape[0])):
            action_bits = with_bit(mask, block, 0)
            while action_bits:
                action = first_index(action_bits, block)
                action_bits &= action_bits - 1
                if worst_action < 0 or action_values[action] < action_values[worst_action]:
                    worst_action = action
        mask[worst_action] = False
        action_values[worst_action] = -np.inf


def look_at_all(search, mask, depth, luck, action_values):
    """Writes what the actions of a mask are worth; returns the best, lots drawn between equals."""
    best_action = 0
    most_worth = NOT_LEGAL
    for block in range(num_words(mask.shape[0])):
        action_bits = with_bit(mask, block, 0)
        while action_bits:
            action = first_index(action_bits, block)
            action_bits &= action_bits - 1
            action_values[action] = action_value(search, action, depth)
            lot = luck * (1.0 + action) * 997.0
            worth = action_values[action] + 1e-9 * (lot - int(lot))
            if worth > most_worth:
                most_worth = worth
                best_action = action
    return best_action


def decide(decisions, all_params, weights, width, space, start, stop):
    """Kernel: the best action in each of the games `start .. stop-1`.

    Args:
        decisions: `Decisions`, in which the choices are written.
        weights: (rows, terms) that games are judged by.
        width: so many actions, the best one decision ahead, are looked at further.
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
