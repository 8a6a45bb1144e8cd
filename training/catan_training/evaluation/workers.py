"""Workers that run jobs: a Ray cluster, or local processes that exit when their parent does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from catan_env.errors import CatanError
from catan_training.evaluation.cluster import on_cluster
from catan_training.machine import machine

Workers = int | str | None
"""Number of local processes (1 for the current process, None for one per core), or a Ray cluster's address as in
`catan_training.evaluation.cluster.connect`."""
Play = Callable[..., Any]
"""`play(settings, *job)` runs a job. Workers must be able to import the function."""
Job = tuple[Any, ...]
"""Arguments of one job. For a tournament: (table, first paired seed)."""
Run = Callable[[Iterator[Job]], Iterator[Any]]
Submit = Callable[..., Future[Any]]


def play_jobs(settings: Any, jobs: Iterator[Job], workers: Workers, play: Play) -> Generator[Any, None, None]:
    """Run jobs, yielding each result as soon as its job finishes.

    `jobs` is consumed lazily as workers become free.

    Raises:
        CatanError: an agent or a rule fails, a worker process dies, or a cluster does not respond or gives up on a job.
    """
    with worker_pool(settings, workers, play) as run:
        yield from run(jobs)


@contextmanager
def worker_pool(settings: Any, workers: Workers, play: Play) -> Iterator[Run]:
    """Start workers, and stop them on exit.

    Yields:
        A function that runs jobs like `play_jobs`. It may be called again and again, one call after the other.
    """
    workers = machine()["cores"] if workers is None else workers
    if workers == 1:
        yield lambda jobs: (play(settings, *job) for job in jobs)
        return
    pool = on_cluster(settings, play, workers) if isinstance(workers, str) else _processes(settings, play, workers)
    with pool as (submit, room):
        yield lambda jobs: _submitted(submit, jobs, room)


def _submitted(submit: Submit, jobs: Iterator[Job], room: Callable[[], int]) -> Iterator[Any]:
    """Keep submitting jobs while there is room, and yield their results."""
    running: set[Future[Any]] = set()
    while True:
        capacity = room()
        while len(running) < capacity and (job := next(jobs, None)):
            running.add(submit(*job))
        if not running:
            return
        finished, running = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()


@contextmanager
def _processes(settings: Any, play: Play, workers: int) -> Iterator[tuple[Submit, Callable[[], int]]]:
    """Start worker processes and stop them on exit.

    Yields:
        A function that submits a job and a function that returns how many jobs to keep submitted.
    """
    context = multiprocessing.get_context("spawn")
    held_by_workers, lifeline = context.Pipe(duplex=False)
    with held_by_workers, lifeline:
        pool = ProcessPoolExecutor(workers, context, _set_up, (settings, play, held_by_workers))
        try:
            yield lambda *job: pool.submit(_play, *job), lambda: workers + 1
        except BrokenProcessPool:
            raise CatanError(
                "A worker process died, perhaps for lack of memory. Run the same command to resume."
            ) from None
        finally:
            lifeline.close()  # stop workers immediately, as their results are not needed
            pool.shutdown(cancel_futures=True)


_settings: Any
_how: Play


def _set_up(settings: Any, play: Play, lifeline: Connection) -> None:
    """Initialize a worker process."""
    global _settings, _how
    _settings, _how = settings, play
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one torch thread each, as workers run in parallel
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    """Exit this process when the other end of the lifeline is closed or its owner dies."""
    try:
        lifeline.recv()
    except (EOFError, OSError):
        os._exit(1)


def _play(*job: Any) -> Any:
    return _how(_settings, *job)
