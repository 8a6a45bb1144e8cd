"""Compiles kernels in another process, which saves them in the compiler cache.

The first request starts the process, which handles requests in order. When this process exits, the other process
finishes its pending requests, so that later runs can load the kernels.

Half of the compile time is spent in Python code; in a thread, it would hold the interpreter lock and slow down the
game.
"""

from __future__ import annotations

import atexit
import json
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

import numba

from catan_env.engine.compiler.jit import can_be_cached, dumps
from catan_env.engine.compose import Composition
from catan_env.engine.program import composition_of
from catan_env.engine.scenario import Scenario

START = "import catan_env\nfrom catan_env.engine.background import serve\nserve()"
"""The code that the compiling process runs."""
SIZE = 8
"""Number of bytes in the length prefix of each request."""
REQUESTS = 12
"""Number of requests after which a new process takes over, because each kernel leaves about 200 MB allocated."""
LAST_WAIT = 1.0
"""Seconds to wait at exit for requests to be sent. Later runs repeat any unsent requests."""
NICENESS = 5
"""The niceness of the compiling process."""


@dataclass
class Request:
    """A kernel that is being compiled."""

    done: bool = False
    error: str = ""
    """Why the kernel could not be compiled."""

    def end(self, error: str = "") -> None:
        """Record the outcome."""
        self.error, self.done = error, True


class Worker:
    """The compiling process."""

    def __init__(self) -> None:
        cache_folder = {"NUMBA_CACHE_DIR": numba.config.CACHE_DIR} if numba.config.CACHE_DIR else {}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **cache_folder},
            start_new_session=True,  # Ctrl-C stops the game, not the compiler
        )
        self.unsent: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.waiting: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self.requests_left, self.has_ended = REQUESTS, False
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self._leave_at_exit)

    def send(self, payload: bytes) -> Request:
        """Request a kernel."""
        request = Request()
        self.requests_left -= 1
        self.waiting.put(request)
        self.unsent.put(payload)
        if self.has_ended:
            self._end_all()
        return request

    def _write(self) -> None:
        """Send payloads from a thread, because the pipe can hold only a few before the process starts."""
        assert self.process.stdin is not None
        with suppress(OSError), self.process.stdin as pipe:  # the process may have exited
            while payload := self.unsent.get():
                pipe.write(len(payload).to_bytes(SIZE, "big") + payload)
                pipe.flush()

    def _listen(self) -> None:
        """Record the outcome of each request, in order."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.waiting.get().end(json.loads(line))
        self.has_ended = True
        self._end_all()

    def _end_all(self) -> None:
        """Fail all requests that are still waiting for a process that has exited."""
        with suppress(queue.Empty):
            while True:
                self.waiting.get_nowait().end("the compiling process has ended")

    def leave(self) -> None:
        """Let the process finish its requests on its own."""
        self.unsent.put(b"")
        self.process.returncode = 0  # nobody will wait for it

    def _leave_at_exit(self) -> None:
        self.leave()
        self._writer.join(LAST_WAIT)


_workers: dict[int, Worker] = {}
"""The worker of this process, keyed by process id because forked processes start their own."""
_requests: dict[tuple[int, Any, tuple], Request] = {}


def ask(scenario: Scenario, composition: Composition, template: Any, signature: tuple) -> Request:
    """Request a kernel unless this process has already requested it.

    Args:
        scenario: scenario that other processes can find.
        composition: the scenario's rules, or a variant of them made by `instead`.
        template: the kernel template, as passed to `Composition.kernel`.
        signature: Numba types of the kernel's arguments.
    """
    kernel = composition.kernel(template)
    key = os.getpid(), kernel, signature
    if key not in _requests:
        _requests[key] = _send(scenario, composition, template, signature, kernel)
    return _requests[key]


def _send(scenario: Scenario, composition: Composition, template: Any, signature: tuple, kernel: Any) -> Request:
    if not can_be_cached(kernel):
        return Request(True, "no folder for compiled code can be written; set NUMBA_CACHE_DIR")
    try:
        rules = dumps((composition.additions, composition.replaced, template, signature))
        payload = pickle.dumps((pickle.dumps(scenario), rules))  # loading the scenario imports its rule files
        return _worker().send(payload)
    except Exception as error:  # unpicklable functions can raise any error; the game continues in plain Python
        return Request(True, f"{type(error).__name__}: {error}")


def _worker() -> Worker:
    """Return the worker for the next request."""
    worker = _workers.get(os.getpid())
    if worker is not None and worker.requests_left == 0:
        worker.leave()
        worker = None
    if worker is None:
        worker = _workers[os.getpid()] = Worker()
    return worker


def compile_request(payload: bytes) -> None:
    """Compile a kernel and save it in the cache."""
    kernel, signature = kernel_of(payload)
    kernel.compile(signature)


def kernel_of(payload: bytes) -> tuple[Any, tuple]:
    """Return the requested kernel and the Numba types of its arguments."""
    scenario, rules = pickle.loads(payload)
    composition = composition_of(pickle.loads(scenario))
    additions, replaced, template, signature = pickle.loads(rules)
    for addition in additions:
        if not composition.defines(addition[0]):
            composition.add_function(*addition)
    return (composition.instead(**replaced) if replaced else composition).kernel(template), signature


def _requests_from(stream: BinaryIO) -> Iterator[bytes]:
    """Yield requests until the stream ends. A separate thread reads them, so the sender never blocks."""
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        while size := stream.read(SIZE):
            requests.put(stream.read(int.from_bytes(size, "big")))
        requests.put(b"")

    threading.Thread(target=read, daemon=True).start()
    while request := requests.get():
        yield request


def serve() -> None:
    """Compile requests from standard input, and write one line per request to standard output."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for payload in _requests_from(sys.stdin.buffer):
        try:
            compile_request(payload)
            error_text = ""
        except Exception as error:  # the reply gives the reason
            error_text = f"{type(error).__name__}: {error}"
        with suppress(OSError):  # there may be no listener left; the cache keeps the kernel
            replies.write(json.dumps(error_text) + "\n")
            replies.flush()
