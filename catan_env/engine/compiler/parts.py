"""Parts of programs: each rule compiles once, for all kernels, processes and edits that use it unchanged.

A part is the LLVM code of one rule for one combination of argument types, before it is linked with others. Its symbol
is a digest of everything that the code is made of (`content.py`), so equal symbols mean equal code, wherever it was
compiled. After an edit, only the edited rule and the rules that call it have new symbols; all other parts are loaded,
and `linker.py` optimizes the program as a whole.

A part stands on its own: code of Numba that it needs is linked into it as private functions. It refers only to other
parts, by symbol, to intrinsics of LLVM and to a few functions of the C library. It contains no address, and it uses no
Python object. Rules for which this does not hold compile for each process, as do all rules that call them.

This module depends on private parts of Numba; see `patches.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import types
from numba.core.caching import _Cache
from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompileResult, compile_result
from numba.core.environment import Environment
from numba.core.funcdesc import FunctionDescriptor
from numba.core.types.containers import Tuple, UniTuple
from numba.core.types.misc import literal
from numba.core.typing import signature
from numba.core.utils import _dynamic_modname

from catan_env.engine.compiler import layouts
from catan_env.engine.compiler.content import NoDigestError, digest_of, digest_of_rule, text_of_argument
from catan_env.engine.compiler.linker import PART, leave_unlinked
from catan_env.engine.compiler.part_files import SavedPart, folder_of_parts, read_part, write_parts

C_FUNCTIONS = {"sqrt", "exp", "log", "pow", "floor", "ceil", "fmod", "memcpy", "memset", "memmove"}
OBJECTS = re.compile(r"inttoptr \(i\d+ -?\d+ to|numba\.dynamic\.globals|\.numba\.unresolved|pickledata")
"""Code with addresses or Python objects."""
SCALARS: dict[str, Any] = {str(scalar): scalar for scalar in (*types.number_domain, types.boolean, types.none)}
LITERALS: dict[str, Callable[[str], Any]] = {"Literal[int](": int, "Literal[bool](": "True".__eq__}


class Part(NamedTuple):
    """A part in this process."""

    library: CodeLibrary
    saved: SavedPart


PARTS: dict[str, Part] = {}
"""All parts of this process by symbol."""
SAVED: set[str] = set()
"""The symbols of the parts that this process has read from files or written to them."""
SYMBOLS: dict[CodeLibrary, str] = {}
"""The symbols of all libraries that hold a part."""
OTHERS: set[CodeLibrary] = set()
"""The libraries of rules that are no parts."""


class MissingPartError(Exception):
    """A program is incomplete."""


class SavedParts:
    """The saved parts, while a kernel compiles.

    Args:
        settings: everything other than content and argument types that affects compiled code.
    """

    def __init__(self, settings: str):
        self.settings = settings

    @cached_property
    def folder(self) -> Path | None:
        """The folder of the files, or None if it cannot be written."""
        return folder_of_parts()

    def load(self, symbol: str) -> SavedPart | None:
        """Return the part with this symbol if it is saved."""
        part = read_part(self.folder, symbol) if self.folder else None
        if part:
            SAVED.add(symbol)
        return part

    def save(self, program: llvm.ModuleRef, libraries: Iterable[CodeLibrary]) -> None:
        """Save the parts of a program that was linked from these libraries, unless they are saved.

        Raises:
            MissingPartError: the program calls a part that none of the libraries defines.
        """
        symbols = with_called({SYMBOLS[library] for library in libraries if library in SYMBOLS})
        for function in program.functions:
            if function.name.startswith(PART) and (function.is_declaration or function.name not in symbols):
                raise MissingPartError(f"{function.name} is missing: empty the folder {self.folder}.")
        if self.folder and (unsaved := sorted(symbols - SAVED)):
            write_parts(self.folder, {symbol: PARTS[symbol].saved for symbol in unsaved})
            SAVED.update(unsaved)


def with_called(symbols: set[str]) -> set[str]:
    """Return the symbols of parts together with those of all parts that they call."""
    reached, pending = set(symbols), list(symbols)
    while pending:
        called = set(PARTS[pending.pop()].saved.called) - reached
        reached |= called
        pending += called
    return reached


OPEN: list[SavedParts] = []
"""The saved parts that the kernel being compiled uses."""


@contextmanager
def saved_parts(parts: SavedParts) -> Iterator[None]:
    """Load rules from saved parts inside the `with` block, and make parts of all other rules."""
    OPEN.append(parts)
    try:
        yield
    finally:
        OPEN.pop()


class PartCache(_Cache):
    """Numba's cache interface for one rule."""

    cache_path = None

    def __init__(self, rule: Any):
        self._rule = rule

    def symbol(self, argument_types: tuple) -> str | None:
        """Return the rule's symbol for arguments of these types, or None if it has no digest."""
        if not OPEN:
            return None
        try:
            argument_texts = [text_of_argument(self._rule, argument_type) for argument_type in argument_types]
            content = [OPEN[-1].settings, digest_of_rule(self._rule), *argument_texts]
        except NoDigestError:
            return None
        return f"{PART}{digest_of(content)}E"

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the compiled rule for arguments of these types, or None."""
        symbol = self.symbol(sig)
        part = symbol and load_part(symbol, target_context.codegen())
        if not symbol or not part or (return_type := type_named(part.saved.return_type)) is None:
            return None
        description = FunctionDescriptor(
            native=True,
            modname=_dynamic_modname,
            qualname=symbol,
            unique_name=symbol,
            doc="",
            typemap=None,
            restype=return_type,
            calltypes=None,
            args=tuple(self._rule._compiler.pysig.parameters),
            kws=(),
            mangler=lambda name, *_, **__: symbol + ".env" * name.startswith(".NumbaEnv"),
            argtypes=tuple(sig),
            inline=self._rule.targetoptions.get("forceinline", False),
        )
        environment = Environment.from_fndesc(description)
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=part.library,
            environment=environment,
            entry_point=target_context.get_executable(part.library, description, environment),
            fndesc=description,
            signature=signature(return_type, *sig),
            objectmode=False,
            lifted=(),
            reload_init=[],
            referenced_envs=[],
        )

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Make a part of a rule that has just been compiled, if it can stand on its own."""
        symbol = self.symbol(sig)
        if symbol is None or not make_part(symbol, data):
            OTHERS.add(data.library)

    def enable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def flush(self) -> None:
        """Do nothing: files are replaced as a whole."""


