"""A network that takes an observation and the lookahead features of each action.

The features are computed by `catan_agents.search.lookahead_features`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from catan_agents.networks.layers import Answer, GameNetwork, are_names, small
from catan_agents.search.lookahead_features import AVOIDS, ENDS, TERMS

WIDTH = 64
INVERSE_TEMPERATURE = 10.0
"""Initial increase in the logit of an action per victory point."""
WINNING, AVOIDING = 2.0, -1.0
"""Initial values, in victory points, of a win and of an action that search agents avoid."""


class LookaheadNetwork(GameNetwork):
    """A network that adds an evaluation of the outcome of each action to the logits of another network.

    The evaluation is initially the weighted sum of terms that `greedy` uses.

    Args:
        inner: the network that takes the observation.
        terms: number of terms.
    """

    scale: torch.Tensor

    def __init__(self, inner: GameNetwork, terms: int):
        super().__init__()
        columns, (first_width, last_width) = TERMS + terms, inner.widths
        self.inner, self.widths = inner, inner.widths
        self.register_buffer("scale", torch.ones(columns))
        self.weights = nn.ParameterList([torch.zeros(columns)])  # a list, because checkpoints name it `weights.0`
        self.now = nn.Linear(columns, first_width)
        self.change = nn.Linear(columns, WIDTH)
        self.light = nn.Linear(last_width, WIDTH)
        self.evaluation = small(nn.Linear(WIDTH, 1), 0.01)

    def fit_to(self, encoder: Any) -> None:
        """Fit the inner network to an encoder."""
        self.inner.fit_to(encoder)

    def begin_as(self, weights: np.ndarray) -> None:
        """Initialize the weighted sum with the weight of each term, in victory points."""
        term_weights = torch.from_numpy(weights).float()
        self.scale[TERMS:] = term_weights.abs().clamp(min=0.05)
        with torch.no_grad():
            self.weights[0][TERMS:] = term_weights / self.scale[TERMS:]
            self.weights[0][ENDS], self.weights[0][AVOIDS] = WINNING, AVOIDING

    def forward(self, parts: Mapping[str, torch.Tensor]) -> Answer:
        """Return logits, values and position features; see the package docstring.

        `parts` has three additional entries: "legal", the legal actions, shape (n, actions), bool; "now", the current
        terms, shape (n, columns), float32; and "lookahead", the expected changes in the terms, shape (legal actions of
        all games, columns), float32.
        """
        logits, values, features = self.inner(parts, self.now(parts["now"] * self.scale))
        rows, actions = parts["legal"].nonzero(as_tuple=True)
        changes = parts["lookahead"] * self.scale
        change_features = self.change(changes) + nn.functional.embedding(rows, self.light(features))
        evaluated = (changes * self.weights[0]).sum(1) + self.evaluation(torch.relu(change_features))[:, 0].float()
        return (
            logits.float().index_put((rows, actions), INVERSE_TEMPERATURE * evaluated, accumulate=True),
            values,
            features,
        )


def are_terms(terms: Any) -> bool:
    """Return whether this is a list of one list of term names."""
    return isinstance(terms, list) and len(terms) == 1 and are_names(terms[0]) and bool(terms[0])
