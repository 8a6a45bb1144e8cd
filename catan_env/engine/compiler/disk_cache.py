"""A disk cache of compiled functions that reads from several folders and writes to the first writable one.

Numba itself uses only the first writable folder, and fails if there is none or if a file is corrupt. This cache can
also load from caches that were filled in advance and are read-only, such as in a container image or on a cluster's
shared filesystem. It treats corrupt files as missing and carries on when a function cannot be saved. It tries
`NUMBA_CACHE_DIR`, `__pycache__` next to the source, and the user's cache folder, in this order. Saving a function
deletes those that were not used for longest, once a folder exceeds `MOST_BYTES`.

This module depends on private parts of Numba; see `patches.py`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import time
import warnings
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import config
from numba.core.caching import CacheImpl, CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _Cache

MARK = b"catan-env sealed"
"""Separates the contents of a cache file from the checksum. Numba ignores both the mark and the checksum."""
DIGEST_SIZE = 16
MOST_BYTES = 1 << 30
"""Size of the compiled functions that are kept in each folder."""
DAY = 24 * 60 * 60
WARNED: set[str] = set()
"""Warnings that this process has already issued; each is issued only once."""


class DamagedCacheError(Exception):
    """A cache file was damaged after it was written."""


def sealed(data: bytes) -> bytes:
    """Return the contents of a cache file with a checksum appended."""
    return data + MARK + hashlib.blake2b(data, digest_size=DIGEST_SIZE).digest()


def check_seal(data: bytes) -> bytes:
    """Return the contents of a cache file without the checksum.

    Files written by Numba have no checksum.

    Raises:
        DamagedCacheError: the checksum is wrong.
    """
    marked, digest = data[:-DIGEST_SIZE], data[-DIGEST_SIZE:]
    body, mark = marked[: -len(MARK)], marked[-len(MARK) :]
    if mark == MARK and hashlib.blake2b(body, digest_size=DIGEST_SIZE).digest() != digest:
        raise DamagedCacheError("the checksum is wrong")
    return body if mark == MARK else data


class SealedFiles(IndexDataCacheFile):
    """Numba's index and data files for one function, with checksums."""

    def _dump(self, obj: Any) -> bytes:
        return sealed(super()._dump(obj))

    def _load_index(self) -> dict[Any, str]:
        try:
            with open(self._index_path, "rb") as file:
                pickle.load(file)  # the version, which is stored without a checksum
                check_seal(file.read())
        except FileNotFoundError:
            return {}
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        with open(self._data_path(name), "rb") as file:
            check_seal(file.read())
        mark_used(self._data_path(name))
        return super()._load_data(name)


