"""The linker, which compiles a kernel as one program for a faster first start and faster steps.

Numba normally optimizes every function separately, together with copies of all functions that it calls, and generates
machine code. The caller then repeats this work. Numba also keeps every function callable from outside, so LLVM uses the
standard calling convention and inlines little. But a rule is called only from its kernel. The linker therefore leaves
rules unoptimized at first, then links and optimizes them once, as private parts of the kernel.

The linker replaces private parts of Numba; see `patches.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import llvmlite.binding as llvm
import numba
from numba.core import codegen

from catan_env.engine.compiler.layouts import LAYOUTS, fill_in
from catan_env.engine.compiler.patches import replaced
from catan_env.errors import CompositionError

LIBRARY, CODEGEN = codegen.JITCodeLibrary, codegen.JITCPUCodegen
SLP_VECTORIZE = 1
"""Whether identical operations on adjacent entries, such as those of a hand and a price, are vectorized."""
PART = "_ZN75catan_rule_"
"""Prefix of the symbols of rules that several kernels share. Numba expects this form, with the length of the name."""
ASKED = ".numba.unresolved$"
"""Prefix of addresses that Numba resolves later, except in kernels loaded from the cache."""


@contextmanager
def one_program(
    name: str, vectors: bool, linked: Callable[[llvm.ModuleRef, list[codegen.CodeLibrary]], None]
) -> Iterator[None]:
    """Compile the kernel with this name as one program inside the `with` block.

    `vectors` enables loop vectorization. Loops over resources, players and corners in rules are too short to benefit
    from it, but long loops in encoders do. `linked(program, libraries)` is called before the program is optimized.
    """
    optimize, finalize, set_env = LIBRARY._optimize_final_module, LIBRARY.finalize, CODEGEN.set_env

    def optimize_kernel(library):
        refuse_recursion_of_two_types(library._final_module)
        for k, function in enumerate(library._final_module.functions):
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"
                # A unique name keeps the loader from confusing this function with the one that other kernels share.
                function.name = f"{name}.{k}"
        optimize(library)

    def finalize_kernel(library):
        if library.name == name:
            libraries = join(library)
            linked(library._final_module, libraries)
            fill_in(library._final_module)
            finalize(library)
        else:
            for function in library._final_module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"  # several kernels may contain it
            library._finalize_dynamic_globals()
            leave_unlinked(library)

    def set_env_where_loaded(generator, env_name, env):
        if generator._engine.get_global_value_address(env_name):
            set_env(generator, env_name, env)

    with (
        replaced(LIBRARY, "_optimize_final_module", optimize_kernel),
        replaced(LIBRARY, "finalize", finalize_kernel),
        replaced(CODEGEN, "set_env", set_env_where_loaded),
        replaced(numba.config, "LOOP_VECTORIZE", int(vectors)),
        replaced(numba.config, "SLP_VECTORIZE", SLP_VECTORIZE),
    ):
        yield


@contextmanager
def with_own_parts() -> Iterator[None]:
    """Give kernels that Numba's linker completes inside the `with` block private copies of shared rules.

    The loader would otherwise take the copy of another kernel, which is made for other records.
    """
    optimize = LIBRARY._optimize_final_module

    def optimize_own(library):
        for function in library._final_module.functions:
            if not function.is_declaration and function.name.startswith(PART):
                function.linkage = "internal"
        optimize(library)

    with replaced(LIBRARY, "_optimize_final_module", optimize_own):
        yield


def leave_unlinked(library: codegen.CodeLibrary) -> None:
    """Mark a library as finalized. The functions that it calls are linked in later, with the whole kernel."""
    library._finalized = True
    library._get_module_for_linking = partial(joined, library)


def join(library: codegen.CodeLibrary) -> list[codegen.CodeLibrary]:
    """Link everything that a function calls, directly or indirectly; return it. Each part is linked once."""
    libraries = called_by(library)
    for called_library in libraries:
        if hasattr(library, "_reload_init"):  # since Numba 0.62
            library._reload_init.update(called_library._reload_init)
        library._final_module.link_in(LIBRARY._get_module_for_linking(called_library), preserve=True)
    library._linking_libraries = []
    return libraries


def called_by(library: codegen.CodeLibrary) -> list[codegen.CodeLibrary]:
    """Return everything that a function calls, directly or indirectly.

    Callers come first, because LLVM links only functions that are already referenced.
    """
    ordered_libraries, seen_libraries = [], set()

    def visit(part):
        if part not in seen_libraries:
            seen_libraries.add(part)
            for dependency in part._linking_libraries:
                visit(dependency)
            ordered_libraries.append(part)

    visit(library)
    return ordered_libraries[-2::-1]


def joined(library: codegen.CodeLibrary) -> llvm.ModuleRef:
    """Return a copy of part of a kernel, linked with everything it calls, for use outside the kernel."""
    copies = LAYOUTS[-1].copies
    if library not in copies:
        program = copies[library] = LIBRARY._get_module_for_linking(library).clone()
        for called_library in called_by(library):
            program.link_in(LIBRARY._get_module_for_linking(called_library), preserve=True)
        fill_in(program)
    return copies[library]


def refuse_recursion_of_two_types(module: llvm.ModuleRef) -> None:
    """Raise CompositionError if a rule calls itself with argument types that its other callers do not use."""
    for variable in module.global_variables:
        if variable.name.startswith(ASKED):
            rule_names = re.findall(r"\d([A-Za-z_]+)B\d+v", variable.name)
            raise CompositionError(
                f"{rule_names[0] if rule_names else variable.name} calls itself with arguments of other types than "
                "its other callers pass, for example a float instead of an integer: pass the same types everywhere."
            )
