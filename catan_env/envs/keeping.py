"""Copying and pickling of objects that hold a `BatchEngine`."""

from __future__ import annotations

import copy
from typing import Any

from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import scenarios


def pack_engine(engine: BatchEngine, record: bool) -> dict[str, Any]:
    """What an equal engine can be made of: its arguments and a snapshot. Scenarios in the registry go by name."""
    name = engine.scenario.name
    registered = scenarios().get(name) is engine.scenario
    return {
        "arguments": {
            "scenario": name if registered else engine.scenario,
            "num_games": engine.num_games,
            "num_players": engine.num_players,
            "rules": engine.overrides,
            "board": engine.board,
            "reward": engine.reward,
            "shaping": engine.shaping,
            "discount": engine.discount,
            "record": record,
            "threads": engine.threads,
            "forced_moves": engine.forced_moves,
            "autoreset": engine.autoreset,
        },
        "snapshot": engine.save(),
        "points": engine._shaping.points.copy(),
    }


def unpack_engine(packed: dict[str, Any]) -> BatchEngine:
    """The engine that `pack_engine` packed."""
    engine = BatchEngine(**packed["arguments"])
    engine.load(packed["snapshot"])
    engine._shaping.points[:] = packed["points"]
    return engine


class HoldsEngine:
    """Makes `copy.deepcopy` and `pickle` give an independent twin in the very same state.

    A subclass keeps its engine in `engine`, and what refers to the engine's insides only in attributes that `_bind`
    sets.
    """

    engine: BatchEngine
    record = True
    """Whether the engine keeps replay logs."""
    bound: tuple[str, ...] = ()
    """Names of the attributes that `_bind` sets."""

    def _bind(self) -> None:
        """Sets these attributes; called whenever the engine is another one."""

    def __deepcopy__(self, memo: dict[int, Any]) -> HoldsEngine:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            if name not in self.bound:
                twin.__dict__[name] = copy.deepcopy(value, memo)
        twin._bind()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in self.bound}
        return {**state, "engine": pack_engine(self.engine, self.record)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.engine = unpack_engine(state["engine"])
        self._bind()
