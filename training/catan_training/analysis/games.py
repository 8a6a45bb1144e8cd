"""Analysis of a single game: win probabilities at every move, the cost of every decision, and luck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import catan_env
from catan_env.engine import plain_first, replay
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import CHANCE
from catan_env.engine.field_names import field_names
from catan_env.render.chart import production_of
from catan_env.render.words import sentence_for
from catan_training.analysis.forecast import Forecast, chances_in, forecast_for

BETTER = 3
"""Number of better actions to list for a costly move."""
ROLL = "dice"
"""Name of the draw that triggers production, in systems with numbers on hexes."""
AT_A_TIME = plain_first.FEW_GAMES
"""Positions per engine, few enough to start in plain Python without waiting for the compiler."""
Tell = Callable[[int, int], None]
"""Callback that receives the number of analysed moves and the total."""


class Better(NamedTuple):
    """An action better than the one taken."""

    text: str
    gain: float
    """Win probability after this action minus the win probability after the action taken."""
    action: int


@dataclass(frozen=True)
class Costly:
    """A decision that lowered the seat's win probability."""

    frame: int
    """Index of the decision in the game; the page shows it at this move."""
    seat: int
    turn: int
    cost: float
    """Win probability after the best action minus the win probability after the action taken, in [0, 1]."""
    taken: str
    better: tuple[Better, ...]
    """Better actions, best first."""


@dataclass
class Analysis:
    """Analysis of one game with `players` seats and F decisions. Per-seat arrays have shape (players,)."""

    scenario: str
    forecast: str
    names: list[str]
    winners: list[int]
    turns: np.ndarray
    """Turn number at every decision and at the end, shape (F + 1,)."""
    chances: np.ndarray
    """Win probabilities at every decision and at the end, shape (F + 1, players)."""
    cost: np.ndarray
    """Total win probability that each seat's decisions cost it."""
    decisions: np.ndarray
    """Number of decisions, per seat, that had several legal actions with comparable values."""
    costly: list[Costly]
    """All decisions that cost win probability, most costly first."""
    luck: dict[str, np.ndarray] = field(default_factory=dict)
    """Luck by kind of draw: the win probability after the draw minus its expectation, summed over draws."""
    produced: np.ndarray | None = None
    """Number of cards each seat received from rolls; None in scenarios without numbers on hexes."""
    expected: np.ndarray | None = None
    """Expected number of these cards, computed at each roll of the dice, including sevens."""

    @property
    def luck_of_all(self) -> np.ndarray:
        """Luck summed over all kinds of draws, shape (players,)."""
        return sum(self.luck.values(), np.zeros(self.chances.shape[1]))


def analyse(
    log: Mapping[str, Any] | str | Path, network: str | Path | None = None, tell: Tell = lambda done, total: None
) -> Analysis:
    """Analyse a replay log.

    Args:
        log: replay log, or the path to its file.
        network: name or file of a value network; see `forecast_for`.
        tell: progress callback.

    Raises:
        ReplayError: the log is corrupt or does not match its scenario's version.
        CatanError: the network does not match the game.
    """
    log = replay.log_of(log)
    walk = _Walk(log)
    engine = walk.engine
    forecast = forecast_for(engine, network)
    records = np.array(walk.records, engine.state.dtype)
    chances = chances_in(forecast, engine, records)
    analysis = Analysis(
        engine.scenario.reference,
        forecast.name,
        [str(name) for name in log.get("players") or [""] * engine.num_players],
        np.flatnonzero(engine.winners[0]).tolist(),
        records["turn"].astype(np.int64) if "turn" in field_names(records) else np.arange(len(records)),
        chances,
        np.zeros(engine.num_players),
        np.zeros(engine.num_players, np.int64),
        [],
    )
    num_decisions, total = len(walk.actions), len(walk.actions) + len(walk.draws)
    for start in range(0, num_decisions, AT_A_TIME):
        tell(start, total)
        _find_costly(analysis, forecast, engine, records[:-1], walk.actions, start)
    analysis.costly.sort(key=lambda move: -move.cost)
    for number, (name, before, outcome) in enumerate(walk.draws):
        tell(num_decisions + number, total)
        swing = _swing(forecast, engine, before, outcome)
        analysis.luck[name] = analysis.luck.get(name, np.zeros(engine.num_players)) + swing
    if walk.expected:
        analysis.produced, analysis.expected = np.sum(walk.produced, axis=0), np.sum(walk.expected, axis=0)
    tell(total, total)
    return analysis


