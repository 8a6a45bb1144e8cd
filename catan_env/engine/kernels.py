"""The top-level compiled functions. `Composition.kernel` turns these templates into one program per scenario.

Lowercase `Composed` names refer to functions that composition generates from the modules (`Composition.resolve`). A
kernel's first parameter is the `Batch`, and it processes games `start .. stop-1` so that threads can share a batch.
`thread` is a thread index and `i` a game index.
"""

from numba import prange

from catan_env.engine.arrays import LOG_MARGIN, Batch
from catan_env.engine.compiler.prefetch import fetch_ahead
from catan_env.engine.compose import Composed
from catan_env.engine.decision_stack import CAPACITY, CHANCE, FAULT, NO_SEAT_TO_ACT, RUNNING, WON, head, head_seat
from catan_env.engine.declare import ACTION_RESOLVED
from catan_env.engine.marks import any_mark, clear_marks, marks_of, only_mark, write_mask
from catan_env.engine.random import below

set_up = Composed("set_up")
apply_action = Composed("apply_action")
"""(game, params, seat, decision, kind, argument): carries out an action. `Composition._compose_apply` generates this
function from the `@apply` functions, with an `if` for each kind of action."""
mark_legal = Composed("mark_legal")
draw_weights = Composed("draw_weights")
is_even = Composed("is_even")
apply_outcome = Composed("apply_outcome")
check_invariants = Composed("check_invariants")

LOG_FILLING, SOME_FAULTY = 1, 2
"""Bits of the status that `step` returns. A negative status means that an action was illegal."""

SKIP, CONTINUE, RESET = -1, -2, -3
"""Codes that `step` accepts instead of an id. SKIP leaves a game unchanged. The other two are used by the engine:
CONTINUE leaves a game and its rewards unchanged, except that forced moves are played; RESET resets a game."""

AHEAD = 2
"""How many games ahead records are prefetched."""


def note(batch: Batch, i, entry):
    """Append an action id, or an outcome id offset by the number of actions, to the game's log if logs are kept."""
    if batch.log.shape[1] > 0:
        batch.log[i, batch.log_length[i]] = entry
        batch.log_length[i] += 1


def total_weight(game, params, weights):
    """Fill in the weights of the draw at the head of the decision stack and return their sum."""
    draw = head(game) - params.num_decisions
    even_weight = is_even(head(game))
    for k in range(params.draw_size[draw]):
        weights[k] = even_weight
    draw_weights(game, params, head(game), weights)
    total = 0
    for k in range(params.draw_size[draw]):
        total += weights[k]
    return total


def draw_outcome(game, params, weights):
    """Sample an outcome of the draw at the head of the decision stack, or return -1 if none is possible."""
    draw = head(game) - params.num_decisions
    if is_even(head(game)):
        return below(game, params.draw_size[draw])
    if params.fixed_size[draw] > 0:
        return int(params.fixed_outcomes[params.fixed_first[draw] + below(game, params.fixed_size[draw])])
    total = total_weight(game, params, weights)
    if total <= 0:
        return -1
    weight_left = below(game, total)
    outcome = 0
    while weight_left >= weights[outcome]:
        weight_left -= weights[outcome]
        outcome += 1
    return outcome


def let_chance_act(batch: Batch, i, given, thread):
    """Draw outcomes until a seat must act or the game has ended.

    With explicit chance, nothing is sampled. If `given` is not negative, it is used as the first draw's outcome.
    """
    game = batch.records[i]
    params = batch.params[0]
    weights = batch.weights[thread]
    while game.ended == RUNNING and head_seat(game) == CHANCE:
        draw = head(game)
        outcome = -1
        if draw >= params.num_decisions:  # a draw; chance makes no decisions
            if not batch.explicit:
                outcome = draw_outcome(game, params, weights)
            elif total_weight(game, params, weights) > 0:
                if given < 0:
                    break
                outcome = given
                given = -1
        if outcome < 0:
            game.ended = FAULT
            break
        note(batch, i, params.num_actions + params.draw_first[draw - params.num_decisions] + outcome)
        apply_outcome(game, params, draw, outcome)
        ACTION_RESOLVED(game, params, CHANCE, 0)
        check_stack(game)


