"""A network over a row of features and over where each action leads, as `agents.search.ahead` finds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.networks.layers import are_sizes, small
from agents.networks.row import RowNetwork, is_row
from agents.search.ahead import AVOIDS, ENDS, TERMS

WIDTH = 64
SHARPNESS = 10.0
"""Logits of what is worth a victory point more, at first."""
WINNING, AVOIDING = 2.0, -1.0
"""What it is worth to win, and to do what searching agents avoid, at first, as a number of victory points."""


class AheadNetwork(nn.Module):
    """Judges every action by where it leads, in the light of the row, beside what the row itself says of it.

    It begins as the sum of terms that `greedy` goes by.

    Args:
        size, actions, seats, hidden, activation: as of a `RowNetwork`.
        columns: numbers that tell where an action leads.
    """

    def __init__(
        self, size: int, actions: int, seats: int, hidden: tuple[int, ...], activation: str, columns: int
    ):
        super().__init__()
        self.row = RowNetwork(size, actions, seats, hidden, activation)
        self.register_buffer("scale", torch.ones(columns))
        self.weights = nn.Parameter(torch.zeros(columns))
        self.now = nn.Linear(columns, hidden[0])
        self.change = nn.Linear(columns, WIDTH)
        self.light = nn.Linear(hidden[-1], WIDTH)
        self.judge = small(nn.Linear(WIDTH, 1), 0.01)

    def fit_to(self, encoder: Any, weights: np.ndarray) -> None:
        """Takes over what the terms are worth, in victory points."""
        self.row.fit_to(encoder)
        found = torch.from_numpy(weights).float()
        self.scale[TERMS:] = found.abs().clamp(min=0.05)
        with torch.no_grad():
            self.weights[TERMS:] = found / self.scale[TERMS:]
            self.weights[ENDS], self.weights[AVOIDS] = WINNING, AVOIDING

    def forward(self, parts: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """See the package; beside the "row" there are "legal", (n, actions) bool, "now", (n, columns) float32, the
        terms as they are, and "ahead", (legal actions of all, columns) float32, their changes."""
        inner, type_ = self.row, torch.bfloat16 if torch.is_autocast_enabled("cpu") else torch.float32
        first = nn.functional.linear(parts["row"].to(type_), inner.first.weight * inner.scale, inner.first.bias)
        features = inner.trunk(first + self.now(parts["now"] * self.scale))
        game, action = parts["legal"].nonzero(as_tuple=True)
        changes = parts["ahead"] * self.scale
        seen = torch.relu(self.change(changes) + self.light(features)[game])
        judged = SHARPNESS * ((changes * self.weights).sum(1) + self.judge(seen)[:, 0].float())
        logits = inner.policy(features).float().index_put((game, action), judged, accumulate=True)
        return logits, inner.value(features)


def is_ahead(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    """Whether a description is that of an `AheadNetwork` that fits into memory."""
    names = about.get("terms")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        return False
    rest = {key: value for key, value in about.items() if key != "terms"} | {"kind": "row"}
    return are_sizes(len(names)) and is_row(rest, actions, seats)
