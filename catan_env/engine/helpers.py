"""A scenario's helpers: the functions that its rule modules share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any


def helpers_of(modules: Iterable[Any]) -> dict[str, Callable]:
    """Return the functions that rule modules import from each other or from their shared vocabulary, keyed by name.

    The result excludes functions with a role and engine functions such as `push`.
    """
    found: dict[str, Callable] = {}
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__ != getattr(module, "__name__", ""):
                if not hasattr(value, "roles") and not value.__module__.startswith("catan_env.engine."):
                    found[name] = value
    return dict(sorted(found.items()))


def signature_of(helper: Callable) -> str:
    """Return a helper's call signature, such as "can_pay(game, seat, price)"."""
    return f"{helper.__name__}({', '.join(inspect.signature(helper).parameters)})"


def purpose_of(helper: Callable) -> str:
    """Return the first paragraph of a helper's docstring on one line, or "" if it has none."""
    return (inspect.getdoc(helper) or "").split("\n\n")[0].replace("\n", " ")
