"""What networks of all kinds are made with."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

MOST_LAYERS, MOST_WEIGHTS = 100, 500_000_000
"""Of networks that are loaded: a damaged description would otherwise ask for all memory there is."""


def scale_of(space: Any) -> torch.Tensor:
    """What brings the bytes of a space to 0 .. 1."""
    return torch.from_numpy(1.0 / np.maximum(space.high.astype(np.float32), 1.0))


def small(layer: nn.Linear, gain: float) -> nn.Linear:
    """The layer with weights that say little at first."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def are_sizes(*sizes: Any) -> bool:
    """Whether these are numbers of things that there are, and not too many."""
    return all(type(size) is int and 0 < size <= MOST_WEIGHTS for size in sizes)


def list_of_sizes(sizes: Any, most: int) -> bool:
    """Whether this is a list of at most so many sizes, and at least one."""
    return isinstance(sizes, list) and 0 < len(sizes) <= most and are_sizes(*sizes)
