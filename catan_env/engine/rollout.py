"""Random play, all compiled."""

from catan_env.engine.kernels import BEGIN, marked, play
from catan_env.engine.queue import FAULT, NO_SEAT, TRUNCATED, WON
from catan_env.engine.random import below


def choose(game, mask, words):
    """A uniformly random set entry of a mask, given as bytes and as eight bytes a word."""
    count = 0
    for k in range(words.shape[0]):
        count += marked(words[k])
    rest = below(game, count)
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
        while left > 0:
            action = 0  # of chance: any
            if seats[i] >= 0:
                action = choose(states[i], masks[i], words[i])
                counts[0] += 1
                left -= 1
            elif seats[i] == NO_SEAT:
                if ended[i] == FAULT or not autoreset:
                    break
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
                forced,
                i,
            )
            if ended[i] == WON:
                counts[1] += 1
            elif ended[i] == TRUNCATED:
                counts[2] += 1
            if action == BEGIN and seats[i] == NO_SEAT:
                left -= 1  # a game without a choice
