"""Jobs on all cores: processes that end with the one that started them, however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any

from catan_env.errors import CatanError
from training.comparing.deals import play_deals

Play = Callable[..., Any]
"""`play(settings, *job)` works a job off; a function that a worker process can import."""


def play_jobs(
    settings: Any, jobs: Iterator[tuple[int, int]], workers: int, play: Play = play_deals
) -> Generator[Any, None, None]:
    """Plays jobs, in a tournament given as (table, first deal), and yields what came out as they end; `jobs` is asked
    only for what is next.

    With one worker they are played in this process.

    Raises:
        CatanError: of an agent or the rules, or a worker process died.
    """
    if workers == 1:
        for job in jobs:
            yield play(settings, *job)
        return
    context = multiprocessing.get_context("spawn")
    held_by_workers, lifeline = context.Pipe(duplex=False)
    with held_by_workers, lifeline:
        pool = ProcessPoolExecutor(workers, context, _set_up, (settings, play, held_by_workers))
        try:
            yield from _in_pool(pool, jobs, workers + 1)
        except BrokenProcessPool:
            raise CatanError("A worker process died (out of memory?). The same command goes on from here.") from None
        finally:
            lifeline.close()  # workers stop at once: nobody waits for games that are not wanted any more
            pool.shutdown(cancel_futures=True)


def _in_pool(pool: ProcessPoolExecutor, jobs: Iterator[tuple[int, int]], ahead: int) -> Iterator[Any]:
    running: set[Future[Any]] = set()
    while True:
        while len(running) < ahead and (job := next(jobs, None)):
            running.add(pool.submit(_play, *job))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


_settings: Any
_how: Play


def _set_up(settings: Any, play: Play, lifeline: Connection) -> None:
    """First thing in a worker."""
    global _settings, _how
    _settings, _how = settings, play
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that people see
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # of torch, if an agent brings it: the workers are the parallelism
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    """Ends this process when the other end of the lifeline is closed, by hand or by the death of its holder."""
    try:
        lifeline.recv()
    except (EOFError, OSError):
        os._exit(1)


def _play(*job: int) -> Any:
    return _how(_settings, *job)
