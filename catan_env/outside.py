"""Load Python modules from outside this package, by dotted name ("my_package.rules") or file path ("./rules.py").

A reference consists of a module, a colon and an object in that module: "my_package:fishermen", "agents.py:MyAgent".
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from types import ModuleType
from typing import Any

from catan_env.errors import CatanError

OWN_FILES = "catan_rule_files"
"""Prefix in `sys.modules` for files outside any package."""

OWN_PACKAGES = ("catan_env", "catan_agents", "catan_training")

Error = type[CatanError]

may_import: ContextVar[bool] = ContextVar("may_import", default=True)
"""Whether `load_module` and `load_file` may import modules that are not yet loaded."""


@contextmanager
def importing(allowed: bool) -> Iterator[None]:
    """Allow or forbid importing modules that are not yet loaded.

    Names read from files, such as the scenario of a log, are looked up with importing forbidden, so that reading a file
    never runs code.
    """
    token = may_import.set(allowed)
    try:
        yield
    finally:
        may_import.reset(token)


def check_loaded(full_name: str, name: str, error: Error) -> None:
    """Raise `error` if importing is forbidden and this module (`full_name` in `sys.modules`) is not loaded."""
    if not may_import.get() and full_name not in sys.modules:
        raise error(
            f"Module {name!r} is not loaded, and a file that names a module may not import it. If you trust it, add "
            f"--import {name} on the command line, or in Python import it first."
        )


def load_module(name: str, error: Error) -> ModuleType:
    """Import a module by its dotted name, or by its path if it ends in .py, and return it.

    Raises:
        CatanError: an `error`; the module does not exist, cannot be imported, or may not be imported (see `importing`).
            The message explains how to make it importable.
    """
    if name.endswith(".py"):
        return load_file(Path(name).expanduser(), error)
    if not name or name.startswith("."):
        raise error(f"{name!r} is not the name of a module; write my_package.rules or ./rules.py.")
    check_loaded(name, name, error)
    module = module_if_found(name, error)
    if module is None:
        raise error(
            f"There is no module {name!r}. Install the package that contains it, run in the folder where it lies, or "
            f"give the path of its file, which ends in .py."
        )
    return module


def module_if_found(name: str, error: Error) -> ModuleType | None:
    """Import a module by its dotted name and return it, or None if it or one of its parent packages does not exist.

    Raises:
        CatanError: an `error`; the module exists but cannot be imported. The message gives the file and line.
    """
    try:
        return import_module(name)
    except Exception as failure:
        if isinstance(failure, ModuleNotFoundError) and failure.name and f"{name}.".startswith(f"{failure.name}."):
            return None
        raise failed_import(f"Module {name!r}", failure, error) from failure


def failed_import(module: str, failure: Exception, error: Error) -> CatanError:
    """Return an `error` that explains why a module cannot be imported and which line of its code is responsible."""
    if isinstance(failure, ModuleNotFoundError):
        reason = f"it needs {failure.name!r}, which is not installed"
    elif isinstance(failure, CatanError):
        reason = str(failure)  # its message already says what to do
    else:
        reason = f"{type(failure).__name__}: {failure}"
    frames = [
        (frame.f_code, line, frame.f_globals.get("__name__", "").partition(".")[0])
        for frame, line in traceback.walk_tb(failure.__traceback__)
    ]
    places = [(code.co_filename, line) for code, line, package in frames if package not in (*OWN_PACKAGES, "importlib")]
    if not places:  # a module in this package: report the statement in that module, not the code it called
        places = [
            (code.co_filename, line)
            for code, line, package in frames
            if package != "importlib" and code.co_name == "<module>"
        ]
    if isinstance(failure, SyntaxError):
        reason, places = f"{type(failure).__name__}: {failure.msg}", [(str(failure.filename), failure.lineno or 0)]
    place = f"{places[-1][0]}, line {places[-1][1]}: " if places else ""
    return error(f"{module} cannot be imported: {place}{reason.removesuffix('.')}.")


def load_file(path: Path, error: Error) -> ModuleType:
    """Import a file and return its module; errors are as for `load_module`.

    The module name contains a hash of the file, so an edited file is never combined with rules compiled from an older
    version.
    """
    if not path.is_file():
        raise error(f"There is no file {path}. Check the path.")
    digest = hashlib.sha256(str(path.resolve()).encode() + path.read_bytes()).hexdigest()[:12]
    full_name = f"{OWN_FILES}.{digest}.{path.stem}"
    check_loaded(full_name, str(path.resolve()), error)
    if full_name not in sys.modules:
        spec = importlib.util.spec_from_file_location(full_name, path.resolve())
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full_name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as failure:
            del sys.modules[full_name]
            raise failed_import(f"File {path}", failure, error) from failure
    return sys.modules[full_name]


def load_object(reference: str, error: Error) -> Any:
    """Return the object that "module:name" or "file.py:name" refers to; errors are as for `load_module`."""
    module_name, _, attribute = reference.rpartition(":")
    module = load_module(module_name, error)
    try:
        return getattr(module, attribute)
    except AttributeError:
        names = ", ".join(name for name in vars(module) if not name.startswith("_"))
        raise error(f"Module {module_name!r} has no {attribute!r}. It has: {names or 'nothing'}.") from None


def absolute(name: str) -> str:
    """Return a module name that other processes can resolve; for a file, this is the absolute path."""
    return str(Path(name).expanduser().resolve()) if name.endswith(".py") else name


def calling_module() -> str:
    """Return the name under which `load_module` finds the module that called this package.

    The name is "" if no other process can import the caller, as for a script, a notebook, or this package during its
    own import.
    """
    frame = sys._getframe(1)  # noqa: SLF001 (as `collections.namedtuple` finds its caller)
    own_name = __name__.partition(".")[0]
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == own_name:
        frame = frame.f_back
    name = frame.f_globals.get("__name__", "")
    if name.startswith(f"{OWN_FILES}."):
        return str(frame.f_globals["__file__"])
    return name if name in sys.modules and name != "__main__" and not name.startswith("importlib.") else ""


def version_of(name: str) -> str:
    """Return the version of a module: that of its installed package, or else its `__version__`, or ""."""
    top = name.partition(".")[0]
    if name.endswith(".py"):
        return ""
    for package in (top, *packages_distributions().get(top, ())):
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    return str(getattr(sys.modules.get(top), "__version__", ""))


def find_in_folder(folder: str | None = None) -> None:
    """Make modules in this folder (default: the current one) importable by name, searched after installed ones."""
    path = folder or os.getcwd()
    if path not in sys.path and "" not in sys.path:
        sys.path.append(path)
