"""A warning for loops that never reset finished games."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from catan_env.engine.decision_stack import NO_SEAT_TO_ACT

INTERVAL = 64
"""Number of steps between checks of the games."""


class IdleWatch:
    """Warns once if finished games have been passed -1 for many steps while waiting for a reset.

    With autoreset, any finished game triggers the warning, since only an id other than -1 resets it. Otherwise, all
    games must be over to trigger it. If the random stream of a game is the same at two consecutive checks, the game was
    not reset in between.

    Args:
        engine: the engine to watch.
    """

    def __init__(self, engine: Any):
        self.engine, self._warned = engine, False
        self._games, self._streams = np.zeros(0, np.int64), np.zeros(0)

    def look(self, actions: np.ndarray) -> None:
        """Check the games after a step. The engine calls this every `INTERVAL` steps."""
        if self._warned:
            return
        engine = self.engine
        idle_games = np.flatnonzero((actions == -1) & (engine.seat_to_act == NO_SEAT_TO_ACT))
        if not engine.autoreset and len(idle_games) < engine.num_games:
            idle_games = idle_games[:0]
        streams = engine.state["rng"][idle_games]
        if idle_games.size and np.array_equal(idle_games, self._games) and np.array_equal(streams, self._streams):
            self._warned = True
            fix = (
                "With autoreset=True, any id but -1 resets a finished game: pass the argmax of its mask, which is 0."
                if engine.autoreset
                else "Stop the loop, or call reset(games=engine.seat_to_act < 0)."
            )
            warnings.warn(
                f"Finished games, such as game {idle_games[0]}, were left unchanged by -1 for {INTERVAL} steps. {fix}",
                stacklevel=3,
            )
        self._games, self._streams = idle_games, streams
