"""Utilities for composition: generated functions, fingerprints, module names, record layouts."""

from __future__ import annotations

import difflib
import hashlib
import linecache
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

ROLES = ("game", "params")
"""What the records of a composition hold: a game, or its parameters."""
ROLE_MARK = "_of_"
"""Ends the role of a record in the name of its first field, which the name of the composition follows."""


def digest(parts: Iterable[str]) -> str:
    """Return a short fingerprint of several strings."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def generate(name: str, arguments: str, lines: Iterable[str], namespace: dict) -> Callable:
    """Return a function compiled from generated source lines. Tracebacks show these lines."""
    body = [f"    {line}" for line in lines] or ["    pass"]
    source = "\n".join([f"def {name}({arguments}):", *body, ""])
    filename = f"<composed {name} {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), namespace)
    return namespace[name]


def rule_functions(module) -> list[Any]:
    """Return the decorated functions that a rule module itself defines, in order; each has a `roles` attribute."""
    functions = [
        function
        for function in vars(module).values()
        if isinstance(function, types.FunctionType) and hasattr(function, "roles")
    ]
    if isinstance(module, types.ModuleType):
        functions = [function for function in functions if function.__module__ == module.__name__]
    return functions


def module_name(module) -> str:
    """Return a rule module's short name for messages and documentation."""
    return getattr(module, "__name__", type(module).__name__).rsplit(".", 1)[-1]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint that suggests the most similar known name, or an empty string."""
    closest_names = difflib.get_close_matches(name, known, n=1)
    return f" Did you mean {closest_names[0]!r}?" if closest_names else ""


def packed_dtype(role: str, composition: str, parts: list[tuple]) -> np.dtype:
    """Return an aligned record dtype of the given `(name, dtype, shape)` parts, without implicit padding.

    Equal records have equal bytes. Wider fields come first; fields of equal width keep their order. Numba treats record
    types as related if they begin with the same fields. To prevent this, the first field has a unique name, made of the
    record's role and the name of the composition, and is as wide as the alignment.
    """
    widest_item = max((np.dtype(dtype).itemsize for _, dtype, _ in parts), default=1)
    ordered_parts = sorted(parts, key=lambda part: -np.dtype(part[1]).itemsize)
    byte_count = sum(np.dtype(part[1:]).itemsize for part in ordered_parts)
    mark = (f"{role}{ROLE_MARK}{composition}", "u1", (widest_item,))
    return np.dtype([mark, *ordered_parts, ("spare", "u1", (-byte_count % widest_item,))], align=True)
