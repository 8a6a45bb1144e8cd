"""Compilation of rules and kernels, including the Numba options."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import serialize
from numba.extending import intrinsic

from catan_env.engine.compiler.patches import PATCHED, replaced
from catan_env.engine.compiler.progress import compiling
from catan_env.engine.compiler.turns import turn

if PATCHED:  # with untested Numba versions, importing these modules might even fail
    from catan_env.engine.compiler.arguments import with_wide_arguments
    from catan_env.engine.compiler.disk_cache import DiskCache
    from catan_env.engine.compiler.layouts import NamedNumber, layout_of
    from catan_env.engine.compiler.linker import SLP_VECTORIZE, one_program, with_own_parts
    from catan_env.engine.compiler.parts import PartCache, SavedParts, saved_parts
    from catan_env.engine.compiler.pipeline import RuleCompiler
    from catan_env.engine.compiler.typing_cache import typing_cache

DISABLE_JIT = bool(numba.config.DISABLE_JIT)
"""Whether rules run in plain Python."""
COMPILED: dict[str, Any] = {"error_model": "numpy"}
INNER: dict[str, Any] = {}
LINKING: tuple = ()
if PATCHED:
    # Without Numba's runtime, rules cannot allocate memory, and passing an array needs no atomic reference counting.
    # None of these options is documented by Numba.
    COMPILED |= {"_nrt": False, "no_cfunc_wrapper": True}
    INNER |= {"no_cpython_wrapper": True, "pipeline_class": RuleCompiler}
    LINKING = (SLP_VECTORIZE,)
INNER |= COMPILED
OUTERMOST = COMPILED | {"nogil": True}
LOCK = threading.RLock()
PLAIN_FUNCTIONS: set[Callable] = set()
"""The plain Python versions of all intrinsics."""


class NotCachedError(Exception):
    """No cache contains the compiled function."""


def refuse(*_: Any) -> None:
    """Raise NotCachedError instead of compiling."""
    raise NotCachedError


def intrinsic_with(plain_version: Callable) -> Callable[[Callable], Any]:
    """Return a decorator that defines a Numba intrinsic. Plain Python uses `plain_version` instead."""

    def decorate(function: Callable) -> Any:
        function.plain_version = plain_version  # type: ignore[attr-defined]
        defined = intrinsic(function)  # has the same attributes, in processes that unpickle it too
        PLAIN_FUNCTIONS.add(plain_version)
        return plain_version if DISABLE_JIT else defined

    return decorate


def in_plain_python(value: Any) -> Any:
    """Convert a rule's global variable for plain Python: intrinsics become plain functions."""
    return getattr(value, "plain_version", value)


def jit(function: Callable, inline: bool = False) -> Callable:
    """Compile an inner function. Python never calls it, so no wrappers for calls from Python are generated."""
    if not PATCHED:
        return numba.njit(**INNER)(function)
    rule = with_wide_arguments(numba.njit(**INNER, forceinline=inline)(function))
    rule._cache = PartCache(rule)
    return rule


def jit_kernel(
    function: Callable,
    label: str,
    numbers: Mapping[str, int],
    vectors: bool = False,
    parallel: bool = False,
) -> Callable:
    """Compile a top-level function that Python calls, with a disk cache.

    Args:
        label: name shown in the progress line.
        numbers: the numbers that rules refer to by name.
        vectors: whether to vectorize the function's loops.
        parallel: whether the function has parallel loops.
    """
    kernel = cached_jit(**OUTERMOST, **({"parallel": True} if parallel else {}))(function)
    if PATCHED and parallel:
        kernel = compiled_by_numba(kernel, numbers)
    elif PATCHED:
        kernel = compiled_as_one_program(kernel, numbers, vectors)
    return compiled_in_turn(kernel, label)


def compiled_in_turn(kernel: Any, label: str) -> Any:
    """Patch a kernel so that only one process compiles it and the others load the result, and return it.

    A progress line with the label shows that this process compiles or waits.
    """
    compile_kernel, name = kernel.compile, kernel.py_func.__name__

    def compile_in_turn(signature):
        with LOCK:
            if kernel._compiler.compile is refuse or load_kernel(kernel, signature) is not None:
                return compile_kernel(signature)
        path = os.path.join(kernel._cache.cache_path, f"{name}.lock") if can_be_cached(kernel) else None
        with compiling(label), turn(path), LOCK:  # while `load_kernel` holds the lock, nothing compiles
            return compile_kernel(signature)

    kernel.compile = compile_in_turn
    return kernel


