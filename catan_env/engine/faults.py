"""Messages for rule authors about games in which their rules have failed."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine.decision_stack import CAPACITY, CHANCE, TRUNCATED


def describe_faults(engine: Any, actions: np.ndarray | None = None) -> str:
    """Return the error message for games without a legal action or outcome.

    The message describes the first such game: its decision or draw, the seat, the last action if known, and what is
    wrong with its decision stack. `actions`, shape (N,), holds the last action of each game.
    """
    games = np.flatnonzero(engine.batch.ended > TRUNCATED)
    game = int(games[0])
    last = _last_move(engine, game, actions)
    after = f" after {last}" if last else ""
    return (
        f"The rules of {engine.scenario.name!r} left a game without a legal action or outcome: in game {game}{after}, "
        f"{_cause(engine, game)} This is a bug in a rule module. Games concerned: {games.tolist()}."
    )


def _cause(engine: Any, game: int) -> str:
    """Describe what is wrong with a game's decision stack."""
    record = engine.state[game]
    depth = int(record["depth"])
    if depth == 0:
        return "the stack of decisions is empty, or was empty at a pop: a rule pops twice, or pushes nothing."
    names = [*engine.program.composition.decisions, *engine.program.composition.draws]
    seat, name = int(record["decision_seats"][depth - 1]), names[int(record["decision_stack"][depth - 1])]
    if depth >= CAPACITY:
        return (
            f"the stack of decisions overflows: it holds {CAPACITY} entries, the last of which is {name!r}. A rule "
            "pushes without end, or a decision is never popped."
        )
    if seat == CHANCE:
        if name in engine.program.composition.decisions:
            return f"the decision {name!r} was pushed for CHANCE; push it for a seat."
        return f"no outcome of the draw {name!r} has a weight above 0. Mend its @weights functions, or do not push it."
    return (
        f"seat {seat} has no legal action at the decision {name!r}. Mend its @legal functions, or push it only where "
        "there is something to decide."
    )


def _last_move(engine: Any, game: int, actions: np.ndarray | None) -> str:
    """Describe a game's last action or outcome; return "" if it is unknown."""
    if engine.record and (entries := engine.log_entries(game)):
        number = engine.actions.n
        entry = entries[-1]
        return repr(engine.actions.describe(entry) if entry < number else engine.outcomes.describe(entry - number))
    if actions is None or not 0 <= actions[game] < engine.actions.n or engine.batch.explicit:
        return ""
    return repr(engine.actions.describe(int(actions[game])))
