"""Data-parallel training: each process plays its own games, and gradients are averaged across processes.

`torchrun` starts the processes, which communicate through gloo on the CPU. After each update, all processes have the
same network, optimizer and pool. The first process does the evaluation, logging and checkpointing.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import numpy as np
import torch
from torch import distributed

PATIENCE = timedelta(days=1)
"""Timeout for collective operations, which may have to wait while the first process runs an evaluation."""


class Processes:
    """The processes of a run, as seen by one of them. A process that runs alone never communicates.

    Args:
        rank: this process's rank.
        size: number of processes.
    """

    def __init__(self, rank: int = 0, size: int = 1):
        self.rank, self.size = rank, size

    @property
    def first(self) -> bool:
        """Whether this is the first process, which prints, logs and writes files."""
        return self.rank == 0

    def seed_of(self, seed: int) -> int:
        """Return the seed for this process. The first process uses the run's seed."""
        return seed if self.first else int(np.random.SeedSequence([seed, self.rank]).generate_state(1, np.uint32)[0])

    def command(self, command: str) -> str:
        """Return the command line that runs a command with this many processes."""
        return command if self.size == 1 else f"torchrun --nproc-per-node {self.size} --no-python {command}"

    def share_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Average the gradients across all processes, in place."""
        if self.size == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        mean_gradients = torch.cat([gradient.flatten() for gradient in gradients]).cpu()
        distributed.all_reduce(mean_gradients)
        mean_gradients /= self.size
        for gradient, mean_gradient in zip(
            gradients, mean_gradients.split([gradient.numel() for gradient in gradients]), strict=True
        ):
            gradient.copy_(mean_gradient.view_as(gradient))

    def mean(self, figures: list[float]) -> list[float]:
        """Return the mean of each metric across all processes."""
        if self.size == 1:
            return figures
        total = torch.tensor(figures, dtype=torch.float64)
        distributed.all_reduce(total)
        return (total / self.size).tolist()

    def all_gather(self, value: Any) -> list[Any]:
        """Return the values passed by all processes, ordered by rank."""
        if self.size == 1:
            return [value]
        values = [None] * self.size
        distributed.all_gather_object(values, value)
        return values

    def broadcast(self, value: Any) -> Any:
        """Return the value passed by the first process."""
        if self.size == 1:
            return value
        values = [value]
        distributed.broadcast_object_list(values)
        return values[0]


def started() -> Processes:
    """Return the processes started by `torchrun`, or a single process when run without it."""
    if not distributed.is_available() or not distributed.is_torchelastic_launched():
        return Processes()
    if not distributed.is_initialized():
        distributed.init_process_group("gloo", timeout=PATIENCE)
        atexit.register(distributed.destroy_process_group)
    return Processes(distributed.get_rank(), distributed.get_world_size())
