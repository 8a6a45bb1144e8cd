"""Random play, all compiled."""

from catan_env.engine.blocks import bits_of, count_with_bit, first_of, with_bit
from catan_env.engine.kernels import BEGIN, play
from catan_env.engine.queue import FAULT, NO_SEAT, TRUNCATED, WON
from catan_env.engine.random import below


def choose(mask, rest):
    """The set entry of a mask that has `rest` others before it."""
    k = 0
    found = with_bit(mask, k, 0)
    while rest >= bits_of(found):
        rest -= bits_of(found)
        k += 1
        found = with_bit(mask, k, 0)
    while rest:
        found &= found - 1
        rest -= 1
    return first_of(found, k)


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
                count = count_with_bit(masks[i], 0)
                rest = 0
                if count > 1 or not forced:
                    if left == 0:
                        break
                    rest = below(states[i], count)
                    counts[0] += 1
                    left -= 1
                    chosen = True
                action = choose(masks[i], rest)
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
