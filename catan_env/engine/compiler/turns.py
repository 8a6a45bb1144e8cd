"""Turns, by which processes that start with an empty cache compile each kernel only once."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # on Windows, processes do not wait for each other
    fcntl = None

LONGEST_WAIT = 300.0
"""Seconds after which a process stops waiting and takes its turn anyway."""
PAUSE = 0.05
"""Seconds between two attempts to lock the file."""


@contextmanager
def turn(path: str | None) -> Iterator[None]:
    """Wait until no other process or thread is in such a `with` block with the same path.

    The path names a file that exists during a turn. If a process is killed, its turn ends. Nobody waits if the path is
    None or the file cannot be locked.
    """
    descriptor = _lock(path) if path and fcntl else None
    try:
        yield
    finally:
        if path and descriptor is not None:
            with suppress(OSError):
                os.unlink(path)
            os.close(descriptor)


def _lock(path: str) -> int | None:
    """Return a descriptor that holds the file's lock, or None if the file cannot be locked."""
    deadline = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < deadline:
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            os.close(descriptor)
            time.sleep(PAUSE)
        except OSError:
            os.close(descriptor)
            return None
    return None
