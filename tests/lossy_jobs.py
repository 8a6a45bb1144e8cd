"""Jobs whose workers note what they begin, hang, die or fail, for a pool: in a module that workers can import."""

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
    """Waits for something; whether it came."""
    end = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def begun(folder, *job):
    """Who began a job: lines of (node, process)."""
    path = Path(folder, "-".join(map(str, job)))
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def note(folder, *job):
    """Notes that this process begins a job; returns how often it was begun before, and the machine that this is."""
    import ray

    before, node = len(begun(folder, *job)), ray.get_runtime_context().get_node_id()
    with Path(folder, "-".join(map(str, job))).open("a") as file:
        file.write(f"{node} {os.getpid()}\n")
    return before, node


def play_in_danger(folder, doomed, deadly, fixtures, *job):
    """A job of a tournament: on the machine `doomed` it never ends; the job `deadly` takes its first worker along."""
    before, node = note(folder, *job)
    lost = Path(folder, "lost")
    if node == doomed:
        lost.touch()
        time.sleep(HANGING)
    until(lost.exists)  # a core that is free would play all
    if job == deadly and not before:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_paired_seeds(fixtures, *job)


def hang(folder, first, second):
    """The first job ends, others never do."""
    note(folder, first, second)
    if second:
        time.sleep(HANGING)
    return second


def die(settings, first, second):
    """Takes its worker along each time."""
    os.kill(os.getpid(), signal.SIGKILL)


def fail(settings, first, second):
    """Raises what people are to read."""
    raise OptionError(f"There is no job {second}.")
