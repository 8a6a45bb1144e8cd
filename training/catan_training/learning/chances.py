"""Win-chance weights for evaluation terms, fitted to the winners of `greedy` self-play games.

The evaluation terms of every seat are sampled at the start of turns. A softmax over each seat's weighted sum of terms
gives the win chances. The fit maximizes the likelihood of the actual winners (a conditional logit; McFadden, 1974).
Unlike `greedy`'s own weights, these weights make positions comparable across seats and turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents.evaluation import terms_of
from catan_agents.evaluation.network_evaluation import POOL
from catan_agents.evaluation.terms import MEASURE
from catan_agents.search import GreedyAgent, save_weights
from catan_env.engine.arguments import check_count
from catan_env.engine.arrays import as_records
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError
from catan_training.learning.tuning import without_offers

RESULT = "chances.toml"
SHARE = 0.12
"""Fraction of turns to sample. Positions from the same game are strongly correlated."""
SHRINK = 1e-4
"""Strength of the L2 penalty on the weights of standardized terms. The penalty makes the solution unique."""
STEPS = 30
HELD_OUT = 4
"""To measure the loss, a first fit holds out one in `HELD_OUT` games. The final fit uses all games."""


def measure(states, all_params, seats, found, pool, start, stop):
    """Kernel: compute the evaluation terms for `seats[i]` in each game i."""
    for i in range(start, stop):
        MEASURE(states[i], all_params[0], seats[i], found[i], pool)


def terms_in(engine: BatchEngine, records: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return the evaluation terms of one seat per record, shape (records, terms), float64."""
    term_values = np.zeros((len(records), len(terms_of(engine.program.composition))))
    kernel = engine.kernel(measure)
    kernel(as_records(records), engine.batch.params, seats, term_values, np.zeros(POOL), 0, len(records))
    return term_values


def observed(engine: BatchEngine, agent: GreedyAgent, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play the engine's games to completion, sampling positions at the start of turns.

    Positions from games without a winner are dropped.

    Returns:
        Terms, shape (positions, players, terms), float64; winning seats and game indices, each of shape (positions,).

    Raises:
        OptionError: no turns were sampled.
    """
    rng, players = np.random.default_rng(seed), engine.num_players
    positions, game_indices = [], []
    last_turns, actions = engine.state["turn"].copy(), np.full(engine.num_games, -1)
    running = np.flatnonzero(engine.seat_to_act >= 0)
    while len(running):
        games_with_new_turn = running[engine.state["turn"][running] != last_turns[running]]
        last_turns[running] = engine.state["turn"][running]
        picked_games = games_with_new_turn[rng.random(len(games_with_new_turn)) < SHARE]
        if len(picked_games):
            records = engine.state[picked_games]
            terms_by_seat = [terms_in(engine, records, np.full(len(picked_games), seat)) for seat in range(players)]
            positions.append(np.stack(terms_by_seat, axis=1))
            game_indices.append(picked_games)
        actions[:] = -1
        actions[running] = agent.act(engine, running)
        engine.step(actions)
        running = np.flatnonzero(engine.seat_to_act >= 0)
    if not positions:
        raise OptionError("These games have too few turns to fit chances. Play more games.")
    games = np.concatenate(game_indices)
    winners = engine.winner[games]
    return np.concatenate(positions)[winners >= 0], winners[winners >= 0], games[winners >= 0]


def likelihoods(positions: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return each seat's win probability, shape (positions, players)."""
    values = positions @ weights
    shares = np.exp(values - values.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def loss(positions: np.ndarray, winners: np.ndarray, weights: np.ndarray) -> float:
    """Return the mean negative log-likelihood of the winners."""
    return float(-np.log(likelihoods(positions, weights)[np.arange(len(winners)), winners]).mean())


def fit(positions: np.ndarray, winners: np.ndarray) -> np.ndarray:
    """Compute the maximum-likelihood weights, shape (terms,), with Newton's method.

    Args:
        positions: (positions, players, terms).
        winners: (positions,) winning seats.
    """
    spread = positions.std(axis=(0, 1))
    spread[spread < 1e-9] = np.inf  # gives constant terms weight 0
    scaled = positions / spread
    weights = np.zeros(positions.shape[2])
    winner_terms = scaled[np.arange(len(winners)), winners]
    for _ in range(STEPS):
        chances = likelihoods(scaled, weights)
        mean_terms = np.einsum("ns,nst->nt", chances, scaled)
        gradient = (winner_terms - mean_terms).mean(axis=0) - SHRINK * weights
        weighted = scaled * np.sqrt(chances)[:, :, None]
        weighted_rows = weighted.reshape(-1, len(weights))
        curvature = (weighted_rows.T @ weighted_rows - mean_terms.T @ mean_terms) / len(winners) + SHRINK * np.eye(
            len(weights)
        )
        change = np.linalg.solve(curvature, gradient)
        weights = weights + change
        if abs(change).max() < 1e-6:
            break
    return weights / spread


def fit_chances(
    folder: str | Path,
    scenario: str = "base",
    players: int | None = None,
    games: int = 4000,
    rules: Mapping[str, Any] | None = None,
    weights: str | None = None,
    seed: int = 0,
    tell: Callable[[str], Any] = lambda line: None,
) -> np.ndarray:
    """Fit win-chance weights to new `greedy` games and write them to `chances.toml` in the folder.

    Args:
        weights: `greedy`'s weights, as a file or "untuned"; None for the bundled weights.

    Returns:
        The fitted weights, shape (terms,).

    Raises:
        CatanError: the scenario, rules or weights are invalid, or too few games were decided.
    """
    check_count("games", games)
    probe = BatchEngine(scenario, 1, players)
    engine = BatchEngine(scenario, games, players, seed=seed, rules=without_offers(probe, rules or {}))
    terms = terms_of(engine.program.composition)
    positions, winners, game_numbers = observed(engine, GreedyAgent(worlds=1, seed=seed, weights=weights), seed)
    is_fitted = game_numbers % HELD_OUT != 0
    if not is_fitted.any() or is_fitted.all():
        raise OptionError(f"{games} games are too few to fit chances. Play more games.")
    trial_weights = fit(positions[is_fitted], winners[is_fitted])
    held_out_loss = loss(positions[~is_fitted], winners[~is_fitted], trial_weights)
    even_loss = float(np.log(engine.num_players))
    tell(
        f"{len(winners)} positions; log loss {held_out_loss:.3f} on held-out games, {even_loss:.3f} with uniform "
        "chances"
    )
    fitted_weights = fit(positions, winners)
    metadata = {
        "made": f"by catan tune --chances {games} --seed {seed}{f' --start {weights}' if weights else ''}",
        "loss": round(held_out_loss, 4),
        "scenario": engine.scenario.name,
        "version": engine.scenario.version,
        "players": engine.num_players,
    }
    save_weights(Path(folder) / RESULT, terms, fitted_weights, metadata)
    return fitted_weights
