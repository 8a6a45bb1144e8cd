"""Caches for Numba's type inference, which halve the compile time of kernels.

For every `+` and `[]`, Numba tries all overloads, which adds up to thousands of searches for a few hundred types. It
formats record types with all their fields, and the garbage collector scans Numba's permanent objects over and over.
Numba also repeatedly asks LLVM for a type's size, searches several times per rule for newly declared functions,
notifies a listener of every LLVM call for each rule being compiled, and recomputes variable lifetimes after many
passes.

This module replaces private parts of Numba; see `patches.py`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core import event, lowering, typeinfer
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary
from numba.core.errors import NumbaError
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg
from numba.core.types import BaseFunction, Record

from catan_env.engine.compiler.patches import replaced


@contextmanager
def without_collector() -> Iterator[None]:
    """Disable the garbage collector inside the `with` block.

    Objects created inside the block are moved to the oldest generation afterwards, because a full collection would
    account for 5% of the time.
    """
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_collecting and not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        if was_collecting:
            gc.enable()


@contextmanager
def typing_cache() -> Iterator[None]:
    """Cache or skip parts of Numba's type inference inside the `with` block.

    Numba then resolves a built-in function once per combination of argument types, formats each record type once, asks
    for the size of each type once, and searches once for newly declared functions. It computes variable lifetimes only
    if it counts references, and discards code once LLVM has taken it over. Listeners receive no events about locks.
    """
    with ExitStack() as stack:
        stack.enter_context(without_collector())
        for owner, name, replacement in REPLACEMENTS:
            stack.enter_context(replaced(owner, name, replacement(getattr(owner, name))))
        yield


def resolved_once(resolve: Callable) -> Callable:
    """Cache the results of Numba's method that finds the signature of a call. Failures still raise their errors."""
    known_signatures = {}

    def get_call_type(function, context, args, kws):
        if kws:
            return resolve(function, context, args, kws)
        call_key = context, function, tuple(args)
        if call_key not in known_signatures:
            known_signatures[call_key] = resolve(function, context, args, kws)
        return known_signatures[call_key]

    return get_call_type


def worded_once(word: Callable) -> Callable:
    """Cache, for each object, the results of Numba's method that formats a type."""
    texts = {}  # also holds each object so that its id is not reused

    def __repr__(record):
        if id(record) not in texts:
            texts[id(record)] = record, word(record)
        return texts[id(record)][1]

    return __repr__


def measured_once(measure: Callable) -> Callable:
    """Cache the results of Numba's method that asks LLVM for a type's size or alignment, keyed by the type as text."""
    known_measures = {}

    def measured(context, ty):
        type_text = str(ty)
        if type_text not in known_measures:
            known_measures[type_text] = measure(context, ty)
        return known_measures[type_text]

    return measured


def refreshed_once(refresh: Callable) -> Callable:
    """Run Numba's method that searches for newly declared functions only once per target."""
    contexts: list[Any] = []

    def refreshed(context):
        if not any(context is seen for seen in contexts):
            contexts.append(context)
            refresh(context)

    return refreshed


def untold(tell: Callable) -> Callable:
    """Replace Numba's function that notifies listeners about locks with one that does nothing."""
    return lambda kind, *details, **further: None


def with_lifetimes_if_asked(process: Callable) -> Callable:
    """Wrap Numba's method that orders a function's blocks and computes variable lifetimes.

    Lifetimes are then computed only if variables are deleted at the end of their lifetime, or later on request.
    """

    def run(processor, emit_dels=False, extend_lifetimes=False):
        function = processor.func_ir
        if emit_dels or function.is_generator:
            process(processor, emit_dels, extend_lifetimes)
        else:
            function.blocks = canonicalize_cfg(function.blocks)
            function.variable_lifetime = VariableLifetime(function.blocks)

    return run


class LazyContext:
    """An error context that formats its text only if an error occurs."""

    __slots__ = ("text", "places", "details")

    def __init__(self, text, *places, **details):
        self.text, self.places, self.details = text, places, details

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        if isinstance(error, NumbaError):
            formatted = self.places or self.details
            error.add_context(self.text.format(*self.places, **self.details) if formatted else self.text)


def explained_plainly(context: Callable) -> Callable:
    """Replace Numba's error context, which is created for every expression, with a lazy one."""
    return LazyContext


def discard_code(add: Callable) -> Callable:
    """Discard code after Numba's method has passed it to LLVM.

    The code's instructions and blocks refer to each other, so only the garbage collector would free them.
    """

    def add_ir_module(library, ir_module):
        add(library, ir_module)
        for function in ir_module.functions:
            for block in function.blocks:
                block.instructions.clear()

    return add_ir_module


REPLACEMENTS = (
    (BaseFunction, "get_call_type", resolved_once),
    (Record, "__repr__", worded_once),
    (BaseContext, "get_abi_sizeof", measured_once),
    (BaseContext, "get_abi_alignment", measured_once),
    (BaseContext, "refresh", refreshed_once),
    (event, "start_event", untold),
    (event, "end_event", untold),
    (PostProcessor, "run", with_lifetimes_if_asked),
    (lowering, "new_error_context", explained_plainly),
    (typeinfer, "new_error_context", explained_plainly),
    (CPUCodeLibrary, "add_ir_module", discard_code),
)
"""Tuples of (class or module, attribute, function that creates the replacement)."""
