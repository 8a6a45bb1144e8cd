"""Random play, all compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine.arguments import check_count
from catan_env.engine.arrays import Batch
from catan_env.engine.bitset import bits_of, count_with_bit, first_index, with_bit
from catan_env.engine.decision_stack import FAULT, NO_SEAT_TO_ACT, TRUNCATED, WON
from catan_env.engine.kernels import RESET, play
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
    return first_index(found, k)


def rollout(batch: Batch, forced, steps, autoreset, counts, thread, start, stop):
    """Plays each game on by `steps` random actions, all compiled; ended games begin anew if `autoreset`.

    Adds to `counts[thread]`: actions chosen, games won, games cut off. `batch.explicit` and `batch.forced` are to be
    False: chance is sampled, and forced moves, which are played if `forced`, are found in counting.
    """
    tally = counts[thread]
    seats = batch.seats
    for i in range(start, stop):
        left = steps
        chosen = True
        while left > 0 or (forced and seats[i] >= 0):
            action = 0  # of chance: any
            if seats[i] >= 0:
                count = count_with_bit(batch.masks[i], 0)
                rest = 0
                if count > 1 or not forced:
                    if left == 0:
                        break
                    rest = below(batch.records[i], count)
                    tally[0] += 1
                    left -= 1
                    chosen = True
                action = choose(batch.masks[i], rest)
            elif seats[i] == NO_SEAT_TO_ACT:
                if batch.ended[i] == FAULT or not autoreset:
                    break
                if not chosen:
                    left -= 1  # a game without a choice
                    if left == 0:
                        break
                chosen = False
                action = RESET
            play(batch, i, action, thread)
            if batch.ended[i] == WON:
                tally[1] += 1
            elif batch.ended[i] == TRUNCATED:
                tally[2] += 1


def play_randomly(engine: Any, steps: int, restart: bool) -> dict[str, int]:
    """Plays every game of an engine on; see `BatchEngine.random_rollout`."""
    check_count("steps", steps, 0)
    counts = np.zeros((engine.threads, 3), np.int64)
    batch: Batch = engine.batch
    if batch.explicit or batch.forced:
        batch = batch._replace(explicit=False, forced=False)
    kernel = engine.entry_point(rollout, batch, True, 0, True, counts, 0, 0, 0)

    def work(thread: int, start: int, stop: int) -> None:
        kernel(batch, engine.batch.forced, int(steps), bool(restart), counts, thread, start, stop)

    engine.in_threads(work)
    actions, won, truncated = counts.sum(0).tolist()
    return {"actions": actions, "won": won, "truncated": truncated}