def cached_jit(**options: Any) -> Callable[[Callable], Any]:
    """Return a decorator that compiles a function like `numba.njit(cache=True, **options)`.

    Unlike Numba's own cache, this one tolerates read-only folders and corrupt files; see `disk_cache`.
    """

    def decorate(function: Callable) -> Any:
        compiled = numba.njit(**options)(function)
        if PATCHED:
            compiled._cache = DiskCache(function)
        elif not DISABLE_JIT:
            try:
                compiled.enable_caching()
            except RuntimeError as error:
                warnings.warn(f"{error}: set NUMBA_CACHE_DIR to a writable folder.", RuntimeWarning, 2)
        return compiled

    return decorate


def compiled_as_one_program(kernel: Any, numbers: Mapping[str, int], vectors: bool) -> Callable:
    """Patch a kernel, a Numba dispatcher, to compile with our linker, typing cache and saved parts, and return it."""
    compile_kernel, name = kernel.compile, kernel.py_func.__name__

    def compile_as_one(signature):
        parts = SavedParts(settings_of_parts(kernel))
        layout = layout_of(signature, numbers, by_name=True)
        with typing_cache(), layout, one_program(name, vectors, parts.save), saved_parts(parts):
            return compile_kernel(signature)

    kernel.compile = compile_as_one
    return kernel


def compiled_by_numba(kernel: Any, numbers: Mapping[str, int]) -> Callable:
    """Patch a kernel that Numba's own linker joins with rules that ours has left unfinished, and return it."""
    compile_kernel = kernel.compile

    def compile_with_layout(signature):
        with layout_of(signature, numbers, by_name=False), with_own_parts():
            return compile_kernel(signature)

    kernel.compile = compile_with_layout
    return kernel


def settings_of_parts(kernel: Any) -> str:
    """Return all settings that affect the code of the rules that a kernel calls, as text for naming them."""
    versions = (str(numba.config.OPT), numba.__version__, llvmlite.__version__, np.__version__, sys.version)
    return repr((compiler_settings(), versions, kernel.targetctx.codegen().magic_tuple()))


@cache
def compiler_settings() -> str:
    """Return all settings, other than rules and types, that affect compiled code, as text for naming cached kernels."""
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    source_digest = hashlib.sha256(sources).hexdigest()
    return repr((source_digest, PATCHED, LINKING, INNER, OUTERMOST | {"cache": True}, numba.config.BOUNDSCHECK))


def constant(value: Any, name: str = "") -> Any:
    """Convert a global for use in compiled functions, which refer to numbers with a name by name.

    Numba would recompile a function for each literal int.
    """
    if type(value) is not int:
        return value
    return NamedNumber(name, value) if name and PATCHED else np.int64(value)


def signature_of(*arguments: Any) -> tuple[numba.types.Type, ...]:
    """Return the Numba types of the arguments."""
    return tuple(map(type_of, arguments))


def load_kernel(kernel: Any, signature: tuple[numba.types.Type, ...]) -> Callable | None:
    """Return the compiled function of a kernel if this process or the disk cache has it; never compile it."""
    if signature not in kernel.overloads:
        with LOCK, replaced(kernel._compiler, "compile", refuse):
            try:
                kernel.compile(signature)
            except NotCachedError:
                return None
    return kernel.get_overload(signature)


def dumps(value: Any) -> bytes:
    """Pickle a value that may contain Numba intrinsics, Numba types, and functions that belong to no module."""
    return serialize.dumps(value)


def can_be_cached(kernel: Any) -> bool:
    """Return whether there is a writable folder for compiled kernels."""
    return isinstance(kernel._cache.cache_path, str)


def entry_point(kernel: Any, *arguments) -> Callable:
    """Return the compiled function of a kernel for arguments of exactly these types.

    Calls skip Numba's type dispatch. The caller is responsible for dtypes, contiguity and alignment.
    """
    signature = signature_of(*arguments)
    if signature not in kernel.overloads:
        kernel.compile(signature)
    return kernel.get_overload(signature)


def type_of(argument: Any) -> numba.types.Type:
    """Return the Numba type of an argument. Record types are cached, since Numba derives them field by field."""
    if hasattr(argument, "_fields"):
        return numba.types.BaseTuple.from_types(tuple(map(type_of, argument)), type(argument))
    if not isinstance(argument, np.ndarray) or argument.dtype.names is None:
        return numba.typeof(argument)
    flags = argument.flags
    return type_of_records(argument.dtype, argument.ndim, flags.c_contiguous, flags.aligned, flags.writeable)


@cache
def type_of_records(dtype: np.dtype, ndim: int, contiguous: bool, aligned: bool, writeable: bool) -> numba.types.Array:
    """Return the Numba type of an array of records."""
    layout = "C" if contiguous else "A"
    return numba.types.Array(numba.from_dtype(dtype), ndim, layout, readonly=not writeable, aligned=aligned)
