"""Importing the installed version of fastcatan.

fastcatan is published under the MIT license; this package contains none of its code. Releases 1.0.x include the
alpha-beta player; release 2 has no players. Both require Python 3.12 or later.
"""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import version
from typing import Any

from catan_env.errors import MissingExtraError

INSTALL = "pip install 'catan-env[fastcatan]'"
NEEDED_PYTHON = (3, 12)
SNAPSHOT_BYTES = 431
"""Size of the snapshots that `states` reads, in bytes."""


def load() -> Any:
    """Import fastcatan and return its module.

    Raises:
        MissingExtraError: fastcatan is not installed, this version of Python is too old for it, or the installed
            release has no player.
    """
    try:
        library: Any = importlib.import_module("fastcatan")
    except ModuleNotFoundError as error:
        if error.name != "fastcatan":
            raise
        if sys.version_info < NEEDED_PYTHON:
            running = f"{sys.version_info[0]}.{sys.version_info[1]}"
            needed = f"Python 3.12 or later; this is Python {running}. Use a newer Python, then {INSTALL}"
        else:
            needed = f"'fastcatan', which is not installed: {INSTALL}"
        raise MissingExtraError(f"The bridge to fastcatan needs {needed}.") from None
    if not hasattr(library.Env, "ab_decide") or library.SNAPSHOT_BYTES != SNAPSHOT_BYTES:
        raise MissingExtraError(
            f"fastcatan {getattr(library, '__version__', 'of an unknown release')} has no alpha-beta player; the "
            f"releases 1.0.x have it: {INSTALL}."
        )
    return library


def release() -> str:
    """Return the version of fastcatan in use."""
    load()
    return version("fastcatan")
