"""A convolutional network over the map drawn on a grid, for use with `planes` observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from catan_agents.networks.layers import MOST_LAYERS, MOST_WEIGHTS, Answer, GameNetwork, list_of_sizes, scale_of, small

NARROW = 8
"""Number of channels before the grid is flattened."""


def convolutions(shape: tuple[int, int, int], channels: tuple[int, ...], width: int) -> nn.Sequential:
    """Return size-preserving convolutions over (channels, height, width) planes, followed by a linear layer.

    There is no pooling, because each place occupies a single cell and its position matters.
    """
    layers: list[nn.Module] = []
    for channels_before, channels_after in zip((shape[0], *channels), channels, strict=False):
        layers += [nn.Conv2d(channels_before, channels_after, 3, padding=1), nn.ReLU()]
    narrow_layers = [nn.Conv2d(channels[-1], NARROW, 1), nn.ReLU(), nn.Flatten()]
    return nn.Sequential(*layers, *narrow_layers, nn.Linear(NARROW * shape[1] * shape[2], width))


class PlanesNetwork(GameNetwork):
    """A network with convolutions over the map drawn on a grid, and linear heads.

    Args:
        shape: channels, height and width of an observation.
        actions, seats: numbers of logits and values.
        channels: number of output channels of each convolution.
    """

    scale: torch.Tensor

    def __init__(self, shape: tuple[int, int, int], actions: int, seats: int, channels: tuple[int, ...]):
        super().__init__()
        self.register_buffer("scale", torch.ones(shape))
        self.widths = channels[-1], channels[-1]
        self.trunk = convolutions(shape, channels, channels[-1])
        self.policy = small(nn.Linear(channels[-1], actions), 0.01)
        self.value = small(nn.Linear(channels[-1], seats), 0.1)

    def fit_to(self, encoder: Any) -> None:
        """Set the scales that map features to 0 .. 1."""
        self.scale.copy_(scale_of(encoder.space))

    def forward(self, parts: Mapping[str, torch.Tensor], beside: torch.Tensor | float = 0.0) -> Answer:
        """Return logits, values and position features; see the package docstring."""
        features = torch.relu(self.trunk(parts["row"] * self.scale) + beside)
        return self.policy(features), self.value(features), features


def is_planes(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    """Return whether a description defines a valid `PlanesNetwork` that fits in memory."""
    if set(about) != {"kind", "shape", "channels"} or not list_of_sizes(about["channels"], MOST_LAYERS):
        return False
    if not list_of_sizes(about["shape"], 3) or len(about["shape"]) != 3:
        return False
    sizes, cells = [about["shape"][0], *about["channels"]], about["shape"][1] * about["shape"][2]
    weight_count = sum(9 * inputs * outputs for inputs, outputs in zip(sizes, sizes[1:], strict=False))
    last_weights = sizes[-1] * (NARROW * cells + actions + seats)
    return weight_count + last_weights + sizes[0] * cells <= MOST_WEIGHTS
