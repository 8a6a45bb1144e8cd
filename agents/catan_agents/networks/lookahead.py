"""A network over an observation and over where each action leads, see `catan_agents.search.lookahead_features`."""

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
"""Logits of what is worth a victory point more, at first."""
WINNING, AVOIDING = 2.0, -1.0
"""What it is worth to win, and to do what searching agents avoid, at first, as a number of victory points."""


class LookaheadNetwork(GameNetwork):
    """Judges every action by where it leads, in the light of what another network makes of the position, beside what
    that says of the action.

    It begins as the sum of terms that `greedy` goes by. Of several games each has a sum of its own; all else that is
    made of a term is the same wherever it has the same name.

    Args:
        inner: the network over the observation.
        terms: names of what is measured, of each game.
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
        """Fits the network over the observation."""
        self.inner.fit_to(encoder)

    def begin_as(self, weights: Sequence[np.ndarray]) -> None:
        """Takes over what the terms are worth, in victory points, of each game."""
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
        """See the package; beside the observation there are "legal", (n, actions) bool, "now", (n, columns) float32,
        the terms as they are, and "lookahead", (legal actions of all, columns) float32, their changes."""
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
    """Whether these are names of terms, of each of so many games."""
    return isinstance(terms, list) and len(terms) == games and all(are_names(names) and names for names in terms)
