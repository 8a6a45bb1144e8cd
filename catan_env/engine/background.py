"""Compiles kernels in another process, which saves them in the compiler cache.

The first request starts the process, which answers requests in order. When this process ends, the other one completes
the requests that it has, so that later runs load the kernels.

Half of the time of compiling is Python code, which in a thread would hold the interpreter lock and slow the game down.
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
"""What the process runs."""
SIZE = 8
"""Bytes of the length in front of each request."""
REQUESTS = 12
"""Requests to a process, before another takes over: each kernel leaves some 200 MB behind."""
LAST_WAIT = 1.0
"""Seconds that a process waits at its end until its requests are sent. Later runs repeat those that are not."""
NICENESS = 5
"""How much the process steps back behind others."""


@dataclass
class Request:
    """A kernel that is being compiled."""

    done: bool = False
    error: str = ""
    """Why it could not be compiled."""

    def end(self, error: str = "") -> None:
        """Note the outcome."""
        self.error, self.done = error, True


class Worker:
    """The process that compiles."""

    def __init__(self) -> None:
        cache_folder = {"NUMBA_CACHE_DIR": numba.config.CACHE_DIR} if numba.config.CACHE_DIR else {}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **cache_folder},
            start_new_session=True,  # Ctrl-C ends the game, not the compiler
        )
        self.unsent: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.waiting: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self.requests_left, self.has_ended = REQUESTS, False
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self._leave_at_exit)

    def send(self, payload: bytes) -> Request:
        """Ask for a kernel."""
        request = Request()
        self.requests_left -= 1
        self.waiting.put(request)
        self.unsent.put(payload)
        if self.has_ended:
            self._end_all()
        return request

    def _write(self) -> None:
        """Send payloads. The game does not wait for the pipe, which holds few of them until the process has started."""
        assert self.process.stdin is not None
        with suppress(OSError), self.process.stdin as pipe:  # the process may have ended
            while payload := self.unsent.get():
                pipe.write(len(payload).to_bytes(SIZE, "big") + payload)
                pipe.flush()

    def _listen(self) -> None:
        """Note the outcome of each request, in order."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.waiting.get().end(json.loads(line))
        self.has_ended = True
        self._end_all()

    def _end_all(self) -> None:
        """End the requests of a process that has ended."""
        with suppress(queue.Empty):
            while True:
                self.waiting.get_nowait().end("the compiling process has ended")

    def leave(self) -> None:
        """Let the process complete its requests on its own."""
        self.unsent.put(b"")
        self.process.returncode = 0  # nobody waits for it

    def _leave_at_exit(self) -> None:
        self.leave()
        self._writer.join(LAST_WAIT)


_workers: dict[int, Worker] = {}
"""The worker of this process, by process id: forked processes start another."""
_requests: dict[tuple[int, Any, tuple], Request] = {}


def ask(scenario: Scenario, composition: Composition, template: Any, signature: tuple) -> Request:
    """Ask for a kernel, unless this process has asked for it before.

    Args:
        scenario: scenario that other processes can find.
        composition: its rules, or what `instead` has made of them.
        template: the kernel, as `Composition.kernel` takes it.
        signature: Numba's types of its arguments.
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
    except Exception as error:  # functions that cannot be pickled raise any error; the game goes on in plain Python
        return Request(True, f"{type(error).__name__}: {error}")


def _worker() -> Worker:
    """Return the process that takes the next request."""
    worker = _workers.get(os.getpid())
    if worker is not None and worker.requests_left == 0:
        worker.leave()
        worker = None
    if worker is None:
        worker = _workers[os.getpid()] = Worker()
    return worker


def compile_request(payload: bytes) -> None:
    """Compile a kernel and save it in the cache."""
    scenario, rules = pickle.loads(payload)
    composition = composition_of(pickle.loads(scenario))
    additions, replaced, template, signature = pickle.loads(rules)
    for addition in additions:
        if not composition.defines(addition[0]):
            composition.add_function(*addition)
    (composition.instead(**replaced) if replaced else composition).kernel(template).compile(signature)


def _requests_from(stream: BinaryIO) -> Iterator[bytes]:
    """Yield requests until the stream ends. A thread reads them, so that the sender never waits."""
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
        except Exception as error:  # the reply says why
            error_text = f"{type(error).__name__}: {error}"
        with suppress(OSError):  # nobody may be waiting; the cache keeps the kernel
            replies.write(json.dumps(error_text) + "\n")
            replies.flush()
