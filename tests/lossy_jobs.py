"""Jobs that log their starts and then hang, crash or fail, for tests of worker pools. Workers import this module."""

import os
import signal
import time
from pathlib import Path

from catan_env.errors import OptionError
from catan_training.evaluation.paired_seeds import play_paired_seeds
from tests.patience import PATIENCE

HANGING = 2 * PATIENCE
"""Seconds; longer than any test waits."""


def until(true, seconds=PATIENCE):
    """Wait until `true()` is true or the time is over. Return its last result."""
    end = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def begun(folder, *job):
    """Return the (node, process) of each start of a job."""
    path = Path(folder, "-".join(map(str, job)))
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def note(folder, *job):
    """Log that this process starts a job. Return the number of earlier starts and the id of this node."""
    import ray

    before, node = len(begun(folder, *job)), ray.get_runtime_context().get_node_id()
    with Path(folder, "-".join(map(str, job))).open("a") as file:
        file.write(f"{node} {os.getpid()}\n")
    return before, node


def play_in_danger(folder, doomed, deadly, fixtures, *job):
    """Play a tournament job. It hangs on the node `doomed`. The first run of the job `deadly` kills its worker."""
    before, node = note(folder, *job)
    lost = Path(folder, "lost")
    if node == doomed:
        lost.touch()
        time.sleep(HANGING)
    until(lost.exists)  # otherwise free cores would play all jobs
    if job == deadly and not before:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_paired_seeds(fixtures, *job)


def hang(folder, first, second):
    """Finish the first job, and hang in all others."""
    note(folder, first, second)
    if second:
        time.sleep(HANGING)
    return second


def die(settings, first, second):
    """Kill the worker on every attempt."""
    os.kill(os.getpid(), signal.SIGKILL)


def fail(settings, first, second):
    """Raise an error with a message for users."""
    raise OptionError(f"There is no job {second}.")
