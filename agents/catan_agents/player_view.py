"""What a seat may see of the record, and nothing else: how agents look at games other than through observations."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from catan_env.engine.declare import ALL, OWNER
from catan_env.errors import OptionError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


class PlayerView:
    """What the seats to act can see of some games.

    Attributes:
        seats: (n,) the seat to act in each game.
        legal: (n, actions) bool.
        points: (n, players) victory points that everybody sees.
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
        """(n,) bool: this decision is at hand."""
        names = list(self.engine.program.composition.decisions)
        return self._heads("decision_stack") == (names.index(decision) if decision in names else -1)

    def argument(self, decision: str) -> np.ndarray:
        """(n,) what the decision at hand is about; -1 where it is another.

        Raises:
            OptionError: there is no such decision, or not everybody may see what it is about.
        """
        declared = self.engine.program.composition.decisions.get(decision)
        if declared is None or declared.argument is None:
            raise OptionError(f"Nobody may see what {decision!r} is about, or there is no such decision.")
        return np.where(self.deciding(decision), self._heads("decision_arguments"), -1)

    def _heads(self, name: str) -> np.ndarray:
        head_index = np.maximum(self.engine.state["depth"][self.games].astype(np.int64) - 1, 0)
        return self.engine.state[name][self.games, head_index]

    def has(self, name: str) -> bool:
        """Whether the game has a field of this name."""
        return name in self._fields

    def public(self, name: str) -> np.ndarray:
        """(n, ...) a field that all may see.

        Raises:
            OptionError: there is none of this name.
        """
        return self._read(name, ALL)

    def own(self, name: str) -> np.ndarray:
        """(n, ...) the row that belongs to the seat to act, of a field that only its owner may see.

        Raises:
            OptionError: there is none of this name.
        """
        return self._read(name, OWNER)[self._all, self.seats]

    def totals(self, name: str) -> np.ndarray:
        """(n, players) the totals that everybody sees of a field that only its owner may see in full.

        Raises:
            OptionError: there is none of this name whose totals are public.
        """
        if not getattr(self._fields.get(name), "total", False):
            raise OptionError(f"Nobody may see totals of {name!r}.")
        seat_rows = self._read(name, OWNER)[:, : self.engine.num_players]
        return seat_rows.reshape(*seat_rows.shape[:2], -1).sum(axis=2)

    def _read(self, name: str, visible: str) -> np.ndarray:
        field = self._fields.get(name)
        if field is None or field.visible != visible:
            reason = (
                "there is no such field" if field is None else f"it is visible to {field.visible!r}, not {visible!r}"
            )
            raise OptionError(f"A seat cannot look at {name!r} so: {reason}.")
        return self.engine.state[name][self.games]
