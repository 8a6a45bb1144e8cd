"""`Draft`: actions that a person tries out in a copy of the game, where they can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Sequence


class Draft:
    """A sequence of actions by the seat to act, starting from a game's current position.

    Args:
        engine, game: the engine and the index of the game; neither is changed.

    Attributes:
        actions: the actions so far.
        is_final: whether the last action brings chance, another seat or hidden information into play. If so, no action
            can be undone or added.
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
        """An engine whose game 0 is at the position after the actions, unless the draft is final."""
        return self._trial.engine

    @property
    def legal(self) -> np.ndarray:
        """Legal actions, in ascending order."""
        return np.flatnonzero(self.engine.action_mask[0])

    def add(self, actions: Sequence[int]) -> None:
        """Add legal actions, stopping after the first one that makes the draft final."""
        for action in actions:
            self._records.append(self.engine.state[0].copy())
            self.is_final = self._trial.reveals(action, self.seat)
            self.actions.append(action)
            if self.is_final:
                return

    def undo(self) -> bool:
        """Undo the last action; return whether there was one."""
        if not self.actions:
            return False
        self.actions.pop()
        self._trial.place(self._records.pop())
        self.is_final = False
        return True

    def forced(self) -> int | None:
        """Return the only legal action if there is just one and it can be undone, otherwise None."""
        legal = self.legal
        if len(legal) != 1:
            return None
        record = self.engine.state[0].copy()
        is_final = self._trial.reveals(int(legal[0]), self.seat)
        self._trial.place(record)
        return None if is_final else int(legal[0])

    def plan(self) -> list[tuple[bytes, int]]:
        """Return the record before each action, paired with the action."""
        return [(record.tobytes(), action) for record, action in zip(self._records, self.actions, strict=True)]
