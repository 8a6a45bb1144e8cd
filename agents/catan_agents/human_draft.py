"""`Draft`: the actions that a person composes, tried out in a copy of the game so that they can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Sequence


class Draft:
    """Actions of the seat to act, from the position of a game on.

    Args:
        engine, game: the engine and the index of the game. They stay as they are.

    Attributes:
        actions: the actions so far.
        is_final: whether the last action brings chance, another seat or hidden information into play. Nothing can be
            taken back or added then.
    """

    def __init__(self, engine: BatchEngine, game: int):
        def make_engine(num_games: int) -> BatchEngine:
            return BatchEngine(
                engine.scenario,
                num_games,
                engine.num_players,
                rules=engine.overrides,
                board=engine.board,
                record=True,
                forced_moves=engine.forced_moves,
                compiled=engine.compiled,
            )

        self._trial = Trial(make_engine)
        self._trial.place(engine.state[game].copy())
        self.seat = int(engine.seat_to_act[game])
        self.actions: list[int] = []
        self.is_final = False
        self._records: list[np.void] = []

    @property
    def engine(self) -> BatchEngine:
        """An engine whose game 0 is the position after the actions, unless the draft is final."""
        return self._trial.engine

    @property
    def legal(self) -> np.ndarray:
        """Legal actions, ascending."""
        return np.flatnonzero(self.engine.action_mask[0])

    def add(self, actions: Sequence[int]) -> None:
        """Add legal actions, up to one that is final."""
        for action in actions:
            self._records.append(self.engine.state[0].copy())
            self.is_final = self._trial.reveals(action, self.seat)
            self.actions.append(action)
            if self.is_final:
                return

    def undo(self) -> bool:
        """Take back the last action; return whether there is one."""
        if not self.actions:
            return False
        self.actions.pop()
        self._trial.place(self._records.pop())
        self.is_final = False
        return True

    def forced(self) -> int | None:
        """Return the only legal action if it can be taken back, or None."""
        legal = self.legal
        if len(legal) != 1:
            return None
        record = self.engine.state[0].copy()
        is_final = self._trial.reveals(int(legal[0]), self.seat)
        self._trial.place(record)
        return None if is_final else int(legal[0])

    def plan(self) -> list[tuple[bytes, int]]:
        """Return each action with the record before it."""
        return [(record.tobytes(), action) for record, action in zip(self._records, self.actions, strict=True)]