class Place(FunctionCache):
    """A function's files in one cache folder, writable or not."""

    def __init__(self, py_func: Any, locator_class: type | None):
        self._impl_class = implementation(locator_class) if locator_class else CompileResultCacheImpl
        super().__init__(py_func)
        locator = self._impl.locator
        self._cache_file = SealedFiles(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    @property
    def is_writable(self) -> bool:
        """Whether functions can be saved in this folder."""
        return getattr(self._impl.locator, "is_writable", True)


def keep_recent(paths: Iterable[Path]) -> set[Path]:
    """Delete the files that were not used for longest, so that `MOST_BYTES` are left, and return those that are."""
    found: list[tuple[float, int, Path]] = []
    for path in paths:
        with suppress(OSError):  # another process may have deleted it
            status = path.stat()
            found.append((status.st_mtime, status.st_size, path))
    total, kept = 0, set()
    for _, size, path in sorted(found, reverse=True):
        total += size
        if total > MOST_BYTES:
            _delete(path)
        else:
            kept.add(path)
    return kept


def mark_used(path: str | Path) -> None:
    """Set the time of a file's last use to now, for `keep_recent`."""
    with suppress(OSError):  # in a read-only folder
        os.utime(path)


def prune(folder: str | Path) -> None:
    """Delete the functions in a folder that were not used for longest; see `keep_recent`.

    Index files stay at least a day after their functions. Otherwise, a process that has just read an index could find
    another function under the name that it read.
    """
    paths = list(Path(folder).glob("*.nb[ci]"))
    kept = keep_recent(path for path in paths if path.suffix == ".nbc")
    wanted = {path.with_suffix("").with_suffix(".nbi") for path in kept}  # a.1.nbc and a.2.nbc belong to a.nbi
    for path in paths:
        if path.suffix == ".nbi" and path not in wanted:
            with suppress(OSError):  # another process may have deleted it
                if path.stat().st_mtime < time.time() - DAY:
                    _delete(path)


def _delete(path: Path) -> None:
    with suppress(OSError):  # it is gone, or open on Windows
        path.unlink()


def implementation(locator_class: type) -> type:
    """Return Numba's class for loading and saving compiled functions, restricted to one kind of folder."""

    class ReadableLocator(locator_class):
        """A locator that also accepts read-only folders."""

        is_writable = True

        def ensure_cache_path(self) -> None:
            try:
                super().ensure_cache_path()
            except OSError:
                self.is_writable = False
                if not os.path.isdir(self.get_cache_path()):
                    raise

    class Implementation(CompileResultCacheImpl):
        """Loads and saves functions in folders of this kind only."""

        _locator_classes = (ReadableLocator,)

    return Implementation


def places_of(py_func: Any) -> list[Place]:
    """Return the folders that may cache a function, up to and including the first writable one."""
    if getattr(config, "CACHE_LOCATOR_CLASSES", ""):  # users can choose other locator classes
        try:
            return [Place(py_func, None)]
        except RuntimeError:
            return []
    places = []
    for locator_class in CacheImpl._locator_classes:
        try:
            places.append(Place(py_func, locator_class))
        except RuntimeError:  # "no locator available": this folder does not exist
            continue
        if places[-1].is_writable:
            break
    return places


class DiskCache(_Cache):
    """Numba's cache interface on top of several folders. File problems never raise errors."""

    def __init__(self, py_func: Any):
        self.places = places_of(py_func)

    @property
    def cache_path(self) -> str | None:
        """The folder that new files are written to, or None."""
        return self.places[-1].cache_path if self.places and self.places[-1].is_writable else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, or None if no folder has an intact one."""
        target_context.refresh()
        for place in self.places:
            try:
                loaded = place.load_overload(sig, target_context)
            except Exception as error:  # unpickling a corrupt file can raise any error
                warn_of_damage(place, error)
                continue
            if loaded is not None:
                return loaded
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled function, or warn if that is not possible."""
        if self.cache_path is None:
            warn_once(
                "Compiled code cannot be saved, because no cache folder is writable. Every new process compiles "
                "again. Set the environment variable NUMBA_CACHE_DIR to a writable folder."
            )
            return
        place = self.places[-1]
        try:
            try:
                place.save_overload(sig, data)
            except OSError:
                raise
            except Exception:  # the index is corrupt; loading has already warned about it
                place.flush()
                place.save_overload(sig, data)
            prune(place.cache_path)
        except Exception as error:  # compiled code also works without a cache
            warn_once(
                f"Compiled code cannot be saved in {place.cache_path} ({describe(error)}). Every new process "
                "compiles again. Free disk space there, or set NUMBA_CACHE_DIR to another folder."
            )

    def enable(self) -> None:
        """Enable all folders."""
        for place in self.places:
            place.enable()

    def disable(self) -> None:
        """Disable all folders."""
        for place in self.places:
            place.disable()

    def flush(self) -> None:
        """Clear the index in the writable folder."""
        if self.cache_path is not None:
            self.places[-1].flush()


def describe(error: Exception) -> str:
    """Return a short description of an error."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def warn_of_damage(place: Place, error: Exception) -> None:
    """Warn that a cache file is corrupt and that its function will be recompiled."""
    warn_once(
        f"The compiler cache {os.path.join(place.cache_path, place._impl.filename_base)}.* is damaged "
        f"({describe(error)}). The function is compiled again, and the file is replaced if possible."
    )


def warn_once(text: str) -> None:
    """Issue a warning unless this process has already issued it."""
    if text not in WARNED:
        WARNED.add(text)
        warnings.warn(text, RuntimeWarning, stacklevel=2)
