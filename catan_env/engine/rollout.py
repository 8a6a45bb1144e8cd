"""Random play in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine.arguments import check_count
from catan_env.engine.arrays import Batch
from catan_env.engine.decision_stack import FAULT, NO_SEAT_TO_ACT, TRUNCATED, WON
from catan_env.engine.kernels import RESET, play
from catan_env.engine.marks import count_marks, marks_of, nth_mark, write_mask
from catan_env.engine.random import below
from catan_env.engine.threads import pieces

ACTIONS_AT_A_TIME = 100_000
"""Number of actions that a thread plays between interrupt checks; playing them takes a fraction of a second."""


def rollout(batch: Batch, forced, steps, autoreset, counts, thread, start, stop):
    """Play `steps` random actions in each game. Finished games are reset if `autoreset` is true.

    The numbers of actions chosen, games won and games truncated are added to `counts[thread]`. `batch.explicit` and
    `batch.forced` must be False: chance is sampled, and this kernel plays forced moves itself if `forced` is true.
    """
    tally = counts[thread]
    seats = batch.seats
    for i in range(start, stop):
        marks = marks_of(batch.marks, i)
        actions_left = steps
        had_choice = True
        while actions_left > 0 or (forced and seats[i] >= 0):
            action = 0  # any value will do for chance
            if seats[i] >= 0:
                legal_count = count_marks(marks)
                entries_before = 0
                if legal_count > 1 or not forced:
                    if actions_left == 0:
                        break
                    entries_before = below(batch.records[i], legal_count)
                    tally[0] += 1
                    actions_left -= 1
                    had_choice = True
                action = nth_mark(marks, entries_before)
            elif seats[i] == NO_SEAT_TO_ACT:
                if batch.ended[i] == FAULT or not autoreset:
                    break
                if not had_choice:
                    actions_left -= 1  # a whole game has passed without a choice
                    if actions_left == 0:
                        break
                had_choice = False
                action = RESET
            play(batch, i, action, thread)
            if batch.ended[i] == WON:
                tally[1] += 1
            elif batch.ended[i] == TRUNCATED:
                tally[2] += 1
        write_mask(marks, batch.masks, i)


def play_randomly(engine: Any, steps: int, restart: bool) -> dict[str, int]:
    """Play random actions in all games of an engine; see `BatchEngine.random_rollout`."""
    check_count("steps", steps, 0)
    counts = np.zeros((engine.threads, 3), np.int64)
    batch: Batch = engine.batch
    if batch.explicit or batch.forced:
        batch = batch._replace(explicit=False, forced=False)
    kernel = engine.entry_point(rollout, batch, True, 0, True, counts, 0, 0, 0)
    forced, steps, restart = engine.batch.forced, int(steps), bool(restart)

    def work(thread: int, start: int, stop: int) -> None:
        for first_game, last_game in pieces(start, stop, ACTIONS_AT_A_TIME // max(steps, 1)):
            for first_step, last_step in pieces(0, max(steps, 1), ACTIONS_AT_A_TIME):
                if engine.is_interrupted:
                    return
                kernel(
                    batch, forced, min(last_step, steps) - first_step, restart, counts, thread, first_game, last_game
                )

    engine.in_threads(work)
    actions, won, truncated = counts.sum(0).tolist()
    return {"actions": actions, "won": won, "truncated": truncated}
