"""Behavior cloning from files alone: `python -m catan_training.examples.imitate_files DATASET FOLDER`.

`catan generate` writes the dataset. The network learns to predict the actions in it and, from each decision, the
winner. The result is a checkpoint that every command accepts as an agent.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from catan_agents.learned import describe, save_checkpoint
from catan_agents.networks import network_for
from catan_env.encoders import make_encoder
from catan_training.datasets.dataset import Dataset
from catan_training.datasets.torch_loader import Decisions


def imitate(
    data: str | Path,
    folder: str | Path,
    epochs: int = 3,
    hidden: tuple[int, ...] = (256, 256),
    size: int = 1024,
    rate: float = 1e-3,
    value_weight: float = 0.5,
    seed: int = 0,
) -> list[tuple[float, float]]:
    """Train a network on 90% of the games in a dataset, and write a checkpoint.

    Args:
        data: the dataset's folder; its observations must have dtype uint8.
        folder: the checkpoint's folder.
        epochs: passes over the dataset.
        hidden: sizes of the hidden layers.
        size: decisions per gradient step.
        rate: learning rate.
        value_weight: weight of the squared error of the predicted return.
        seed: seed for the initial weights and for the order of the decisions.

    Returns:
        For each epoch, the policy loss and the action-prediction accuracy on the held-out games.
    """
    torch.manual_seed(seed)
    dataset = Dataset(data)
    # The engine plays no games; it only provides the layout of observations and actions.
    engine = dataset.plan.engine(range(1), record=False)
    encoder = make_encoder(engine, dataset.plan.encoder, dataset.plan.dtype)
    network, about = network_for(engine, encoder, hidden, "relu")
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    decisions = DataLoader(Decisions(dataset, size, "train", seed), batch_size=None)
    results = []
    for _ in range(epochs):
        network.train()
        for batch in decisions:
            policy_loss, value_loss, _ = losses(network, batch)
            optimizer.zero_grad()
            (policy_loss + value_weight * value_loss).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
        results.append(evaluate(network, dataset, size))
    description = describe(engine, encoder, about) | {"reward": dataset.plan.reward, "shaping": 0.0}
    save_checkpoint(folder, network, description, {"dataset": dataset.plan.to_dict(), "epochs": epochs})
    return results


def losses(network: nn.Module, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the cross-entropy of actions, the squared error of returns, and a mask of correct choices, shape (n,)."""
    logits, values, _ = network({"row": batch["observation"]})
    logits = logits.masked_fill(~batch["mask"], -torch.inf)
    policy_loss = nn.functional.cross_entropy(logits, batch["action"])
    value_loss = nn.functional.mse_loss(values[:, 0], batch["return"])  # the observing seat's value comes first
    return policy_loss, value_loss, logits.argmax(dim=1) == batch["action"]


@torch.inference_mode()
def evaluate(network: nn.Module, dataset: Dataset, size: int) -> tuple[float, float]:
    """Return the mean policy loss and the action-prediction accuracy on the held-out games."""
    network.eval()
    loss, hits, rows = 0.0, 0, 0
    for batch in Decisions(dataset, size, "test", None):
        policy_loss, _, hit = losses(network, batch)
        rows += len(hit)
        loss, hits = loss + float(policy_loss) * len(hit), hits + int(hit.sum())
    return loss / max(rows, 1), hits / max(rows, 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", help="folder written by catan generate")
    parser.add_argument("folder", help="folder for the checkpoint")
    parser.add_argument("--epochs", type=int, default=3)
    options, start = parser.parse_args(), time.perf_counter()
    for epoch, (loss, hits) in enumerate(imitate(options.dataset, options.folder, options.epochs), 1):
        print(f"epoch {epoch}: loss {loss:.3f}, {hits:.1%} of held-out actions predicted")
    print(f"{options.folder} after {time.perf_counter() - start:.0f} s")
