"""Forecasts: the win probability of each seat in a position, and after each legal action."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np

from catan_agents.evaluation import terms_of
from catan_agents.evaluation.extraction import values_in
from catan_agents.evaluation.network_evaluation import WIN
from catan_agents.registry import pretrained_for
from catan_agents.search import GreedyAgent
from catan_agents.search.value_network import ValueNetwork, network_given, signature_of
from catan_agents.search.weights import chances_for
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import RUNNING
from catan_env.errors import OptionError

WORLDS = 4
"""Number of worlds to sample for evaluating actions when hidden cards matter."""


class Forecast(Protocol):
    """A method of estimating win probabilities. Positions are evaluated with all hands visible."""

    name: str
    agent: GreedyAgent
    """The agent that evaluates actions."""

    def running(self, engine: BatchEngine, records: np.ndarray) -> np.ndarray:
        """Return the win probabilities in unfinished games, shape (n, players)."""

    def after(self, values: np.ndarray, chances: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Convert the agent's action values to the acting seat's win probability after each action, shape (n, actions).

        `chances`, shape (n, players), holds the probabilities before the action.
        """


class NetworkForecast:
    """Win probabilities from a value network, normalized to sum to 100% over the seats."""

    def __init__(self, network: ValueNetwork, name: str):
        self.network, self.name = network, name
        self.agent = GreedyAgent(worlds=WORLDS, weights=network, trade=False)

    def running(self, engine: BatchEngine, records: np.ndarray) -> np.ndarray:
        """See `Forecast`.

        Raises:
            WeightsError: the network was not trained on this game.
        """
        chances = values_in(engine, records, self.network.row_for(engine)) / WIN
        return chances / chances.sum(axis=1, keepdims=True)

    def after(self, values: np.ndarray, chances: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """See `Forecast`. The network scores each action by the win probability that results from it."""
        return np.where(np.isfinite(values), np.clip(values / WIN, 0.0, 1.0), np.nan)


class TermForecast:
    """Win probabilities from a softmax over fitted terms of the `greedy` evaluation; see `catan tune --chances`."""

    name = "greedy's evaluation"

    def __init__(self, engine: BatchEngine):
        terms = terms_of(engine.program.composition)
        self.weights = chances_for(terms, engine.scenario.name, engine.num_players)
        by_name = {term.name: float(weight) for term, weight in zip(terms, self.weights, strict=True)}
        self.agent = GreedyAgent(worlds=WORLDS, weights=by_name, trade=False)

    def running(self, engine: BatchEngine, records: np.ndarray) -> np.ndarray:
        """See `Forecast`."""
        strengths = values_in(engine, records, self.weights)
        shares = np.exp(strengths - strengths.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def after(self, values: np.ndarray, chances: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """See `Forecast`. The strengths of the other seats are assumed not to change with the action."""
        own = np.clip(chances[np.arange(len(seats)), seats], 1e-6, 1 - 1e-6)
        best = np.where(np.isfinite(values), values, -np.inf).max(axis=1, keepdims=True)
        odds = np.log(own / (1 - own))[:, None] + np.clip(values - best, -50.0, 0.0)
        return np.where(np.isfinite(values), 1.0 / (1.0 + np.exp(-odds)), np.nan)


def forecast_for(engine: BatchEngine, network: str | Path | None = None) -> Forecast:
    """Return the forecast for an engine's games.

    Args:
        engine: the engine that runs the games.
        network: name or file of a value network that estimates chances; None for the one bundled for this game or, if
            there is none, the `greedy` evaluation.

    Raises:
        OptionError: `network` names something other than a value network, or one that corrects the sum of terms.
        CatanError: the network cannot be loaded.
    """
    if network is None:
        for name in pretrained_for(engine.scenario.name.split("+")[0], engine.num_players):
            bundled = network_given(name)
            if bundled and signature_of(engine) in bundled.all_games and not bundled.for_game(engine).terms:
                return NetworkForecast(bundled, name)
        return TermForecast(engine)
    loaded = network_given(network)
    if loaded is None:
        raise OptionError(f"network is {str(network)!r}; give a bundled value network (base-value), or its file.")
    if loaded.for_game(engine).terms:
        raise OptionError(
            f"network is {str(network)!r}, which corrects greedy's evaluation; give one that estimates chances, or "
            "none."
        )
    return NetworkForecast(loaded, Path(network).stem)


def chances_in(forecast: Forecast, engine: BatchEngine, records: np.ndarray) -> np.ndarray:
    """Return the win probability of each seat in the given positions, shape (n, players), float64.

    In a finished game, the winners share 100%. Without a winner, all seats have 0.
    """
    winners = (records["winners"][:, None] >> np.arange(engine.num_players) & 1).astype(np.float64)
    chances = winners / np.maximum(winners.sum(axis=1, keepdims=True), 1.0)
    unfinished = records["ended"] == RUNNING
    if unfinished.any():
        chances[unfinished] = forecast.running(engine, records[unfinished])
    return chances
