"""Lookup of rule modules by their names in scenario files."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from catan_env.engine.binding import did_you_mean, module_name
from catan_env.errors import CompositionError

GAMES = "catan_env.games."
OWN_FILES = "catan_rule_files"
"""Prefix in `sys.modules` for rule files outside any package."""


def find_module(name: str, folder: Path | None) -> ModuleType:
    """Return the rule module with this name.

    Args:
        name: "base.robber" for `catan_env/games/base/robber.py`; "my_package.my_rule" for any importable module;
            "./my_rule.py" for a file in `folder`.
        folder: folder of the scenario file.

    Raises:
        CompositionError: the module does not exist or cannot be imported; the message suggests similar names.
    """
    if name.endswith(".py"):
        return _from_file(name, folder)
    for full_name in (GAMES + name, name):
        try:
            return import_module(full_name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{full_name}.".startswith(f"{error.name}."):
                raise CompositionError(f"rule module {name!r} cannot be imported: {error}.") from error
    raise CompositionError(
        f"there is no rule module {name!r}.{did_you_mean(name, known_modules())} Modules are named "
        '"<system>.<module>" as in catan_env/games, by their dotted name if they can be imported, or "./my_rule.py".'
    )


def name_in_files(module: object) -> str:
    """Return the name of a rule module in scenario files."""
    name = getattr(module, "__name__", module_name(module))
    if name.startswith(f"{OWN_FILES}."):
        return f"./{Path(str(getattr(module, '__file__', name))).name}"
    return name.removeprefix(GAMES)


def known_modules() -> list[str]:
    """Return the names of all modules in the folders of the game systems."""
    return [f"{file.parent.name}.{file.stem}" for file in Path(__file__).parent.glob("*/[!_]*.py")]


def _from_file(name: str, folder: Path | None) -> ModuleType:
    """Import a rule file and return its module.

    The module's name contains a hash of the file, so an edited file never mixes with rules compiled from an older
    version.
    """
    path = (folder or Path()) / name
    if not path.is_file():
        raise CompositionError(f"there is no rule file at {path}.")
    digest = hashlib.sha256(str(path.resolve()).encode() + path.read_bytes()).hexdigest()[:12]
    full_name = f"{OWN_FILES}.{digest}.{path.stem}"
    if full_name not in sys.modules:
        spec = importlib.util.spec_from_file_location(full_name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full_name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[full_name]
            raise CompositionError(f"rule file {path} cannot be imported: {type(error).__name__}: {error}.") from error
    return sys.modules[full_name]
