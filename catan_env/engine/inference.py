"""Asking Numba for the same thing once and for nothing needless: kernels compile in two thirds of the time.

Most of that time goes into finding types. For every `+` and `[]` Numba tries its overloads one after the other,
thousands of times with the types of a few hundred; before each of some thirty passes over each rule it writes out the
arguments, and so all fields of the record; and the objects that it makes, which all stay, are searched for cycles again
and again.

But for `RuleCompiler` this leans on parts of Numba that are not public. Where a version of Numba lacks them, it finds
types as usual.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core import typed_passes, untyped_passes
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
)
"""Passes for what rules have none of: closures, comprehensions, `with`, functions inlined before LLVM sees them."""
KNOWN = "__repr__" in vars(Record) and "get_call_type" in vars(BaseFunction)


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
def types_found_once() -> Iterator[None]:
    """While this lasts, Numba resolves a call of a built-in function with arguments of the same types once, and words a
    record type once."""
    with ExitStack() as stack:
        stack.enter_context(without_collector())
        if KNOWN:
            stack.enter_context(replaced(BaseFunction, "get_call_type", resolved_once(BaseFunction.get_call_type)))
            stack.enter_context(replaced(Record, "__repr__", worded_once(Record.__repr__)))
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
