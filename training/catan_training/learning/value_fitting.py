"""The trainable value network and the fitting procedure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from catan_agents.search.value_network import GameSignature, ValueNetwork, inputs_of
from catan_agents.search.weights import WeightsError
from catan_training.learning.value_games import States

WARM_UP = 50
"""Number of gradient steps in the linear learning-rate warm-up of each fit."""
DECAY = 1e-4
"""Weight decay for AdamW."""


class TrainableValueNetwork(nn.Module):
    """A value network in training. Inputs are divided by their root mean square in round 0."""

    scale: torch.Tensor

    def __init__(self, inputs: int, hidden: tuple[int, int]):
        super().__init__()
        self.register_buffer("scale", torch.ones(inputs))
        sizes = [inputs, *hidden, 1]
        self.linear = [nn.Linear(units_in, units_out) for units_in, units_out in zip(sizes, sizes[1:], strict=False)]
        self.layers = nn.ModuleList(self.linear)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return win logits, shape (n,), for features of shape (n, inputs)."""
        activations = seen * self.scale
        for layer in self.layers[:-1]:
            activations = torch.relu(layer(activations))
        return self.layers[-1](activations)[:, 0]

    def adapt(self, seen: Sequence[np.ndarray]) -> None:
        """Set the input scale from feature arrays, each of shape (n, players, inputs)."""
        sum_of_squares = sum(np.square(features, dtype=np.float64).sum(axis=(0, 1)) for features in seen)
        root_mean_square = np.sqrt(sum_of_squares / sum(features.shape[0] * features.shape[1] for features in seen))
        self.scale[:] = torch.from_numpy(1 / np.where(root_mean_square > 1e-3, root_mean_square, 1.0))

    def parts(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """Return the weights and biases of each layer for unscaled features, as in `ValueNetwork`."""
        weights_and_biases = [
            (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()) for layer in self.linear
        ]
        weights_and_biases[0][0][:] *= self.scale.numpy()[:, None]
        return tuple(weights_and_biases)

    def take(self, network: ValueNetwork) -> None:
        """Load a saved network. If this network is wider, the extra units initially have no effect."""
        with torch.no_grad():
            scale = 1 / self.scale
            for layer, (weights, biases) in zip(self.linear, network.layers, strict=True):
                inputs, units = weights.shape
                layer.weight[:units, inputs:] = 0.0
                layer.weight[:units, :inputs] = torch.from_numpy(weights.T.copy()) * scale[:inputs]
                layer.bias[:units] = torch.from_numpy(biases.copy())
                scale = torch.ones(layer.out_features)


def placed(seen: np.ndarray, games: GameSignature, inputs: Sequence[str]) -> np.ndarray:
    """Map the features of one game to the inputs of a network for several games, shape (..., inputs)."""
    if tuple(inputs) == games.features:
        return seen
    network_features = np.zeros((*seen.shape[:-1], len(inputs)), seen.dtype)
    network_features[..., [inputs.index(name) for name in games.features]] = seen
    network_features[..., inputs.index(games.name)] = 1.0
    return network_features


def seeing(network: ValueNetwork, games: Sequence[GameSignature]) -> ValueNetwork:
    """Extend a network to games that have more features. The new inputs get zero weights.

    Raises:
        WeightsError: the games lack one of the network's inputs.
    """
    inputs = inputs_of(games)
    if unknown := sorted(set(network.inputs) - set(inputs)):
        raise WeightsError(f"The value network has inputs that these games lack: {', '.join(unknown)}.")
    (first_weights, biases), *later_layers = network.layers
    weights = np.zeros((len(inputs), len(biases)), np.float32)
    weights[[inputs.index(name) for name in network.inputs]] = first_weights
    return replace(network, games=tuple(games), layers=((weights, biases), *later_layers))


def mean_of(networks: Sequence[ValueNetwork]) -> ValueNetwork:
    """Return the first network with its weights replaced by the mean over all networks.

    When several runs start from the same network, their mean is often better than any single run.

    Raises:
        WeightsError: the networks have different games or layer sizes.
    """
    first = networks[0]
    for other in networks[1:]:
        if other.games != first.games or [len(biases) for _, biases in other.layers] != [
            len(biases) for _, biases in first.layers
        ]:
            raise WeightsError("Value networks can be averaged only if they have the same games and layer sizes.")
    layers = [
        tuple(np.mean(array_of_each, axis=0) for array_of_each in zip(*layer_of_each, strict=True))
        for layer_of_each in zip(*(network.layers for network in networks), strict=True)
    ]
    return replace(first, layers=tuple(layers))


def value_targets(network: TrainableValueNetwork, states: States, td_lambda: float) -> np.ndarray:
    """Return TD(lambda) targets between 0 and 1, shape (states, players), float32."""
    ends = np.append(states.game[1:] != states.game[:-1], True)
    targets = states.won[states.game]
    if td_lambda == 1.0:
        return targets
    with torch.no_grad():
        chunks = torch.from_numpy(states.seen).flatten(0, 1).split(65536)
        values = torch.cat([torch.sigmoid(network(chunk.float())) for chunk in chunks]).numpy().reshape(targets.shape)
    values = values / values.sum(axis=1, keepdims=True)
    for k in range(len(targets) - 2, -1, -1):
        if not ends[k]:
            targets[k] = (1 - td_lambda) * values[k + 1] + td_lambda * targets[k + 1]
    return targets


def rows_of(parts: Sequence[torch.Tensor], rows: torch.Tensor) -> torch.Tensor:
    """Return rows of several stacked matrices, shape (n, columns), float32, without allocating the stack."""
    joined_rows, first_row = torch.empty(len(rows), parts[0].shape[1]), 0
    for matrix in parts:
        in_matrix = (first_row <= rows) & (rows < first_row + len(matrix))
        joined_rows[in_matrix] = matrix[rows[in_matrix] - first_row].float()
        first_row += len(matrix)
    return joined_rows


def fit(
    network: TrainableValueNetwork,
    samples: list[tuple[np.ndarray, np.ndarray]],
    batch: int,
    rate: float,
    epochs: int,
    seed: int,
) -> float:
    """Train on pairs of features and targets.

    The network's final weights are averaged over the second half of the steps.

    Returns:
        The mean loss over those steps.
    """
    torch.manual_seed(seed)
    seen = [torch.from_numpy(features).flatten(0, 1) for features, _ in samples]
    targets = torch.cat([torch.from_numpy(state_targets).flatten() for _, state_targets in samples])
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=DECAY)
    averaged_network = torch.optim.swa_utils.AveragedModel(network)
    batches = [shuffled_rows for _ in range(epochs) for shuffled_rows in torch.randperm(len(targets)).split(batch)]
    total_loss = 0.0
    for step, batch_rows in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / WARM_UP)
        loss = functional.binary_cross_entropy_with_logits(network(rows_of(seen, batch_rows)), targets[batch_rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if 2 * step >= len(batches):
            averaged_network.update_parameters(network)
            total_loss += loss.item()
    network.load_state_dict(averaged_network.module.state_dict())
    return total_loss / (len(batches) - len(batches) // 2)
