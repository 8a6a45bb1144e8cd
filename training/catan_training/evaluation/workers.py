"""Jobs for many workers: processes of this machine, which end with the one that started them, or a Ray cluster."""

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
"""Who plays: so many processes of this machine, 1 for the present one alone, None for one a core; or the address of a
Ray cluster, as `catan_training.evaluation.cluster.connect` takes it."""
Play = Callable[..., Any]
"""`play(settings, *job)` works a job off; a function that a worker can import."""
Job = tuple[int, int]
Submit = Callable[..., Future[Any]]


def play_jobs(settings: Any, jobs: Iterator[Job], workers: Workers, play: Play) -> Generator[Any, None, None]:
    """Plays jobs, in a tournament given as (table, first deal), and yields what came out as they end, once each;
    `jobs` is asked only for what is next.

    Raises:
        CatanError: of an agent or the rules, a worker process died, or a cluster does not answer or gave a job up.
    """
    workers = machine()["cores"] if workers is None else workers
    if workers == 1:
        for job in jobs:
            yield play(settings, *job)
        return
    pool = on_cluster(settings, play, workers) if isinstance(workers, str) else _processes(settings, play, workers)
    with pool as (submit, room):
        yield from _submitted(submit, jobs, room)


def _submitted(submit: Submit, jobs: Iterator[Job], room: Callable[[], int]) -> Iterator[Any]:
    """Keeps as many jobs submitted as there is room for, and yields what came out."""
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
    """Worker processes: what submits a job to them, and for how many jobs there is room."""
    context = multiprocessing.get_context("spawn")
    held_by_workers, lifeline = context.Pipe(duplex=False)
    with held_by_workers, lifeline:
        pool = ProcessPoolExecutor(workers, context, _set_up, (settings, play, held_by_workers))
        try:
            yield lambda *job: pool.submit(_play, *job), lambda: workers + 1
        except BrokenProcessPool:
            raise CatanError("A worker process died (out of memory?). The same command goes on from here.") from None
        finally:
            lifeline.close()  # workers stop at once: nobody waits for games that are not wanted any more
            pool.shutdown(cancel_futures=True)


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
