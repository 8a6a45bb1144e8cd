"""Asking Numba for the same thing once and for nothing needless: kernels compile in six tenths of the time.

Most of that time goes into finding types. For every `+` and `[]` Numba tries its overloads one after the other,
thousands of times with the types of a few hundred; before each of some thirty passes over each rule it writes out the
arguments, and so all fields of the record; and the objects that it makes, which all stay, are searched for cycles again
and again. It asks LLVM anew how large a type is, looks several times for each rule whether more functions are known by
now, and tells of every call of LLVM to a listener for each rule that is being compiled.

But for `RuleCompiler` this leans on parts of Numba that are not public. Where a version of Numba lacks them, it finds
types as usual.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core import event, typed_passes, untyped_passes
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.types import BaseFunction, Record

NEEDLESS = (
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
    typed_passes.AnnotateTypes,
)
"""Passes for what rules have none of: closures, comprehensions, `with`, functions inlined before LLVM sees them,
arithmetic with whole arrays; and the one that keeps the source with its types for people to look at."""


class RuleCompiler(CompilerBase):
    """Numba's pipeline for compiled code without the `NEEDLESS` passes, each of which looks at every function."""

    def define_pipelines(self):
        """The one pipeline: rules that cannot be compiled are an error."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [step for step in pipeline.passes if step[0] not in NEEDLESS]
        pipeline.finalize()
        return [pipeline]


@contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """While this lasts, the attribute of a class or module is another."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextmanager
def without_collector() -> Iterator[None]:
    """While this lasts, Python does not look for cycles of objects that nobody can reach."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def asked_once() -> Iterator[None]:
    """While this lasts, Numba resolves a call of a built-in function with arguments of the same types once, words a
    record type once, asks for the size of a type once and for functions that it did not know at first not again, and
    keeps nothing of what LLVM has taken over; nobody is told how long locks are held."""
    with ExitStack() as stack:
        stack.enter_context(without_collector())
        if all(name in vars(owner) for owner, name, _ in INSTEAD):
            for owner, name, instead in INSTEAD:
                stack.enter_context(replaced(owner, name, instead(getattr(owner, name))))
        yield


def resolved_once(resolve: Callable) -> Callable:
    """Numba's method that finds the signature of a call, remembering those found. Failures are raised as ever."""
    found = {}

    def get_call_type(function, context, args, kws):
        if kws:
            return resolve(function, context, args, kws)
        asked = context, function, tuple(args)
        if asked not in found:
            found[asked] = resolve(function, context, args, kws)
        return found[asked]

    return get_call_type


def worded_once(word: Callable) -> Callable:
    """Numba's method that writes out a type, remembering what it wrote for each object."""
    said = {}  # with the object, so that no other gets its id

    def __repr__(record):
        if id(record) not in said:
            said[id(record)] = record, word(record)
        return said[id(record)][1]

    return __repr__


def measured_once(measure: Callable) -> Callable:
    """Numba's method that asks LLVM for a measure of a type, remembering it by how the type is written."""
    found = {}

    def measured(context, ty):
        written = str(ty)
        if written not in found:
            found[written] = measure(context, ty)
        return found[written]

    return measured


def refreshed_once(refresh: Callable) -> Callable:
    """Numba's method that looks for functions which were declared in the meantime: once for each target."""
    fresh = []

    def refreshed(context):
        if not any(context is known for known in fresh):
            fresh.append(context)
            refresh(context)

    return refreshed


def untold(tell: Callable) -> Callable:
    """In place of Numba's function that tells listeners that a lock is taken, or free again."""
    return lambda kind, *details, **further: None


def let_go(add: Callable) -> Callable:
    """Numba's method that hands what it has written over to LLVM: what was written is needed no more, and its
    instructions and blocks, which know one another, would stay until somebody looks for cycles."""

    def add_ir_module(library, ir_module):
        add(library, ir_module)
        for function in ir_module.functions:
            for block in function.blocks:
                block.instructions.clear()

    return add_ir_module


INSTEAD = (
    (BaseFunction, "get_call_type", resolved_once),
    (Record, "__repr__", worded_once),
    (BaseContext, "get_abi_sizeof", measured_once),
    (BaseContext, "get_abi_alignment", measured_once),
    (BaseContext, "refresh", refreshed_once),
    (event, "start_event", untold),
    (event, "end_event", untold),
    (CPUCodeLibrary, "add_ir_module", let_go),
)
"""What of Numba is replaced, and what makes the other of it."""
