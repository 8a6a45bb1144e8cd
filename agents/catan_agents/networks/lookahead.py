"""A network that takes an observation and the lookahead features of each action.

The features are computed by `catan_agents.search.lookahead_features`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from catan_agents.networks.layers import Answer, GameNetwork, are_names, numbers_of, small, together
from catan_agents.search.lookahead_features import AVOIDS, ENDS, TERMS

WIDTH = 64
INVERSE_TEMPERATURE = 10.0
"""Initial increase in the logit of an action per victory point."""
WINNING, AVOIDING = 2.0, -1.0
"""Initial values, in victory points, of a win and of an action that search agents avoid."""


class LookaheadNetwork(GameNetwork):
    """A network that adds an evaluation of the outcome of each action to the logits of another network.

    The evaluation is initially the weighted sum of terms that `greedy` uses, with separate weights for each game. All
    other weights are shared across games between terms with the same name.

    Args:
        inner: the network that takes the observation.
        terms: names of the terms in each game.
    """

    scale: torch.Tensor

    def __init__(self, inner: GameNetwork, terms: Sequence[Sequence[str]]):
        super().__init__()
        all_names = together(terms)
        columns, (first_width, last_width) = TERMS + len(all_names), inner.widths
        self.inner, self.widths = inner, inner.widths
        self.register_buffer("scale", torch.ones(columns))
        self.weights = nn.ParameterList(torch.zeros(TERMS + len(own_names)) for own_names in terms)
        self.now = nn.Linear(columns, first_width)
        self.change = nn.Linear(columns, WIDTH)
        self.light = nn.Linear(last_width, WIDTH)
        self.evaluation = small(nn.Linear(WIDTH, 1), 0.01)
        for game, own_names in enumerate(terms):
            columns_of_game = torch.cat([torch.arange(TERMS), TERMS + numbers_of(own_names, all_names)])
            self.register_buffer(f"columns_{game}", columns_of_game, persistent=False)

    def fit_to(self, encoder: Any) -> None:
        """Fit the inner network to an encoder."""
        self.inner.fit_to(encoder)

    def begin_as(self, weights: Sequence[np.ndarray]) -> None:
        """Initialize the weighted sums with the term weights of each game, in victory points."""
        term_weights = [torch.from_numpy(own_weights).float() for own_weights in weights]
        self.scale[TERMS:] = 0.05
        columns_by_game = [self.get_buffer(f"columns_{game}") for game in range(len(term_weights))]
        for own_weights, columns in zip(term_weights, columns_by_game, strict=True):
            term_columns = columns[TERMS:]
            self.scale[term_columns] = torch.maximum(self.scale[term_columns], own_weights.abs())
        with torch.no_grad():
            for own_weights, columns, game_weights in zip(term_weights, columns_by_game, self.weights, strict=True):
                game_weights[TERMS:] = own_weights / self.scale[columns[TERMS:]]
                game_weights[ENDS], game_weights[AVOIDS] = WINNING, AVOIDING

    def forward(self, parts: Mapping[str, torch.Tensor], game: int = 0) -> Answer:
        """Return logits, values and position features; see the package docstring.

        `parts` has three additional entries: "legal", the legal actions, shape (n, actions), bool; "now", the current
        terms, shape (n, columns), float32; and "lookahead", the expected changes in the terms, shape (legal actions of
        all games, columns), float32.
        """
        columns = self.get_buffer(f"columns_{game}")
        scale = self.scale[columns]
        position_terms = nn.functional.linear(parts["now"] * scale, self.now.weight[:, columns], self.now.bias)
        game_option = {"game": game} if len(self.weights) > 1 else {}
        logits, values, features = self.inner(parts, position_terms, **game_option)
        rows, actions = parts["legal"].nonzero(as_tuple=True)
        changes = parts["lookahead"] * scale
        change_features = (
            nn.functional.linear(changes, self.change.weight[:, columns], self.change.bias) + self.light(features)[rows]
        )
        evaluated = (changes * self.weights[game]).sum(1) + self.evaluation(torch.relu(change_features))[:, 0].float()
        return (
            logits.float().index_put((rows, actions), INVERSE_TEMPERATURE * evaluated, accumulate=True),
            values,
            features,
        )


def are_terms(terms: Any, games: int) -> bool:
    """Return whether this is a list of `games` lists of term names."""
    return isinstance(terms, list) and len(terms) == games and all(are_names(names) and names for names in terms)
