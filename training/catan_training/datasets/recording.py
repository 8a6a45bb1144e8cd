"""Play the games of a shard, and return its tables: one with a row per decision, and one with a row per game."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from catan_agents import Agent
from catan_env.engine.batch import BatchEngine
from catan_training.datasets.plan import DatasetPlan
from catan_training.evaluation.paired_seeds import make_player
from catan_training.parquet_files import bytes_of

LEVEL = 1
"""Compression level for zstd. Rows are mostly zeros: higher levels save only a few percent and take twice as long."""


BLOCK = 4096
"""Number of observations per memory block."""


class Choice(NamedTuple):
    """An agent's actions in n games and, if the agent reports them, the numbers behind each choice."""

    actions: np.ndarray
    """(n,) int64."""
    log_probabilities: np.ndarray | None = None
    """(n,) float64: log-probability of each chosen action, for agents with a policy."""
    values: np.ndarray | None = None
    """(n, actions) float64: value of every action, for agents that search; minus infinity for unexamined actions."""


class Tick(NamedTuple):
    """One decision in each of n games."""

    games: np.ndarray
    seats: np.ndarray
    agents: np.ndarray
    masks: np.ndarray
    """(n, bytes) uint8: legal actions, one bit per action."""
    actions: np.ndarray
    log_probabilities: np.ndarray
    paid: np.ndarray
    """(n,) float64: rewards that the seat received before the decision."""
    values: list[bytes | None] | None


class Observations:
    """The observations of all decisions, in memory blocks that the table shares because copying is slower than playing.

    Args:
        engine: the engine to observe.
        encoder, dtype: encoder and dtype of the observations.
    """

    def __init__(self, engine: BatchEngine, encoder: str, dtype: str):
        self._observe = partial(engine.observe, encoder, dtype=dtype)
        self._new_block = partial(np.empty, (max(BLOCK, engine.num_games), *_shape_of(engine, encoder, dtype)), dtype)
        self._full: list[np.ndarray] = []
        self._block, self._used = self._new_block(), 0

    def add(self, games: np.ndarray) -> None:
        """Observe the given games from the viewpoint of the seat to act."""
        if self._used + len(games) > len(self._block):
            self._full.append(self._block[: self._used])
            self._block, self._used = self._new_block(), 0
        self._observe(out=self._block[self._used : self._used + len(games)], games=games)
        self._used += len(games)

    def column(self) -> pl.Series:
        """Return the observations as a column of bytes, in insertion order."""
        return pl.concat([_binary(block) for block in (*self._full, self._block[: self._used])])


def _shape_of(engine: BatchEngine, encoder: str, dtype: str) -> tuple[int, ...]:
    return engine.observation_space(encoder, dtype).shape


def record_shard(plan: DatasetPlan, shard: int, _: int) -> tuple[int, bytes, bytes, int]:
    """Play a shard.

    Agents' random numbers are derived from the seed and the shard number, so the rows do not depend on the workers.

    Returns:
        The shard, the Parquet files of its decisions and games, and the number of decisions.

    Raises:
        CatanError: an agent or a rule fails.
    """
    games = plan.games_of(shard)
    engine = plan.engine(games)
    agents = [make_player(entrant) for entrant in plan.agents]
    for k, agent in enumerate(agents):
        seed_words = np.random.SeedSequence([plan.seed, shard, k]).generate_state(2)
        agent.reset(int(seed_words[0]) << 31 | int(seed_words[1]) >> 1)
    decisions, length = record(engine, agents, seating(plan, games), plan.encoder, plan.dtype)
    number = pl.col("game") + games.start
    decisions = decisions.with_columns(number.cast(pl.UInt32))
    table = games_table(engine, length).with_columns(number.cast(pl.UInt32))
    return shard, bytes_of(decisions, LEVEL), bytes_of(table, LEVEL), decisions.height


def seating(plan: DatasetPlan, games: range) -> np.ndarray:
    """Return the agent in each seat of each game, shape (games, players), int64. Agents rotate from game to game."""
    seats = np.arange(plan.players or 0)
    return (seats + np.array(games)[:, None]) % len(seats) % len(plan.agents)


def record(
    engine: BatchEngine, agents: list[Agent], owner: np.ndarray, encoder: str, dtype: str
) -> tuple[pl.DataFrame, np.ndarray]:
    """Play all of an engine's games to completion, and return their decisions and lengths.

    Args:
        engine: an engine with N games that draws chance outcomes itself.
        agents: the players.
        owner: (N, players) index into `agents` for each seat.
        encoder, dtype: encoder and dtype of the observations.

    Returns:
        The table of decisions, ordered by game and step, and the number of decisions in each game, shape (N,).
    """
    ticks: list[Tick] = []
    observations = Observations(engine, encoder, dtype)
    returns = np.zeros((engine.num_games, engine.num_players))
    length = np.zeros(engine.num_games, np.int64)
    while len(games := np.flatnonzero(engine.seat_to_act >= 0)):
        seats = engine.seat_to_act[games].copy()
        owners = owner[games, seats]
        masks = engine.action_mask[games]
        observations.add(games)
        chosen, log_probabilities = np.zeros(len(games), np.int64), np.full(len(games), np.nan, np.float32)
        values: list[bytes | None] | None = None
        for k, agent in enumerate(agents):
            own = np.flatnonzero(owners == k)
            if not len(own):
                continue
            choice = choose(agent, engine, games[own])
            chosen[own] = choice.actions
            if choice.log_probabilities is not None:
                log_probabilities[own] = choice.log_probabilities
            if choice.values is not None:
                values = values or [None] * len(games)
                for place, row in zip(own, _values_of_legal(choice.values, masks[own]), strict=True):
                    values[place] = row
        packed = np.packbits(masks, axis=1, bitorder="little")
        ticks.append(Tick(games, seats, owners, packed, chosen, log_probabilities, returns[games, seats], values))
        actions = np.full(engine.num_games, -1, np.int64)
        actions[games] = chosen
        engine.step(actions)
        returns += engine.rewards
        length[games] += 1
    return _decisions(ticks, observations, returns, engine.truncated), length


