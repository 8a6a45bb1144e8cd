"""Shared parts of weight files: the allowed dtypes and a checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

DTYPES = ("F16", "F32", "I32", "I64", "BOOL")
"""The dtypes that this project's networks use, by their safetensors names."""
MOST_BYTES = 2**32
CHECKSUM = "checksum"


def checksum_of(tensors: Mapping[str, np.ndarray], text: str = "") -> str:
    """Return the hexadecimal checksum of named arrays and an accompanying string."""
    total = hashlib.sha256(text.encode())
    for name, tensor in sorted(tensors.items()):
        total.update(f"{name} {tensor.dtype.str} {tensor.shape} ".encode())
        total.update(np.ascontiguousarray(tensor).tobytes())
    return total.hexdigest()


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Read the named arrays and the metadata of a safetensors file.

    Raises:
        OSError, SafetensorError: the file cannot be read or is in another format.
        ValueError: the file is too large, or contains a dtype not in `DTYPES`.
    """
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"it has {path.stat().st_size:,} bytes; the limit is {MOST_BYTES:,}")
    with safe_open(path, "numpy") as file:
        names = list(file.keys())
        for name in names:
            dtype: Any = file.get_slice(name).get_dtype()
            if dtype not in DTYPES:
                raise ValueError(f"{name} has the dtype {dtype}; allowed: {', '.join(DTYPES)}")
        return {name: file.get_tensor(name) for name in names}, dict(file.metadata() or {})
