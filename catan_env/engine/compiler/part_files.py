"""Files of saved parts, one per kernel, in a separate folder of the compiler cache.

A file holds the parts of the program that its kernel compiled last. It is replaced as a whole, so parts that no program
uses any more disappear. It consists of an index in JSON and the parts' bitcode, compressed and with a checksum; loading
it executes nothing. Saving a file deletes those that were not used for longest, once all files exceed `MOST_BYTES` of
`disk_cache`. Damaged files and files of other formats are ignored: their rules compile again.
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

SUFFIX = ".parts"
FORMAT = b"catan-env parts 1\n"
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


def write_parts(path: Path, parts: Mapping[str, SavedPart]) -> None:
    """Replace a file of parts, by symbol. Warn if it cannot be written."""
    index = [[symbol, part.return_type, part.called, len(part.bitcode)] for symbol, part in parts.items()]
    data = b"".join([json.dumps(index).encode(), b"\n", *(part.bitcode for part in parts.values())])
    try:
        write_whole(path, sealed(FORMAT + zlib.compress(data, LEVEL)))
        keep_recent(path.parent.glob(f"*{SUFFIX}"))
    except OSError as error:  # programs also compile without saved parts
        warn_once(f"Compiled rules cannot be saved in {path} ({error}). Later runs compile them again.")


def read_parts(path: Path) -> dict[str, SavedPart]:
    """Return the parts in a file by symbol; return none if the file is damaged or has another format."""
    try:
        parts = _parts_in(path.read_bytes())
        mark_used(path)
        return parts
    except (OSError, DamagedCacheError, ValueError, TypeError, zlib.error):
        return {}


def _parts_in(data: bytes) -> dict[str, SavedPart]:
    body = check_seal(data)
    if len(body) == len(data) or not body.startswith(FORMAT):
        raise DamagedCacheError("the file has no checksum, or another format")
    index, _, code = zlib.decompress(body[len(FORMAT) :]).partition(b"\n")
    parts, start = {}, 0
    for symbol, return_type, called, size in json.loads(index):
        parts[symbol] = SavedPart(return_type, tuple(called), code[start : start + size])
        start += size
    return parts
