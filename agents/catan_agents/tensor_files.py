"""What files of weights have in common: which numbers they may hold, and a checksum that tells whether they changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

DTYPES = ("F16", "F32", "I32", "I64", "BOOL")
"""What safetensors calls the numbers that networks of this project are made of."""
MOST_BYTES = 2**32
CHECKSUM = "checksum"


def checksum_of(tensors: Mapping[str, np.ndarray], text: str = "") -> str:
    """The checksum of arrays by name, and of a text about them: hexadecimal digits."""
    total = hashlib.sha256(text.encode())
    for name, tensor in sorted(tensors.items()):
        total.update(f"{name} {tensor.dtype.str} {tensor.shape} ".encode())
        total.update(np.ascontiguousarray(tensor).tobytes())
    return total.hexdigest()


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of a safetensors file by name, and its metadata.

    Raises:
        OSError, SafetensorError: it cannot be read, or is no such file.
        ValueError: it holds other kinds of numbers than `DTYPES`, or too many.
    """
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"it has {path.stat().st_size:,} bytes; at most {MOST_BYTES:,} are read")
    with safe_open(path, "numpy") as file:
        names = list(file.keys())
        for name in names:
            dtype: Any = file.get_slice(name).get_dtype()
            if dtype not in DTYPES:
                raise ValueError(f"{name} holds numbers of the kind {dtype}; allowed: {', '.join(DTYPES)}")
        return {name: file.get_tensor(name) for name in names}, dict(file.metadata() or {})
