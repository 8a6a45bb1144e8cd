"""Lookup of rule modules by the names used in scenario files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from catan_env.engine.binding import did_you_mean, module_name
from catan_env.errors import CompositionError
from catan_env.outside import OWN_FILES, check_loaded, load_file, module_if_found

GAMES = "catan_env.games."


def find_module(name: str, folder: Path | None) -> ModuleType:
    """Return the rule module with this name.

    Args:
        name: "base.robber" for `catan_env/games/base/robber.py`; "my_package.my_rule" for any importable module;
            "./my_rule.py" for a file in `folder`.
        folder: the scenario file's folder.

    Raises:
        CompositionError: the module does not exist or cannot be imported; the message suggests similar names.
    """
    if name.endswith(".py"):
        return load_file((folder or Path()) / name, CompositionError)
    for full_name in (GAMES + name, name):
        if full_name == name:
            check_loaded(name, name, CompositionError)
        module = module_if_found(full_name, CompositionError)
        if module is not None:
            return module
    raise CompositionError(
        f"there is no rule module {name!r}.{did_you_mean(name, known_modules())} Modules are named "
        '"<system>.<module>" as in catan_env/games, by their dotted name if they can be imported, or "./my_rule.py".'
    )


def name_in_files(module: object) -> str:
    """Return the name used for a rule module in scenario files."""
    name = getattr(module, "__name__", module_name(module))
    if name.startswith(f"{OWN_FILES}."):
        return f"./{Path(str(getattr(module, '__file__', name))).name}"
    return name.removeprefix(GAMES)


def known_modules() -> list[str]:
    """Return the names of all modules in the folders of the game systems."""
    return [f"{file.parent.name}.{file.stem}" for file in Path(__file__).parent.glob("*/[!_]*.py")]