def load_part(symbol: str, codegen: Any) -> Part | None:
    """Return a part and load everything that it calls; return None if anything is missing."""
    if symbol not in PARTS:
        saved = OPEN[-1].load(symbol)
        called_parts = [load_part(called, codegen) for called in saved.called] if saved else [None]
        if saved is None or None in called_parts:
            return None
        library = codegen.create_library(symbol)
        library._final_module = llvm.parse_bitcode(saved.bitcode)
        keep_part(symbol, library, saved, [part.library for part in called_parts if part])
    return PARTS[symbol]


def keep_part(symbol: str, library: CodeLibrary, saved: SavedPart, called: list[CodeLibrary]) -> None:
    """Remember a library as the part with this symbol, which calls other parts."""
    library._linking_libraries = called
    leave_unlinked(library)
    SYMBOLS[library] = symbol
    PARTS[symbol] = Part(library, saved)


def make_part(symbol: str, compiled: CompileResult) -> bool:
    """Rename a compiled rule to its symbol and register it as a part. Return False if it depends on this process."""
    library, description = compiled.library, compiled.fndesc
    if getattr(library, "_reload_init", None) or not OTHERS.isdisjoint(library._linking_libraries):
        return False
    called = [other for other in library._linking_libraries if other in SYMBOLS]
    called_symbols = tuple(SYMBOLS[other] for other in called)
    module = library._final_module.clone()
    for other in library._linking_libraries:
        if other not in SYMBOLS:
            module.link_in(other._get_module_for_linking(), preserve=True)
    names = [function.name for function in module.functions if not function.is_declaration]
    if description.mangled_name not in names or not stands_alone(module, called_symbols):
        return False
    for k, name in enumerate(names):
        function = module.get_function(name)
        if name == description.mangled_name:
            function.name = description.mangled_name = symbol
        else:
            function.linkage, function.name = "internal", f"private.{k}.{symbol}"
    for k, variable in enumerate(module.global_variables):
        if not variable.name.startswith(layouts.PREFIX):
            variable.name = f"private.variable.{k}.{symbol}"
    module.name = symbol
    library._final_module = module
    return_type = compiled.signature.return_type
    type_name = str(return_type) if type_named(str(return_type)) == return_type else ""
    keep_part(symbol, library, SavedPart(type_name, called_symbols, module.as_bitcode()), called)
    return True


def stands_alone(module: llvm.ModuleRef, called_symbols: Iterable[str]) -> bool:
    """Return whether code refers only to these symbols, LLVM and the C library, and means the same in any process."""
    text = str(module)
    declared = {function.name for function in module.functions if function.is_declaration}
    foreign = {name for name in declared - C_FUNCTIONS - {*called_symbols} if not name.startswith("llvm.")}
    for variable in module.global_variables:
        if variable.linkage == llvm.Linkage.common and text.count(variable.name) == 1:
            variable.linkage = "internal"  # the environment, which is not used
        elif variable.name.startswith(layouts.PREFIX):
            continue  # the linker fills it in
        elif variable.is_declaration or variable.linkage not in (llvm.Linkage.internal, llvm.Linkage.private):
            return False
    return not foreign and not OBJECTS.search(text)


def type_named(name: str) -> types.Type | None:
    """Return the type with this name if it is a number, a literal or nothing, or a tuple of them; otherwise None."""
    if name in SCALARS:
        return SCALARS[name]
    for start, read in LITERALS.items():
        if name.startswith(start) and name.endswith(")"):
            return literal(read(name[len(start) : -1]))
    if match := re.fullmatch(r"UniTuple\((\w+) x (\d+)\)", name):
        part = type_named(match[1])
        return part and UniTuple(part, int(match[2]))
    if match := re.fullmatch(r"Tuple\(([\w, ]+)\)", name):
        parts = [type_named(part) for part in match[1].split(", ")]
        return None if None in parts else Tuple(tuple(parts))
    return None
