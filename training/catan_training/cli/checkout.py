"""Access to the repository's `tools` folder, which is not installed with the package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from catan_env.errors import OptionError

CHECKOUT = Path(__file__).resolve().parents[3]
"""The repository's folder, if this module is in a checkout."""


def checkout() -> Path:
    """Return the folder of the repository containing this package.

    Raises:
        OptionError: the package is installed without the repository.
    """
    if not (CHECKOUT / "tools" / "__init__.py").is_file():
        raise OptionError(
            "This command works on the repository's documentation, and this package is installed without the "
            "repository. Clone it, run `pip install -e '.[train,render,docs]'` in it, and try again."
        )
    return CHECKOUT


def tool(name: str) -> ModuleType:
    """Import the repository's module `tools.<name>`.

    Raises:
        OptionError: the package is installed without the repository.
    """
    folder = str(checkout())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module(f"tools.{name}")
