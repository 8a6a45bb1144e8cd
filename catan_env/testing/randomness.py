"""Checks that rules do not draw random numbers of their own, which would break seeding, replays and search."""

from __future__ import annotations

import dis
import random
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.binding import module_name, rule_functions
from catan_env.testing.faults import Fault

SOURCES = {"random", "secrets", "time", "uuid", "os"}
"""Python modules that rules should never use, because their results vary between runs."""


def random_calls(engine: BatchEngine) -> Iterator[Fault]:
    """Yield rule functions and helpers that use `np.random`, `random` or another source of randomness."""
    for module in engine.scenario.modules:
        for function in rule_functions(module):
            for source in sorted(set(_sources(function, set()))):
                name = f"{module_name(module)}.{function.__name__}"
                yield Fault(
                    f"{source} in {name}",
                    f"rule {name} uses {source}; every random event is a Draw, with outcomes and @weights",
                )


def _sources(function: FunctionType, visited: set[FunctionType]) -> Iterator[str]:
    if function in visited:
        return
    visited.add(function)
    loaded = {instruction.argval for instruction in dis.get_instructions(function)}
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if value is np and "random" in loaded:
            yield "np.random"
        elif source := _source_of(value):
            yield source
        elif isinstance(value, FunctionType):
            yield from _sources(value, visited)


def _source_of(value: Any) -> str:
    """Return the name of the source of randomness that a global variable refers to, or "" if it refers to none."""
    if isinstance(value, ModuleType):
        name = value.__name__.removeprefix("numpy.") if value is not np else ""
    else:
        owner = getattr(value, "__self__", None)
        is_random = isinstance(owner, random.Random | np.random.RandomState | np.random.Generator)
        name = "random" if is_random else str(getattr(value, "__module__", "") or "") if callable(value) else ""
    return name if name in SOURCES else ""


class GlobalStreams:
    """The states of the global random streams of Python and NumPy, used to detect draws from them."""

    def __init__(self) -> None:
        self.before = self._states()

    def __bool__(self) -> bool:
        """Return whether either random stream has advanced since this object was created."""
        return self._states() != self.before

    @staticmethod
    def _states() -> tuple[Any, ...]:
        kind, keys, *rest = np.random.get_state()  # noqa: NPY002 (rules might draw from it)
        return random.getstate(), kind, bytes(np.asarray(keys)), tuple(rest)