def check_stack(game):
    """Mark a running game as faulty if its decision stack is empty or has overflowed."""
    if game.ended == RUNNING and (game.depth == 0 or game.depth > CAPACITY):
        game.ended = FAULT


def show(batch: Batch, i):
    """Update a game's legal actions, seat to act, and end status. `write_mask` then copies the legal actions."""
    game = batch.records[i]
    marks = clear_marks(batch.marks, i)
    batch.seats[i] = NO_SEAT_TO_ACT
    if game.ended == RUNNING:
        seat = head_seat(game)
        if seat != CHANCE:
            mark_legal(game, batch.params[0], seat, head(game), marks)
            if any_mark(marks):
                batch.seats[i] = seat
            else:
                game.ended = FAULT
        else:
            batch.seats[i] = CHANCE
    batch.ended[i] = game.ended


def find_illegal(batch: Batch, actions, thread, start, stop):
    """Return the first game in the range whose action is illegal, or -1."""
    params = batch.params[0]
    weights = batch.weights[thread]
    for i in range(start, stop):
        action = actions[i]
        if action == SKIP:
            continue
        seat = batch.seats[i]
        if seat >= 0:
            if action < 0 or action >= params.num_actions or not marks_of(batch.marks, i)[action]:
                return i
        elif seat == CHANCE:
            game = batch.records[i]
            draw = head(game) - params.num_decisions
            outcome = action - params.draw_first[draw]
            if outcome < 0 or outcome >= params.draw_size[draw]:
                return i
            total_weight(game, params, weights)
            if weights[outcome] <= 0:
                return i
        elif action < 0 or not batch.autoreset:
            return i
    return -1


def assign_rewards(batch: Batch, i):
    """Assign rewards if a game has just ended.

    The winners share 1. The others get -1 each or, with `zero_sum`, share -1. With `zero_sum`, all rewards are 0 if
    everybody or nobody has won.
    """
    game = batch.records[i]
    if game.ended == WON:
        player_count = batch.rewards.shape[1]
        winner_count = 0
        for player in range(player_count):
            winner_count += (game.winners >> player) & 1
        loser_count = player_count - winner_count
        gain = 1.0 / max(winner_count, 1)
        loss = -1.0
        if batch.zero_sum:
            gain = gain if loser_count > 0 else 0.0
            loss = -1.0 / loser_count if winner_count > 0 and loser_count > 0 else 0.0
        for player in range(player_count):
            batch.rewards[i, player] = gain if (game.winners >> player) & 1 else loss


def play(batch: Batch, i, action, thread):
    """Carry out an action or outcome in game i, or reset the game; return status bits.

    Chance then acts, and forced moves are played if `forced` is set.
    """
    game = batch.records[i]
    params = batch.params[0]
    seats = batch.seats
    if action == CONTINUE:
        action = forced_move(batch, i)
    log_filling = False
    while action != SKIP and not log_filling:
        given_outcome = -1
        if action == RESET:
            reset_game(batch, i)
            set_up(game, params)
            ACTION_RESOLVED(game, params, CHANCE, 0)
            check_stack(game)
        elif seats[i] == CHANCE:
            given_outcome = action - params.draw_first[head(game) - params.num_decisions]
        else:
            note(batch, i, action)
            apply_action(game, params, seats[i], head(game), params.action_kind[action], params.action_argument[action])
            ACTION_RESOLVED(game, params, seats[i], 0)
            check_stack(game)
        let_chance_act(batch, i, given_outcome, thread)
        show(batch, i)
        action = forced_move(batch, i)
        log_filling = batch.log.shape[1] > 0 and batch.log_length[i] + LOG_MARGIN > batch.log.shape[1]
    return (SOME_FAULTY if game.ended == FAULT else 0) | (LOG_FILLING if log_filling else 0)