class _Walk:
    """One pass over a log, collecting the records at decisions, the actions taken, the chance draws and the rolls."""

    def __init__(self, log: Mapping[str, Any]):
        self.records: list[np.void] = []
        self.actions: list[int] = []
        self.draws: list[tuple[str, np.void, int]] = []
        self.produced: list[np.ndarray] = []
        self.expected: list[np.ndarray] = []
        steps = catan_env.replay_steps(log)
        self.engine: BatchEngine = next(steps)
        has_hands = "hands" in field_names(self.engine.state)
        for move in log["moves"]:
            if self.engine.seat_to_act[0] != CHANCE:
                self.records.append(self.engine.state[0].copy())
                self.actions.append(self.engine.actions.id(move[0], move[1]))
                next(steps)
                continue
            outcome = self.engine.outcomes.id(move[0], move[1])
            if self.records:  # chance draws before the first decision set up the board for all seats
                self.draws.append((move[0], self.engine.state[0].copy(), outcome))
            rate = production_of(self.engine) if move[0] == ROLL and has_hands else []
            before = self._cards() if rate else None
            next(steps)
            if before is not None:
                self.produced.append(np.maximum(self._cards() - before, 0))
                self.expected.append(np.array([seat_rate[0] for seat_rate in rate]))
        self.records.append(self.engine.state[0].copy())

    def _cards(self) -> np.ndarray:
        """Return the number of cards in each seat's hand, shape (players,)."""
        return self.engine.state["hands"][0].sum(axis=-1)[: self.engine.num_players].astype(np.int64)


def engine_like(engine: BatchEngine, records: np.ndarray) -> BatchEngine:
    """Return an engine with explicit chance nodes that holds the given positions from a game of another engine."""
    copy = BatchEngine(
        engine.scenario,
        len(records),
        engine.num_players,
        chance="explicit",
        rules=engine.overrides,
        board=engine.board,
        compiled=plain_first.AUTO,
    )
    copy.state[:] = records
    copy.refresh()
    return copy


def _find_costly(
    analysis: Analysis, forecast: Forecast, engine: BatchEngine, records: np.ndarray, actions: list[int], start: int
) -> None:
    """Add the costs of up to `AT_A_TIME` decisions with a choice, beginning at `start`, to an analysis."""
    positions = engine_like(engine, records[start : start + AT_A_TIME])
    games = np.flatnonzero(positions.action_mask.sum(axis=1) > 1)
    if not len(games):
        return
    forecast.agent.reset(start)
    _, values = forecast.agent.evaluate_actions(positions, games)
    seats = positions.seat_to_act[games]
    after = forecast.after(values, analysis.chances[start + games], seats)
    own = after[np.arange(len(games)), np.array(actions)[start + games]]
    costs = np.nanmax(after, axis=1) - own
    for row in np.flatnonzero(np.isfinite(costs)):
        frame, seat, game = int(start + games[row]), int(seats[row]), int(games[row])
        analysis.decisions[seat] += 1
        analysis.cost[seat] += costs[row]
        if costs[row] <= 0:
            continue
        order = [int(k) for k in np.argsort(-np.nan_to_num(after[row], nan=-1.0))[:BETTER] if after[row, k] > own[row]]
        better = tuple(Better(sentence_for(positions, game, k), float(after[row, k] - own[row]), k) for k in order)
        sentence = sentence_for(positions, game, actions[frame])
        analysis.costly.append(Costly(frame, seat, int(analysis.turns[frame]), float(costs[row]), sentence, better))


def _swing(forecast: Forecast, engine: BatchEngine, before: np.void, outcome: int) -> np.ndarray:
    """Return the win probabilities after an outcome minus their mean over the draw's outcomes, shape (players,)."""
    position = engine_like(engine, np.array([before], engine.state.dtype))
    probabilities = position.chance_probabilities[0]
    outcomes = np.flatnonzero(probabilities)
    if len(outcomes) == 1:
        return np.zeros(engine.num_players)
    copies = position.clone([0] * len(outcomes))
    copies.step(outcomes)
    chances = chances_in(forecast, engine, copies.state)
    return chances[outcomes == outcome][0] - probabilities[outcomes] @ chances
