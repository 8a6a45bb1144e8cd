"""Running jobs on a Ray cluster. Needs the `ray` extra and the same version of this package on all machines."""

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
"""Seconds to wait for a cluster to respond. Ray itself would wait for minutes."""
RETRIES = 3
"""Maximum number of times to retry a job after its worker or machine dies."""
PACKAGE = "catan-env"


def connect(address: str) -> None:
    """Connect this process to a cluster until it exits. Do nothing if it is already connected.

    Args:
        address: "auto" for the cluster at RAY_ADDRESS or on this machine, the HOST:PORT of a head node, or "local" for
            a new cluster on this machine that shuts down when this process exits.

    Raises:
        MissingExtraError: Ray is not installed.
        OptionError: no cluster responds.
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
    """Raise an `OptionError` if HOST:PORT is malformed or does not respond in time."""
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

    If a job's worker or machine dies, another worker reruns the job, so its future still yields one result. Unfinished
    jobs are canceled on exit.

    Yields:
        A function that submits a job and returns its future, and a function that returns how many jobs to keep
        submitted. That number changes as machines join and leave the cluster.
    """
    connect(address)
    import ray
    from ray.exceptions import RayError, RayTaskError

    work, payload = ray.remote(max_retries=RETRIES)(_work), ray.put((versions(PACKAGE)[PACKAGE], play, settings))
    in_flight: set[Any] = set()

    def submit(*job: Any) -> Future[Any]:
        reference = work.remote(payload, *job)
        in_flight.add(reference)
        future = reference.future()
        future.add_done_callback(lambda _: in_flight.discard(reference))
        return future

    def room() -> int:
        return 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))  # a waiting job per running job keeps cores busy

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


def _work(held: tuple[str, Callable[..., Any], Any], *job: Any) -> Any:
    """Run a job in a cluster worker.

    Raises:
        CatanError: the worker has a different version of the package.
    """
    version, play, settings = held
    if (own_version := versions(PACKAGE)[PACKAGE]) != version:
        raise CatanError(
            f"{platform.node()} has {PACKAGE} {own_version}, but this run needs {version}, because games may differ "
            "between versions. Install the same version on all machines of the cluster."
        )
    return play(settings, *job)
