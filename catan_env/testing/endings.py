"""Checks that games end, no matter how stubborn the players are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import CHANCE
from catan_env.testing.faults import Fault
from catan_env.testing.playing import Chooser
from catan_env.testing.traces import TracedGame

DECISIONS_IN_A_TURN = 2000
"""Number of decisions after which a turn is considered endless."""
TURNS = 4
"""Number of turns to play with stubborn players."""
SHOWN = 4
"""Number of actions in a loop to list in messages."""


def endless(engine: BatchEngine, seed: int, orders: int) -> Iterator[tuple[Fault, TracedGame]]:
    """Yield the first turn that never ends, for players who always take the first legal action in some fixed order.

    Args:
        engine: an engine with one game and explicit chance.
        seed: seed for the games and the orders.
        orders: number of random orders, in addition to ascending and descending action ids.
    """
    count, rng = engine.actions.n, np.random.default_rng(seed)
    for order in (np.arange(count), np.arange(count)[::-1], *(rng.permutation(count) for _ in range(orders))):
        table = TracedGame(engine, seed)
        message = _loop(table, order, Chooser(seed))
        if message:
            yield Fault(f"endless {engine.decision(0)}", message), table
            return


def _loop(table: TracedGame, order: np.ndarray, choose: Chooser) -> str:
    """Play some turns in an order of preference, and return the loop in which the game gets stuck, or ""."""
    engine, seen, actions = table.engine, dict[bytes, int](), list[int]()
    turns, decisions = _turn(engine), 0
    last_turn = turns
    while not table.is_over and turns - last_turn <= TURNS and decisions < DECISIONS_IN_A_TURN:
        if table.seat == CHANCE:
            table.move(int(choose(engine)[0]))
            seen.clear()  # chance may break the loop
            actions.clear()
        else:
            key = engine.state[0].tobytes()
            if key in seen:
                return _described(engine, actions[seen[key] :])
            seen[key] = len(actions)
            actions.append(int(order[engine.action_mask[0][order].argmax()]))
            table.move(actions[-1])
            decisions += 1
        if _turn(engine) != turns:
            turns, decisions = _turn(engine), 0
    if decisions >= DECISIONS_IN_A_TURN:
        return f"turn {turns} has not ended after {decisions} decisions; the last is {engine.decision(0)!r}"
    return ""


def _turn(engine: BatchEngine) -> int:
    """Return the turn number; 0 in games without turns."""
    names = engine.state.dtype.names or ()
    return int(engine.state["turn"][0]) if "turn" in names else 0


def _described(engine: BatchEngine, actions: list[int]) -> str:
    texts = [engine.actions.describe(action) for action in actions[:SHOWN]] + ["..."] * (len(actions) > SHOWN)
    return (
        f"at {engine.decision(0)!r}, the actions {', '.join(map(repr, texts))} lead back to the same state, so that "
        "the game may never end: pop the decision, or limit the actions"
    )
