"""Checks for the heuristic agent: every action has a score, and no score depends on hidden state."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catan_agents.heuristic import HeuristicAgent, unscored
from catan_agents.heuristic.scoring import left_out
from catan_env.engine.batch import BatchEngine
from catan_env.testing.faults import Fault
from catan_env.testing.hidden import Leak


def without_score(engine: BatchEngine) -> Iterator[Fault]:
    """Yield the actions without a score, which the heuristic agent would never prefer to ending the turn.

    Scores of other packages that read what the scenario lacks are included.
    """
    for name in unscored(engine.scenario):
        yield Fault(
            f"unscored {name}", f"the heuristic agent has no score for action {name!r}: register one with @score"
        )
    for name, function, missing in left_out(engine.program.composition):
        if not function.__module__.startswith("catan_agents."):
            yield Fault(f"left out {name}", f"the score of action {name!r} reads {missing}, which the scenario lacks")


def scored_differences(engine: BatchEngine, twins: BatchEngine, sources: np.ndarray, seat: int) -> Iterator[Leak]:
    """Yield actions of a seat whose scores differ between games that look the same to that seat.

    Twins with different legal actions are skipped; `shown_differences` reports those.
    """
    same = (engine.seat_to_act[sources] == seat) & (twins.seat_to_act == seat)
    same &= (engine.action_mask[sources] == twins.action_mask).all(axis=1)
    rows = np.flatnonzero(same)
    if not len(rows):
        return
    agent = HeuristicAgent()
    changed = agent.scores(engine, sources[rows]) != agent.scores(twins, rows)
    for row, action in np.argwhere(changed).tolist():
        yield Leak(int(sources[rows[row]]), "score", f"the score of {engine.actions.pair(action)[0]!r}")