def choose(agent: Agent, engine: BatchEngine, games: np.ndarray) -> Choice:
    """Return an agent's actions with the policy or values behind them. The agent is to act in every game in `games`."""
    if hasattr(agent, "sample"):
        return Choice(*agent.sample(engine, games))
    if hasattr(agent, "evaluate_actions"):
        actions, values = agent.evaluate_actions(engine, games)
        return Choice(actions, values=values)
    actions = agent.act(engine, games)
    if hasattr(agent, "probabilities"):
        chances = agent.probabilities(engine, games)[np.arange(len(games)), actions]
        return Choice(actions, np.log(np.maximum(chances, np.finfo(np.float32).tiny)))
    return Choice(actions)


def _values_of_legal(values: np.ndarray, masks: np.ndarray) -> list[bytes]:
    """Return, for each row, the values of the legal actions as float32 bytes."""
    data, ends = values[masks].astype(np.float32).tobytes(), np.cumsum(np.count_nonzero(masks, axis=1)) * 4
    return [data[start:end] for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)]


def _decisions(
    ticks: list[Tick], observations: Observations, returns: np.ndarray, truncated: np.ndarray
) -> pl.DataFrame:
    """Return the decisions table, ordered by game and step."""
    games, seats, agents, masks, actions, logs, paid = (
        np.concatenate([tick[k] for tick in ticks]) if ticks else np.zeros((0, 1)[: 1 + (k == 3)], np.int64)
        for k in range(7)
    )
    order = np.argsort(games, kind="stable")
    games, seats, paid = games[order], seats[order], paid[order]
    final = returns[games, seats]
    by_seat = np.lexsort((np.arange(len(games)), seats, games))  # each seat's decisions are consecutive
    same = np.diff(games[by_seat] * returns.shape[1] + seats[by_seat]) == 0
    last, reward = np.ones(len(games), bool), final - paid
    last[by_seat[:-1][same]] = False
    reward[by_seat[:-1][same]] = np.diff(paid[by_seat])[same]
    starts = np.searchsorted(games, games)
    return pl.DataFrame(
        {
            "game": games.astype(np.uint32),
            "step": (np.arange(len(games)) - starts).astype(np.uint32),
            "seat": seats.astype(np.uint8),
            "agent": agents[order].astype(np.uint8),
            "observation": observations.column().gather(order),
            "mask": _binary(masks[order]),
            "action": actions[order].astype(np.uint16),
            "log_probability": pl.Series(logs[order], dtype=pl.Float32).fill_nan(None),
            "values": _values(ticks, order),
            "reward": reward.astype(np.float32),
            "return": (final - paid).astype(np.float32),
            "terminal": last,
            "truncated": truncated[games],
        }
    )


def _values(ticks: list[Tick], order: np.ndarray) -> pl.Series:
    """Return the column that holds the values of the legal actions."""
    if all(tick.values is None for tick in ticks):
        return pl.repeat(None, len(order), dtype=pl.Binary, eager=True)
    values = [value for tick in ticks for value in tick.values or [None] * len(tick.games)]
    return pl.Series([values[k] for k in order], dtype=pl.Binary)


def _binary(rows: np.ndarray) -> pl.Series:
    """Return rows of numbers, shape (n, ...), as a column of bytes that shares memory with them."""
    data = np.ascontiguousarray(rows).reshape(len(rows), -1).view(np.uint8)
    return pl.Series(data, dtype=pl.Array(pl.UInt8, data.shape[1])).cast(pl.List(pl.UInt8)).cast(pl.Binary)


def games_table(engine: BatchEngine, length: np.ndarray) -> pl.DataFrame:
    """Return the games table, with one row per finished game, of an engine that keeps replay logs.

    Args:
        engine: the engine after the last decision.
        length: number of recorded decisions in each game, shape (N,).
    """
    entries: list[Any] = [engine.log_entries(game) for game in range(engine.num_games)]
    return pl.DataFrame(
        {
            "game": np.arange(engine.num_games, dtype=np.uint32),
            "seed": engine.seeds,
            "winners": pl.Series(
                [np.flatnonzero(won).astype(np.uint8) for won in engine.winners], dtype=pl.List(pl.UInt8)
            ),
            "points": pl.Series(engine.victory_points.astype(np.int16).tolist(), dtype=pl.List(pl.Int16)),
            "truncated": engine.truncated,
            "decisions": length.astype(np.uint32),
            "moves": pl.Series(entries, dtype=pl.List(pl.UInt16)),
        }
    )
