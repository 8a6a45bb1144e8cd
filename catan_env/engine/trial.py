"""Tries out an action to find whether it involves chance or another seat, or reveals hidden information to its seat.

Such an action cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from catan_env.engine.declare import ALL, OWNER, PLAYERS

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

WORLDS = 8
"""Number of sampled worlds in which an action must look the same as in the game."""


class Trial:
    """Engines for trying out actions in positions of one game.

    Args:
        make_engine: creates an engine like that of the game, with the given number of games and with logs enabled.

    Attributes:
        engine: holds the position after the last call to `place` or `reveals`.
    """

    def __init__(self, make_engine: Callable[[int], BatchEngine]):
        self.engine = make_engine(1)
        self._worlds = make_engine(WORLDS)

    def place(self, record: np.void) -> None:
        """Set up a position."""
        self.engine.state[0] = record
        self.engine.refresh()

    def reveals(self, action: int, seat: int) -> bool:
        """Carry out an action of `seat` and return whether the seat has learned something or is not the next to act.

        Hidden information is detected by sampling: the action is also carried out in worlds that are consistent with
        the seat's view. If the seat then sees something different in any of these worlds, the action has revealed
        information.

        Raises:
            IllegalActionError: the action is illegal.
        """
        engine, worlds = self.engine, self._worlds
        worlds.state[:] = engine.determinise([0], seats=seat, count=WORLDS)
        engine.batch.log_length[0] = 0
        engine.step(np.array([action]))
        if engine.batch.log_length[0] != 1 or engine.seat_to_act[0] != seat:
            return True
        worlds.refresh()
        worlds.batch.log_length[:] = 0
        worlds.step(np.full(WORLDS, action))
        if (worlds.seat_to_act != seat).any() or (worlds.action_mask != engine.action_mask[0]).any():
            return True
        views = zip(_seen(worlds, seat), _seen(engine, seat), strict=True)
        return any((in_worlds != in_game).any() for in_worlds, in_game in views)


def _seen(engine: BatchEngine, seat: int) -> list[np.ndarray]:
    """Return the parts of fields that a seat sees: public fields, its own rows, and other seats' public totals."""
    seen = []
    for field in engine.program.composition.fields.values():
        values = engine.state[field.name]
        if field.visible == ALL:
            seen.append(values)
        elif field.visible == OWNER and field.shape[:1] == (PLAYERS,):
            seen.append(values[:, seat])
            if field.total:
                seen.append(values.reshape(*values.shape[:2], -1).sum(axis=2))
    return seen
