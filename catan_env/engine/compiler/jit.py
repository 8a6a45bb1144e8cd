"""Compilation of rules and kernels, with the options for Numba."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np

from catan_env.engine.compiler.patches import PATCHED

if PATCHED:  # with other versions of Numba these modules might not even import
    from catan_env.engine.compiler.disk_cache import DiskCache
    from catan_env.engine.compiler.linker import SLP_VECTORIZE, one_program
    from catan_env.engine.compiler.pipeline import RuleCompiler
    from catan_env.engine.compiler.typing_cache import typing_cache

DISABLE_JIT = bool(numba.config.DISABLE_JIT)
"""Whether rules run as plain Python."""
COMPILED: dict[str, Any] = {"error_model": "numpy"}
INNER: dict[str, Any] = {}
LINKING: tuple = ()
if PATCHED:
    # Without Numba's runtime, rules cannot allocate, and passing an array needs no atomic reference count. Numba
    # documents none of these options.
    COMPILED |= {"_nrt": False, "no_cfunc_wrapper": True}
    INNER |= {"no_cpython_wrapper": True, "pipeline_class": RuleCompiler}
    LINKING = (SLP_VECTORIZE,)
INNER |= COMPILED
OUTERMOST = COMPILED | {"nogil": True}
LOCK = threading.RLock()


def jit(function: Callable, inline: bool = False) -> Callable:
    """Compile an inner function. Python never calls it, so it has no wrappers for such calls."""
    if DISABLE_JIT:
        return function
    return numba.njit(**INNER, **({"forceinline": inline} if PATCHED else {}))(function)


def jit_kernel(function: Callable, vectors: bool = False, parallel: bool = False) -> Callable:
    """Compile an outermost function for calls from Python, with a cache on disk.

    Args:
        vectors: whether to vectorize its loops.
        parallel: whether it has parallel loops.
    """
    if DISABLE_JIT:
        return function
    if parallel:
        return cached_jit(**OUTERMOST, parallel=True)(function)
    kernel = cached_jit(**OUTERMOST)(function)
    return compiled_as_one_program(kernel, vectors) if PATCHED else kernel


def cached_jit(**options: Any) -> Callable[[Callable], Any]:
    """Return a decorator that compiles a function like `numba.njit(cache=True, **options)`.

    Unlike Numba's own cache, this one tolerates read-only folders and damaged files; see `disk_cache`.
    """

    def decorate(function: Callable) -> Any:
        compiled = numba.njit(**options)(function)
        if PATCHED:
            compiled._cache = DiskCache(function)
        elif not DISABLE_JIT:
            try:
                compiled.enable_caching()
            except RuntimeError as error:
                warnings.warn(f"{error}: set NUMBA_CACHE_DIR to a folder that can be written.", RuntimeWarning, 2)
        return compiled

    return decorate


def compiled_as_one_program(kernel: Any, vectors: bool) -> Callable:
    """Return the kernel, a Numba dispatcher, which now compiles with our linker and typing cache."""
    compile_kernel = kernel.compile

    def compile_as_one(signature):
        with LOCK, typing_cache(), one_program(kernel.py_func.__name__, vectors):
            return compile_kernel(signature)

    kernel.compile = compile_as_one
    return kernel


def stands_for_intrinsic(function: Callable) -> bool:
    """Return whether a function of this package replaces an intrinsic in plain Python."""
    return DISABLE_JIT and function.__module__.startswith("catan_env.engine.compiler.")


def compiler_settings() -> str:
    """Return the settings that affect compiled code, as a part of the names of cached kernels."""
    return repr((PATCHED, LINKING, INNER, OUTERMOST | {"cache": True}, numba.config.BOUNDSCHECK))


def constant(value: Any) -> Any:
    """Return a global in the form for compiled functions. Numba would recompile a function for each literal int."""
    return np.int64(value) if type(value) is int and not DISABLE_JIT else value


def entry_point(kernel: Any, *arguments) -> Callable:
    """Return the compiled function of a kernel for arguments of exactly these types.

    A call skips Numba's type dispatch. The caller is responsible for dtypes, contiguity and alignment.
    """
    if DISABLE_JIT:
        return kernel
    signature = tuple(map(type_of, arguments))
    if signature not in kernel.overloads:
        kernel.compile(signature)
    return kernel.get_overload(signature)


def type_of(argument: Any) -> numba.types.Type:
    """Return Numba's type of an argument. Record types are cached, since Numba derives them field by field."""
    if hasattr(argument, "_fields"):
        return numba.types.BaseTuple.from_types(tuple(map(type_of, argument)), type(argument))
    if not isinstance(argument, np.ndarray) or argument.dtype.names is None:
        return numba.typeof(argument)
    flags = argument.flags
    return type_of_records(argument.dtype, argument.ndim, flags.c_contiguous, flags.aligned, flags.writeable)


@cache
def type_of_records(dtype: np.dtype, ndim: int, contiguous: bool, aligned: bool, writeable: bool) -> numba.types.Array:
    """Return Numba's type of an array of records."""
    layout = "C" if contiguous else "A"
    return numba.types.Array(numba.from_dtype(dtype), ndim, layout, readonly=not writeable, aligned=aligned)
