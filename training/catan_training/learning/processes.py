"""Processes that learn together: each plays games of its own, and all take the mean of their gradients.

`torchrun` starts them and tells each by its environment who it is. They talk over gloo, between any processors. All
have the same network, optimiser and pool after every update; the first of them measures, logs, and writes checkpoints.
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
"""How long the others wait while the first measures."""


class Processes:
    """The processes of a run, as one of them sees them. A process by itself has nobody to ask, and loses no time.

    Args:
        rank: which of them this is.
        size: how many they are.
    """

    def __init__(self, rank: int = 0, size: int = 1):
        self.rank, self.size = rank, size

    @property
    def first(self) -> bool:
        """Whether this one tells and writes."""
        return self.rank == 0

    def seed_of(self, seed: int) -> int:
        """The seed of this one's games and choices; that of the first is the run's own."""
        return seed if self.first else int(np.random.SeedSequence([seed, self.rank]).generate_state(1, np.uint32)[0])

    def command(self, command: str) -> str:
        """The command line that starts as many processes as these by one that starts a single one."""
        return command if self.size == 1 else f"torchrun --nproc-per-node {self.size} --no-python {command}"

    def share_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Puts the mean of all processes' gradients in place of this one's."""
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
        """The means of figures over all processes."""
        if self.size == 1:
            return figures
        total = torch.tensor(figures, dtype=torch.float64)
        distributed.all_reduce(total)
        return (total / self.size).tolist()

    def all_gather(self, value: Any) -> list[Any]:
        """What every process gives, by rank; to all of them."""
        if self.size == 1:
            return [value]
        values = [None] * self.size
        distributed.all_gather_object(values, value)
        return values

    def broadcast(self, value: Any) -> Any:
        """What the first process gives."""
        if self.size == 1:
            return value
        values = [value]
        distributed.broadcast_object_list(values)
        return values[0]


def started() -> Processes:
    """The processes that `torchrun` has started; this one by itself where it has not, or only one."""
    if not distributed.is_available() or not distributed.is_torchelastic_launched():
        return Processes()
    if not distributed.is_initialized():
        distributed.init_process_group("gloo", timeout=PATIENCE)
        atexit.register(distributed.destroy_process_group)
    return Processes(distributed.get_rank(), distributed.get_world_size())
