"""The trainable value network and the fitting procedure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from catan_agents.search.value_network import GameSignature, ValueNetwork, inputs_of
from catan_agents.search.weights import WeightsError
from catan_training.learning.siblings import Siblings
from catan_training.learning.value_games import States

WARM_UP = 50
"""Number of gradient steps in the linear learning-rate warm-up of each fit."""
NEWTON_STEPS = 8
DECAY = 1e-4
"""Weight decay for AdamW."""


@dataclass
class Sample:
    """States to learn from.

    Attributes:
        seen: (states, players, inputs) float16.
        sums: (states, players) float32, see `States`.
        targets: (states, players) float32, chances of winning.
        siblings: compared actions of some decisions, or None.
    """

    seen: np.ndarray
    sums: np.ndarray
    targets: np.ndarray
    siblings: Siblings | None = None


class TrainableValueNetwork(nn.Module):
    """A value network in training. Inputs are divided by their root mean square in round 0.

    A network that corrects sums of terms learns what to add to the logit that `adapt_to_sums` finds. When saved, it
    outputs the fraction `correction` of that, in the unit of the sums.
    """

    scale: torch.Tensor
    logit_of_sum: torch.Tensor

    def __init__(self, inputs: int, hidden: tuple[int, int], correction: float = 1.0):
        super().__init__()
        self.correction = correction
        self.register_buffer("scale", torch.ones(inputs))
        self.register_buffer("logit_of_sum", torch.tensor([0.0, 1.0]))
        sizes = [inputs, *hidden, 1]
        self.linear = [nn.Linear(units_in, units_out) for units_in, units_out in zip(sizes, sizes[1:], strict=False)]
        self.layers = nn.ModuleList(self.linear)

    def forward(self, seen: torch.Tensor, sums: torch.Tensor) -> torch.Tensor:
        """Return win logits, shape (n,), for features of shape (n, inputs) and sums of terms of shape (n,)."""
        activations = seen * self.scale
        for layer in self.layers[:-1]:
            activations = torch.relu(layer(activations))
        intercept, slope = self.logit_of_sum
        return intercept + slope * sums + self.layers[-1](activations)[:, 0]

    def adapt(self, seen: Sequence[np.ndarray]) -> None:
        """Set the input scale from feature arrays, each of shape (n, players, inputs)."""
        sum_of_squares = sum(np.square(features, dtype=np.float64).sum(axis=(0, 1)) for features in seen)
        root_mean_square = np.sqrt(sum_of_squares / sum(features.shape[0] * features.shape[1] for features in seen))
        self.scale[:] = torch.from_numpy(1 / np.where(root_mean_square > 1e-3, root_mean_square, 1.0))

    def adapt_to_sums(self, sums: np.ndarray, won: np.ndarray) -> None:
        """Fit the logit of winning to sums of terms, as an intercept and a slope.

        Args:
            sums, won: of shape (n,), the latter 1 for winners.
        """
        inputs = np.stack([np.ones(len(sums)), sums], axis=1).astype(np.float64)
        coefficients = np.zeros(2)
        for _ in range(NEWTON_STEPS):
            chances = 1 / (1 + np.exp(-inputs @ coefficients))
            curvature = inputs.T @ (inputs * (chances * (1 - chances))[:, None])
            coefficients += np.linalg.solve(curvature, inputs.T @ (won - chances))
        self.logit_of_sum[:] = torch.from_numpy(coefficients)

    def clear_output(self) -> None:
        """Set the last layer to zero."""
        for parameter in self.linear[-1].parameters():
            nn.init.zeros_(parameter)

    def parts(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """Return the weights and biases of each layer for unscaled features, as in `ValueNetwork`."""
        weights_and_biases = [
            (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()) for layer in self.linear
        ]
        weights_and_biases[0][0][:] *= self.scale.numpy()[:, None]
        for numbers in weights_and_biases[-1]:
            numbers *= self.correction / self.logit_of_sum[1].item()
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
            for parameter in self.linear[-1].parameters():
                parameter.mul_(self.logit_of_sum[1] / self.correction)


def placed(seen: np.ndarray, games: GameSignature, inputs: Sequence[str]) -> np.ndarray:
    """Map the features of one game to the inputs of a network for several games, shape (..., inputs)."""
    if tuple(inputs) == games.features:
        return seen
    network_features = np.zeros((*seen.shape[:-1], len(inputs)), seen.dtype)
    network_features[..., [inputs.index(name) for name in games.features]] = seen
    network_features[..., inputs.index(games.name)] = 1.0
    return network_features


def seeing(network: ValueNetwork, games: Sequence[GameSignature]) -> ValueNetwork:
    """Adapt a network to games with other features.

    New inputs get zero weights, and inputs that the games lack are dropped. If the games have more players, all
    opponents share the weights of those that the network knows, see `shared_among_opponents`.

    Raises:
        WeightsError: the games have none of the network's inputs.
    """
    inputs, known_players = inputs_of(games), max(game.players for game in network.games)
    players = max(game.players for game in games)
    kept_inputs = [name for name in network.inputs if name in inputs]
    if not kept_inputs:
        raise WeightsError(
            "The games have none of the value network's inputs. Start from a network for a similar game."
        )
    (_, biases), *later_layers = network.layers
    weights = np.zeros((len(inputs), len(biases)), np.float32)
    weights[[inputs.index(name) for name in kept_inputs]] = network.weights_of(kept_inputs)
    if min(game.players for game in games) > known_players:
        weights = shared_among_opponents(weights, inputs, known_players, players)
    return replace(network, games=tuple(games), layers=((weights, biases), *later_layers))


def shared_among_opponents(weights: np.ndarray, inputs: Sequence[str], known_players: int, players: int) -> np.ndarray:
    """Return first-layer weights in which further opponents count like the mean of the known ones.

    All are scaled, so that the weights of all opponents have the same sum as before.
    """
    shared = weights.copy()
    position_of = {name: position for position, name in enumerate(inputs)}
    for name, position in position_of.items():
        feature, separator, steps = name.rpartition("@")
        if separator and steps != "0":
            known = [position_of[f"{feature}@{known}"] for known in range(1, known_players)]
            source = weights[position] if int(steps) < known_players else weights[known].mean(axis=0)
            shared[position] = source * (known_players - 1) / (players - 1)
    return shared


def mean_of(networks: Sequence[ValueNetwork]) -> ValueNetwork:
    """Return the first network with its weights replaced by the mean over all networks.

    When several runs start from the same network, their mean is often better than any single run.

    Raises:
        WeightsError: the networks have different games, term weights or layer sizes.
    """
    first = networks[0]
    for other in networks[1:]:
        sizes, first_sizes = ([len(biases) for _, biases in network.layers] for network in (other, first))
        if (other.games, other.terms, sizes) != (first.games, first.terms, first_sizes):
            raise WeightsError(
                "Value networks can be averaged only if they have the same games and layer sizes, and the same term "
                "weights."
            )
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
        chunks_of_sums = torch.from_numpy(states.sums).flatten().split(65536)
        logits = [network(chunk.float(), sums) for chunk, sums in zip(chunks, chunks_of_sums, strict=True)]
        values = torch.sigmoid(torch.cat(logits)).numpy().reshape(targets.shape)
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


def rows_of_siblings(
    compared: Sequence[Siblings], rows: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return features, sums and chances of the siblings of some decisions, as for `sibling_loss`."""
    seen = rows_of([torch.from_numpy(siblings.seen).flatten(1) for siblings in compared], rows)
    sums, chances = (
        rows_of([torch.from_numpy(getattr(siblings, name)) for siblings in compared], rows)
        for name in ("sums", "chances")
    )
    return seen.view(*chances.shape, -1), sums, chances


