"""Saved parts of compiled programs: an edit of one rule compiles only what the edit reaches.

A part is a rule function that is compiled but not linked: its LLVM bitcode, its signature, and the parts that it calls.
Each kernel has a file with the parts of its program. A rule is loaded from there if its digest and its argument types
match; otherwise it compiles. The digest of a rule covers all that it calls, so its callers compile too, up to the
kernel. `linker.py` then links and optimizes the program as a whole.

This module depends on private parts of Numba: see `patches.py`.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompileResult, compile_result
from numba.core.environment import Environment

from catan_env.engine.compiler.disk_cache import SEAL_SIZE, check_seal, sealed, warn_once
from catan_env.engine.compiler.linker import library_of_bitcode
from catan_env.engine.compiler.patches import replaced
from catan_env.whole_files import write_whole

SUFFIX = ".parts"
FAST = 1
"""Level of compression."""
NO_MODULE = {"loaded": True}
"""Globals of loaded parts. Without a module's name, Numba does not save them with a kernel."""


class SavedPart(NamedTuple):
    """A compiled function on disk, or code of Numba that compiled functions call."""

    name: str
    bitcode: bytes
    called: tuple[str, ...]
    """Keys of the parts that it calls."""
    function: tuple | None
    """Numba's descriptor and signature of the function; None for code of Numba."""


class Part(NamedTuple):
    """A compiled function in this process."""

    library: CodeLibrary
    description: Any
    signature: Any


class PartFile:
    """The saved parts of a kernel, while the kernel compiles.

    Args:
        path: its file.
        family: the end of the names of files with parts of the same rules, made by other kernels.
        settings: everything besides rules and argument types that affects compiled code.
    """

    def __init__(self, path: Path, family: str, settings: str):
        self.path, self.family, self.settings = path, family, settings
        self.used: dict[str, Part] = {}
        self.compiled: set[str] = set()
        self._saved: dict[str, SavedPart] | None = None

    @property
    def saved(self) -> dict[str, SavedPart]:
        """The saved parts by key, loaded at first use. Parts in this kernel's file take precedence."""
        if self._saved is None:
            self._saved = {}
            paths = sorted(self.path.parent.glob(f"*{self.family}{SUFFIX}"))
            for path in sorted(paths, key=lambda path: path == self.path):
                self._saved |= read_parts(path)
        return self._saved

    def key(self, digest: str, argument_types: tuple) -> str:
        """Return the key of a rule function for arguments of these types."""
        parts = [self.settings, digest, *map(text_of, argument_types)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def load(self, key: str, target_context: Any) -> Part | None:
        """Return a part of this process or of the file, or None."""
        part = PARTS.get(key)
        if part is None and (saved := self.saved.get(key)) is not None and saved.function is not None:
            try:
                part = PARTS[key] = Part(self._library(key, target_context.codegen()), *saved.function)
            except KeyError:  # it calls a part that is missing
                return None
        if part is not None:
            self.used[key] = part
        return part

    def _library(self, key: str, codegen: Any) -> CodeLibrary:
        if key not in LIBRARIES:
            saved = self.saved[key]
            called_libraries = [self._library(called, codegen) for called in saved.called]
            LIBRARIES[key] = library_of_bitcode(codegen, saved.name, saved.bitcode, called_libraries)
        return LIBRARIES[key]

    def add(self, key: str, compiled: CompileResult) -> None:
        """Add a function that has just been compiled."""
        description = copy(compiled.fndesc)
        description.typemap = description.calltypes = None
        description.global_dict = NO_MODULE
        self.used[key] = PARTS[key] = Part(compiled.library, description, compiled.signature)
        LIBRARIES[key] = compiled.library
        self.compiled.add(key)

    def forget(self) -> None:
        """Drop what was compiled for a program that failed. Rules that call each other in a circle fail."""
        for key in self.compiled:
            del PARTS[key], LIBRARIES[key]

    def save(self) -> None:
        """Write the parts of the program, if one of them was compiled."""
        if not self.compiled:
            return
        keys = {part.library: key for key, part in self.used.items()}
        parts: dict[str, SavedPart] = {}
        visited: dict[CodeLibrary, str] = {}

        def visit(library: CodeLibrary) -> str:
            if library not in visited:
                bitcode = library._final_module.as_bitcode()
                key = visited[library] = keys.get(library) or hashlib.sha256(bitcode).hexdigest()
                function = self.used[key][1:] if key in self.used else None
                called = tuple(map(visit, library._linking_libraries))
                parts[key] = SavedPart(library.name, bitcode, called, function)
            return visited[library]

        for part in self.used.values():
            visit(part.library)
        try:
            data = zlib.compress(pickle.dumps(parts, pickle.HIGHEST_PROTOCOL), FAST)
            write_whole(self.path, sealed(data), shared=True)
        except (OSError, pickle.PicklingError, TypeError) as error:  # compiled code works without saved parts
            warn_once(f"Parts of compiled rules cannot be saved in {self.path}: {error}")


PARTS: dict[str, Part] = {}
"""All parts of this process by key."""
LIBRARIES: dict[str, CodeLibrary] = {}
"""Their libraries by key, and the libraries of Numba's code by the digest of their bitcode."""
OPEN_FILES: list[PartFile] = []
"""The file of the kernel that is being compiled, last."""


def read_parts(path: Path) -> dict[str, SavedPart]:
    """Return the parts in a file; none if it is damaged."""
    try:
        data = path.read_bytes()
        check_seal(data)
        return pickle.loads(zlib.decompress(data[:-SEAL_SIZE]))
    except Exception:  # a damaged file can raise any error in pickle; its rules compile again
        return {}


@cache
def ids_of(process: int) -> Iterator[int]:
    """Return the numbers in the names of functions that a process compiles.

    They start at random, because a part from another process must not share its name with a function of this one.
    """
    return itertools.count(secrets.randbits(60))


@cache
def text_of(argument_type: types.Type) -> str:
    """Return a text that tells types apart between processes."""
    tuple_class = getattr(argument_type, "instance_class", None)
    return f"{argument_type} {getattr(tuple_class, '_fields', '')}"


@contextmanager
def saved_parts(file: PartFile | None) -> Iterator[None]:
    """Load parts from a file inside the `with` block; save the parts of the program at its end."""
    if file is None:
        yield
        return
    OPEN_FILES.append(file)
    try:
        with replaced(FunctionIdentity, "_unique_ids", ids_of(os.getpid())):
            yield
        file.save()
    except BaseException:
        file.forget()
        raise
    finally:
        OPEN_FILES.pop()


class PartCache(_Cache):
    """Numba's cache interface for one rule function."""

    cache_path = None

    def __init__(self, digest: str):
        self.digest = digest

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, or None."""
        if not OPEN_FILES:
            return None
        file = OPEN_FILES[-1]
        part = file.load(file.key(self.digest, sig), target_context)
        if part is None:
            return None
        environment = Environment.from_fndesc(part.description)
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=part.library,
            environment=environment,
            entry_point=target_context.get_executable(part.library, part.description, environment),
            fndesc=part.description,
            signature=part.signature,
            objectmode=False,
            lifted=(),
            reload_init=[],
            referenced_envs=[],
        )

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, unless it holds addresses or objects of this process."""
        if OPEN_FILES and not data.library.has_dynamic_globals and not data.environment.consts:
            file = OPEN_FILES[-1]
            file.add(file.key(self.digest, sig), data)

    def enable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def flush(self) -> None:
        """Do nothing: a file is replaced as a whole."""
