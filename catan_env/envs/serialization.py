"""Support for copying and pickling objects that own a `BatchEngine`."""

from __future__ import annotations

import copy
from typing import Any

from catan_env.engine.batch import BatchEngine


class PicklableEngine:
    """Makes `copy.deepcopy` and `pickle` produce an independent copy in exactly the same state.

    A subclass stores its engine in `engine`, and stores references to engine internals only in attributes set by
    `_bind`.
    """

    engine: BatchEngine
    bound: tuple[str, ...] = ()
    """Names of the attributes that `_bind` sets."""

    def _bind(self) -> None:
        """Set these attributes; called whenever the engine is replaced."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.engine!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> PicklableEngine:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            if name not in self.bound:
                twin.__dict__[name] = copy.deepcopy(value, memo)
        twin._bind()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self.bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()
