"""Building blocks of all networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

Answer = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Logits, values, and features of the position."""
MOST_LAYERS, MOST_WEIGHTS = 100, 500_000_000
"""Limits for loaded networks, so that a damaged description does not exhaust the memory."""


class GameNetwork(nn.Module):
    """Base class of networks over observations.

    Attributes:
        widths: sizes of the first layer and of the features of the position.
    """

    widths: tuple[int, int]

    def fit_to(self, encoder: Any) -> None:
        """Copy scales and adjacency from an encoder. A network for several games takes a list of encoders."""
        raise NotImplementedError


def scale_of(space: Any) -> torch.Tensor:
    """Return the factors that scale the values of a space to 0 .. 1; 1 where it has no bounds."""
    high = np.where(np.isfinite(space.high), space.high, 1.0)
    return torch.from_numpy(1.0 / np.maximum(high.astype(np.float32), 1.0))


def small(layer: nn.Linear, gain: float) -> nn.Linear:
    """Return the layer with orthogonal weights of size `gain` and zero biases."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def are_sizes(*sizes: Any) -> bool:
    """Return whether all sizes are positive integers up to `MOST_WEIGHTS`."""
    return all(type(size) is int and 0 < size <= MOST_WEIGHTS for size in sizes)


def list_of_sizes(sizes: Any, most: int) -> bool:
    """Return whether this is a list of 1 to `most` valid sizes."""
    return isinstance(sizes, list) and 0 < len(sizes) <= most and are_sizes(*sizes)


def are_names(names: Any) -> bool:
    """Return whether this is a list of distinct strings."""
    return isinstance(names, list) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def together(lists: Iterable[Sequence[str]]) -> list[str]:
    """Return the distinct names of all lists, in order of appearance."""
    return list(dict.fromkeys(name for names in lists for name in names))


def numbers_of(names: Sequence[str], among: Sequence[str]) -> torch.Tensor:
    """Return the position of each name in `among`, (names,) int64."""
    numbers = {name: number for number, name in enumerate(among)}
    return torch.tensor([numbers[name] for name in names], dtype=torch.int64)
