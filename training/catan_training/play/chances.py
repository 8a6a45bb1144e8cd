"""Each seat's win probability, as estimated from what one seat knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.evaluation.terms import cache_of, terms_of, with_networks
from catan_agents.search.playout import chances_to_win
from catan_agents.search.value_network import ValueNetwork, evaluation_row
from catan_agents.search.weights import chances_for
from catan_env.engine.arrays import as_records

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

WORLDS = 32
"""Number of worlds to sample and average over."""


def estimate(states, all_params, evaluation, cache, chances):  # type: ignore[no-untyped-def]  # compiled
    """Kernel: write the win probability of each seat for each record."""
    for i in range(states.shape[0]):
        chances_to_win(states[i], all_params[0], evaluation, cache, chances[i])


def chances_of_seats(engine: BatchEngine, seat: int, weights: Any = None) -> list[float]:
    """Return the probability that each seat will win game 0, averaged over worlds that are possible from `seat`'s view.

    Args:
        engine: the engine.
        seat: the seat that makes the estimate.
        weights: a value network. The scenario's fitted weights for win probabilities or, if it has none, its declared
            weights are used instead if this is None, or a network that corrects sums of terms.
    """
    composition = engine.program.composition
    network = None
    if isinstance(weights, ValueNetwork) and not weights.for_game(engine).terms:
        network = weights
    worlds = engine.determinise([0], seats=seat, count=WORLDS)
    chances = np.zeros((WORLDS, engine.num_players))
    row = evaluation_row(engine, terms_of(composition), network, chances_for)
    kernel = engine.kernel(estimate, with_networks(composition) if network else None)
    kernel(as_records(worlds), engine.batch.params, row, cache_of(composition, engine.program.blank), chances)
    mean = chances.mean(axis=0)
    return [float(chance) for chance in mean]
