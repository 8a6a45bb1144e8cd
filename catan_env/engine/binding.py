"""What composing is made of: compiling a function, generating one, fingerprints, what a function refers to."""

from __future__ import annotations

import difflib
import dis
import hashlib
import linecache
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numba
import numpy as np

from catan_env.engine.passes import RuleCompiler

DISABLE_JIT = bool(numba.config.DISABLE_JIT)
# Without Numba's runtime rules cannot allocate, and passing an array on costs no atomic reference count.
COMPILED = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
INNER = COMPILED | {"no_cpython_wrapper": True, "pipeline_class": RuleCompiler}
OUTERMOST = COMPILED | {"nogil": True, "cache": True}


def digest(parts: Iterable[str]) -> str:
    """A short fingerprint of some texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def jit(function: Callable, inline: bool = False) -> Callable:
    """Compiles an inner function: never called from Python, so without the wrappers that would allow it."""
    if DISABLE_JIT:
        return function
    return numba.njit(**INNER, forceinline=inline)(function)


def constant(value: Any) -> Any:
    """A global as compiled functions take it. Numba would compile a function anew for each literal int it is given."""
    return np.int64(value) if type(value) is int and not DISABLE_JIT else value


def generate(name: str, arguments: str, lines: Iterable[str], namespace: dict) -> Callable:
    """A function from generated source lines, with the source at hand for tracebacks."""
    body = [f"    {line}" for line in lines] or ["    pass"]
    text = "\n".join([f"def {name}({arguments}):", *body, ""])
    filename = f"<composed {name} {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]


def rule_functions(module) -> list[Callable]:
    """The decorated functions a rule module defines itself, in order of definition."""
    members = [f for f in vars(module).values() if isinstance(f, types.FunctionType) and hasattr(f, "roles")]
    if isinstance(module, types.ModuleType):
        members = [f for f in members if f.__module__ == module.__name__]
    return members


def module_name(module) -> str:
    """Short name of a rule module, for messages and documentation."""
    return getattr(module, "__name__", type(module).__name__).rsplit(".", 1)[-1]


def attributes_of(function: Callable) -> Iterator[tuple[str, str]]:
    """(parameter, attribute) wherever a function reads or writes an attribute of one of its parameters."""
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount]
    top = ""
    for instruction in dis.get_instructions(code):
        if instruction.opname.endswith("_ATTR") or instruction.opname == "LOAD_METHOD":
            if top in parameters:
                yield top, instruction.argval
        if "LOAD_FAST" in instruction.opname:
            top = instruction.argval[-1] if isinstance(instruction.argval, tuple) else instruction.argval
        elif instruction.opname not in ("COPY", "EXTENDED_ARG", "CACHE"):
            top = ""


def fields_named(function: Callable) -> set[str]:
    """Every name that a function takes as an attribute, of whatever: all fields that it reads or writes, and more."""
    return {i.argval for i in dis.get_instructions(function.__code__) if i.opname.endswith(("_ATTR", "_METHOD"))}


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the known name most like another, or nothing."""
    close = difflib.get_close_matches(name, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def packed_dtype(mark: str, parts: list[tuple]) -> np.dtype:
    """An aligned record of `(name, dtype, shape)` parts without padding, so that equal records have equal bytes.

    Wide fields come first, the others in order. Numba relates record types whose fields begin alike: a first field
    of the record's own name, as wide as its alignment, avoids that.
    """
    widest = max((np.dtype(dtype).itemsize for _, dtype, _ in parts), default=1)
    ordered = sorted(parts, key=lambda part: -np.dtype(part[1]).itemsize)
    used = sum(np.dtype(part[1:]).itemsize for part in ordered)
    return np.dtype([(mark, "u1", (widest,)), *ordered, ("spare", "u1", (-used % widest,))], align=True)
