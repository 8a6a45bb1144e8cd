"""Files of saved parts, one per part, in a separate folder of the compiler cache.

A file is named after the part's symbol and never changes. It consists of a line of JSON and the part's bitcode,
compressed and with a checksum; loading it executes nothing. Saving parts deletes the files that were not used for
longest, once all files exceed `MOST_BYTES` of `disk_cache`. Damaged files and files of other formats are ignored: their
rules compile again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from catan_env.engine.compiler.disk_cache import (
    DamagedCacheError,
    DiskCache,
    check_seal,
    keep_recent,
    mark_used,
    sealed,
    warn_once,
)
from catan_env.whole_files import write_whole

SUFFIX = ".part"
FORMAT = b"catan-env part 2\n"
LEVEL = 1
"""Compression level: higher ones take longer than they save."""


class SavedPart(NamedTuple):
    """The code of a rule."""

    return_type: str
    """The name of Numba's type."""
    called: tuple[str, ...]
    """The symbols of the parts that it calls."""
    bitcode: bytes


def folder_of_parts() -> Path | None:
    """Return the folder of all files of parts, or None if no folder can be written."""
    path = DiskCache(folder_of_parts).cache_path
    return Path(path) if path else None


def path_of(folder: Path, symbol: str) -> Path:
    """Return the path of a part's file."""
    return folder / f"{symbol}{SUFFIX}"


def write_parts(folder: Path, parts: Mapping[str, SavedPart]) -> None:
    """Save parts, by symbol, and make room for them. Warn if they cannot be written."""
    try:
        for symbol, part in parts.items():
            header = json.dumps([part.return_type, part.called]).encode()
            data = zlib.compress(header + b"\n" + part.bitcode, LEVEL)
            write_whole(path_of(folder, symbol), sealed(FORMAT + data))
        keep_recent(folder.glob(f"*{SUFFIX}"))
    except OSError as error:  # programs also compile without saved parts
        warn_once(f"Compiled rules cannot be saved in {folder} ({error}). Later runs compile them again.")


def read_part(folder: Path, symbol: str) -> SavedPart | None:
    """Return a saved part, or None if its file is missing, damaged or of another format."""
    path = path_of(folder, symbol)
    try:
        part = _part_in(path.read_bytes())
        mark_used(path)
        return part
    except (OSError, DamagedCacheError, ValueError, TypeError, zlib.error):
        return None


def _part_in(data: bytes) -> SavedPart:
    body = check_seal(data)
    if len(body) == len(data) or not body.startswith(FORMAT):
        raise DamagedCacheError("the file has no checksum, or another format")
    header, _, bitcode = zlib.decompress(body[len(FORMAT) :]).partition(b"\n")
    return_type, called = json.loads(header)
    return SavedPart(return_type, tuple(called), bitcode)
