"""Type checks for numbers from callers and files. Unlike in Python itself, True and False do not count as integers."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np


def is_integer(value: Any) -> TypeGuard[int]:
    """Return whether a value is a Python or NumPy integer other than a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a Python or NumPy real number other than a bool."""
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.complexfloating))