def sibling_loss(
    network: TrainableValueNetwork, seen: torch.Tensor, sums: torch.Tensor, chances: torch.Tensor, weight: float
) -> torch.Tensor:
    """Return the loss on siblings: the log loss, plus a squared error that judges only differences between siblings.

    Args:
        seen: (decisions, siblings, inputs) features.
        sums, chances: (decisions, siblings), as in `Siblings`.
        weight: weight of the squared error of values and chances relative to their means over a decision's siblings.
    """
    known = ~chances.isnan()
    logits, chances = network(seen.flatten(0, 1), sums.flatten()).view_as(chances), chances.nan_to_num()
    errors = torch.where(known, torch.sigmoid(logits) - chances, 0.0)
    relative = errors - errors.sum(dim=1, keepdim=True) / known.sum(dim=1, keepdim=True)
    log_loss = functional.binary_cross_entropy_with_logits(logits[known], chances[known].clamp(0.0, 1.0))
    return log_loss + weight * relative[known].square().mean()


def fit(
    network: TrainableValueNetwork,
    samples: list[Sample],
    batch: int,
    rate: float,
    epochs: int,
    seed: int,
    sibling_weight: float = 60.0,
) -> float:
    """Train on samples: the log loss of states plus, if there are siblings, `sibling_loss`. An epoch sees each decision
    once.

    The network's final weights are averaged over the second half of the steps.

    Returns:
        The mean loss over those steps.
    """
    torch.manual_seed(seed)
    seen = [torch.from_numpy(sample.seen).flatten(0, 1) for sample in samples]
    sums = torch.cat([torch.from_numpy(sample.sums).flatten() for sample in samples])
    targets = torch.cat([torch.from_numpy(sample.targets).flatten() for sample in samples])
    compared = [sample.siblings for sample in samples if sample.siblings is not None]
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=DECAY)
    averaged_network = torch.optim.swa_utils.AveragedModel(network)
    batches = [shuffled_rows for _ in range(epochs) for shuffled_rows in torch.randperm(len(targets)).split(batch)]
    decisions = sum(len(siblings.chances) for siblings in compared)
    decision_batches = [
        shuffled_rows
        for _ in range(epochs if decisions else 0)
        for shuffled_rows in torch.randperm(decisions).tensor_split(len(batches) // epochs)
    ]
    total_loss = 0.0
    for step, batch_rows in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / WARM_UP)
        logits = network(rows_of(seen, batch_rows), sums[batch_rows])
        loss = functional.binary_cross_entropy_with_logits(logits, targets[batch_rows])
        if decisions and len(decision_batches[step]):
            loss = loss + sibling_loss(network, *rows_of_siblings(compared, decision_batches[step]), sibling_weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if 2 * step >= len(batches):
            averaged_network.update_parameters(network)
            total_loss += loss.item()
    network.load_state_dict(averaged_network.module.state_dict())
    return total_loss / (len(batches) - len(batches) // 2)
