"""A fully connected network over a row of features, for use with `flat` observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from catan_agents.networks.layers import (
    MOST_LAYERS,
    MOST_WEIGHTS,
    Answer,
    GameNetwork,
    are_sizes,
    list_of_sizes,
    scale_of,
    small,
)

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}


class RowNetwork(GameNetwork):
    """A network whose policy and value heads share a stack of fully connected layers over a row of features.

    Args:
        size, actions, seats: numbers of features, logits and values.
        hidden: sizes of the hidden layers.
        activation: one of `ACTIVATIONS`.
    """

    scale: torch.Tensor

    def __init__(self, size: int, actions: int, seats: int, hidden: tuple[int, ...], activation: str):
        super().__init__()
        self.widths = hidden[0], hidden[-1]
        self.register_buffer("scale", torch.ones(size))
        self.first = nn.Linear(size, hidden[0])
        layers: list[nn.Module] = [ACTIVATIONS[activation]()]
        for inputs, outputs in zip(hidden, hidden[1:], strict=False):
            layers += [nn.Linear(inputs, outputs), ACTIVATIONS[activation]()]
        self.trunk = nn.Sequential(*layers)
        self.policy = small(nn.Linear(hidden[-1], actions), 0.01)
        self.value = small(nn.Linear(hidden[-1], seats), 0.1)

    def fit_to(self, encoder: Any) -> None:
        """Set scales that map features to 0 .. 1. Triple the first weights, since only 1 in 10 features is nonzero."""
        self.scale.copy_(scale_of(encoder.space))
        with torch.no_grad():
            self.first.weight.mul_(3.0)

    def forward(self, parts: Mapping[str, torch.Tensor], beside: torch.Tensor | float = 0.0) -> Answer:
        """Return logits, values and position features; see the package docstring."""
        row = parts["row"].to(torch.bfloat16 if torch.is_autocast_enabled(parts["row"].device.type) else torch.float32)
        features = self.trunk(nn.functional.linear(row, self.first.weight * self.scale, self.first.bias) + beside)
        return self.policy(features), self.value(features), features


def is_row(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    """Return whether a description defines a valid `RowNetwork` that fits in memory."""
    if set(about) != {"kind", "size", "hidden", "activation"} or not isinstance(about["activation"], str):
        return False
    if about["activation"] not in ACTIVATIONS or not list_of_sizes(about["hidden"], MOST_LAYERS):
        return False
    if not are_sizes(about["size"]):
        return False
    sizes = [about["size"], *about["hidden"], actions + seats]
    return sum(inputs * outputs for inputs, outputs in zip(sizes, sizes[1:], strict=False)) <= MOST_WEIGHTS
