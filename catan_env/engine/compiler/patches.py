"""Decides whether to patch Numba, based on its version and an environment variable."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numba

KNOWN_VERSIONS = ((0, 61), (0, 62), (0, 63), (0, 64), (0, 65), (0, 66), (0, 67), (0, 68))
"""Numba releases (major, minor) that all patches have been tested with (`tools/compare_numba.py`)."""
SWITCH = "CATAN_ENV_NUMBA_PATCHES"
"""Environment variable: 0 turns all patches off; 1 turns them on for any Numba version."""


def patches_wanted(version: str = numba.__version__, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether to apply the patches to a Numba version.

    Warns:
        RuntimeWarning: the version is untested and the switch is unset.

    Raises:
        ValueError: the switch is neither 0 nor 1.
    """
    switch = environment.get(SWITCH, "")
    if switch not in ("", "0", "1"):
        raise ValueError(f"{SWITCH} is {switch!r}: set it to 0 (patches off) or 1 (on), or leave it unset.")
    if switch:
        return switch == "1"
    release = re.match(r"(\d+)\.(\d+)", version)
    if release and tuple(map(int, release.groups())) in KNOWN_VERSIONS:
        return True
    known_versions = ", ".join(f"{major}.{minor}" for major, minor in KNOWN_VERSIONS)
    warnings.warn(
        f"Numba {version} is installed, but catan_env can speed up the compiler of Numba {known_versions} only. "
        "Everything works, but compiles and plays more slowly. Install one of these versions, or silence this with "
        f"{SWITCH}=0.",
        RuntimeWarning,
        stacklevel=2,
    )
    return False


PATCHED = not numba.config.DISABLE_JIT and patches_wanted()
"""Whether this process replaces private parts of Numba."""


@contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Replace an attribute of a class or module inside the `with` block."""
    original_value = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, original_value)
