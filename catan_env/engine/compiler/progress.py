"""A line on the terminal while somebody waits for the compiler."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

DELAY = 0.5
"""Seconds before the line appears. Most of what takes less is not worth reading."""
CLEAR = "\r\033[K"


@dataclass
class Waiting:
    """The time for which this process has waited for the compiler, in seconds of the wall and of the processor."""

    wall: float = 0.0
    processor: float = 0.0


WAITED = Waiting()


@contextmanager
def compiling(label: str) -> Iterator[None]:
    """Show "Compiling the rules of LABEL" with the seconds so far, if the standard error output is a terminal.

    The line disappears at the end of the `with` block, and `WAITED` grows by its time.
    """
    wall, processor = time.perf_counter(), time.process_time()
    try:
        with _shown(label):
            yield
    finally:
        WAITED.wall += time.perf_counter() - wall
        WAITED.processor += time.process_time() - processor


@contextmanager
def _shown(label: str) -> Iterator[None]:
    stream = sys.stderr
    if stream is None or stream.closed or not stream.isatty():
        yield
        return
    finished, start = threading.Event(), time.monotonic()

    def show() -> None:
        pause = DELAY
        while not finished.wait(pause):
            seconds = time.monotonic() - start
            stream.write(f"{CLEAR}Compiling the rules of {label}: {seconds:.0f} s (later runs load them)")
            stream.flush()
            pause = 1.0

    writer = threading.Thread(target=show, daemon=True)
    writer.start()
    try:
        yield
    finally:
        finished.set()
        writer.join()
        stream.write(CLEAR)
        stream.flush()
