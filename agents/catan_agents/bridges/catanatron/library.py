"""Importing catanatron, from either an installed release or a checkout.

catanatron is licensed under the GPL-3. This package contains none of its code and imports it only when a bridge is
used. Programs distributed with catanatron must comply with its license.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from catan_env.errors import MissingExtraError, OptionError

CHECKOUT = "CATANATRON_CHECKOUT"
"""Environment variable holding the path to a checkout of catanatron's repository."""


def load(checkout: str | Path | None = None) -> ModuleType:
    """Import catanatron and return its module.

    Args:
        checkout: path to a checkout of its repository, needed for the players `value` and `alpha-beta`, which are
            missing from the release on PyPI. Defaults to the environment variable CATANATRON_CHECKOUT or, if that is
            not set, to the installed package.

    Raises:
        MissingExtraError: catanatron or a library that it needs is not installed.
        OptionError: the folder is not a checkout, or this process has already imported another copy of catanatron.
    """
    folder = checkout or os.environ.get(CHECKOUT)
    loaded = sys.modules.get("catanatron")
    if folder is not None:
        root = next((p for p in _roots(Path(folder)) if (p / "catanatron" / "game.py").is_file()), None)
        if root is None:
            raise OptionError(f"checkout is {str(folder)!r}; it must be a checkout of catanatron's repository.")
        if loaded is not None and Path(str(loaded.__file__)).resolve().parent.parent != root.resolve():
            raise OptionError(f"catanatron of {loaded.__file__} is in use; start a new process to use {folder}.")
        if str(root) not in sys.path:
            sys.path.insert(0, str(root))
    return part("catanatron")


def part(name: str) -> Any:
    """Return the catanatron module with the given full name.

    Raises:
        MissingExtraError: catanatron lacks this module, or a library that it needs is not installed.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("catanatron."):
            raise MissingExtraError(
                f"This catanatron has no {error.name!r}: the release on PyPI has no value and alpha-beta players. Name "
                f"a checkout of its repository: {CHECKOUT}=FOLDER."
            ) from None
        raise MissingExtraError(
            f"catanatron needs {error.name!r}, which is not installed: pip install 'catan-env[catanatron]'."
        ) from None


def release() -> str:
    """Return the version of catanatron in use or, for a checkout, the commit."""
    folder = Path(str(load().__file__)).resolve().parent
    roots = (folder.parent, folder.parent.parent)  # possible roots of a checkout, see `_roots`
    head = next((p / ".git" / "HEAD" for p in roots if (p / ".git" / "HEAD").is_file()), None)
    if head is None:
        try:
            return version("catanatron")
        except PackageNotFoundError:
            return "unknown"
    text = head.read_text().strip()
    reference = text.removeprefix("ref: ")
    loose, packed = head.parent / reference, head.parent / "packed-refs"
    if text != reference and loose.is_file():
        text = loose.read_text().strip()
    elif text != reference and packed.is_file():
        lines = [line.split() for line in packed.read_text().splitlines() if not line.startswith("#")]
        text = next((parts[0] for parts in lines if parts[1:] == [reference]), reference)
    return f"commit {text[:10]}"


def _roots(folder: Path) -> tuple[Path, ...]:
    return folder, folder / "catanatron", folder / "catanatron_core"
