"""The features and values of many positions at once, for training value networks and for forecasts."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_agents.evaluation.features import EXTRACT_FEATURES, feature_names
from catan_agents.evaluation.terms import VALUE, cache_of, with_networks
from catan_env.engine.arrays import as_records
from catan_env.engine.batch import BatchEngine


def features_in(engine: BatchEngine, records: np.ndarray, waits: bool = False) -> np.ndarray:
    """Return the features of positions as seen by every seat, shape (records, players, features), float64.

    Args:
        engine: an engine that plays the same game.
        records: positions, as in `engine.state`.
        waits: whether to wait for the compiler, see `BatchEngine.kernel`.
    """
    composition, players = engine.program.composition, engine.num_players
    features = np.zeros((len(records), players, len(feature_names(composition, players))))
    cache = cache_of(composition, engine.program.blank)
    kernel = engine.kernel(extract, with_networks(composition), waits)
    kernel(as_records(records), engine.batch.params, features, cache, 0, len(records))
    return features


def values_in(engine: BatchEngine, records: np.ndarray, weights: np.ndarray, waits: bool = False) -> np.ndarray:
    """Return the value of positions to every seat, shape (records, players), float64.

    Args:
        engine, records, waits: as in `features_in`.
        weights: (terms,) term weights, or a network's row, see `network_evaluation.row_of`.
    """
    composition = engine.program.composition
    values, cache = np.zeros((len(records), engine.num_players)), cache_of(composition, engine.program.blank)
    kernel = engine.kernel(evaluate_all, with_networks(composition), waits)
    kernel(as_records(records), engine.batch.params, weights, values, cache, 0, len(records))
    return values


def evaluate_all(states: Any, all_params: Any, weights: Any, values: Any, cache: Any, start: int, stop: int) -> None:
    """Kernel: compute the value of each position to every seat."""
    for i in range(start, stop):
        for seat in range(values.shape[1]):
            values[i, seat] = VALUE(states[i], all_params[0], seat, weights, cache)


def extract(states: Any, all_params: Any, features: Any, cache: Any, start: int, stop: int) -> None:
    """Kernel: write the features of every seat to an array that contains all zeros."""
    for i in range(start, stop):
        for seat in range(features.shape[1]):
            EXTRACT_FEATURES(states[i], all_params[0], seat, features[i, seat], cache)
