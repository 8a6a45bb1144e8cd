"""The outermost compiled functions: templates that `Composition.kernel` makes into one program per scenario.

Capitalised names in other modules are declarations; here the lower-case `Composed` names stand for what the
scenario's modules make of them. All kernels work on games `start .. stop-1`, so that threads can share a batch.
"""

from numba import prange

from catan_env.engine.compose import Composed
from catan_env.engine.declare import SETTLED
from catan_env.engine.queue import CAPACITY, CHANCE, FAULT, NO_SEAT, RUNNING, TRUNCATED, WON, head, head_seat
from catan_env.engine.random import below

set_up = Composed("set_up")
apply_action = Composed("apply_action")
mark_legal = Composed("mark_legal")
draw_weights = Composed("draw_weights")
apply_outcome = Composed("apply_outcome")
check_invariants = Composed("check_invariants")

LOG_FILLING, SOME_FAULTY = 1, 2
"""Bits of the status that `step` and `start_games` return; a negative status names an illegal action."""

LOG_MARGIN = 256
"""Room kept free in each log, more than one step can add: a set-up draws less than 100 outcomes."""


def note(log, log_length, i, entry):
    """Appends an action id, or the number of actions plus an outcome id, to a game's log, if one is kept."""
    if log.shape[1] > 0:
        log[i, log_length[i]] = entry
        log_length[i] += 1


def total_weight(game, table, weights):
    """Fills the weights of the draw at the head of the queue; returns their sum."""
    draw = head(game) - table.num_decisions
    for k in range(table.draw_size[draw]):
        weights[k] = 0
    draw_weights(game, table, head(game), weights)
    total = 0
    for k in range(table.draw_size[draw]):
        total += weights[k]
    return total


def let_chance_act(game, table, weights, log, log_length, i):
    """Draws outcomes until a seat is to act or the game has ended."""
    while game.ended == RUNNING and head_seat(game) == CHANCE:
        total = total_weight(game, table, weights)
        if total <= 0:
            game.ended = FAULT
            break
        draw = head(game) - table.num_decisions
        rest = below(game, total)
        outcome = 0
        while rest >= weights[outcome]:
            rest -= weights[outcome]
            outcome += 1
        note(log, log_length, i, table.num_actions + table.draw_first[draw] + outcome)
        apply_outcome(game, table, head(game), outcome)
        SETTLED(game, table, CHANCE, 0)
        check_queue(game)


def check_queue(game):
    """Marks a game whose rules left nothing to decide as faulty, rather than reading past the queue."""
    if game.ended == RUNNING and (game.depth == 0 or game.depth > CAPACITY):
        game.ended = FAULT


def check_draw(game, table, weights):
    """Marks a game as faulty that waits for chance where no outcome is possible."""
    if game.ended == RUNNING and head_seat(game) == CHANCE and total_weight(game, table, weights) <= 0:
        game.ended = FAULT


def any_set(mask):
    """Whether anything is marked. Most often that is among the first ids; the loop over all of them vectorises."""
    for k in range(min(16, mask.shape[0])):
        if mask[k]:
            return True
    found = False
    for k in range(mask.shape[0]):
        found |= mask[k]
    return found


def publish(game, table, masks, seats, ended, i):
    """Writes what callers see of a game: its mask row, the seat to act, whether it has ended."""
    mask = masks[i]
    mask[:] = False
    if game.ended == RUNNING:
        seat = head_seat(game)
        seats[i] = seat
        if seat != CHANCE:
            mark_legal(game, table, seat, head(game), mask)
            if not any_set(mask):
                game.ended = FAULT
                seats[i] = NO_SEAT
    else:
        seats[i] = NO_SEAT
    ended[i] = game.ended


def status_of(game, log, log_length, i):
    """Status bits of a game after a step."""
    status = 0
    if game.ended == FAULT:
        status |= SOME_FAULTY
    if log.shape[1] > 0 and log_length[i] + LOG_MARGIN > log.shape[1]:
        status |= LOG_FILLING
    return status


def find_illegal(states, tables, actions, masks, seats, weights, start, stop):
    """First game in the range whose action is not legal, or -1. An action of -1 leaves a game alone."""
    table = tables[0]
    for i in range(start, stop):
        action = actions[i]
        if action == -1:
            continue
        seat = seats[i]
        if seat >= 0:
            if action < 0 or action >= masks.shape[1] or not masks[i, action]:
                return i
        elif seat == CHANCE:
            game = states[i]
            draw = head(game) - table.num_decisions
            outcome = action - table.draw_first[draw]
            if outcome < 0 or outcome >= table.draw_size[draw]:
                return i
            total_weight(game, table, weights)
            if weights[outcome] <= 0:
                return i
        else:
            return i
    return -1


def share_reward(game, rewards, loss, i):
    """Where a game was just won the winner gains 1, everybody else `loss`."""
    if game.ended == WON:
        rewards[i, :] = loss
        rewards[i, game.winner] = 1.0


def step(
    states, tables, actions, masks, seats, ended, weights, rewards, loss, log, log_length, explicit, check, start, stop
):
    """Carries out one action (or outcome) in each game; returns status bits, or -1-i for an illegal one in game i."""
    if check:
        illegal = find_illegal(states, tables, actions, masks, seats, weights, start, stop)
        if illegal >= 0:
            return -1 - illegal
    table = tables[0]
    status = 0
    for i in range(start, stop):
        for player in range(rewards.shape[1]):
            rewards[i, player] = 0.0
        action = actions[i]
        if action < 0:
            continue
        game = states[i]
        seat = seats[i]
        if seat == CHANCE:
            draw = head(game) - table.num_decisions
            note(log, log_length, i, table.num_actions + action)
            apply_outcome(game, table, head(game), action - table.draw_first[draw])
        else:
            note(log, log_length, i, action)
            apply_action(game, table, seat, head(game), table.action_kind[action], table.action_argument[action])
        SETTLED(game, table, seat, 0)
        check_queue(game)
        if explicit:
            check_draw(game, table, weights)
        else:
            let_chance_act(game, table, weights, log, log_length, i)
        publish(game, table, masks, seats, ended, i)
        share_reward(game, rewards, loss, i)
        status |= status_of(game, log, log_length, i)
    return status


