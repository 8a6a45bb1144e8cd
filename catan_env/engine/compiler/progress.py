"""A progress line in the terminal or notebook while the user waits for the compiler."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from catan_env.notebook import notebook

DELAY = 0.5
"""Seconds before the line appears. Most shorter waits are not worth a message."""
CLEAR = "\r\033[K"


@dataclass
class Waiting:
    """How long this process has waited for the compiler, in seconds of wall-clock time and of CPU time."""

    wall: float = 0.0
    processor: float = 0.0


WAITED = Waiting()


@contextmanager
def compiling(label: str) -> Iterator[None]:
    """Show "Compiling the rules of LABEL" and the elapsed seconds in a terminal or below a notebook cell.

    The line disappears at the end of the `with` block, whose duration is added to `WAITED`. Nothing is written to files
    or pipes.
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
    show = _screen()
    if show is None:
        yield
        return
    finished, start = threading.Event(), time.monotonic()

    def count() -> None:
        pause = DELAY
        while not finished.wait(pause):
            seconds = time.monotonic() - start
            show(f"Compiling the rules of {label}: {seconds:.0f} s (later runs load them)")
            pause = 1.0

    writer = threading.Thread(target=count, daemon=True)
    writer.start()
    try:
        yield
    finally:
        finished.set()
        writer.join()
        show("")


def _screen() -> Callable[[str], None] | None:
    """Return a function that replaces the displayed line, or None if nobody would see it."""
    if notebook() is not None:
        return _NotebookLine()
    stream = sys.stderr
    if stream is None or stream.closed or not stream.isatty():
        return None

    def write(text: str) -> None:
        stream.write(CLEAR + text)
        stream.flush()

    return write


class _NotebookLine:
    """A line below the running cell. It takes up no space until text is first shown."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, text: str) -> None:
        from IPython.display import display

        if self._handle is not None:
            self._handle.update({"text/plain": text}, raw=True)
        elif text:
            self._handle = display({"text/plain": text}, raw=True, display_id=True)
