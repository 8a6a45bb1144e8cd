"""The outermost compiled functions: templates that `Composition.kernel` makes into one program per scenario.

Capitalised names in other modules are declarations; here the lower-case `Composed` names stand for what the
scenario's modules make of them (`Composition.resolve`). A kernel takes the `Batch` first, and works on games
`start .. stop-1`, so that threads can share a batch; `thread` is the number of the thread, `i` that of a game.
"""

from numba import prange

from catan_env.engine.arrays import LOG_MARGIN, Batch
from catan_env.engine.bitset import any_with_bit, first_index, num_words, with_bit
from catan_env.engine.compiler.prefetch import fetch_ahead
from catan_env.engine.compose import Composed
from catan_env.engine.decision_stack import CAPACITY, CHANCE, FAULT, NO_SEAT_TO_ACT, RUNNING, WON, head, head_seat
from catan_env.engine.declare import ACTION_RESOLVED
from catan_env.engine.random import below

set_up = Composed("set_up")
apply_action = Composed("apply_action")
"""(game, params, seat, decision, kind, argument): the rule that carries an action out, an `if` for each kind of action;
`Composition._compose_apply` generates it from the modules' `@apply` functions."""
mark_legal = Composed("mark_legal")
draw_weights = Composed("draw_weights")
is_even = Composed("is_even")
apply_outcome = Composed("apply_outcome")
check_invariants = Composed("check_invariants")
mask_words = Composed("mask_words")

LOG_FILLING, SOME_FAULTY = 1, 2
"""Bits of the status that `step` returns; a negative status names an illegal action."""

SKIP, CONTINUE, RESET = -1, -2, -3
"""What `step` takes in place of an id, the last two from the engine only: leave a game as it is; leave it and its
rewards, but for forced moves; begin it anew."""

AHEAD = 2
"""So many games ahead records and masks are fetched from memory."""


def note(batch: Batch, i, entry):
    """Appends an action id, or the number of actions plus an outcome id, to a game's log, if one is kept."""
    if batch.log.shape[1] > 0:
        batch.log[i, batch.log_length[i]] = entry
        batch.log_length[i] += 1


def total_weight(game, params, weights):
    """Fills the weights of the draw at the head of the decision stack; returns their sum."""
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
    """An outcome of the draw at the head of the decision stack, by its weights; -1 if there is none."""
    if is_even(head(game)):
        return below(game, params.draw_size[head(game) - params.num_decisions])
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
    """Draws outcomes until a seat is to act or the game has ended. If chance is explicit nothing is drawn: the outcome
    `given` happens, if it is not negative."""
    game = batch.records[i]
    params = batch.params[0]
    weights = batch.weights[thread]
    while game.ended == RUNNING and head_seat(game) == CHANCE:
        draw = head(game)
        outcome = -1
        if draw >= params.num_decisions:  # chance decides nothing
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
    """Marks a game whose rules left nothing to decide as faulty, rather than reading past the decision stack."""
    if game.ended == RUNNING and (game.depth == 0 or game.depth > CAPACITY):
        game.ended = FAULT


def show(batch: Batch, i):
    """Writes what callers see of a game: its mask row, the seat to act, whether it has ended."""
    game = batch.records[i]
    for k in range(mask_words()):
        batch.words[i, k] = 0
    batch.seats[i] = NO_SEAT_TO_ACT
    if game.ended == RUNNING:
        seat = head_seat(game)
        if seat != CHANCE:
            mark_legal(game, batch.params[0], seat, head(game), batch.masks[i])
            if any_with_bit(batch.masks[i], 0):
                batch.seats[i] = seat
            else:
                game.ended = FAULT
        else:
            batch.seats[i] = CHANCE
    batch.ended[i] = game.ended


def only_action(mask):
    """The one entry that is set in a mask; -1 if several are, or none."""
    only_entry = -1
    for k in range(num_words(len(mask))):
        set_bits = with_bit(mask, k, 0)
        if set_bits:
            if only_entry >= 0 or set_bits & (set_bits - 1):
                return -1
            only_entry = first_index(set_bits, k)
    return only_entry


def find_illegal(batch: Batch, actions, thread, start, stop):
    """First game in the range whose action is not legal, or -1."""
    params = batch.params[0]
    weights = batch.weights[thread]
    for i in range(start, stop):
        action = actions[i]
        if action == SKIP:
            continue
        seat = batch.seats[i]
        if seat >= 0:
            if action < 0 or action >= params.num_actions or not batch.masks[i, action]:
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
    """Where a game has just ended its winners share 1, and all others lose 1 each or, with `zero_sum`, share -1.
    Where all or none have won, there is nothing to share for a sum of zero."""
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

    Then chance acts, and the engine plays forced moves if `forced` is set.
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


play.inline = True  # type: ignore[attr-defined]  # its caller's only call: too much to hand over at every step


def forced_move(batch: Batch, i):
    """The only thing that can be done in game i, if such moves are to be played; otherwise SKIP."""
    if batch.forced and batch.seats[i] >= 0:
        return only_action(batch.masks[i])
    return SKIP


def reset_game(batch: Batch, i):
    """Gives every field of game i its default, but for the random stream, and empties its log."""
    game = batch.records[i]
    a, b, c, d = game.rng[0], game.rng[1], game.rng[2], game.rng[3]
    batch.records[i] = batch.blank[0]
    game.rng[0], game.rng[1], game.rng[2], game.rng[3] = a, b, c, d
    batch.log_length[i] = 0


def step(batch: Batch, actions, check, thread, start, stop):
    """Plays one action (or outcome) in each game; returns status bits, or -1-i for an illegal one in game i."""
    if check:
        illegal = find_illegal(batch, actions, thread, start, stop)
        if illegal >= 0:
            return -1 - illegal
    status = 0
    for i in range(start, stop):
        if i + AHEAD < stop:
            fetch_ahead(batch.records, i + AHEAD, batch.records.itemsize)
            fetch_ahead(batch.words, i + AHEAD, 8 * batch.words.shape[1])
        action = actions[i]
        if action != CONTINUE:
            for player in range(batch.rewards.shape[1]):
                batch.rewards[i, player] = 0.0
        if batch.seats[i] == NO_SEAT_TO_ACT and action >= 0:
            action = RESET
        if action == RESET or (action != SKIP and batch.seats[i] != NO_SEAT_TO_ACT):
            status |= play(batch, i, action, thread)
            assign_rewards(batch, i)
    return status


def step_in_parallel(batch: Batch, actions, check, results):
    """`step` in as many threads as `results` has entries; nothing is changed unless all actions are legal."""
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
    """Writes masks, seats and ends anew from the records, after they were loaded or edited."""
    for i in range(start, stop):
        show(batch, i)


def outcome_probabilities(batch: Batch, probabilities, start, stop):
    """Writes the probability of every outcome of the draws at hand; rows of other games are zero."""
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
    """Writes for each game the invariants that do not hold, as bits."""
    for i in range(start, stop):
        broken[i] = check_invariants(batch.records[i], batch.params[0])
