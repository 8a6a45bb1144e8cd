"""Parquet tables with fingerprints for detecting later changes."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import polars as pl

from catan_env.errors import CatanError
from catan_env.whole_files import write_whole
from catan_training.machine import OWN, versions

MOST_BYTES = 2**33
DAMAGED = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError, MemoryError)
"""Exceptions that polars raises for bytes that are not a Parquet table."""


def table_of(data: bytes, name: str) -> pl.DataFrame:
    """Parse a Parquet file's bytes into a table. `name` identifies the source in error messages.

    Raises:
        CatanError: the bytes are not a Parquet table.
    """
    try:
        return pl.read_parquet(io.BytesIO(data))
    except DAMAGED as failure:
        reason = (str(failure) or type(failure).__name__).splitlines()[0]
        raise CatanError(f"{name}: not a Parquet table, or damaged: {reason}") from None


def bytes_of(table: pl.DataFrame, level: int | None = None) -> bytes:
    """Convert a table to Parquet bytes, compressed with zstd at the given level (None for the default level).

    The file's metadata contain catan-env's version and commit.
    """
    buffer = io.BytesIO()
    table.write_parquet(buffer, compression_level=level, metadata=versions(OWN))
    return buffer.getvalue()


def write_table(path: Path, table: pl.DataFrame) -> str:
    """Write a Parquet file atomically and return its fingerprint.

    Raises:
        OSError: the file cannot be written.
    """
    data = bytes_of(table)
    write_whole(path, data)
    return fingerprint(data)


def fingerprint(data: bytes) -> str:
    """Return the SHA-256 hash of the bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
