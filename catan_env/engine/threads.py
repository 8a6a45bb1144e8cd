"""Threads that share a batch's games, in this process and in processes forked from it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait

_process_of_parallel_kernels: int | None = None
"""The process that first ran a parallel kernel. Forked processes do not inherit its threads."""
_has_warned = False


def may_run_parallel_kernels() -> bool:
    """Return whether kernels with parallel loops can run in this process.

    They cannot if the process was forked after such a kernel had run, because OpenMP would terminate the process.

    Warns:
        RuntimeWarning: parallel kernels cannot run; issued once per process.
    """
    global _process_of_parallel_kernels, _has_warned  # noqa: PLW0603 (the state of this process)
    if _process_of_parallel_kernels is None:
        _process_of_parallel_kernels = os.getpid()
    if _process_of_parallel_kernels == os.getpid():
        return True
    if not _has_warned:
        _has_warned = True
        warnings.warn(
            "This process was forked after an engine had used several threads. Its engines use one thread; results do "
            "not change. To use threads in workers, start them with 'spawn' or 'forkserver', or before the first step.",
            RuntimeWarning,
            stacklevel=2,
        )
    return False


def pieces(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Split `start .. stop` into pieces of at most `size`, because running compiled code cannot be interrupted."""
    for first in range(start, stop, max(size, 1)):
        yield first, min(first + max(size, 1), stop)


class Threads:
    """A group of Python threads that share a batch. Kernels release the interpreter lock.

    Args:
        count: number of threads, including the caller's.
        num_games: number of games in the batch.

    Attributes:
        interrupted: whether the caller was interrupted, in which case work can stop early.
    """

    def __init__(self, count: int, num_games: int):
        self.bounds = [num_games * k // count for k in range(count + 1)]
        self.interrupted = False
        self._pool: ThreadPoolExecutor | None = None
        self._process = -1

    def run(self, work: Callable[[int, int, int], int | None]) -> int:
        """Run `work(thread, start, stop)` on slices of the batch and return the bitwise OR of the results.

        All threads have finished when this method returns or raises.
        """
        self.interrupted = False
        if len(self.bounds) == 2:
            return work(0, *self.bounds) or 0
        slices = list(zip(self.bounds[:-1], self.bounds[1:], strict=True))
        pool = self._workers()
        futures = [pool.submit(work, k, *slices[k]) for k in range(1, len(slices))]
        try:
            status = work(0, *slices[0]) or 0
            for future in futures:
                status |= future.result() or 0
        except BaseException:
            self.interrupted = True
            wait(futures)
            raise
        return status

    def _workers(self) -> ThreadPoolExecutor:
        """Return the pool of the other threads, which is recreated after a fork."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(len(self.bounds) - 2), os.getpid()
        return self._pool
