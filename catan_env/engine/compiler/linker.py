"""Compiling a kernel as one whole program: a shorter first start and a faster step.

Numba optimises every function on its own, together with copies of all that it calls, and makes machine code of it,
before the function that calls it does all that again. And it keeps every function callable from elsewhere, so that
LLVM must pass arguments as strangers do and inlines little. Nobody but its kernel calls a rule: so rules stay as they
are translated, are joined once, and are optimised once, as private parts of the kernel.

This replaces private parts of Numba: see `patches.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import llvmlite.binding as llvm
import numba
from numba.core import codegen

from catan_env.engine.compiler.patches import replaced
from catan_env.errors import CompositionError

LIBRARY, CODEGEN = codegen.JITCodeLibrary, codegen.JITCPUCodegen
SLP_VECTORIZE = 1
"""Whether like operations on neighbouring entries, such as cards of a hand and of a price, become one on a vector."""
ASKED = ".numba.unresolved$"
"""What Numba calls an address that it means to fill in later; it forgets to when a kernel comes from the cache."""


@contextmanager
def one_program(name: str, vectors: bool) -> Iterator[None]:
    """While this lasts, the kernel of this name is compiled as a whole program.

    Without `vectors` loops are not vectorised: those of the rules, over resources, players and corners, are too short
    for it. Observations, whose loops are long, gain by it.
    """
    optimize, finalize, set_env = LIBRARY._optimize_final_module, LIBRARY.finalize, CODEGEN.set_env

    def optimize_kernel(library):
        refuse_recursion_of_two_types(library._final_module)
        for k, function in enumerate(library._final_module.functions):
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"
                # A name of its own: the loader would take it for the function that other kernels share.
                function.name = f"{name}.{k}"
        optimize(library)

    def finalize_kernel(library):
        if library.name == name:
            join(library)
            finalize(library)
        else:
            for function in library._final_module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"  # several kernels may have it
            library._finalize_dynamic_globals()
            library._finalized = True
            library._get_module_for_linking = partial(joined, library)

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


def join(library: codegen.CodeLibrary) -> None:
    """Links in all that a function calls, and what that calls, once: the callers first, since LLVM takes over only what
    is asked for by then."""
    ordered_libraries, seen_libraries = [], set()

    def visit(part):
        if part not in seen_libraries:
            seen_libraries.add(part)
            for dependency in part._linking_libraries:
                visit(dependency)
            ordered_libraries.append(part)

    visit(library)
    for called_library in ordered_libraries[-2::-1]:
        if hasattr(library, "_reload_init"):  # since Numba 0.62
            library._reload_init.update(called_library._reload_init)
        library._final_module.link_in(LIBRARY._get_module_for_linking(called_library), preserve=True)
    library._linking_libraries = []


def joined(library: codegen.CodeLibrary) -> llvm.ModuleRef:
    """A part of a kernel with all that it calls, for whoever needs it elsewhere and expects that."""
    del library._get_module_for_linking
    library._shared_module = None
    join(library)
    return library._get_module_for_linking()


def refuse_recursion_of_two_types(module: llvm.ModuleRef) -> None:
    """Raises CompositionError where a rule calls itself with arguments of other types than it was called with."""
    for variable in module.global_variables:
        if variable.name.startswith(ASKED):
            rule_names = re.findall(r"\d([A-Za-z_]+)B\d+v", variable.name)
            raise CompositionError(
                f"{rule_names[0] if rule_names else variable.name} calls itself with arguments of other types than "
                "others call it with: write np.int64(...) around numbers that come from the record or the table."
            )
