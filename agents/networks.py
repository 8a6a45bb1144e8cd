"""Networks of trained agents: what each seat's chances are, and what to do, from one observation.

A network takes the parts of an encoder's observation as tensors, (n, ...) uint8 or float, and gives (n, actions)
logits and (n, seats) values: of the seat that looks first, then of the others to its left. The observation `flat` has
one part, "row".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from catan_env.errors import OptionError

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
MOST_LAYERS, MOST_WEIGHTS = 100, 500_000_000
"""Of networks that are loaded: a damaged description would otherwise ask for all memory there is."""


def parts_of(observation: Any) -> dict[str, np.ndarray]:
    """An encoder's observation by its parts."""
    return observation if isinstance(observation, dict) else {"row": observation}


def as_tensors(parts: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """The parts as tensors that share their memory."""
    return {name: torch.from_numpy(part) for name, part in parts.items()}


def _small(layer: nn.Linear, gain: float) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class RowNetwork(nn.Module):
    """Fully connected layers over a row of features, shared by policy and values.

    Args:
        size, actions, seats: features, logits and values.
        hidden: sizes of the layers between.
        activation: one of `ACTIVATIONS`.
    """

    def __init__(self, size: int, actions: int, seats: int, hidden: tuple[int, ...], activation: str):
        super().__init__()
        self.register_buffer("scale", torch.ones(size))
        self.first = nn.Linear(size, hidden[0])
        layers: list[nn.Module] = [ACTIVATIONS[activation]()]
        for before, after in zip(hidden, hidden[1:], strict=False):
            layers += [nn.Linear(before, after), ACTIVATIONS[activation]()]
        self.trunk = nn.Sequential(*layers)
        self.policy = _small(nn.Linear(hidden[-1], actions), 0.01)
        self.value = _small(nn.Linear(hidden[-1], seats), 0.1)

    def fit_to(self, encoder: Any) -> None:
        """Brings features to 0 .. 1, and makes up for most of them being 0: one in ten is not."""
        high = encoder.high if encoder.dtype == np.uint8 else np.ones(encoder.size)
        self.scale.copy_(torch.from_numpy(1.0 / np.maximum(high.astype(np.float32), 1.0)))
        with torch.no_grad():
            self.first.weight.mul_(3.0)

    def forward(self, parts: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """See the module."""
        weight = self.first.weight * self.scale
        row = parts["row"]
        if torch.is_autocast_enabled("cpu"):
            row = row.to(torch.bfloat16)  # small integers are exact
        elif row.dtype != weight.dtype:
            row = row.to(weight.dtype)
        features = self.trunk(nn.functional.linear(row, weight, self.first.bias))
        return self.policy(features), self.value(features)


def network_for(engine: Any, encoder: Any, hidden: tuple[int, ...], activation: str) -> tuple[nn.Module, dict]:
    """A fresh network for an engine's games as an encoder shows them, and the description to make it anew.

    Raises:
        OptionError: there is no network for what this encoder gives.
    """
    if not hasattr(encoder, "size"):
        raise OptionError(
            f"There is no network for the encoder {encoder.name!r}: networks take rows of features, which 'flat' gives."
        )
    about = {"kind": "row", "size": encoder.size, "hidden": list(hidden), "activation": activation}
    network = make_network(about, engine.actions.n, engine.num_players)
    network.fit_to(encoder)
    return network, about


def make_network(about: Mapping[str, Any], actions: int, seats: int) -> nn.Module:
    """The network of a description that `is_network` accepts."""
    return RowNetwork(about["size"], actions, seats, tuple(about["hidden"]), about["activation"])


def is_network(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    """Whether a description is that of a network, and of one that fits into memory."""
    if set(about) != {"kind", "size", "hidden", "activation"} or about["kind"] != "row":
        return False
    hidden = about["hidden"]
    if not isinstance(about["activation"], str) or about["activation"] not in ACTIVATIONS:
        return False
    if not isinstance(hidden, list) or not hidden or len(hidden) > MOST_LAYERS:
        return False
    if not all(type(size) is int and size > 0 for size in (about["size"], *hidden, actions, seats)):
        return False
    sizes = [about["size"], *hidden, actions + seats]
    return sum(one * other for one, other in zip(sizes, sizes[1:], strict=False)) <= MOST_WEIGHTS
