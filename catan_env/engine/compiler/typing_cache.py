"""Asking Numba for the same thing once and for nothing needless: kernels compile in half of the time.

For every `+` and `[]` Numba tries its overloads one after the other, thousands of times with the types of a few
hundred; it writes out record types with all their fields; and the objects that it makes, which all stay, are searched
for cycles again and again. It asks LLVM anew how large a type is, looks several times for each rule whether more
functions are known by now, tells of every call of LLVM to a listener for each rule that is being compiled, and works
out after every other pass where each variable is used for the last time.

This replaces private parts of Numba: see `patches.py`.
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
    """While this lasts, Python does not look for cycles of objects that nobody can reach. What was made meanwhile
    counts as old afterwards: to look through all of it at once would take a twentieth of the time."""
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
    """While this lasts, Numba resolves a call of a built-in function with arguments of the same types once, words a
    record type once, asks for the size of a type once and for functions that it did not know at first not again,
    works out the last uses of variables only where it counts references, and keeps nothing of what LLVM has
    taken over; nobody is told how long locks are held."""
    with ExitStack() as stack:
        stack.enter_context(without_collector())
        for owner, name, replacement in REPLACEMENTS:
            stack.enter_context(replaced(owner, name, replacement(getattr(owner, name))))
        yield


def resolved_once(resolve: Callable) -> Callable:
    """Numba's method that finds the signature of a call, remembering those found. Failures are raised as ever."""
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
    """Numba's method that writes out a type, remembering what it wrote for each object."""
    texts = {}  # with the object, so that no other gets its id

    def __repr__(record):
        if id(record) not in texts:
            texts[id(record)] = record, word(record)
        return texts[id(record)][1]

    return __repr__


def measured_once(measure: Callable) -> Callable:
    """Numba's method that asks LLVM for a measure of a type, remembering it by how the type is written."""
    known_measures = {}

    def measured(context, ty):
        type_text = str(ty)
        if type_text not in known_measures:
            known_measures[type_text] = measure(context, ty)
        return known_measures[type_text]

    return measured


def refreshed_once(refresh: Callable) -> Callable:
    """Numba's method that looks for functions which were declared in the meantime: once for each target."""
    contexts: list[Any] = []

    def refreshed(context):
        if not any(context is seen for seen in contexts):
            contexts.append(context)
            refresh(context)

    return refreshed


def untold(tell: Callable) -> Callable:
    """In place of Numba's function that tells listeners that a lock is taken, or free again."""
    return lambda kind, *details, **further: None


def with_lifetimes_if_asked(process: Callable) -> Callable:
    """Numba's method that puts the blocks of a function in order and works out where its variables are used: the latter
    only if they are to be deleted there, or looked at later."""

    def run(processor, emit_dels=False, extend_lifetimes=False):
        function = processor.func_ir
        if emit_dels or function.is_generator:
            process(processor, emit_dels, extend_lifetimes)
        else:
            function.blocks = canonicalize_cfg(function.blocks)
            function.variable_lifetime = VariableLifetime(function.blocks)

    return run


class Told:
    """What an error is told of where it was raised, worded only if there is one."""

    __slots__ = ("text", "places", "details")

    def __init__(self, text, *places, **details):
        self.text, self.places, self.details = text, places, details

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        if isinstance(error, NumbaError):
            formatted = self.places or self.details
            error.add_context(self.text.format(*self.places, **self.details) if formatted else self.text)


def told_plainly(context: Callable) -> Callable:
    """In place of Numba's generator of such contexts, of which it makes one for every expression."""
    return Told


def let_go(add: Callable) -> Callable:
    """Numba's method that hands what it has written over to LLVM: what was written is needed no more, and its
    instructions and blocks, which know one another, would stay until somebody looks for cycles."""

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
    (lowering, "new_error_context", told_plainly),
    (typeinfer, "new_error_context", told_plainly),
    (CPUCodeLibrary, "add_ir_module", let_go),
)
"""(class or module, attribute, function that makes the replacement of it)."""
