"""Access to the folder `tools` of the repository, which is not installed with the package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from catan_env.errors import OptionError

CHECKOUT = Path(__file__).resolve().parents[3]
"""Folder of the repository, if this module is in a checkout."""


def checkout() -> Path:
    """Return the folder of the repository that contains this package.

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
    """Import the module `tools.<name>` of the repository.

    Raises:
        OptionError: the package is installed without the repository.
    """
    folder = str(checkout())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module(f"tools.{name}")
