"""Looking ahead, compiled with the rules: each action tried on a copy of a world, chance averaged exactly.

`decide` looks at worlds in which what a seat does not see is dealt anew (`engine.imagine`), never at the games.
"""

from agents.evaluation.terms import AVOIDED, UNCERTAIN, VALUE
from catan_env.engine.compose import Composed
from catan_env.engine.declare import SETTLED
from catan_env.engine.imagine import deal_world
from catan_env.engine.kernels import check_queue, total_weight
from catan_env.engine.queue import CHANCE, RUNNING, WON, head, head_seat

apply_action = Composed("apply_action")
apply_outcome = Composed("apply_outcome")
mark_legal = Composed("mark_legal")
value = VALUE

LEVELS = 24
"""Most moves and draws in a row that are looked at."""
FIRST = 1  # a level by name: a function that calls itself must not be compiled for a literal
NESTED = 2
"""Decisions looked at beyond the depth, where an action has set them off: where the robber goes, what a card brings."""
END = 1000.0
"""What a won game is worth, in victory points; one that another has won, the opposite."""
NOT_LEGAL = -1e30


def worth_of_end(game, seat):
    """What a game that is over is worth to a seat; one that was cut off, nothing."""
    if game.ended != WON:
        return 0.0
    return END if (game.winners >> seat) & 1 else -END


def move(game, table, seat, action):
    """Carries out an action."""
    apply_action(game, table, seat, head(game), table.action_kind[action], table.action_argument[action])
    SETTLED(game, table, seat, 0)
    check_queue(game)


def let_fall(game, table, outcome):
    """Carries out what chance has drawn."""
    apply_outcome(game, table, head(game), outcome)
    SETTLED(game, table, CHANCE, 0)
    check_queue(game)


def carry_out(stack, table, level, seat, action):
    """Plays an action in a copy one level up."""
    stack[level + 1] = stack[level]
    move(stack[level + 1], table, seat, action)


def outlook(stack, table, masks, words, odds, weights, secret, met, pool, seat, level, depth, resting):
    """What the world at a level is worth to a seat that looks `depth` own decisions further.

    Draws are averaged. What others decide is left to the value: what they hold is not known. Decisions beyond the depth
    are looked at while the queue is longer than `resting`. `met[0]` is set where a draw was met that not all see.
    """
    game = stack[level]
    if game.ended != RUNNING:
        return worth_of_end(game, seat)
    if level + 1 >= stack.shape[0]:
        return value(game, table, seat, weights, pool)
    if head_seat(game) == CHANCE:
        first = head(game) - table.num_decisions
        if secret[first]:
            met[0] = 1
        total = total_weight(game, table, odds[level])
        expected = 0.0
        for k in range(table.draw_size[first]):
            if odds[level, k] > 0:
                stack[level + 1] = stack[level]
                let_fall(stack[level + 1], table, k)
                expected += odds[level, k] * outlook(
                    stack, table, masks, words, odds, weights, secret, met, pool, seat, level + 1, depth, resting
                )
        return expected / max(total, 1)
    if head_seat(game) != seat or (depth <= 0 and (game.depth <= resting or depth <= -NESTED)):
        return value(game, table, seat, weights, pool)
    for k in range(words.shape[1]):
        words[level, k] = 0
    mark_legal(game, table, seat, head(game), masks[level])
    best = NOT_LEGAL
    for k in range(words.shape[1]):
        if words[level, k] != 0:
            for action in range(8 * k, min(8 * k + 8, table.num_actions)):
                if masks[level, action]:
                    carry_out(stack, table, level, seat, action)
                    worth = outlook(
                        stack, table, masks, words, odds, weights, secret, met, pool, seat, level + 1, depth - 1,
                        resting,
                    )
                    best = max(best, worth)
    return best


def decide(
    worlds, tables, legal, seats, which, weights, manners, secret, luck, depth, stack, masks, words, odds, met, pool,
    deals, dealing, actions, worths, start, stop,
):
    """Kernel: the best action in each of the games `start .. stop-1`.

    An action is tried in the world of its game. Where it meets a draw that not everybody sees, or is uncertain itself,
    the average over all `deals` counts: that world and others, dealt from it, the same for all actions.

    Args:
        worlds: (games,) records, as the seats imagine them.
        legal, seats: (games, actions) bool and (games,) whose decision it is.
        which, weights: (games,) row of the weights (rows, terms) that each game is judged by.
        manners, secret: per kind of action and per draw, see `evaluation.terms`.
        luck: (games,) in [0, 1), by which lots are drawn between equals.
        depth: decisions to look ahead, 1 or more.
        deals, dealing: (worlds,) records to deal in, and int64 to count in while dealing.
        actions: (games,) the choice, written.
        worths: (games, actions) float64, written where an action was looked at.
    """
    table = tables[0]
    for i in range(start, stop):
        deals[0] = worlds[i]
        dealt = 1
        seat = seats[i]
        resting = int(deals[0].depth)
        best = NOT_LEGAL
        for avoided in range(2):
            for action in range(table.num_actions):
                if not legal[i, action]:
                    continue
                manner = manners[table.action_kind[action]]
                if ((manner & AVOIDED) != 0) != (avoided == 1):
                    continue
                met[0] = manner & UNCERTAIN
                total = 0.0
                tried = 0
                while tried == 0 or (met[0] != 0 and tried < deals.shape[0]):
                    if tried == dealt:
                        deals[dealt] = deals[dealt - 1]
                        deal_world(deals[dealt], table, seat, dealing)
                        dealt += 1
                    stack[0] = deals[tried]
                    carry_out(stack, table, 0, seat, action)
                    total += outlook(
                        stack, table, masks, words, odds, weights[which[i]], secret, met, pool, seat, FIRST,
                        depth - 1, resting,
                    )
                    tried += 1
                lot = luck[i] * (1.0 + action) * 997.0
                worths[i, action] = total / tried
                worth = total / tried + 1e-9 * (lot - int(lot))
                if worth > best:
                    best = worth
                    actions[i] = action
            if best > NOT_LEGAL:
                break
