"""Looking ahead, compiled with the rules: each action tried on a copy of a world, chance averaged exactly.

`decide` looks at worlds in which what a seat does not see is dealt anew (`engine.imagine`), never at the games.
"""

import numpy as np

from catan_agents.evaluation.memo import forget
from catan_agents.evaluation.terms import AVOIDED, UNCERTAIN, VALUE
from catan_agents.search.worlds import at_level, begin, odds_of, orders, take, weigh
from catan_env.engine.blocks import blocks, count_with_bit, first_of, lowest, with_bit
from catan_env.engine.compose import Composed
from catan_env.engine.queue import CHANCE, RUNNING, WON, head, head_argument, head_seat

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


def worth_of_end(game, seat):
    """What a game that is over is worth to a seat; one that was cut off, nothing."""
    if game.ended != WON:
        return 0.0
    return END if (game.winners >> seat) & 1 else -END


def goes_no_further(space, game, seat, level, depth, resting):
    """Whether a search goes no further: its last decision is behind it, or others decide."""
    if game.ended != RUNNING or level + 1 >= space.stack.shape[0]:
        return True
    decides = head_seat(game)
    if decides == CHANCE:
        return False
    return decides != seat or (depth <= 0 and (game.depth <= resting or depth <= -NESTED))


def judged(space, table, weights, seat, level, world, together, depth, resting):
    """Writes what worlds at a level are worth where a search goes no further; returns whether that is so."""
    game = at_level(space, table, seat, world, level)
    if not goes_no_further(space, game, seat, level, depth, resting):
        return False
    worth = worth_of_end(game, seat) if game.ended != RUNNING else value(game, table, seat, weights, space.memory)
    for other in range(space.worths.shape[1]):
        space.worths[level, other] = worth
    return True


def mark(space, game, table, seat, level):
    """Marks what a seat may do in `masks[level]`."""
    for k in range(space.words.shape[1]):
        space.words[level, k] = 0
    mark_legal(game, table, seat, head(game), space.masks[level])


def in_one_go(space, table, action, worlds):
    """Those of a set of worlds in which an action can be looked at together, the first of them included."""
    if space.manners[table.action_kind[action]] & UNCERTAIN:
        space.met[0] = 1
        return worlds & -worlds
    return worlds


def weigh_on_the_way(space, table, seat, level, world, together, depth):
    """Writes the odds of the draw at hand, of all that is followed; returns the worlds in which it is."""
    game = space.stack[level, world]
    draw = head(game) - table.num_decisions
    unseen = space.owners[draw] > 0 and head_argument(game) // space.owners[draw] != seat
    in_one_order = space.unordered[draw]
    only_likeliest = not in_one_order and (unseen or depth < 0)
    followed = 1 << world if only_likeliest else together
    weigh(space, table, seat, level, world, followed, only_likeliest)
    if space.secret[draw] and not only_likeliest:
        space.met[0] = 1
    return followed


def outlook(space, table, weights, seat, level, world, together, depth, resting):
    """Writes what worlds at a level are worth to a seat that looks `depth` own decisions further.

    They are those in the set `together`; `world` is the first of them. Draws are averaged. What others decide is left
    to the value: what they hold is not known. Decisions beyond the depth are looked at while the queue is longer than
    `resting`. `met[0]` is set where a draw was met that not all see.
    """
    game = space.stack[level, world]
    worths, number = space.worths, space.worths.shape[1]
    if head_seat(game) == CHANCE:
        draw = head(game) - table.num_decisions
        followed = weigh_on_the_way(space, table, seat, level, world, together, depth)
        for other in range(number):
            worths[level, other] = 0.0
        for outcome in range(table.draw_size[draw]):
            share = orders(space, table, world, level, outcome)
            possible = 0
            for other in range(number):
                if share > 0.0 and (followed >> other) & 1 and odds_of(space, draw, level, world, other, outcome) > 0:
                    possible |= 1 << other
            if possible:
                take(space, level, outcome)
                first = lowest(possible)
                if not judged(space, table, weights, seat, level + 1, first, possible, depth, resting):
                    outlook(space, table, weights, seat, level + 1, first, possible, depth, resting)
                for other in range(number):
                    if (possible >> other) & 1:
                        odds = odds_of(space, draw, level, world, other, outcome)
                        worths[level, other] += share * odds * worths[level + 1, other]
        for other in range(number):
            if (followed >> other) & 1:
                worths[level, other] /= space.totals[level, other if space.secret[draw] else world]
            else:
                worths[level, other] = worths[level, world]
    else:
        mark(space, game, table, seat, level)
        for other in range(number):
            worths[level, other] = NOT_LEGAL
        for k in range(blocks(space.masks.shape[1])):
            found = with_bit(space.masks[level], k, 0)
            while found:
                action = first_of(found, k)
                found &= found - 1
                take(space, level, action)
                left = together
                while left:
                    tried = in_one_go(space, table, action, left)
                    left &= ~tried
                    first = lowest(tried)
                    if not judged(space, table, weights, seat, level + 1, first, tried, depth - 1, resting):
                        outlook(space, table, weights, seat, level + 1, first, tried, depth - 1, resting)
                    for other in range(number):
                        if (tried >> other) & 1:
                            worths[level, other] = max(worths[level, other], worths[level + 1, other])


