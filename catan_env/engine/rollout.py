"""Random play, all compiled."""

from catan_env.engine.kernels import BEGIN, marked, play
from catan_env.engine.queue import FAULT, NO_SEAT, TRUNCATED, WON
from catan_env.engine.random import below


def number_marked(words):
    """How many entries of a mask are set, given as eight bytes a word."""
    count = 0
    for k in range(words.shape[0]):
        count += marked(words[k])
    return count


def choose(mask, words, rest):
    """The set entry of a mask, given as bytes and as eight bytes a word, that has `rest` others before it."""
    k = 0
    while True:
        here = marked(words[k])
        if rest < here:
            break
        rest -= here
        k += 1
    action = 8 * k
    while True:
        if mask[action]:
            if rest == 0:
                return action
            rest -= 1
        action += 1


def rollout(
    states,
    tables,
    blank,
    masks,
    words,
    seats,
    ended,
    weights,
    no_log,
    log_length,
    forced,
    steps,
    autoreset,
    counts,
    start,
    stop,
):
    """Plays each game on by `steps` random actions, all compiled; ended games begin anew if `autoreset`.

    Adds to `counts`: actions chosen, games won, games cut off.
    """
    for i in range(start, stop):
        left = steps
        chosen = True
        while left > 0 or (forced and seats[i] >= 0):
            action = 0  # of chance: any
            if seats[i] >= 0:
                count = number_marked(words[i])
                rest = 0
                if count > 1 or not forced:
                    if left == 0:
                        break
                    rest = below(states[i], count)
                    counts[0] += 1
                    left -= 1
                    chosen = True
                action = choose(masks[i], words[i], rest)
            elif seats[i] == NO_SEAT:
                if ended[i] == FAULT or not autoreset:
                    break
                if not chosen:
                    left -= 1  # a game without a choice
                    if left == 0:
                        break
                chosen = False
                action = BEGIN
            play(
                states,
                tables,
                blank,
                action,
                masks,
                words,
                seats,
                ended,
                weights,
                no_log,
                log_length,
                False,
                False,  # forced moves are found in counting
                i,
            )
            if ended[i] == WON:
                counts[1] += 1
            elif ended[i] == TRUNCATED:
                counts[2] += 1
