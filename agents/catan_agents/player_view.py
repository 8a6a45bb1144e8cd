"""A seat's view of the game record, for agents that need more than observations."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from catan_env.engine.declare import ALL, OWNER
from catan_env.errors import OptionError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


class PlayerView:
    """The fields visible to the seat to act in each game of a batch.

    Attributes:
        seats: (n,) the seat to act in each game.
        legal: (n, actions) bool, legal actions.
        points: (n, players) public victory points.
    """

    def __init__(self, engine: BatchEngine, games: np.ndarray):
        self.engine, self.games = engine, games
        self.seats = engine.seat_to_act[games]
        self.legal = engine.action_mask[games]
        self._fields = {
            field.name: field for module in engine.scenario.modules for field in getattr(module, "FIELDS", ())
        }
        self._all = np.arange(len(games))

    @cached_property
    def points(self) -> np.ndarray:
        return self.engine.visible_points[self.games]

    def deciding(self, decision: str) -> np.ndarray:
        """Return whether `decision` is the current decision, as an (n,) bool array."""
        names = list(self.engine.program.composition.decisions)
        return self._heads("decision_stack") == (names.index(decision) if decision in names else -1)

    def argument(self, decision: str) -> np.ndarray:
        """Return the argument of the current decision, shape (n,); -1 where `decision` is not the current one.

        Raises:
            OptionError: the decision does not exist, or its argument is not public.
        """
        declared = self.engine.program.composition.decisions.get(decision)
        if declared is None or declared.argument is None:
            raise OptionError(f"There is no decision {decision!r} with a public argument.")
        return np.where(self.deciding(decision), self._heads("decision_arguments"), -1)

    def _heads(self, name: str) -> np.ndarray:
        head_index = np.maximum(self.engine.state["depth"][self.games].astype(np.int64) - 1, 0)
        return self.engine.state[name][self.games, head_index]

    def has(self, name: str) -> bool:
        """Return whether the game has a field of this name."""
        return name in self._fields

    def public(self, name: str) -> np.ndarray:
        """Return a public field, shape (n, ...).

        Raises:
            OptionError: no public field has this name.
        """
        return self._read(name, ALL)

    def own(self, name: str) -> np.ndarray:
        """Return the row of a private field that belongs to the seat to act, shape (n, ...).

        Raises:
            OptionError: no private field has this name.
        """
        return self._read(name, OWNER)[self._all, self.seats]

    def totals(self, name: str) -> np.ndarray:
        """Return the public totals of a private field, shape (n, players).

        Raises:
            OptionError: no private field of this name has public totals.
        """
        if not getattr(self._fields.get(name), "total", False):
            raise OptionError(f"Field {name!r} has no public totals, or does not exist.")
        seat_rows = self._read(name, OWNER)[:, : self.engine.num_players]
        return seat_rows.reshape(*seat_rows.shape[:2], -1).sum(axis=2)

    def _read(self, name: str, visible: str) -> np.ndarray:
        field = self._fields.get(name)
        if field is None or field.visible != visible:
            reason = (
                "there is no such field" if field is None else f"its visibility is {field.visible!r}, not {visible!r}"
            )
            raise OptionError(f"Cannot read field {name!r}: {reason}.")
        return self.engine.state[name][self.games]
