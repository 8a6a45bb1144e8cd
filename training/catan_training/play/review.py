"""Reviews of finished games: pages from `catan analyse`, computed in a separate process while tables keep running."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_KEPT = 20
"""Number of reviews kept in memory. Older reviews are recomputed on request."""
MOST_WAITING = 20
"""Number of reviews that may wait in the queue."""
LONGEST_LINE = 1 << 26
"""Maximum page size in bytes."""
START = "import catan_env\nfrom catan_training.play.review import serve\nserve()"
"""Code run by the separate process."""
NICENESS = 10
"""Niceness of the process, which gives tables priority."""


@dataclass
class Review:
    """A review that is in progress or finished.

    Attributes:
        done, total: number of moves analysed, and the total; 0 while waiting for another review or the compiler.
        page: the page; "" until it is finished.
        error: why there is no page; "" if no error occurred.
    """

    done: int = 0
    total: int = 0
    page: str = ""
    error: str = ""

    @property
    def is_running(self) -> bool:
        return not (self.page or self.error)

    def to_json(self) -> dict[str, Any]:
        """Return the progress in the form that a page shows."""
        return {"done": self.done, "total": self.total, "ready": bool(self.page), "error": self.error}


class Reviewer:
    """The reviews on a server, computed one at a time."""

    def __init__(self) -> None:
        self._reviews: dict[str, Review] = {}
        self._tasks: dict[asyncio.Task, Review] = {}
        self._one_at_a_time = asyncio.Semaphore(1)

    def review(self, game: str, log: Mapping[str, Any], again: bool = False) -> Review:
        """Return a game's review, starting one if there is none. Must be called in the server's event loop.

        If `again` is set, a review that failed is retried.
        """
        review = self._reviews.pop(game, None)
        if review is None or (review.error and again):
            review = Review()
            if sum(one.is_running for one in self._reviews.values()) < MOST_WAITING:
                task = asyncio.create_task(self._run(review, log))
                self._tasks[task] = review
                task.add_done_callback(self._tasks.pop)
            else:
                review.error = "Many reviews are waiting; open this page again in a minute."
        self._reviews[game] = review  # the newest comes last
        ended = [name for name, one in self._reviews.items() if not one.is_running]
        for name in ended[:-MOST_KEPT]:
            del self._reviews[name]
        return review

    async def _run(self, review: Review, log: Mapping[str, Any]) -> None:
        try:
            async with self._one_at_a_time:
                await _compute(review, log)
        finally:
            _end(review)

    async def close(self) -> None:
        """Stop all reviews."""
        for task, review in list(self._tasks.items()):
            if review.is_running:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for review in self._reviews.values():
            _end(review)  # a task cancelled before it started has recorded nothing


def _end(review: Review) -> None:
    """Set the error of a review that has no page."""
    if review.is_running:
        review.error = "The review has stopped; open this page again."


async def _compute(review: Review, log: Mapping[str, Any]) -> None:
    """Have a separate process compute a review, and record its progress."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        START,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        limit=LONGEST_LINE,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(json.dumps(log).encode() + b"\n")
        process.stdin.close()
        async for line in process.stdout:
            for name, value in json.loads(line).items():
                setattr(review, name, value)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()


def serve() -> None:
    """Read a replay log from standard input; write progress and the page to standard output, one line each."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(NICENESS)

    def reply(**values: Any) -> None:
        replies.write(json.dumps(values) + "\n")
        replies.flush()

    from catan_training.analysis.games import analyse
    from catan_training.analysis.report import page

    try:
        log = json.loads(sys.stdin.readline())
        reply(page=page(log, analyse(log, tell=lambda done, total: reply(done=done, total=total))))
    except Exception as error:  # the page will show the reason
        reply(error=f"{type(error).__name__}: {error}")