def step_in_parallel(
    states, tables, actions, masks, seats, ended, weights, rewards, loss, log, log_length, explicit, results
):
    """`step` in as many threads as `results` has entries; nothing is changed unless all actions are legal."""
    threads = results.shape[0]
    games = actions.shape[0]
    for k in prange(threads):
        start, stop = games * k // threads, games * (k + 1) // threads
        results[k] = find_illegal(states, tables, actions, masks, seats, weights[k], start, stop)
    status = 0
    for k in range(threads):
        if status == 0 and results[k] >= 0:
            status = -1 - results[k]
    if status == 0:
        for k in prange(threads):
            start, stop = games * k // threads, games * (k + 1) // threads
            results[k] = step(
                states,
                tables,
                actions,
                masks,
                seats,
                ended,
                weights[k],
                rewards,
                loss,
                log,
                log_length,
                explicit,
                False,
                start,
                stop,
            )
        for k in range(threads):
            status |= results[k]
    return status


step_in_parallel.parallel = True


def start_games(states, tables, chosen, masks, seats, ended, weights, log, log_length, explicit, start, stop):
    """Sets up the chosen games, whose records hold the default of every field and a random stream."""
    table = tables[0]
    status = 0
    for i in range(start, stop):
        if chosen[i]:
            game = states[i]
            set_up(game, table)
            SETTLED(game, table, CHANCE, 0)
            check_queue(game)
            if explicit:
                check_draw(game, table, weights)
            else:
                let_chance_act(game, table, weights, log, log_length, i)
            publish(game, table, masks, seats, ended, i)
            status |= status_of(game, log, log_length, i)
    return status


def republish(states, tables, masks, seats, ended, start, stop):
    """Writes masks, seats and ends anew from the records, after they were loaded or edited."""
    for i in range(start, stop):
        publish(states[i], tables[0], masks, seats, ended, i)


def choose(game, words, row):
    """A uniformly random set entry of a mask, given as bytes `row` and as eight bytes a word `words`; -1 if none is."""
    count = 0
    for k in range(words.shape[0]):
        count += (int(words[k]) * 0x0101010101010101 >> 56) & 0xFF
    if count == 0:
        return -1
    rest = below(game, count)
    k = 0
    while True:
        here = (int(words[k]) * 0x0101010101010101 >> 56) & 0xFF
        if rest < here:
            break
        rest -= here
        k += 1
    action = 8 * k
    while True:
        if row[action]:
            if rest == 0:
                return action
            rest -= 1
        action += 1


def rollout(
    states,
    tables,
    blank,
    words,
    row,
    masks,
    seats,
    ended,
    weights,
    no_log,
    no_length,
    steps,
    restart,
    counts,
    start,
    stop,
):
    """Plays each game on by `steps` random actions, all compiled; ended games start anew if `restart`.

    Adds to `counts`: actions taken, games won, games cut off.
    """
    table = tables[0]
    for i in range(start, stop):
        game = states[i]
        let_chance_act(game, table, weights, no_log, no_length, i)
        for _ in range(steps):
            if game.ended != RUNNING:
                if game.ended == FAULT or not restart:
                    break
                begin_anew(states, tables, blank, i)
                let_chance_act(game, table, weights, no_log, no_length, i)
            row[:] = False
            seat = head_seat(game)
            mark_legal(game, table, seat, head(game), row)
            action = choose(game, words, row)
            if action < 0:
                game.ended = FAULT
                break
            apply_action(game, table, seat, head(game), table.action_kind[action], table.action_argument[action])
            SETTLED(game, table, seat, 0)
            check_queue(game)
            let_chance_act(game, table, weights, no_log, no_length, i)
            counts[0] += 1
            if game.ended == WON:
                counts[1] += 1
            elif game.ended == TRUNCATED:
                counts[2] += 1
        publish(game, table, masks, seats, ended, i)


def begin_anew(states, tables, blank, i):
    """Starts game i again on the same random stream."""
    game = states[i]
    a, b, c, d = game.rng[0], game.rng[1], game.rng[2], game.rng[3]
    states[i] = blank[0]
    game.rng[0], game.rng[1], game.rng[2], game.rng[3] = a, b, c, d
    set_up(game, tables[0])
    SETTLED(game, tables[0], CHANCE, 0)
    check_queue(game)


def weigh(states, tables, seats, weights, probabilities, start, stop):
    """Writes the probability of every outcome of the draws at hand; rows of other games are zero."""
    table = tables[0]
    for i in range(start, stop):
        probabilities[i, :] = 0.0
        if seats[i] == CHANCE:
            game = states[i]
            total = total_weight(game, table, weights)
            draw = head(game) - table.num_decisions
            for k in range(table.draw_size[draw]):
                probabilities[i, table.draw_first[draw] + k] = weights[k] / total


def audit(states, tables, broken, start, stop):
    """Writes for each game the invariants that do not hold, as bits."""
    for i in range(start, stop):
        broken[i] = check_invariants(states[i], tables[0])
