"""Building blocks shared by all networks."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

Answer = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Logits, values, and position features."""
MOST_LAYERS, MOST_WEIGHTS = 100, 500_000_000
"""Limits on loaded networks, which keep a corrupt description from exhausting memory."""


class GameNetwork(nn.Module):
    """Base class for networks that take observations.

    Attributes:
        widths: size of the first layer and number of position features.
    """

    widths: tuple[int, int]

    def fit_to(self, encoder: Any) -> None:
        """Copy scales and adjacency from an encoder."""
        raise NotImplementedError


def scale_of(space: Any) -> torch.Tensor:
    """Return the factors that scale the values in a space to the range 0 to 1; unbounded values get a factor of 1."""
    high = np.where(np.isfinite(space.high), space.high, 1.0)
    return torch.from_numpy(1.0 / np.maximum(high.astype(np.float32), 1.0))


def small(layer: nn.Linear, gain: float) -> nn.Linear:
    """Initialize a layer with zero biases and orthogonal weights scaled by `gain`, and return it."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def are_sizes(*sizes: Any) -> bool:
    """Return whether all sizes are positive integers no larger than `MOST_WEIGHTS`."""
    return all(type(size) is int and 0 < size <= MOST_WEIGHTS for size in sizes)


def list_of_sizes(sizes: Any, most: int) -> bool:
    """Return whether this is a list of 1 to `most` valid sizes."""
    return isinstance(sizes, list) and 0 < len(sizes) <= most and are_sizes(*sizes)


def are_names(names: Any) -> bool:
    """Return whether this is a list of distinct strings."""
    return isinstance(names, list) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
