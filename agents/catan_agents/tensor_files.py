"""Shared parts of weight files: the allowed dtypes, matrices in 8 bits and a checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

DTYPES = ("F16", "F32", "I8", "I32", "I64", "BOOL")
"""The dtypes that this project's networks use, by their safetensors names."""
MOST_BYTES = 2**32
CHECKSUM = "checksum"
ROW_SCALES = "/row_scales"
"""What follows a matrix's name in the name of the factors of its rows."""


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


def rounded_to_bytes(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return named arrays with floating-point matrices as int8 and other floating-point arrays as float16.

    A row of a matrix is a float16 factor, stored in an array of its own, times whole numbers from -127 to 127.
    """
    rounded: dict[str, np.ndarray] = {}
    for name, tensor in tensors.items():
        if not np.issubdtype(tensor.dtype, np.floating):
            rounded[name] = tensor
        elif tensor.ndim != 2:
            rounded[name] = tensor.astype(np.float16)
        else:
            # a factor is not rounded down, or the largest entries would not fit
            scales = np.nextafter((np.abs(tensor).max(axis=1) / 127).astype(np.float16), np.float16(np.inf))
            rounded[name] = np.rint(tensor / scales[:, None].astype(np.float32)).astype(np.int8)
            rounded[name + ROW_SCALES] = scales
    return rounded


def restored_from_bytes(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Undo `rounded_to_bytes`: return named arrays with matrices stored as int8 as float32, without their factors.

    Raises:
        ValueError: such a matrix has no factor for each row.
    """
    restored = dict(tensors)
    for name, tensor in tensors.items():
        if tensor.dtype == np.int8:
            scales = restored.pop(name + ROW_SCALES, None)
            if tensor.ndim != 2 or scales is None or scales.shape != tensor.shape[:1]:
                raise ValueError(f"{name} has 8 bits, but {name + ROW_SCALES} has no factor for each of its rows")
            restored[name] = tensor * scales[:, None].astype(np.float32)
    return restored