play.inline = True  # type: ignore[attr-defined]  # called once; passing its arguments costs time at every step


def forced_move(batch: Batch, i):
    """Return the only legal action of game i if the engine plays forced moves; otherwise return SKIP."""
    if batch.forced and batch.seats[i] >= 0:
        return only_mark(marks_of(batch.marks, i))
    return SKIP


def reset_game(batch: Batch, i):
    """Reset all fields of game i except the random stream, and empty its log."""
    game = batch.records[i]
    a, b, c, d = game.rng[0], game.rng[1], game.rng[2], game.rng[3]
    batch.records[i] = batch.blank[0]
    game.rng[0], game.rng[1], game.rng[2], game.rng[3] = a, b, c, d
    batch.log_length[i] = 0


def step(batch: Batch, actions, check, thread, start, stop):
    """Play one action or outcome in each game. Return status bits, or -1-i if the action for game i is illegal."""
    if check:
        illegal = find_illegal(batch, actions, thread, start, stop)
        if illegal >= 0:
            return -1 - illegal
    status = 0
    for i in range(start, stop):
        if i + AHEAD < stop:
            fetch_ahead(batch.records, i + AHEAD, batch.records.itemsize)
        action = actions[i]
        if action != CONTINUE:
            for player in range(batch.rewards.shape[1]):
                batch.rewards[i, player] = 0.0
        if batch.seats[i] == NO_SEAT_TO_ACT and action >= 0:
            action = RESET
        if action == RESET or (action != SKIP and batch.seats[i] != NO_SEAT_TO_ACT):
            status |= play(batch, i, action, thread)
            write_mask(marks_of(batch.marks, i), batch.masks, i)
            assign_rewards(batch, i)
    return status


def step_in_parallel(batch: Batch, actions, check, results):
    """Run `step` in one thread per entry of `results`. An illegal action leaves all games unchanged."""
    thread_count = results.shape[0]
    game_count = actions.shape[0]
    status = 0
    if check:
        for k in prange(thread_count):
            start, stop = game_count * k // thread_count, game_count * (k + 1) // thread_count
            results[k] = find_illegal(batch, actions, k, start, stop)
        for k in range(thread_count):
            if status == 0 and results[k] >= 0:
                status = -1 - results[k]
    if status == 0:
        for k in prange(thread_count):
            start, stop = game_count * k // thread_count, game_count * (k + 1) // thread_count
            results[k] = step(batch, actions, False, k, start, stop)
        for k in range(thread_count):
            status |= results[k]
    return status


step_in_parallel.parallel = True  # type: ignore[attr-defined]  # read by `jit_kernel`


def refresh_views(batch: Batch, start, stop):
    """Recompute masks, seats to act and end statuses from records that were loaded or edited."""
    for i in range(start, stop):
        show(batch, i)
        write_mask(marks_of(batch.marks, i), batch.masks, i)


def outcome_probabilities(batch: Batch, probabilities, start, stop):
    """Write the outcome probabilities of the current draws; the rows of games without a draw are zero."""
    params = batch.params[0]
    weights = batch.weights[0]
    for i in range(start, stop):
        probabilities[i, :] = 0.0
        if batch.seats[i] == CHANCE:
            game = batch.records[i]
            total = total_weight(game, params, weights)
            draw = head(game) - params.num_decisions
            for k in range(params.draw_size[draw]):
                probabilities[i, params.draw_first[draw] + k] = weights[k] / total


def check_every_invariant(batch: Batch, broken, start, stop):
    """Write the broken invariants of each game as bits."""
    for i in range(start, stop):
        broken[i] = check_invariants(batch.records[i], batch.params[0])
