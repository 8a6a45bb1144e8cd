"""Threads that share the games of a batch."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


class Threads:
    """As many Python threads as share a batch; kernels release the interpreter lock.

    Args:
        count: threads, the caller's own included.
        num_games: games in the batch.
    """

    def __init__(self, count: int, num_games: int):
        self.pool = ThreadPoolExecutor(count - 1) if count > 1 else None
        self.bounds = [num_games * k // count for k in range(count + 1)]

    def run(self, work: Callable[[int, int, int], int | None]) -> int:
        """Run `work(thread, start, stop)` over slices of the batch; return their statuses, or-ed."""
        if self.pool is None:
            return work(0, *self.bounds) or 0
        slices = list(zip(self.bounds[:-1], self.bounds[1:], strict=True))
        futures = [self.pool.submit(work, k, *slices[k]) for k in range(1, len(slices))]
        status = work(0, *slices[0]) or 0
        for future in futures:
            status |= future.result() or 0
        return status
