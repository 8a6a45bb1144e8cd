"""Tables in Parquet: written with the fingerprint that tells later whether they are still the same, and read back."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import polars as pl

from catan_env.errors import CatanError
from catan_env.whole_files import write_whole

MOST_BYTES = 2**33
DAMAGED = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError, MemoryError)
"""What polars runs into where bytes are no table."""


def table_of(data: bytes, name: str) -> pl.DataFrame:
    """The table in the bytes of a Parquet file, which `name` says where they are from.

    Raises:
        CatanError: there is none.
    """
    try:
        return pl.read_parquet(io.BytesIO(data))
    except DAMAGED as failure:
        reason = (str(failure) or type(failure).__name__).splitlines()[0]
        raise CatanError(f"{name}: this is no Parquet table, or a damaged one: {reason}") from None


def bytes_of(table: pl.DataFrame) -> bytes:
    """The table as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    return buffer.getvalue()


def write_table(path: Path, table: pl.DataFrame) -> str:
    """Write a Parquet file, in place of what was there at once; return its fingerprint.

    Raises:
        OSError: the file cannot be written.
    """
    data = bytes_of(table)
    write_whole(path, data)
    return fingerprint(data)


def fingerprint(data: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
