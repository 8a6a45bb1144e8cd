"""How an engine runs its kernels: compiled, in plain Python, or in plain Python until compiled code is ready.

Compiled code and plain Python run the same rule functions on the same arrays, so the switch does not change a game's
trajectory.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from catan_env.engine import background
from catan_env.engine.compiler.jit import DISABLE_JIT, entry_point, load_kernel, signature_of
from catan_env.engine.compose import Composition
from catan_env.engine.program import Program
from catan_env.errors import OptionError

AUTO = "auto"
FEW_GAMES = 8
"""Largest number of games that start in plain Python with `compiled="auto"`. For more, it pays to compile first."""
SWITCH = "CATAN_ENV_BACKGROUND"
"""Environment variable: 0 makes engines with `compiled="auto"` compile at once, as with `compiled=True`."""


def check_compiled(compiled: Any) -> None:
    """Raise OptionError unless the value is valid for an engine's `compiled` option."""
    if not isinstance(compiled, bool) and not (isinstance(compiled, str) and compiled == AUTO):
        raise OptionError(f"compiled is {compiled!r}; allowed: True, False, {AUTO!r}.")


class Handover:
    """A kernel that runs in plain Python until another process has compiled it."""

    def __init__(self, kernel: Any, signature: tuple, plain: Callable, request: background.Request):
        self._kernel, self._signature = kernel, signature
        self._run: Callable = plain
        self._request: background.Request | None = request
        self.is_compiled = False

    def __call__(self, *arguments: Any) -> Any:
        if self._request is not None and self._request.done:
            self._take_over(self._request.error)
        return self._run(*arguments)

    def _take_over(self, error: str) -> None:
        self._request = None
        compiled = None if error else load_kernel(self._kernel, self._signature)
        if compiled is None:
            name = self._kernel.py_func.__name__.partition("_rules_")[0]
            warnings.warn(
                f"The kernel {name!r} could not be compiled in the background and stays in plain Python: "
                f"{error or 'the compiler cache does not hold it'}. Pass compiled=True to compile at once.",
                RuntimeWarning,
                stacklevel=3,
            )
        else:
            self._run, self.is_compiled = compiled, True


class AnyTypes:
    """A kernel for arguments of any type that runs in plain Python until another process has compiled it."""

    def __init__(self, bind: Callable[[tuple], Callable], kernel: Any):
        self._bind, self._kernel = bind, kernel
        self._by_signature: dict[tuple, Callable] = {}
        self._is_compiled = False

    def __call__(self, *arguments: Any) -> Any:
        if self._is_compiled:
            return self._kernel(*arguments)
        signature = signature_of(*arguments)
        if signature not in self._by_signature:
            self._by_signature[signature] = self._bind(signature)
        run = self._by_signature[signature]
        result = run(*arguments)
        self._is_compiled = not isinstance(run, Handover) or run.is_compiled
        return result


class Runner:
    """One engine's kernels.

    Args:
        program: the program of the engine's scenario.
        compiled: see `BatchEngine`.
        few: whether the number of games is small enough to start in plain Python.
    """

    def __init__(self, program: Program, compiled: bool | str, few: bool):
        self.program = program
        self.is_plain = DISABLE_JIT or compiled is False
        self.starts_plain = compiled == AUTO and few and os.environ.get(SWITCH) != "0" and not self.is_plain
        self._any_types: dict[tuple[Composition, Callable], AnyTypes] = {}

    def kernel(self, template: Callable, composition: Composition | None = None, waits: bool = False) -> Callable:
        """Return a kernel for arguments of any type.

        Args:
            template: the kernel template.
            composition: rules to use instead of the program's, for example from `Composition.instead`.
            waits: whether the first call waits for the compiler even if the engine starts in plain Python.
        """
        rules = composition or self.program.composition
        if self.is_plain or waits or not self.starts_plain:
            return (rules.plain if self.is_plain else rules).kernel(template)
        key = rules, template
        if key not in self._any_types:
            self._any_types[key] = AnyTypes(partial(self._plain_first, rules, template), rules.kernel(template))
        return self._any_types[key]

    def bind(self, template: Callable, *arguments: Any) -> Callable:
        """Return a kernel for arguments of exactly these types; see `compiler.jit.entry_point`."""
        if self.is_plain:
            return self.kernel(template)
        rules = self.program.composition
        if not self.starts_plain:
            return entry_point(rules.kernel(template), *arguments)
        return self._plain_first(rules, template, signature_of(*arguments))

    def _plain_first(self, rules: Composition, template: Callable, signature: tuple) -> Callable:
        """Return the compiled kernel if there is one; otherwise request it and return a `Handover`."""
        kernel = rules.kernel(template)
        return load_kernel(kernel, signature) or Handover(
            kernel,
            signature,
            rules.plain.kernel(template),
            background.ask(self.program.scenario, rules, template, signature),
        )

    def is_compiled(self, kernel: Callable) -> bool:
        """Return whether a kernel from `bind` currently runs compiled code."""
        return kernel.is_compiled if isinstance(kernel, Handover) else not self.is_plain
