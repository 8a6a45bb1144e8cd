"""A PyTorch loader for a dataset's decisions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch.utils.data import IterableDataset, get_worker_info

from catan_env.engine.arguments import check_count
from catan_training.datasets.dataset import Dataset


class Decisions(IterableDataset):
    """Batches of decisions as tensors, for `torch.utils.data.DataLoader(..., batch_size=None)`.

    Each pass uses a different shuffle of shards and rows. The shards are divided among the workers of a loader.

    Args:
        dataset: a dataset, or its folder.
        size: rows per batch.
        part: "all", "train" or "test"; see `Dataset.batches`.
        seed: seed for the order; None keeps file order.

    Attributes:
        dataset: the `Dataset`.
        size, part, seed: as given.

    Raises:
        CatanError: the folder holds no dataset.
    """

    def __init__(self, dataset: Dataset | str | Path, size: int = 1024, part: str = "all", seed: int | None = 0):
        check_count("size", size)
        self.dataset = dataset if isinstance(dataset, Dataset) else Dataset(dataset)
        self.size, self.part, self.seed = size, part, seed
        self._passes = 0

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        worker = get_worker_info()
        shards = self.dataset.shards
        if worker is not None:
            shards = shards[worker.id :: worker.num_workers]
        seed = None if self.seed is None else self.seed + self._passes
        self._passes += 1
        for batch in self.dataset.batches(self.size, self.part, seed, shards):
            yield {name: torch.from_numpy(array) for name, array in batch.items()}
