"""Shared parts of weight files: the allowed dtypes, matrices in 8 bits and a checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

from catan_env.errors import OptionError

DTYPES = ("F16", "F32", "I8", "I32", "I64", "BOOL")
"""The dtypes that this project's networks use, by their safetensors names."""
MOST_BYTES = 2**32
CHECKSUM = "checksum"
ROW_SCALES = "/row_scales"
"""Suffix of the name under which the scales of a matrix's rows are stored."""


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


def rounded_to(bits: int, tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return named arrays with floating-point numbers of 32 or 16 bits, or with matrices in 8 bits and the rest in 16.

    In 8 bits, each row of a matrix becomes integers from -127 to 127 and a float16 scale. The scales are a separate
    array.

    Raises:
        OptionError: `bits` is not 8, 16 or 32.
    """
    if bits not in (8, 16, 32):
        raise OptionError(f"bits is {bits!r}; it must be 8, 16 or 32.")
    rounded: dict[str, np.ndarray] = {}
    for name, tensor in tensors.items():
        if not np.issubdtype(tensor.dtype, np.floating):
            rounded[name] = np.ascontiguousarray(tensor)
        elif bits > 8 or tensor.ndim != 2:
            rounded[name] = np.ascontiguousarray(tensor, np.float32 if bits == 32 else np.float16)
        else:
            # round scales up, so that the largest entries fit
            scales = np.nextafter((np.abs(tensor).max(axis=1) / 127).astype(np.float16), np.float16(np.inf))
            rounded[name] = np.rint(tensor / scales[:, None].astype(np.float32)).astype(np.int8)
            rounded[name + ROW_SCALES] = scales
    return rounded


def restored(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Undo `rounded_to` for 8 bits: return named arrays with matrices stored as int8 as float32, without their scales.

    Raises:
        ValueError: such a matrix does not have one scale per row.
    """
    whole = dict(tensors)
    for name, tensor in tensors.items():
        if tensor.dtype == np.int8:
            scales = whole.pop(name + ROW_SCALES, None)
            if tensor.ndim != 2 or scales is None or scales.shape != tensor.shape[:1]:
                raise ValueError(f"{name} has 8 bits, but {name + ROW_SCALES} does not have one scale per row")
            whole[name] = tensor * scales[:, None].astype(np.float32)
    return whole