def worth_of_action(space, table, weights, seat, action, depth, resting):
    """What an action is worth in the world in which paths begin; where it meets a draw that not everybody sees, or is
    uncertain itself, the average over all worlds."""
    number = space.worths.shape[1]
    take(space, 0, action)
    space.met[0] = 0
    total = 0.0
    left = (1 << number) - 1
    while left:
        tried = in_one_go(space, table, action, left)
        left &= ~tried
        first = lowest(tried)
        if not judged(space, table, weights, seat, FIRST, first, tried, depth - 1, resting):
            outlook(space, table, weights, seat, FIRST, first, tried, depth - 1, resting)
        if tried & 1 and not space.met[0]:
            return space.worths[FIRST, 0]
        for world in range(number):
            if (tried >> world) & 1:
                total += space.worths[FIRST, world]
    return total / number


def leave_out_avoided(table, manners, mask):
    """Takes out of a mask the actions that are avoided, if there are others. Returns how many are left."""
    avoided = 0
    for k in range(blocks(mask.shape[0])):
        found = with_bit(mask, k, 0)
        while found:
            if manners[table.action_kind[first_of(found, k)]] & AVOIDED:
                avoided += 1
            found &= found - 1
    marked = count_with_bit(mask, 0)
    if avoided in (0, marked):
        return marked
    for k in range(blocks(mask.shape[0])):
        found = with_bit(mask, k, 0)
        while found:
            action = first_of(found, k)
            found &= found - 1
            if manners[table.action_kind[action]] & AVOIDED:
                mask[action] = False
    return marked - avoided


def leave_best(mask, worths, number, width):
    """Takes out of a mask with a number of actions all but the best, and what they are worth."""
    for _ in range(width, number):
        worst = -1
        for k in range(blocks(mask.shape[0])):
            found = with_bit(mask, k, 0)
            while found:
                action = first_of(found, k)
                found &= found - 1
                if worst < 0 or worths[action] < worths[worst]:
                    worst = action
        mask[worst] = False
        worths[worst] = -np.inf


def look_at_all(space, table, weights, seat, mask, depth, resting, luck, worths):
    """Writes what the actions of a mask are worth; returns the best, lots drawn between equals."""
    best = 0
    most = NOT_LEGAL
    for k in range(blocks(mask.shape[0])):
        found = with_bit(mask, k, 0)
        while found:
            action = first_of(found, k)
            found &= found - 1
            worths[action] = worth_of_action(space, table, weights, seat, action, depth, resting)
            lot = luck * (1.0 + action) * 997.0
            worth = worths[action] + 1e-9 * (lot - int(lot))
            if worth > most:
                most = worth
                best = action
    return best


def decide(
    worlds,
    tables,
    legal,
    seats,
    which,
    weights,
    luck,
    depths,
    width,
    space,
    actions,
    worths,
    start,
    stop,
):
    """Kernel: the best action in each of the games `start .. stop-1`.

    Args:
        worlds: (games,) records, as the seats imagine them.
        legal: (games, actions) bool; what is not looked at in the end is taken out.
        seats: (games,) whose decision it is.
        which, weights: (games,) row of the weights (rows, terms) that each game is judged by.
        luck: (games,) in [0, 1), by which lots are drawn between equals.
        depths: (games,) decisions to look ahead, 1 or more.
        width: so many actions, the best one decision ahead, are looked at further.
        space: a `Space`.
        actions: (games,) the choice, written.
        worths: (games, actions) float64, written where an action was looked at.
    """
    table = tables[0]
    forget(space.memory)
    for i in range(start, stop):
        begin(space, worlds[i])
        row, seat, resting = weights[which[i]], seats[i], int(worlds[i].depth)
        number = leave_out_avoided(table, space.manners, legal[i])
        if depths[i] > 1 and number > width:
            look_at_all(space, table, row, seat, legal[i], 1, resting, luck[i], worths[i])
            leave_best(legal[i], worths[i], number, width)
        actions[i] = look_at_all(space, table, row, seat, legal[i], depths[i], resting, luck[i], worths[i])
