"""Tests of numbers from callers and files. Python counts True and False as integers; arguments here do not."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np


def is_integer(value: Any) -> TypeGuard[int]:
    """Return whether a value is an integer, of Python or NumPy, and not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a real number, of Python or NumPy, and not a bool."""
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.complexfloating))
