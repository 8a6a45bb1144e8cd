"""Copying and pickling of objects that hold a `BatchEngine`."""

from __future__ import annotations

import copy
from typing import Any

from catan_env.engine.batch import BatchEngine


def pack_engine(engine: BatchEngine) -> dict[str, Any]:
    """Return what an equal engine can be made of: its settings and a snapshot."""
    return {"settings": engine.settings, "snapshot": engine.save()}


def unpack_engine(packed: dict[str, Any]) -> BatchEngine:
    """The engine that `pack_engine` packed."""
    engine = BatchEngine(**packed["settings"])
    engine.load(packed["snapshot"])
    return engine


class PicklableEngine:
    """Makes `copy.deepcopy` and `pickle` give an independent twin in the very same state.

    A subclass keeps its engine in `engine`, and what refers to the engine's insides only in attributes that `_bind`
    sets.
    """

    engine: BatchEngine
    bound: tuple[str, ...] = ()
    """Names of the attributes that `_bind` sets."""

    def _bind(self) -> None:
        """Sets these attributes; called whenever the engine is another one."""

    def __deepcopy__(self, memo: dict[int, Any]) -> PicklableEngine:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            if name not in self.bound:
                twin.__dict__[name] = copy.deepcopy(value, memo)
        twin._bind()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in self.bound}
        return {**state, "engine": pack_engine(self.engine)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.engine = unpack_engine(state["engine"])
        self._bind()
