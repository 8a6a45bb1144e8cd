"""What networks of all kinds are made with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

Answer = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Logits, values, and what a network makes of the position as a whole."""
MOST_LAYERS, MOST_WEIGHTS = 100, 500_000_000
"""Of networks that are loaded: a damaged description would otherwise ask for all memory there is."""


class GameNetwork(nn.Module):
    """What all networks over observations have.

    Attributes:
        widths: numbers in the first layer, and in what it makes of the position as a whole.
    """

    widths: tuple[int, int]

    def fit_to(self, encoder: Any) -> None:
        """Takes over from an encoder what it shows; of a network for several games, from a list of encoders."""
        raise NotImplementedError


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


def are_names(names: Any) -> bool:
    """Whether this is a list of names, each once."""
    return isinstance(names, list) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def together(lists: Iterable[Sequence[str]]) -> list[str]:
    """All names of some lists, each once."""
    return list(dict.fromkeys(name for names in lists for name in names))


def numbers_of(names: Sequence[str], among: Sequence[str]) -> torch.Tensor:
    """(names,) int64: where each stands among others."""
    numbers = {name: number for number, name in enumerate(among)}
    return torch.tensor([numbers[name] for name in names], dtype=torch.int64)
