"""Jobs on a Ray cluster; needs the extra `ray`. All machines must have the same version of this package."""

from __future__ import annotations

import logging
import os
import platform
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from catan_env.errors import CatanError, MissingExtraError, OptionError
from catan_training.machine import machine, versions

AUTO, LOCAL = "auto", "local"
PATIENCE = 5.0
"""Seconds to wait for a cluster. Ray itself waits for minutes."""
RETRIES = 3
"""Maximum number of retries of a job whose worker or machine died."""
PACKAGE = "catan-env"


def connect(address: str) -> None:
    """Connect this process to a cluster until the process ends. Do nothing if it is already connected.

    Args:
        address: "auto" for the cluster of RAY_ADDRESS or of this machine, HOST:PORT of a head node, or "local" for a
            new cluster on this machine that ends with this process.

    Raises:
        MissingExtraError: Ray is not installed.
        OptionError: no cluster answers.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("Playing on a cluster requires Ray: pip install 'catan-env[ray]'.") from error
    if ray.is_initialized():
        return
    if address == AUTO:
        address = os.environ.get("RAY_ADDRESS") or AUTO
    if address not in (AUTO, LOCAL):
        _look_for(address)
    local_options = {"num_cpus": machine()["cores"], "include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address, logging_level=logging.WARNING, log_to_driver=False, **local_options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = str(error.__cause__ or error).partition("\n")[0]
        raise OptionError(f"No connection to a Ray cluster at {address!r}: {reason}") from error


def _look_for(address: str) -> None:
    """Raise an `OptionError` if HOST:PORT is malformed or does not answer soon."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise OptionError(f"ray is {address!r}; it must be {AUTO}, {LOCAL} or HOST:PORT.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise OptionError(f"No Ray cluster answers at {address}: {error}. Start one with `ray start --head`.") from None


@contextmanager
def on_cluster(
    settings: Any, play: Callable[..., Any], address: str
) -> Iterator[tuple[Callable[..., Future[Any]], Callable[[], int]]]:
    """Use a cluster as a pool of workers.

    If the worker or the machine of a job dies, another one plays the job, and its future still has one result.
    Unfinished jobs are canceled on exit.

    Yields:
        A function that submits a job and returns its future, and a function that returns how many jobs to keep
        submitted. This number changes as machines join and leave.
    """
    connect(address)
    import ray
    from ray.exceptions import RayError, RayTaskError

    work, payload = ray.remote(max_retries=RETRIES)(_work), ray.put((versions(PACKAGE)[PACKAGE], play, settings))
    in_flight: set[Any] = set()

    def submit(*job: int) -> Future[Any]:
        reference = work.remote(payload, *job)
        in_flight.add(reference)
        future = reference.future()
        future.add_done_callback(lambda _: in_flight.discard(reference))
        return future

    def room() -> int:
        return 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))  # half of the jobs wait, so no core is idle

    try:
        yield submit, room
    except RayTaskError as error:
        if isinstance(error.cause, CatanError):
            raise error.cause from None
        if missing_module := re.search("No module named '[^']+'", str(error)):
            raise CatanError(
                f"A machine of the cluster lacks a package of this machine: {missing_module[0]}. Install it there."
            ) from None
        raise
    except RayError as error:
        reason = str(error).partition("\n")[0]
        raise CatanError(f"The Ray cluster gave up a job: {reason} Run the same command to resume.") from None
    finally:
        for reference in in_flight.copy():
            ray.cancel(reference, force=True)


def _work(held: tuple[str, Callable[..., Any], Any], *job: int) -> Any:
    """Play a job in a worker of the cluster.

    Raises:
        CatanError: the worker has another version of the package.
    """
    version, play, settings = held
    if (own_version := versions(PACKAGE)[PACKAGE]) != version:
        raise CatanError(
            f"{platform.node()} has {PACKAGE} {own_version}, but this run needs {version}, because games may differ "
            "between versions. Install the same version on all machines of the cluster."
        )
    return play(settings, *job)
